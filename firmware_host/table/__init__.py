"""What the sensors say against what the rules expect: pure, time enters as ``now``."""
