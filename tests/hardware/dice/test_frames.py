"""Where frames come from; cameras are made-up libraries, folders and videos real ones."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("cv2", reason="reading dice needs OpenCV: pip install 'boxkeeper[camera]'")

import cv2
import numpy as np

from firmware_host.errors import (
    ConfigError,
    DeviceBusyError,
    DeviceError,
    DeviceLostError,
    DeviceNotFoundError,
)
from hardware.dice import cameras
from hardware.dice.cameras import PiCamera, V4l2Camera
from hardware.dice.frames import Folder, Video, open_frames

SIZE = (64, 48)
FRAME = np.full((48, 64, 3), 90, np.uint8)


class TestFolders:
    def test_pictures_come_by_name_and_then_none(self, tmp_path: Path) -> None:
        for number in (2, 1):
            cv2.imwrite(str(tmp_path / f"{number}.png"), FRAME + number)
        (tmp_path / "notes.txt").write_text("no picture")
        folder = open_frames(str(tmp_path), SIZE, {})
        seen = [folder.read(), folder.read(), folder.read()]
        assert [None if frame is None else int(frame[0, 0, 0]) for frame in seen] == [91, 92, None]
        assert not folder.is_live

    def test_a_folder_without_pictures_is_no_camera(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigError, match="holds no pictures"):
            Folder(tmp_path)

    def test_a_picture_that_is_not_whole_is_a_failure(self, tmp_path: Path) -> None:
        (tmp_path / "a.jpg").write_bytes(b"\xff\xd8 cut")
        with pytest.raises(DeviceLostError, match=r"a\.jpg"):
            Folder(tmp_path).read()


class TestVideos:
    def test_frames_come_at_the_rate_of_the_file(self, tmp_path: Path) -> None:
        path = tmp_path / "throws.avi"
        writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, SIZE)
        if not writer.isOpened():
            pytest.skip("this OpenCV writes no MJPG video")
        for _ in range(3):
            writer.write(FRAME)
        writer.release()
        video = open_frames(str(path), SIZE, {})
        assert video.fps == 10.0
        assert [video.read() is not None for _ in range(4)] == [True, True, True, False]
        video.close()

    def test_a_file_that_is_no_video_is_said(self, tmp_path: Path) -> None:
        path = tmp_path / "letter.mp4"
        path.write_text("Dear Ann")
        with pytest.raises(ConfigError, match="no video"):
            Video(path)


class FakeCapture:
    """OpenCV's camera."""

    is_open = True
    frames: Any = FRAME

    def __init__(self, path: str, api: int) -> None:
        self.values: dict[int, float] = {cv2.CAP_PROP_FOCUS: -1, cv2.CAP_PROP_EXPOSURE: 150.0}
        self.is_released = False

    def isOpened(self) -> bool:
        return self.is_open

    def set(self, key: int, value: float) -> bool:
        self.values[key] = value
        return True

    def get(self, key: int) -> float:
        return self.values.get(key, 0.0)

    def read(self) -> tuple[bool, Any]:
        return self.frames is not None, self.frames

    def grab(self) -> bool:
        return self.frames is not None

    def release(self) -> None:
        self.is_released = True


