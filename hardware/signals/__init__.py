"""Lamps and a buzzer, one module per way to wire them."""
