"""``boxkeeper dice``: photos in, a line each out."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from firmware_host.cli.main import main


def test_without_opencv_the_mend_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "cv2", None)
    photo = tmp_path / "a.png"
    photo.write_bytes(b"x")
    assert main(["dice", str(photo)]) == 1
    err = capsys.readouterr().err
    assert "pip install 'boxkeeper[camera]'" in err
    assert err.count("\n") == 1


class TestWithOpenCV:
    """What needs pictures."""

    @pytest.fixture(autouse=True)
    def _opencv(self) -> None:
        pytest.importorskip("cv2", reason="reading dice needs OpenCV: pip install 'boxkeeper[camera]'")

    @pytest.fixture
    def rigs(self, tmp_path: Path) -> Path:
        """A folder with a rig, a frame of it with a three and a five, and an empty one."""
        import cv2

        from sim.die_faces import turn_up
        from sim.tray import Body, Tray, render

        tray = Tray((640, 480), 640.0)
        dice = [Body((-40.0, 10.0, 8.0), turn_up(5, 0.3)), Body((30.0, 0.0, 8.0), turn_up(3, 1.0))]
        cv2.imwrite(str(tmp_path / "throw.png"), render(tray, dice))
        cv2.imwrite(str(tmp_path / "empty.png"), render(tray))
        entry = {
            "rig": "table",
            "image_size": [640, 480],
            "floor_corners_px": tray.corners_px.tolist(),
            "floor_mm": [200, 150],
            "die_edge_mm": 16,
            "empty": ["empty.png"],
        }
        (tmp_path / "rigs.json").write_text(json.dumps([entry]))
        return tmp_path

    def test_json_has_a_line_a_photo(self, rigs: Path, capsys: pytest.CaptureFixture[str]) -> None:
        photos = [str(rigs / "throw.png"), str(rigs / "empty.png")]
        assert main(["dice", *photos, "--rig", f"{rigs / 'rigs.json'}:table", "--json"]) == 0
        throw, empty = (json.loads(line) for line in capsys.readouterr().out.splitlines())
        assert list(throw) == ["file", "values", "reason", "ms"]
        assert (throw["file"], throw["values"], throw["reason"]) == (photos[0], [3, 5], None)
        assert (empty["values"], empty["reason"]) == (None, "no_dice")

    def test_text_is_for_people(self, rigs: Path, capsys: pytest.CaptureFixture[str]) -> None:
        photo = str(rigs / "throw.png")
        assert main(["dice", photo, "--rig", f"{rigs / 'rigs.json'}"]) == 0
        assert capsys.readouterr().out == f"{photo}: 3 5\n"

    def test_two_dice_are_refused_where_one_is_wanted(
        self, rigs: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        photo = str(rigs / "throw.png")
        assert main(["dice", photo, "--rig", f"{rigs / 'rigs.json'}:table", "--dice", "1"]) == 0
        assert capsys.readouterr().out == f"{photo}: two_dice\n"

    @pytest.mark.parametrize("cut", [0, 1, 100, 2000])
    def test_a_picture_that_is_not_whole_is_camera_failed(
        self, rigs: Path, cut: int, capsys: pytest.CaptureFixture[str]
    ) -> None:
        import cv2

        whole = cv2.imencode(".jpg", cv2.imread(str(rigs / "throw.png")))[1].tobytes()
        photo = rigs / "cut.jpg"
        photo.write_bytes(whole[:cut])
        assert main(["dice", str(photo)]) == 0
        assert capsys.readouterr().out == f"{photo}: camera_failed\n"

    @pytest.mark.parametrize(
        ("name", "says"), [("README.md", "is no picture"), ("none.jpg", "there is no such file")]
    )
    @pytest.mark.parametrize("options", [[], ["--json"]])
    def test_what_is_no_picture_is_a_failure_of_one_line(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, says: str, options: list[str]
    ) -> None:
        (tmp_path / "README.md").write_text("# Boxkeeper")
        assert main(["dice", str(tmp_path / name), *options]) == 1
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert err.startswith(f"boxkeeper: {tmp_path / name}: {says}")

    @pytest.mark.parametrize(
        ("argv", "says"),
        [
            (["throw.png", "--rig", "rigs.json:chair"], "no rig 'chair'"),
            (["throw.png", "--rig", "none.json:table"], "none.json: cannot be read"),
            (["throw.png", "--dice", "3"], "invalid choice: '3'; allowed: 1, 2"),
        ],
    )
    def test_wrong_use_is_one_line(
        self,
        rigs: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
        argv: list[str],
        says: str,
    ) -> None:
        monkeypatch.chdir(rigs)
        assert main(["dice", *argv]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert says in err
        assert err.count("\n") == 1
