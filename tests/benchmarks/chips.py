"""Sequence Dice: legal actions, whole matches, and what the opponents' decisions take."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator

from figures import Figure, Length, best_of, calibrate
from gpiozero import OutputDevice
from gpiozero.pins.mock import MockFactory

from firmware_host.games.records import MatchStarted
from firmware_host.games.sequence_dice.game import SequenceDice
from firmware_host.games.sequence_dice.opponents import Hard, Normal
from firmware_host.games.sequence_dice.position import Position
from firmware_host.games.sequence_dice.rules import Rules, after, legal_actions, sides
from firmware_host.games.start import begin, opening
from hardware.chips.hall import HallBoard
from hardware.chips.matrix import ROWS, MatrixBoard
from hardware.chips.mcp3008 import CLOCK_HZ, Adc
from hardware.expander import Expander
from hardware.ways import SELECT_PINS
from sim.chip_boards import HallCircuit, MatrixCircuit
from sim.devices.i2c_bus import I2cBus
from sim.magnets import Board

PART = "chips"
POSITIONS = 2_000
MATCHES = 1_000
RULES = Rules()
Case = tuple[Position, int, int]  # a position, a colour, and the total of its roll


def positions(count: int, players: int) -> list[Case]:
    """Out of random matches, from empty boards to full ones."""
    chance, found = random.Random(1), []
    position, colours, side = Position(), sides(players), 0
    while len(found) < count:
        total = chance.randint(1, 6) + chance.randint(1, 6)
        found.append((position, side, total))
        action = chance.choice(legal_actions(position, side, total))
        position = after(position, side, action)
        side = (side + 1) % colours
        if action.square is not None and position.wins_at(action.square, side - 1, RULES.in_a_row):
            position = Position()
    return found


def play_bare(chance: random.Random) -> int:
    """A whole random match of two on bare positions; the number of its rolls."""
    position, side, rolls = Position(), 0, 0
    while True:
        total = chance.randint(1, 6) + chance.randint(1, 6)
        rolls += 1
        action = chance.choice(legal_actions(position, side, total))
        position = after(position, side, action)
        if action.square is not None and position.wins_at(action.square, side, RULES.in_a_row):
            return rolls
        if not RULES.brings_extra_turn(total, blocked=action.square is None):
            side = 1 - side


def play_match(chance: random.Random) -> int:
    """A whole random match of two as the table plays it; the number of its records."""
    started, first = opening(1, {"rules.game": "sequence-dice"}, ("Ann", "Bob"))
    assert isinstance(started, MatchStarted)
    game, count = begin(started).apply(first), 2
    assert isinstance(game, SequenceDice)
    while not game.match.is_over:
        if game.dice:
            records = game.stand(chance.choice(game.targets()).layout)
        else:
            records = game.roll((chance.randint(1, 6), chance.randint(1, 6)), "roller")
        for record in records:
            game = game.apply(record)
        count += len(records)
    return count


def scans() -> Iterator[Figure]:
    """What a look at all 36 squares takes on its bus, by the clocks that the fakes count."""
    board, factory = Board(), MockFactory()
    pins = [factory.pin(bcm) for bcm in SELECT_PINS]
    circuit = HallCircuit(board, [lambda pin=pin: bool(pin.state) for pin in pins], "drv5055a3")  # type: ignore[misc]
    lines = [OutputDevice(bcm, pin_factory=factory) for bcm in SELECT_PINS]
    hall = HallBoard(Adc(circuit.adc), lines, sensor="drv5055a3")
    before = circuit.adc.clocks
    hall.read()
    clocks = circuit.adc.clocks - before
    name = f"hall board: a scan, {clocks} clocks at {CLOCK_HZ / 1e6:g} MHz"
    yield Figure(PART, name, 1000 * clocks / CLOCK_HZ, "ms on bus")
    bus = I2cBus()
    bus.attach(0x22, MatrixCircuit(board))
    matrix = MatrixBoard(Expander(bus, 0x22, outputs=ROWS))
    before = bus.bytes_on_bus
    matrix.read()
    sent = bus.bytes_on_bus - before
    for khz in (100, 400):
        name = f"switch board: a scan, {sent} bytes of 9 clocks at {khz} kHz"
        yield Figure(PART, name, sent * 9 / khz, "ms on bus")


def measure(length: Length) -> Iterator[Figure]:
    """Rates and times against their limits; the worst decision is the slowest of all those asked for."""
    loop_ms = calibrate()
    cases = positions(POSITIONS, 2)

    def look_up() -> None:
        for position, side, total in cases:
            legal_actions(position, side, total)

    rate = POSITIONS / best_of(look_up)
    yield Figure(PART, "legal actions", rate, "positions/s", least=50_000, calibration_ms=loop_ms)

    for name, play in (
        (f"{MATCHES:,} random matches", play_bare),
        ("the same, with all records", play_match),
    ):

        def play_some(play: Callable[[random.Random], int] = play) -> None:
            chance = random.Random(1)
            for _ in range(MATCHES // 10):
                play(chance)

        took = best_of(play_some, min(length.repeats, 3)) * 10
        yield Figure(PART, name, took, "s", calibration_ms=loop_ms)
    for players in (2, 3):
        for name, opponent in (
            ("normal", Normal(RULES, players)),
            ("hard", Hard(RULES, players, time.monotonic, limit_s=60.0)),
        ):
            asked = [*positions(40 * length.repeats, players), (Position(), 0, 11)]
            times = [
                best_of(lambda case=case, opponent=opponent: opponent.choose(*case), 3)  # type: ignore[misc]
                for case in asked
            ]
            limit = 20.0 if name == "hard" else None
            what = f"{name}, {players} sides: the slowest of {len(asked)} decisions"
            yield Figure(PART, what, 1000 * max(times), "ms", most=limit, calibration_ms=loop_ms)
    yield from scans()
