"""One report a throw, none without a throw: the watch over rendered frames, in their own time."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

pytest.importorskip("cv2", reason="reading dice needs OpenCV: pip install 'boxkeeper[camera]'")

import numpy as np

from hardware.dice.pips import read_dice
from hardware.dice.reading import Die, Reading, Reason
from hardware.dice.watch import AWAITED_S, IDLE_S, STIRRING_S, UNSURE_S, Report, State, Watch
from sim.dice_tray import FLIGHT_S, HAND_S, DiceTray, rig, tray
from sim.tray import Light, render

FRAME_S = 1 / 15
REST_S = HAND_S + FLIGHT_S
SOON_S = 1.5  # after rest


class Scene:
    """A tray that a watch is over; ``reports`` with their moments, ``heads``: values or reason."""

    def __init__(self, wanted: int = 2, seed: int = 3, **how: Any) -> None:
        self.now = 0.0
        self.tray = DiceTray(seed)
        self.watch = Watch(rig(), wanted, **how)
        self.reports: list[Report] = []
        self.run(0.5)

    def run(self, seconds: float, draw: Callable[[], Any] | None = None) -> None:
        """Feed frames for so long; ``draw``: in place of what the tray shows."""
        end = self.now + seconds
        while self.now < end:
            self.now += FRAME_S
            frame = draw() if draw is not None else self.tray.frame(self.now)
            report = self.watch.feed(frame, self.now)
            if report is not None:
                self.reports.append(report)

    def throw(self, *values: int, landing: str = "flat") -> float:
        """Throw, and return the moment from which the dice lie still."""
        self.tray.landing = landing
        self.tray.throw(values, self.now)
        return self.now + REST_S

    @property
    def heads(self) -> list[tuple[int, ...] | str]:
        return [report.reading.values or str(report.reading.reason) for report in self.reports]


class TestAThrow:
    def test_is_reported_once_and_soon(self) -> None:
        scene = Scene()
        rest = scene.throw(3, 5)
        scene.run(6.0)
        assert scene.heads == [(3, 5)]
        assert rest < scene.reports[0].at < rest + SOON_S

    @pytest.mark.parametrize("values", [(1, 1), (6, 6), (2, 4)])
    def test_may_show_anything(self, values: tuple[int, ...]) -> None:
        scene = Scene()
        scene.throw(*values)
        scene.run(3.0)
        assert scene.heads == [values]

    def test_of_one_die_is_read_where_one_is_wanted(self) -> None:
        scene = Scene(wanted=1)
        scene.throw(4)
        scene.run(3.0)
        assert scene.heads == [(4,)]

    def test_after_a_throw_is_another(self) -> None:
        scene = Scene()
        for values in ((3, 5), (3, 5), (1, 2)):
            scene.throw(*values)
            scene.run(3.0)
        assert scene.heads == [(3, 5), (3, 5), (1, 2)]

    def test_is_in_each_of_the_states_in_turn(self) -> None:
        scene, seen = Scene(), []
        scene.throw(3, 5)
        while scene.now < 4.0:
            seen.append(scene.watch.state)
            scene.run(FRAME_S)
        assert list(dict.fromkeys(seen)) == [State.EMPTY, State.MOVING, State.STILL, State.REPORTED]

    def test_is_read_at_ten_times_less_frames(self) -> None:
        scene = Scene()
        scene.throw(2, 6)
        for _ in range(8):
            scene.now += 0.6
            report = scene.watch.feed(scene.tray.frame(scene.now), scene.now)
            scene.reports += [report] if report else []
        assert scene.heads == [(2, 6)]


def copied(scene: Scene) -> Scene:
    """``scene`` to go on with, at the same rig."""
    return deepcopy(scene, {id(rig()): rig()})


@pytest.fixture(scope="module")
def reported() -> Scene:
    """A three and a five lie there, reported."""
    scene = Scene()
    scene.throw(3, 5)
    scene.run(3.0)
    assert scene.heads == [(3, 5)]
    scene.reports.clear()
    return scene


class TestNoThrow:
    """What brings no report, and mostly no word."""

    @pytest.fixture
    def scene(self, reported: Scene) -> Scene:
        """The same, for one test; it is drawn once."""
        return copied(reported)

    def test_a_hand_that_passes(self, scene: Scene) -> None:
        scene.tray.see_through("hand", scene.now)
        scene.run(1.0)
        scene.tray.see_through("clear", scene.now)
        scene.run(4.0)
        assert scene.heads == []

    def test_dice_that_are_taken_away(self, scene: Scene) -> None:
        scene.throw()
        scene.run(4.0)
        assert scene.heads == []
        assert scene.watch.state is State.EMPTY

    def test_light_that_fades(self, scene: Scene) -> None:
        lying = scene.tray.frame(scene.now)
        for share in np.linspace(1.0, 0.55, 45):
            scene.run(FRAME_S, lambda share=share: (lying * share).astype(np.uint8))
        scene.run(4.0, lambda: (lying * 0.55).astype(np.uint8))
        assert scene.heads == []

    def test_light_that_goes_out_and_on_again(self, scene: Scene) -> None:
        scene.tray.see_through("dim", scene.now)
        scene.run(5.0)
        assert scene.heads == ["low_contrast"]
        scene.tray.see_through("clear", scene.now)
        scene.run(4.0)
        assert scene.heads == ["low_contrast"]

    def test_light_from_another_side(self, scene: Scene) -> None:
        lying = scene.tray._lying
        other = replace(tray(), light=Light(direction=(-0.5, -0.3, 0.8)))
        scene.run(4.0, lambda: render(other, lying))
        assert not any(isinstance(head, tuple) for head in scene.heads)

    def test_dice_that_lay_there_when_the_watch_began(self, scene: Scene) -> None:
        later = Watch(rig(), wanted=2)
        reports = [later.feed(scene.tray.frame(scene.now + i), scene.now + i) for i in range(8)]
        assert reports == [None] * 8

    def test_dice_that_lay_there_when_a_throw_was_asked_for(self) -> None:
        scene = Scene(wanted=0)
        scene.throw(3, 5)
        scene.run(3.0)
        scene.watch.expect(2)
        scene.run(4.0)
        assert scene.heads == []

    def test_only_one_of_two_dice_thrown_again(self, scene: Scene) -> None:
        staying = scene.tray._lying[0]
        scene.throw(2, 6)
        scene.tray._lying = (staying, scene.tray._lying[1])
        scene.run(4.0)
        assert scene.heads in (["one_die"], ["touching_ambiguous"])


@pytest.fixture(scope="module")
def refused() -> Scene:
    """One of two dice is cocked, and that was said."""
    scene = Scene()
    scene.throw(3, 5, landing="cocked")
    scene.run(5.0)
    return scene


class TestRefusals:
    @pytest.mark.parametrize(
        ("landing", "reasons"),
        [("cocked", {"cocked"}), ("stacked", {"stacked", "cocked", "one_die"}), ("short", {"one_die"})],
    )
    def test_come_after_three_seconds_and_once(self, landing: str, reasons: set[str]) -> None:
        scene = Scene()
        rest = scene.throw(3, 5, landing=landing)
        scene.run(8.0)
        assert len(scene.heads) == 1
        assert scene.heads[0] in reasons
        assert rest + UNSURE_S <= scene.reports[0].at < rest + UNSURE_S + 0.5

    @pytest.fixture
    def scene(self, refused: Scene) -> Scene:
        """A cocked die lies there, refused; it is drawn once."""
        return copied(refused)

    def test_the_next_throw_counts(self, scene: Scene) -> None:
        scene.throw(2, 6)
        scene.run(3.0)
        assert scene.heads == ["cocked", (2, 6)]

    def test_are_not_said_again_after_a_hand_has_passed(self, scene: Scene) -> None:
        scene.tray.see_through("hand", scene.now)
        scene.run(0.5)
        scene.tray.see_through("clear", scene.now)
        scene.run(5.0)
        assert scene.heads == ["cocked"]

    def test_two_dice_where_one_is_wanted(self) -> None:
        scene = Scene(wanted=1)
        scene.throw(3, 5)
        scene.run(5.0)
        assert scene.heads == ["two_dice"]

    def test_a_bumped_camera_is_told_from_a_throw(self) -> None:
        scene = Scene()
        scene.tray.see_through("bumped", scene.now)
        scene.run(5.0)
        assert scene.heads == ["camera_moved"]

    def test_a_camera_put_back_reads_again(self) -> None:
        scene = Scene()
        scene.tray.see_through("bumped", scene.now)
        scene.run(5.0)
        scene.tray.see_through("clear", scene.now)
        scene.run(2.0)
        scene.throw(1, 4)
        scene.run(3.0)
        assert scene.heads == ["camera_moved", (1, 4)]

    def test_pictures_of_another_size_are_of_another_camera(self) -> None:
        scene = Scene()
        scene.run(5.0, lambda: np.zeros((480, 480, 3), np.uint8))
        assert scene.heads == ["camera_moved"]

    def test_dice_thrown_in_the_dark_are_read_in_the_light(self) -> None:
        scene = Scene()
        scene.tray.see_through("covered", scene.now)
        scene.run(1.0)
        scene.throw(2, 3)
        scene.run(5.0)
        scene.tray.see_through("clear", scene.now)
        scene.run(2.0)
        assert scene.heads == ["low_contrast", (2, 3)]

    def test_what_never_comes_to_rest_is_told_after_a_while(self) -> None:
        scene = Scene()
        frames = [np.full_like(scene.tray.frame(0.0), 90), scene.tray.frame(0.0)]
        for i in range(int((STIRRING_S + 2) / FRAME_S)):
            scene.run(FRAME_S, lambda i=i: frames[i % 2])
        assert scene.heads == ["moving"]


class TestReadingTwice:
    """With a made-up reader."""

    def scene(self, *readings: Reading) -> Scene:
        """A throw lies there, and is read so; the last one again and again."""
        rest = iter(readings)
        last = [readings[-1]]

        def read(frame: Any, rig: Any, wanted: int) -> Reading:
            return next(rest, last[0])

        scene = Scene(read=read)
        scene.throw(3, 5)
        scene.run(REST_S + 6.0)
        return scene

    def test_readings_that_differ_are_no_answer(self) -> None:
        one, other = _pair(3, 5), _pair(3, 6)
        assert self.scene(*[one, other] * 40).heads == ["disagree"]

    def test_a_single_slip_costs_a_moment(self) -> None:
        scene = self.scene(_pair(3, 6), _pair(3, 5), _pair(3, 5), _pair(3, 5), Reading())
        assert scene.heads == [(3, 5)]

    def test_a_die_that_creeps_is_not_still(self) -> None:
        assert self.scene(*[_pair(3, 5, off=4.0 * i) for i in range(40)]).heads == ["disagree"]

    def test_the_reason_met_most_often_is_told(self) -> None:
        doubts = [Reading(reason=Reason.GLARE), *[Reading(reason=Reason.COCKED)] * 60]
        assert self.scene(*doubts).heads == ["cocked"]

    def test_more_refusals_ask_for_more_answers(self) -> None:
        doubts = [Reading(reason=Reason.COCKED)] * 4
        few = self.scene(*doubts, *[_pair(3, 5)] * 3, *doubts * 10)
        assert few.heads == ["cocked"]


def _pair(one: int, other: int, off: float = 0.0) -> Reading:
    return Reading((Die(one, (off, 0.0), 0, 16, 1), Die(other, (40.0, 0.0), 0, 16, 1)))


def test_without_a_wish_nothing_is_read() -> None:
    def read(*_: Any) -> Reading:
        raise AssertionError("nobody wants to know")

    scene = Scene(wanted=0, read=read)
    scene.throw(3, 5)
    scene.run(4.0)
    assert scene.watch.interval_s == IDLE_S
    scene.watch.expect(2)
    assert scene.watch.interval_s == AWAITED_S


def test_the_frame_of_a_report_is_the_one_it_was_read_off() -> None:
    scene = Scene()
    scene.throw(3, 5)
    scene.run(3.0)
    (report,) = scene.reports
    assert read_dice(report.frame, rig(), 2).values == (3, 5)
