"""One match turn by turn, with what the best play was."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from starlette.responses import Response

from firmware_host.games.counsel import Slip
from firmware_host.games.shut_the_box.odds.judging import total
from firmware_host.games.start import SEQUENCE_DICE
from firmware_host.web.best_play import Slips, judged
from firmware_host.web.markup import Child, Markup, joined, link, page, table, tag

_SAME = 0.005  # points: what is less is shown as nothing
_UNBROKEN = "\N{NON-BREAKING HYPHEN}"  # "1-9" stays in one line
Story = Mapping[str, Any]


def match_row(story: Story) -> tuple[Child, ...]:
    """Number, when, players, winners, rules."""
    return (
        link(f"/matches/{story['match']}", story["match"]),
        _when(story),
        ", ".join(story["players"]),
        ", ".join(story["winners"]) or _outcome(story),
        _rules(story),
    )


def person(name: str) -> Markup:
    """A name that leads to the person's page."""
    return link("/person", name, (("name", name),))


def points(net: int) -> str:
    """Net points with their sign."""
    return f"{net:+}" if net else "0"


def show_match(story: Story) -> Response:
    """The whole page."""
    heading = ("Player", "Total", "Points", "")
    rows = [
        (person(seat["player"]), seat["total"], points(seat["points"]), _remark(seat))
        for seat in story["seats"]
    ]
    top = tag(
        "section",
        tag("p", f"{_when(story)} · {_rules(story)} · {_outcome(story)}", class_="soft"),
        table(heading, rows, "Result"),
        class_="card",
    )
    turns = [_turn(story, turn) for turn in story["turns"]]
    note = tag("p", "Best play: the least expected score of the turn, by exact odds.", class_="soft")
    return page(
        f"Match {story['match']}", top, tag("section", tag("h2", "Turns"), note, *turns, class_="card")
    )


def _turn(story: Story, turn: Story) -> Markup:
    judgements = judged(story["rules"], turn["rolls"])
    cost = total(slip for slips in judgements for slip in slips or ())
    score = "" if turn["score"] is None else f": {turn['score']}"
    end = (turn["reason"] or "goes on").replace("_", " ")
    by = ", set by hand" if turn["by_hand"] else ""
    heading = tag(
        "h3",
        f"{turn['player']}{score}",
        tag("span", f"  round {turn['round']} · {end}{by}", class_="soft"),
        tag("span", f"  gave away {cost:.1f}", class_="bad") if cost >= _SAME else None,
    )
    rolls = [_roll(roll, slips) for roll, slips in zip(turn["rolls"], judgements, strict=True)]
    return tag("article", heading, tag("ol", *rolls, class_="rolls"), class_="turn-card")


def _roll(roll: Story, slips: Slips | None) -> Markup:
    dice = tag("b", " + ".join(map(str, roll["dice"] or ())) or "dice not told")
    if roll["shut"] is None:
        return tag("li", dice, " nothing", _verdict(slips))
    moved = f" opens {_spaced(roll['opened'])}" if roll["opened"] else f" shuts {_spaced(roll['shut'])}"
    by = " (dice set by hand)" if roll["source"] == "hand" else None
    return tag("li", dice, moved, by, _verdict(slips))


def _verdict(slips: Slips | None) -> Markup | None:
    if slips is None:
        return None
    dear = [slip for slip in slips if slip.cost >= _SAME]
    if not dear:
        return tag("span", "  best", class_="good")
    return joined(
        joined((tag("span", f"  best was {_best(slip)}", class_="better"), f" ({slip.cost:+.1f})"))
        for slip in dear
    )


def _best(slip: Slip) -> str:
    if slip.is_dice:
        return "one die" if slip.best == (1,) else "two dice"
    return _spaced(slip.best)


def _spaced(tiles: Iterable[int]) -> str:
    return " ".join(map(str, tiles))


def _remark(seat: Story) -> str:
    what = (("won", "won"), ("has_left", "left"), ("by_hand", "set by hand"))
    return ", ".join(word for key, word in what if seat[key])


def _when(story: Story) -> str:
    return str(story["started"])[:16].replace("T", " ") if story["clock_set"] else "clock not set"


def _rules(story: Story) -> str:
    rules = story["rules"]
    if story["game"] == SEQUENCE_DICE:
        return f"Sequence Dice, {rules.get('rules.in_a_row')} in a row"
    tiles = str(rules.get("rules.tiles", "")).replace("-", _UNBROKEN)
    return f"{rules.get('match.kind', story['game'])}, tiles {tiles}".rstrip(", ")


def _outcome(story: Story) -> str:
    if story["reason"] == "played":
        return f"won by {', '.join(story['winners'])}" if story["winners"] else "nobody won: the pot stays"
    return story["reason"] or "goes on"
