"""Adapters from the ports to real devices."""
