"""The config: one TOML file, every key with a default, and ``--set`` above it.

A key is a line in :data:`KEYS`, which says how it is read, and a field of its section's
class, which holds its default.  Nothing is read or asked for at import.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from firmware_host.config_files import default_store_dir, read_toml
from firmware_host.config_values import FLAG, FOLDER, NAMES, PIN, TILE_PINS, TILES, Kind, number, one_of
from firmware_host.errors import ConfigError, RuleError
from firmware_host.games.coach import Coach, CoachAim
from firmware_host.games.match_rules import Kind as MatchKind
from firmware_host.games.match_rules import MatchRules, OnShut, Ties
from firmware_host.games.shut_the_box.presets import DEFAULT, PRESETS
from firmware_host.games.shut_the_box.rules import FirstRoll, OneDie, Rules, Scoring, Sets
from firmware_host.games.start import SHUT_THE_BOX, check, check_players

SET = "--set"  # where a value came from, when not from a file
_I2C_LINES: Mapping[int, Mapping[int, str]] = {1: {2: "SDA", 3: "SCL"}}  # bus -> BCM number -> line
_LONGEST_SHOWN = 60  # of a bad value in a message

_PINS = {1: 4, 2: 17, 3: 27, 4: 22, 5: 5, 6: 6, 7: 13, 8: 19, 9: 26, 10: 16, 11: 20, 12: 21}
# The 7-bit addresses that the I2C specification leaves to devices (UM10204, 3.1.12).
_I2C_ADDRESS = number(0x08, 0x77, "0x08 to 0x77: 0x3c or 0x3d (on some modules printed as 0x78 and 0x7a)")

KEYS: Mapping[str, Kind] = MappingProxyType(
    {
        "rules.game": one_of(SHUT_THE_BOX),
        "rules.preset": one_of(*PRESETS),
        "rules.tiles": TILES,
        "rules.one_die": one_of(*OneDie),
        "rules.one_die_compulsory": FLAG,
        "rules.sets": one_of(*Sets),
        "rules.first_roll": one_of(*FirstRoll),
        "rules.unlucky_7": FLAG,
        "rules.scoring": one_of(*Scoring),
        "rules.shut": one_of(*OnShut),
        "rules.ties": one_of(*Ties),
        "match.kind": one_of(*MatchKind),
        "match.rounds": number(1, 99, "1 to 99 rounds"),
        "match.limit": number(1, 99_999, "1 to 99999 points"),
        "match.stake": number(0, 99_999, "0 to 99999 points"),
        "match.double_on_shut": FLAG,
        "match.players": NAMES,
        "match.ranked": FLAG,
        "tiles.driver": one_of("gpio"),
        "tiles.pins": TILE_PINS,
        "tiles.pull": one_of("up", "down", "external"),
        "tiles.backend": one_of("lgpio", "rpigpio"),
        "buttons.roll": PIN,
        "buttons.next": PIN,
        "buttons.back": PIN,
        "dice.source": one_of("roller", "keypad", "none"),
        "coach.hints": FLAG,
        "coach.chances": FLAG,
        "coach.review": FLAG,
        "coach.aim": one_of(*CoachAim),
        "display.controller": one_of("ssd1306", "none"),
        "display.bus": number(0, 31, "the number of an I2C bus, 0 to 31"),
        "display.address": _I2C_ADDRESS,
        "display.blank_at_exit": FLAG,
        "store.dir": FOLDER,
    }
)
"""Every key, and the kind of its value."""

SECTIONS = tuple(dict.fromkeys(key.partition(".")[0] for key in KEYS))


@dataclass(frozen=True, slots=True)
class TileConfig:
    """How the tiles' switches are wired; ``pins``: BCM number by tile."""

    driver: Literal["gpio"] = "gpio"
    pins: Mapping[int, int] = field(default_factory=lambda: MappingProxyType(_PINS), hash=False)
    pull: Literal["up", "down", "external"] = "up"
    backend: Literal["lgpio", "rpigpio"] = "lgpio"


@dataclass(frozen=True, slots=True)
class ButtonConfig:
    """BCM numbers of the buttons."""

    roll: int = 23
    next: int = 24
    back: int = 25


