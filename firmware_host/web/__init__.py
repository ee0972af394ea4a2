"""The page: a process of its own that serves what the table tells it, and asks it for what people want.

It never sees the session, a device or the simulated box: a pair of sockets joins it to the table
(:mod:`firmware_host.web.link`), and of the store it reads what is kept.
"""