class TestV4l2:
    @pytest.fixture
    def device(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
        """A device file, and OpenCV with a camera behind it."""
        capture = type("Capture", (FakeCapture,), {})
        monkeypatch.setattr(cv2, "VideoCapture", capture)
        self.capture: Any = capture
        path = tmp_path / "video0"
        path.touch()
        return str(path)

    def test_a_camera_that_is_not_there_names_its_mend(self) -> None:
        with pytest.raises(DeviceNotFoundError, match=r"camera\.device"):
            open_frames("/dev/video77", SIZE, {})

    def test_one_that_does_not_open_is_busy(self, device: str) -> None:
        self.capture.is_open = False
        with pytest.raises(DeviceBusyError, match="another program"):
            V4l2Camera(device, SIZE)

    def test_another_size_than_calibrated_is_refused(self, device: str) -> None:
        with pytest.raises(DeviceNotFoundError, match="64 x 48, not 640 x 480"):
            V4l2Camera(device, (640, 480))

    def test_one_that_brings_nothing_is_lost(self, device: str) -> None:
        camera = V4l2Camera(device, SIZE)
        self.capture.frames = None
        with pytest.raises(DeviceLostError):
            camera.read()
        with pytest.raises(DeviceLostError):
            camera.skip()

    def test_once_calibrated_nothing_is_automatic(self, device: str) -> None:
        camera = V4l2Camera(device, SIZE)
        camera.hold({"exposure": 120.0, "white_balance": 4600.0, "moonlight": 1.0})
        values = camera._camera.values
        autos = (cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_AUTOFOCUS)
        assert [values[key] for key in autos] == [1, 0, 0]
        assert values[cv2.CAP_PROP_EXPOSURE] == 120.0
        assert values[cv2.CAP_PROP_WB_TEMPERATURE] == 4600.0

    def test_controls_are_those_that_the_camera_has(self, device: str) -> None:
        controls = V4l2Camera(device, SIZE).controls()
        assert controls["exposure"] == 150.0
        assert "focus" not in controls


class FakePicamera2:
    """The system's picamera2."""

    cameras: int | str = 1
    camera_properties: dict[str, Any] = {"Model": "imx708_noir", "UnitCellSize": (1400, 1400)}  # noqa: RUF012

    def __init__(self) -> None:
        if self.cameras == 0:
            raise IndexError("list index out of range")
        if self.cameras == "busy":
            raise RuntimeError("Failed to acquire camera")
        self.controls: dict[str, Any] = {}
        self.is_closed = False

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        return [{}]

    def create_video_configuration(self, main: Any, controls: Any) -> dict[str, Any]:
        return {"main": main, "controls": controls}

    def configure(self, config: dict[str, Any]) -> None:
        self.config = config

    def start(self) -> None:
        pass

    def capture_array(self, name: str) -> Any:
        return FRAME

    def capture_metadata(self) -> dict[str, Any]:
        seen = {"ExposureTime": 9000, "AnalogueGain": 1.5, "ColourGains": (2.0, 1.5), "Lux": 400}
        return seen | {"ScalerCrop": (576, 0, 3456, 2592)}

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.controls = controls

    def close(self) -> None:
        self.is_closed = True


class TestPiCamera:
    @pytest.fixture(autouse=True)
    def _library(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.library: Any = type("Picamera2", (FakePicamera2,), {})
        monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=self.library))

    def test_auto_takes_the_pis_own_camera_where_there_is_one(self) -> None:
        assert isinstance(open_frames("auto", SIZE, {}), PiCamera)

    def test_without_one_the_mend_is_named(self) -> None:
        self.library.cameras = 0
        with pytest.raises(DeviceNotFoundError, match="ribbon"):
            PiCamera(SIZE)

    def test_a_busy_one_is_said(self) -> None:
        self.library.cameras = "busy"
        with pytest.raises(DeviceBusyError, match="stop what else"):
            PiCamera(SIZE)

    def test_without_the_library_the_mend_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "picamera2", None)
        with pytest.raises(DeviceNotFoundError, match="apt install python3-picamera2"):
            PiCamera(SIZE)

    def test_what_it_is_held_to_is_what_it_was_calibrated_with(self) -> None:
        camera = PiCamera(SIZE)
        controls = camera.controls()
        assert controls == {"exposure": 9000, "gain": 1.5, "white_balance": (2.0, 1.5)}
        camera.hold({**controls, "focus": 3.2})
        held = camera._camera.controls
        assert (held["AeEnable"], held["AwbEnable"], held["AfMode"]) == (False, False, 0)
        assert (held["ExposureTime"], held["ColourGains"]) == (9000, (2.0, 1.5))
        assert (held["AnalogueGain"], held["LensPosition"]) == (1.5, 3.2)

    def test_the_lens_is_that_of_the_sensor_as_it_is_cropped(self) -> None:
        # 4.74 mm over cells of 1.4 um, 3456 of which make the width of the picture
        assert PiCamera(SIZE).focal_px() == pytest.approx(4.74e3 / 1.4 * SIZE[0] / 3456)
        self.library.camera_properties = {"Model": "imx708_wide", "UnitCellSize": (1400, 1400)}
        assert PiCamera(SIZE).focal_px() is None

    def test_it_is_closed(self) -> None:
        camera = PiCamera(SIZE)
        assert camera.read() is FRAME
        camera.close()
        assert camera._camera.is_closed


def test_without_any_camera_auto_names_the_mend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cameras, "has_pi_camera", lambda: False)
    if Path("/dev/video0").exists():
        pytest.skip("this machine has a camera")
    with pytest.raises(DeviceError, match="plug a camera in"):
        open_frames("auto", SIZE, {})
