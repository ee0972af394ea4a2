"""What the rules say: pure, no clock, no chance, no I/O."""
