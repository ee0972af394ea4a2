"""The newest state wins, whoever watches how slowly."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from firmware_host.web.hub import MOST_EVENTS, Hub, Watcher


def told(data: bytes) -> list[tuple[str, Any]]:
    """Topic and value of each event of a stream."""
    events = [block.split("\n") for block in data.decode().split("\n\n") if block]
    return [
        (lines[0].removeprefix("event: "), json.loads(lines[2].removeprefix("data: "))) for lines in events
    ]


def ids(data: bytes) -> list[str]:
    return [line[4:] for line in data.decode().split("\n") if line.startswith("id: ")]


def test_who_comes_late_gets_the_newest_of_each_topic() -> None:
    hub = Hub()
    hub.publish("board", 1)
    hub.publish("oled", "a")
    hub.publish("board", 2)
    assert told(Watcher(hub, ("board", "oled")).news()) == [("oled", "a"), ("board", 2)]
    assert told(Watcher(hub, ("board",)).news()) == [("board", 2)]


def test_who_reads_slowly_skips_what_was_replaced() -> None:
    hub = Hub()
    watcher = Watcher(hub, ("board",))
    assert watcher.news() == b""
    for value in range(1000):
        hub.publish("board", value)
    assert told(watcher.news()) == [("board", 999)]
    assert watcher.news() == b""


def test_of_the_live_list_the_last_are_kept() -> None:
    hub = Hub()
    for number in range(MOST_EVENTS + 10):
        hub.add(number)
    events = told(Watcher(hub, ("event",)).news())
    assert [value for _, value in events] == list(range(10, MOST_EVENTS + 10))


def test_who_was_away_goes_on_where_the_line_was_cut() -> None:
    hub = Hub()
    hub.publish("board", 1)
    hub.add("first")
    seen = ids(Watcher(hub, ("board", "event")).news())[-1]
    hub.add("second")
    assert told(Watcher(hub, ("board", "event"), seen).news()) == [("event", "second")]


@pytest.mark.parametrize("last", ["", "x", "-1", "cafe-3", "cafe-", "99999999999999999999"])
def test_who_comes_from_another_start_gets_everything(last: str) -> None:
    hub = Hub()
    hub.publish("board", 1)
    assert told(Watcher(hub, ("board",), last).news()) == [("board", 1)]


def test_an_id_from_the_future_is_no_reason_to_miss_anything() -> None:
    hub = Hub()
    hub.publish("board", 1)
    epoch = ids(Watcher(hub, ("board",)).news())[0].partition("-")[0]
    watcher = Watcher(hub, ("board",), f"{epoch}-999999")
    hub.publish("board", 2)
    assert told(watcher.news()) == [("board", 2)]


def test_a_line_end_in_a_name_ends_no_line_of_the_stream() -> None:
    hub = Hub()
    hub.publish("board", {"name": "a\n\nevent: board\r\ndata: 1\u2028"})
    assert len(told(Watcher(hub, ("board",)).news())) == 1


def test_a_watcher_wakes_up_for_his_topics_alone_and_at_the_end() -> None:
    async def scene() -> None:
        hub = Hub()
        watcher = Watcher(hub, ("board",))
        hub.watchers.add(watcher)
        watcher.news()
        hub.publish("oled", 1)
        assert not watcher.changed.is_set()
        hub.publish("board", 1)
        assert watcher.changed.is_set()
        watcher.news()
        hub.close()
        assert watcher.changed.is_set()

    asyncio.run(scene())
