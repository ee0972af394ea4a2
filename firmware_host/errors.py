"""Every error Boxkeeper raises, split by who can act on it.

A player's slip, a bad frame or a wire lost in play is an event, not an error.
Each leaf is also the builtin error it refines, so code that knows nothing of
Boxkeeper can catch it.
"""

from __future__ import annotations


class BoxkeeperError(Exception):
    """The root: ``except BoxkeeperError`` catches all of ours and nothing else."""


class RuleError(BoxkeeperError, ValueError):
    """The caller asked for what the rules do not allow or what cannot be read."""


class ConfigError(BoxkeeperError, ValueError):
    """A setting is unknown, malformed or contradicts another; names key and allowed values."""


class PlayError(BoxkeeperError, ValueError):
    """A bench script is malformed; names line and reason."""


class RequirementError(BoxkeeperError, ImportError):
    """An optional package is not installed; names it and how to install it."""


class JournalError(BoxkeeperError, OSError):
    """The journal cannot be read or written; the table may go on without it."""


class JournalInUseError(JournalError):
    """Another process owns the journal: one table, one service."""


class DeviceError(BoxkeeperError, OSError):
    """A device does not do its work; the supervisor tries again later."""


class DeviceNotFoundError(DeviceError):
    """Nothing answers where the config says the device is."""


class DeviceBusyError(DeviceError):
    """Another process holds the device; names who, where that can be known."""


class DeviceLostError(DeviceError):
    """The device answered before and does no longer (unplugged, remote I/O error, time-out)."""
