"""Scores over time as SVG: a dot a turn, and a line through the mean of the last ten."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.web.markup import Markup, tag

WIDTH, HEIGHT = 720, 260
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 14, 34
MEAN_OF = 10
_LINES = 4  # at most so many steps of the scale


def plot_scores(scores: Sequence[int], title: str) -> Markup:
    """``scores``: one at least, the oldest first; the lower the better, so zero is at the bottom."""
    highest = max(*scores, 1)
    step = _step(highest)
    top = step * -(-highest // step)
    inner = [tag("title", title), *_scale(step, top), *_axis(len(scores))]
    points = [(_x(i, len(scores)), _y(score, top)) for i, score in enumerate(scores)]
    inner += [tag("circle", cx=x, cy=y, r=4 if len(scores) < 80 else 2, class_="turn") for x, y in points]
    means = [(_x(i, len(scores)), _y(mean, top)) for i, mean in enumerate(running_means(scores))]
    if len(means) > 1:
        inner.append(tag("polyline", points=" ".join(f"{x},{y}" for x, y in means), class_="mean"))
    return tag("svg", *inner, viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", class_="plot", aria_label=title)


def running_means(scores: Sequence[int]) -> list[float]:
    """The mean of each score and those before it, ten in all where there are so many."""
    lasts = (scores[max(0, i - MEAN_OF + 1) : i + 1] for i in range(len(scores)))
    return [sum(last) / len(last) for last in lasts]


def _scale(step: int, top: int) -> list[Markup]:
    drawn: list[Markup] = []
    for value in range(0, top + 1, step):
        y = _y(value, top)
        drawn.append(tag("line", x1=LEFT, y1=y, x2=WIDTH - RIGHT, y2=y, class_="grid"))
        drawn.append(tag("text", value, x=LEFT - 8, y=str(float(y) + 4), class_="scale"))
    return drawn


def _axis(count: int) -> list[Markup]:
    label = f"{count} turns, the latest at the right" if count > 1 else "1 turn"
    return [tag("text", label, x=(LEFT + WIDTH - RIGHT) // 2, y=HEIGHT - 8, class_="axis")]


def _step(highest: int) -> int:
    step = 1
    while -(-highest // step) > _LINES:
        step = {1: 2, 2: 5, 5: 10}[_leading(step)] * 10 ** (len(str(step)) - 1)
    return step


def _leading(step: int) -> int:
    return int(str(step)[0])


def _x(i: int, count: int) -> str:
    room = WIDTH - LEFT - RIGHT
    return f"{LEFT + room * (i + 0.5) / count:.1f}"


def _y(value: float, top: int) -> str:
    room = HEIGHT - TOP - BOTTOM
    return f"{TOP + room * (1 - value / top):.1f}"
