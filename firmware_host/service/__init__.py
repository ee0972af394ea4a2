"""The shell: one loop that owns the state, and devices that may come and go."""
