"""Sequence Dice: a board of 36 numbered squares, two dice, five chips in a row."""