@dataclass(frozen=True, slots=True)
class DiceConfig:
    """Where rolls come from: the roller's button, real dice typed in, or nobody knows them."""

    source: Literal["roller", "keypad", "none"] = "roller"


@dataclass(frozen=True, slots=True)
class DisplayConfig:
    """The panel; ``blank_at_exit``: leave it dark, else the last picture stays."""

    controller: Literal["ssd1306", "none"] = "ssd1306"
    bus: int = 1
    address: int = 0x3C
    blank_at_exit: bool = False


@dataclass(frozen=True, slots=True)
class StoreConfig:
    """Where matches are kept; None: where :func:`default_store_dir` says."""

    dir: Path | None = None


@dataclass(frozen=True, slots=True)
class Config:
    """A config without contradictions; ``Config()`` is the default one.

    ``players``: who plays when nobody has set up, in the order of the seats.
    """

    preset: str = DEFAULT
    rules: Rules = field(default_factory=Rules)
    match: MatchRules = field(default_factory=MatchRules)
    players: tuple[str, ...] = ("Player 1", "Player 2")
    coach: Coach = field(default_factory=Coach)
    tiles: TileConfig = field(default_factory=TileConfig)
    buttons: ButtonConfig = field(default_factory=ButtonConfig)
    dice: DiceConfig = field(default_factory=DiceConfig)
    display: DisplayConfig = field(default_factory=DisplayConfig)
    store: StoreConfig = field(default_factory=StoreConfig)

    @property
    def match_settings(self) -> dict[str, Any]:
        """What a match is started with, every rule by its full key."""
        rules = {f"rules.{key}": value for key, value in self.rules.settings().items()}
        return {**rules, **self.match.settings()}

    @property
    def store_dir(self) -> Path:
        """Where matches are kept; looks at the disk when it is not set."""
        return self.store.dir if self.store.dir is not None else default_store_dir()


@dataclass(frozen=True, slots=True)
class _Given:
    value: Any
    origin: str


@dataclass(frozen=True, slots=True)
class Settings:
    """The keys that were set, each value allowed by itself; :meth:`build` holds them together."""

    _given: Mapping[str, _Given] = field(default_factory=dict, hash=False)

    @classmethod
    def load(cls, path: Path | None, overrides: Sequence[str] = ()) -> Settings:
        """What is set by the file at ``path``, if any, and above it by ``overrides`` (``KEY=VALUE``).

        Raises ConfigError like :func:`load`, but for contradictions.
        """
        settings = cls()
        for key, value in _file_settings(path) if path is not None else ():
            settings = settings.with_setting(key, value, str(path))
        for override in overrides:
            key, equals, text = override.partition("=")
            if not equals:
                raise ConfigError(f"{SET}: {_shown(override)} is no KEY=VALUE; write {SET} rules.tiles=1-10")
            settings = settings.with_setting(key.strip(), text, SET)
        return settings

    def with_setting(self, key: str, value: object, origin: str = "") -> Settings:
        """These settings with ``key`` set as well, to text or as TOML gives it.

        Raises ConfigError, which names ``origin`` where there is one, for an unknown
        key or a value that is not allowed.

        >>> Settings().with_setting("rules.tiles", "1,3,5").build().rules.tiles
        (1, 3, 5)
        """
        kind = KEYS.get(key)
        if kind is None:
            raise _error([origin], _unknown(key))
        try:
            given = _Given(kind.read(value), origin)
        except ValueError as error:
            reason = f" ({error})" if str(error) else ""
            text = f"{key} is {_shown(value)}{reason}; allowed: {kind.allowed}"
            raise _error([origin], text) from None
        return Settings({**self._given, key: given})

    def build(self) -> Config:
        """The config of these settings; ConfigError where two of them contradict each other."""
        given = {key: given.value for key, given in self._given.items()}
        preset = given.pop("rules.preset", DEFAULT)
        values = {key: KEYS[key].read(value) for key, value in PRESETS[preset].settings.items()} | given
        sections: dict[str, dict[str, Any]] = {section: {} for section in SECTIONS}
        for key, value in values.items():
            section, _, name = key.partition(".")
            sections[section][name] = value
        rules, match = self._rules(values)
        config = Config(
            preset=preset,
            rules=rules,
            match=match,
            players=values.get("match.players", Config().players),
            coach=Coach(**sections["coach"]),
            tiles=TileConfig(**sections["tiles"]),
            buttons=ButtonConfig(**sections["buttons"]),
            dice=DiceConfig(**sections["dice"]),
            display=DisplayConfig(**sections["display"]),
            store=StoreConfig(**sections["store"]),
        )
        self._check_pins(config)
        return config

    def _rules(self, values: Mapping[str, Any]) -> tuple[Rules, MatchRules]:
        own = {f"rules.{name}" for name in Rules().settings()}
        try:
            rules = Rules(**{key.removeprefix("rules."): values[key] for key in own & values.keys()})
            match = MatchRules.from_settings(values)
            check(rules, match, values.get("dice.source", ""))
            if "match.players" in values:
                check_players(match, values["match.players"], values.get("dice.source", ""))
        except RuleError as error:  # its text begins with a key
            named = str(error).partition(" ")[0].removesuffix(":")
            origins = self._origins(
                key for key in KEYS if key.startswith(("rules.", "match.")) or key == named
            )
            raise _error(origins, str(error)) from None
        return rules, match

    def _check_pins(self, config: Config) -> None:
        uses: dict[int, tuple[str, str]] = {}  # BCM number -> key, and the use in words
        i2c = _I2C_LINES.get(config.display.bus, {}) if config.display.controller != "none" else {}
        for bcm, key, use in _pin_uses(config):
            if bcm in i2c:
                text = f"{use} is BCM {bcm}, the {i2c[bcm]} line of the display's I2C bus"
                mend = "use another pin, or set display.controller to none"
                raise _error(self._origins((key, "display.controller", "display.bus")), f"{text}; {mend}")
            if bcm in uses:
                other_key, other = uses[bcm]
                text = f"{other} and {use} are both BCM {bcm}; allowed: each pin once"
                raise _error(self._origins((other_key, key)), text)
            uses[bcm] = (key, use)

    def _origins(self, keys: Iterable[str]) -> list[str]:
        """Where those of ``keys`` that were set came from."""
        return [self._given[key].origin for key in keys if key in self._given]


