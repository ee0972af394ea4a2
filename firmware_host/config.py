"""The config: one TOML file, every key with a default, and ``--set`` above it.

A key is a line in :data:`KEYS`, which says how it is read, and a field of its section's
class, which holds its default.  Nothing is read or asked for at import.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from firmware_host.config_files import default_store_dir, read_toml
from firmware_host.config_values import (
    CAMERA,
    COUNTS,
    DISPLAY_BUS,
    EXPANDER_INPUTS,
    EXPANDER_OUTPUTS,
    FILE,
    FLAG,
    FOLDER,
    HOST,
    NAMES,
    PIN,
    PIN_OR_NONE,
    PLAIN,
    SELECT_PINS,
    SPI_BUS,
    TILE_PINS,
    TILES,
    USB_ID,
    Kind,
    number,
    one_of,
)
from firmware_host.config_wiring import (
    ButtonConfig,
    BuzzerConfig,
    CameraConfig,
    ChipConfig,
    DisplayConfig,
    ExpanderConfig,
    LampConfig,
    SerialConfig,
    TileConfig,
    address_clash,
    bus_lines,
    line_uses,
)
from firmware_host.errors import ConfigError, RuleError
from firmware_host.games.coach import Coach, CoachAim
from firmware_host.games.match_rules import Kind as MatchKind
from firmware_host.games.match_rules import MatchRules, OnShut, Ties
from firmware_host.games.sequence_dice.rules import Rules as ChipRules
from firmware_host.games.shut_the_box.presets import DEFAULT, PRESETS
from firmware_host.games.shut_the_box.rules import FirstRoll, OneDie, Rules, Scoring, Sets
from firmware_host.games.start import GAMES, SEQUENCE_DICE, SHUT_THE_BOX, GameRules, check_players

R = TypeVar("R", Rules, ChipRules)

RIG_FILE = "camera.toml"  # what `boxkeeper calibrate camera` writes into the store's folder
SET = "--set"  # where a value came from, when not from a file
_LONGEST_SHOWN = 60  # of a bad value in a message

# The 7-bit addresses that the I2C specification leaves to devices (UM10204, 3.1.12).
_I2C_ADDRESS = number(0x08, 0x77, "0x08 to 0x77: 0x3c or 0x3d (on some modules printed as 0x78 and 0x7a)")
_EXPANDER_ADDRESS = number(0x20, 0x27, "0x20 to 0x27, by A0 to A2")

KEYS: Mapping[str, Kind] = MappingProxyType(
    {
        "rules.game": one_of(*GAMES),
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
        "rules.in_a_row": number(5, 6, "5, or 6 for two sides"),
        "rules.extra_after_blocked": FLAG,
        "match.kind": one_of(*MatchKind),
        "match.rounds": number(1, 99, "1 to 99 rounds"),
        "match.limit": number(1, 99_999, "1 to 99999 points"),
        "match.stake": number(0, 99_999, "0 to 99999 points"),
        "match.double_on_shut": FLAG,
        "match.players": NAMES,
        "match.ranked": FLAG,
        "tiles.driver": one_of("gpio", "mcp23017", "serial"),
        "tiles.pins": TILE_PINS,
        "tiles.pull": one_of("up", "down", "external"),
        "tiles.backend": one_of("lgpio", "rpigpio"),
        "buttons.roll": PIN,
        "buttons.next": PIN,
        "buttons.back": PIN,
        "expander.bus": number(0, 31, "the number of an I2C bus, 0 to 31"),
        "expander.address": _EXPANDER_ADDRESS,
        "expander.pins": EXPANDER_INPUTS,
        "expander.interrupt": PIN_OR_NONE,
        "serial.port": PLAIN,
        "serial.usb": USB_ID,
        "serial.number": PLAIN,
        "dice.source": one_of("roller", "serial", "camera", "keypad", "none"),
        "camera.device": CAMERA,
        "camera.rig": FILE,
        "coach.hints": FLAG,
        "coach.chances": FLAG,
        "coach.review": FLAG,
        "coach.aim": one_of(*CoachAim),
        "lamps.driver": one_of("none", "mcp23017", "serial"),
        "lamps.address": _EXPANDER_ADDRESS,
        "lamps.pins": EXPANDER_OUTPUTS,
        "buzzer.driver": one_of("none", "gpio", "serial"),
        "buzzer.pin": PIN,
        "buzzer.volume": one_of("high", "low", "off"),
        "display.controller": one_of("ssd1306", "sh1106", "ssd1309", "none"),
        "display.bus": DISPLAY_BUS,
        "display.address": _I2C_ADDRESS,
        "display.dc": PIN,
        "display.reset": PIN_OR_NONE,
        "display.blank_at_exit": FLAG,
        "chips.driver": one_of("hall", "matrix"),
        "chips.bus": SPI_BUS,
        "chips.select": SELECT_PINS,
        "chips.sensor": one_of("drv5055a3", "ss49e"),
        "chips.rest": COUNTS,
        "chips.address": _EXPANDER_ADDRESS,
        "store.dir": FOLDER,
        "web.host": HOST,
        "web.port": number(0, 65_535, "0 (no page) to 65535"),
    }
)
"""Every key, and the kind of its value."""

SECTIONS = tuple(dict.fromkeys(key.partition(".")[0] for key in KEYS))


@dataclass(frozen=True, slots=True)
class DiceConfig:
    """Where rolls come from: the roller's button, real dice read or typed in, or nobody knows them.
    ``serial``: the roller, and all three buttons are on the microcontroller.
    """

    source: Literal["roller", "serial", "camera", "keypad", "none"] = "roller"

    @property
    def played(self) -> str:
        """What a match is played with: how the roller's button is wired is no matter of the game."""
        return "roller" if self.source == "serial" else self.source


