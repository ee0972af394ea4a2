"""Findings as lines of text or of JSON, and as an exit code."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable

from firmware_host.cli.columns import width
from firmware_host.findings import Finding, Grade

_COLOURS = {Grade.OK: "32", Grade.WARNING: "33", Grade.WRONG: "1;31"}
_GRADE_WIDTH = max(len(grade.value) for grade in Grade)


def as_json(finding: Finding) -> str:
    """One line of JSON."""
    fields = {"part": finding.part, "grade": finding.grade.value, "text": finding.text, "mend": finding.mend}
    return json.dumps(fields, ensure_ascii=False)


def as_text(finding: Finding, part_width: int) -> str:
    """One line, and another with the mend where there is one."""
    grade = f"{finding.grade.value:{_GRADE_WIDTH}}"
    if sys.stdout.isatty():
        grade = coloured(grade, _COLOURS[finding.grade])
    part = finding.part + " " * (part_width - width(finding.part))
    mend = f"\n{' ' * (_GRADE_WIDTH + part_width + 4)}-> {finding.mend}" if finding.mend else ""
    return f"{grade}  {part}  {finding.text}{mend}"


def coloured(text: str, colour: str) -> str:
    """``text`` for a terminal, in the SGR ``colour``."""
    return f"\x1b[{colour}m{text}\x1b[0m"


def exit_code(findings: Iterable[Finding]) -> int:
    """1 if anything is wrong, else 0."""
    return int(any(finding.grade is Grade.WRONG for finding in findings))