def load(path: Path | None, overrides: Sequence[str] = ()) -> Config:
    """The config of the file at ``path``, if any, with ``overrides`` (``KEY=VALUE``) above it.

    Raises ConfigError, in one line that names file (or ``--set``), key and what is allowed.
    """
    return Settings.load(path, overrides).build()


def _file_settings(path: Path) -> list[tuple[str, object]]:
    """Keys and values in the order of the file."""
    found: list[tuple[str, object]] = []
    for section, content in read_toml(path).items():
        if section in SECTIONS and isinstance(content, dict):
            found += [(f"{section}.{name}", value) for name, value in content.items()]
        else:
            found.append((section, content))
    return found


def _pin_uses(config: Config) -> Iterable[tuple[int, str, str]]:
    """BCM number, key, and the use in words, of each pin."""
    for tile, bcm in config.tiles.pins.items():
        yield bcm, "tiles.pins", f"tiles.pins for tile {tile}"
    for name in ("roll", "next", "back"):
        yield getattr(config.buttons, name), f"buttons.{name}", f"buttons.{name}"


def _unknown(key: str) -> str:
    """What to say of a key that is none: the closest one, and what there is beside it."""
    import difflib

    section = key.partition(".")[0]
    same_name = [known for known in KEYS if known.partition(".")[2] == key]
    close = same_name or difflib.get_close_matches(key, KEYS, n=1)
    guess = f", did you mean {close[0]}?" if close else ";"
    if section in SECTIONS:
        names = ", ".join(known.partition(".")[2] for known in KEYS if known.startswith(f"{section}."))
        return f"{_shown(key)} is no key{guess} allowed in [{section}]: {names}"
    return f"{_shown(key)} is no key{guess} allowed sections: {', '.join(SECTIONS)}"


def _error(origins: Iterable[str], text: str) -> ConfigError:
    where = ", ".join(dict.fromkeys(origin for origin in origins if origin))
    return ConfigError(f"{where}: {text}" if where else text)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 3]}..."
