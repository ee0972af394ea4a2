"""The plug is pulled at random moments; the whole campaign is ``tests/campaigns/kill.py``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CAMPAIGN = Path(__file__).parents[1] / "campaigns" / "kill.py"


@pytest.mark.timeout(120)
def test_nothing_that_was_printed_is_lost_however_the_process_ends() -> None:
    done = subprocess.run(
        [sys.executable, str(CAMPAIGN), "--kills", "5", "--seed", "7"],
        cwd=CAMPAIGN.parents[2],
        capture_output=True,
        text=True,
        check=False,
        timeout=110,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "kills: 5\n" in done.stdout
    assert done.stdout.endswith("wrong: 0\n")
