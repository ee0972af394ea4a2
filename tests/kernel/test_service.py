"""The service as a process: a line that another holds, and its end."""

from __future__ import annotations

import re
from pathlib import Path

from header import Header
from panel_bus import PanelBus
from service_process import ServiceProcess, holder

from firmware_host.config import TileConfig
from firmware_host.screens.picture import draw
from firmware_host.table.view import Scene, View

ROOT = Path(__file__).parents[2]
BCM = TileConfig().pins[5]


def test_fault_5_a_line_held_by_another_is_one_line_that_names_both_and_is_had_once_it_is_free(
    backend: str, header: Header, bus: PanelBus, tmp_path: Path
) -> None:
    with holder(header.chip, BCM) as other:
        service = ServiceProcess(
            ROOT, f"store.dir={tmp_path}", f"tiles.backend={backend}", "tiles.pull=external", "web.port=0"
        )
        line = service.said("boxkeeper: no tiles")
        assert re.fullmatch(
            rf"boxkeeper: no tiles: tile 5 on BCM {BCM} \(header pin 29\): busy, held by 'lg' "
            rf"\(python3?, pid {other.pid}\): stop it, or use another pin",
            line,
        ), line
    service.said("boxkeeper: tiles:")
    assert service.end() == 0
    # Fault 13: a service that is stopped leaves no stale picture.
    assert bus.pixels() == draw(View(Scene.PAUSED)).tobytes()
    assert [line.split(":")[1] for line in service.lines] == [" no tiles", " tiles"]
