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


class Report:
    """Findings as they come, each at the end of a line that began with what was asked.

    ``is_json``: findings are JSON on stdout, and what a person reads goes to stderr.
    """

    PART_WIDTH = 11

    def __init__(self, is_json: bool) -> None:
        self.findings: list[Finding] = []
        self._is_json = is_json
        self._at = ""  # the part whose line is not ended yet

    def begin(self, part: str) -> None:
        """Begin the line of ``part``; it goes on where it has begun."""
        if self._at != part:
            self.say(f"{part:{self.PART_WIDTH}}  ")
        self._at = part

    def say(self, text: str) -> None:
        """``text`` for a person, at once."""
        stream = sys.stderr if self._is_json else sys.stdout
        stream.write(text)
        stream.flush()

    def found(self, finding: Finding) -> None:
        """End the line of its part with it; a line of its own where none has begun."""
        self.findings.append(finding)
        if self._is_json:
            self.say("\n" if self._at == finding.part else "")
            sys.stdout.write(f"{as_json(finding)}\n")
        elif self._at == finding.part:
            grade = "" if finding.grade is Grade.OK else f"{finding.grade.value}: "
            arrow = f"\n{'':{self.PART_WIDTH}}  -> {finding.mend}" if finding.mend else ""
            self.say(f"{grade}{finding.text}{arrow}\n")
        else:
            self.say(f"{as_text(finding, self.PART_WIDTH)}\n")
        self._at = ""

    def end(self) -> None:
        """Sum up."""
        bad = [finding.part for finding in self.findings if finding.grade is not Grade.OK]
        if not self._is_json:
            self.say(f"to mend: {', '.join(bad)}\n" if bad else "all is well\n")
