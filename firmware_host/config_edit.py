"""A key of the config file changed, and every other line of it left as its owner wrote it."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from firmware_host.config_files import read_toml
from firmware_host.errors import ConfigError

BACKUP_SUFFIX = ".bak"


def set_keys(path: Path, settings: Mapping[str, Any]) -> Path | None:
    """Set keys such as ``tiles.pins`` in the TOML file at ``path``, which is made if it is not there.

    The whole file is written anew beside it and takes its place at once, with its
    rights; comments and order stay.  Returns where the file as it was is kept (its
    name and ``.bak``), None where there was none.

    Raises ConfigError if it is not TOML or cannot be written; then it is as it was.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    target = path.resolve()
    try:
        if target.exists():
            read_toml(target)  # our own words for what is wrong with it
            document = tomlkit.parse(target.read_text(encoding="utf-8-sig"))
        else:
            document = tomlkit.document()
        for key, value in settings.items():
            section, _, name = key.partition(".")
            table = document.setdefault(section, tomlkit.table())
            table[name] = _inline(value) if isinstance(value, Mapping) else value
        return _replace(target, tomlkit.dumps(document))
    except (TOMLKitError, AttributeError, TypeError) as error:  # such as a section that is a number
        raise ConfigError(f"{path}: cannot be changed ({error}); set {', '.join(settings)} by hand") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written ({error.strerror})") from None


def _inline(value: Mapping[Any, Any]) -> Any:
    import tomlkit

    table = tomlkit.inline_table()
    table.update({str(name): item for name, item in value.items()})
    return table


def _replace(target: Path, text: str) -> Path | None:
    target.parent.mkdir(parents=True, exist_ok=True)
    backup = target.with_name(target.name + BACKUP_SUFFIX) if target.exists() else None
    handle, name = tempfile.mkstemp(prefix=f".{target.name}-", dir=target.parent)
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if backup is not None:
            shutil.copy2(target, backup)
            shutil.copymode(target, name)
            with contextlib.suppress(PermissionError):  # somebody else's file in a folder of ours
                os.chown(name, target.stat().st_uid, target.stat().st_gid)
        else:
            os.chmod(name, 0o644)
        os.replace(name, target)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
        raise
    return backup