@dataclass(frozen=True, slots=True)
class StoreConfig:
    """Where matches are kept; None: where :func:`default_store_dir` says."""

    dir: Path | None = None


@dataclass(frozen=True, slots=True)
class WebConfig:
    """Where the page is served; ``port`` 0: nowhere."""

    host: str = "127.0.0.1"
    port: int = 8137


@dataclass(frozen=True, slots=True)
class Config:
    """A config without contradictions; ``Config()`` is the default one.

    ``game``: what is played.  ``rules``: of Shut the Box, ``chip_rules``: of Sequence Dice; those of the
    other game rest.  ``players``: who plays when nobody has set up, in the order of the seats.
    """

    game: str = SHUT_THE_BOX
    preset: str = DEFAULT
    rules: Rules = field(default_factory=Rules)
    chip_rules: ChipRules = field(default_factory=ChipRules)
    match: MatchRules = field(default_factory=MatchRules)
    players: tuple[str, ...] = ("Player 1", "Player 2")
    coach: Coach = field(default_factory=Coach)
    tiles: TileConfig = field(default_factory=TileConfig)
    buttons: ButtonConfig = field(default_factory=ButtonConfig)
    expander: ExpanderConfig = field(default_factory=ExpanderConfig)
    serial: SerialConfig = field(default_factory=SerialConfig)
    dice: DiceConfig = field(default_factory=DiceConfig)
    camera: CameraConfig = field(default_factory=CameraConfig)
    lamps: LampConfig = field(default_factory=LampConfig)
    buzzer: BuzzerConfig = field(default_factory=BuzzerConfig)
    display: DisplayConfig = field(default_factory=DisplayConfig)
    chips: ChipConfig = field(default_factory=ChipConfig)
    store: StoreConfig = field(default_factory=StoreConfig)
    web: WebConfig = field(default_factory=WebConfig)

    @property
    def match_settings(self) -> dict[str, Any]:
        """What a match is started with, every rule by its full key."""
        rules = {f"rules.{key}": value for key, value in self.game_rules.settings().items()}
        return {"rules.game": self.game, **rules, **self.match.settings()}

    @property
    def game_rules(self) -> GameRules:
        """The rules of the game that is played."""
        return self.chip_rules if self.game == SEQUENCE_DICE else self.rules

    @property
    def camera_rig(self) -> str:
        """Where the camera's calibration is."""
        return self.camera.rig if self.camera.rig is not None else str(self.store_dir / RIG_FILE)

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
        config = replace(
            self._played(values),
            preset=preset,
            players=values.get("match.players", Config().players),
            coach=Coach(**sections["coach"]),
            tiles=TileConfig(**sections["tiles"]),
            buttons=ButtonConfig(**sections["buttons"]),
            expander=ExpanderConfig(**sections["expander"]),
            serial=SerialConfig(**sections["serial"]),
            dice=DiceConfig(**sections["dice"]),
            camera=CameraConfig(**sections["camera"]),
            lamps=LampConfig(**sections["lamps"]),
            buzzer=BuzzerConfig(**sections["buzzer"]),
            display=DisplayConfig(**sections["display"]),
            chips=ChipConfig(**sections["chips"]),
            store=StoreConfig(**sections["store"]),
            web=WebConfig(**sections["web"]),
        )
        self._check_pins(config)
        return config

    def _played(self, values: Mapping[str, Any]) -> Config:
        """A config of what is played and how; all else is at its default."""
        try:
            played = Config(
                game=values.get("rules.game", SHUT_THE_BOX),
                rules=_fields(Rules, values),
                chip_rules=_fields(ChipRules, values),
                match=MatchRules.from_settings(values),
            )
            played.game_rules.check(played.match, values.get("dice.source", ""))
            if "match.players" in values:
                check_players(
                    played.game_rules, played.match, values["match.players"], values.get("dice.source", "")
                )
        except RuleError as error:  # its text begins with a key
            named = str(error).partition(" ")[0].removesuffix(":")
            origins = self._origins(
                key for key in KEYS if key.startswith(("rules.", "match.")) or key == named
            )
            raise _error(origins, str(error)) from None
        return played

    def _check_pins(self, config: Config) -> None:
        uses: dict[int, tuple[str, str]] = {}  # BCM number -> key, and the use in words
        taken = {bcm: rest for bcm, *rest in bus_lines(config)}
        for line in line_uses(config):
            if line.bcm in taken:
                what, keys, mend = taken[line.bcm]
                text = f"{line.use} is BCM {line.bcm}, {what}; {mend}"
                raise _error(self._origins((line.key, *keys)), text)
            if line.bcm in uses:
                other_key, other = uses[line.bcm]
                text = f"{other} and {line.use} are both BCM {line.bcm}; allowed: each pin once"
                raise _error(self._origins((other_key, line.key)), text)
            uses[line.bcm] = (line.key, line.use)
        if clash := address_clash(config):
            keys, text = clash
            raise _error(self._origins(keys), text)
        if config.tiles.driver == "mcp23017" and config.tiles.pull == "down":
            text = "tiles.pull is 'down', and an MCP23017 can only pull up; allowed: up, external"
            raise _error(self._origins(("tiles.pull", "tiles.driver")), text)

    def _origins(self, keys: Iterable[str]) -> list[str]:
        """Where those of ``keys`` that were set came from."""
        return [self._given[key].origin for key in keys if key in self._given]


def _fields(kind: type[R], values: Mapping[str, Any]) -> R:
    """Rules of ``kind`` from those of ``values`` that are theirs."""
    return kind(**{f.name: values[key] for f in fields(kind) if (key := f"rules.{f.name}") in values})


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
