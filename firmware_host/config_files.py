"""Where config and matches lie on the disk."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from firmware_host.errors import ConfigError

_SYSTEM_STORE = "/var/lib/boxkeeper"


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of the TOML file at ``path``; ConfigError, in one line, if it cannot be read as such."""
    import tomllib

    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))  # some editors put a mark in front
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror}); name a TOML file") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: byte {error.start + 1} is not UTF-8; save the file as UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: is not TOML: {error}") from None


def default_store_dir() -> Path:
    """The system's state folder, or the user's own where that is not writable.

    Raises ConfigError where there is neither.
    """
    system = _SYSTEM_STORE if os.path.isdir(_SYSTEM_STORE) else os.path.dirname(_SYSTEM_STORE)
    if os.access(system, os.W_OK | os.X_OK):
        return Path(_SYSTEM_STORE)
    state = os.environ.get("XDG_STATE_HOME", "")
    if os.path.isabs(state):  # the XDG specification: any other is to be ignored
        return Path(state, "boxkeeper")
    try:
        return Path.home() / ".local" / "state" / "boxkeeper"
    except RuntimeError:
        what = f"{_SYSTEM_STORE} is not writable and there is no home folder"
        raise ConfigError(f"store.dir: {what}; set store.dir") from None
