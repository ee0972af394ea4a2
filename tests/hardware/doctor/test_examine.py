"""The doctor's frame: bounded, and whatever one probe does, the others go on."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

import hardware.doctor
from firmware_host.config import Config
from firmware_host.findings import Finding, Grade
from hardware.doctor import Place, examine


def fine(_place: Place, _config: Config) -> Iterator[Finding]:
    yield Finding("fine", Grade.OK, "yes")


def raises(_place: Place, _config: Config) -> Iterator[Finding]:
    yield Finding("raises", Grade.OK, "so far")
    raise OSError("a driver")


def hangs(_place: Place, _config: Config) -> Iterator[Finding]:
    while True:
        time.sleep(3600)
    yield


def test_a_probe_that_raises_or_hangs_is_told_and_the_rest_is_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    probes = (("raises", raises), ("hangs", hangs), ("fine", fine))
    monkeypatch.setattr(hardware.doctor, "PROBES", probes)
    findings = list(examine(Config(), Place(), probe_s=0.2))
    assert [(finding.part, finding.grade) for finding in findings] == [
        ("raises", Grade.OK), ("raises", Grade.WRONG), ("hangs", Grade.WRONG), ("fine", Grade.OK),
    ]  # fmt: skip
    assert "a driver" in findings[1].text
