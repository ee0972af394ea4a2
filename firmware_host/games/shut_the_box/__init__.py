"""Shut the Box: the box, its rules, the turn, and how they are written down."""
