"""The simulated box: a world of tiles, magnets and hands behind the very adapters of the real one."""
