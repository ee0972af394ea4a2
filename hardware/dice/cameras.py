"""Real cameras: the Pi's own, and any that Video4Linux knows."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware_host.errors import DeviceBusyError, DeviceLostError, DeviceNotFoundError
from hardware.dice.frames import FPS
from hardware.dice.rig_file import Controls

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Image = NDArray[np.uint8]

_MICROS = 1_000_000
# The focal length of the lens that comes with a sensor, in mm: Raspberry Pi's documentation of its Camera
# Modules 1, 2 and 3.  The wide lens bends lines too much to be one of them.
_LENSES_MM = {"ov5647": 3.6, "imx219": 3.04, "imx708": 4.74, "imx708_noir": 4.74}
_NM = 1_000_000  # in a mm
_MANUAL = 1  # V4L2_EXPOSURE_MANUAL; 3 is the usual automatic


class V4l2Camera:
    """A camera of Video4Linux, such as a USB one, by way of OpenCV."""

    is_queued = is_live = True
    fps = FPS

    def __init__(self, device: str, size: tuple[int, int]) -> None:
        """Open it at ``size``; another size is refused."""
        import cv2

        path = Path(device)
        if not path.exists():
            mend = "plug a camera in, or set camera.device"
            raise DeviceNotFoundError(f"there is no camera {device}: {mend}")
        if not os.access(path, os.R_OK | os.W_OK):
            raise DeviceNotFoundError(f"no permission for {device}: add the user to the group video")
        self._camera = cv2.VideoCapture(str(path.resolve()), cv2.CAP_V4L2)
        if not self._camera.isOpened():
            raise DeviceBusyError(f"{device} does not open: another program holds it, or it is no camera")
        for key, value in (
            (cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG")),
            (cv2.CAP_PROP_FRAME_WIDTH, size[0]),
            (cv2.CAP_PROP_FRAME_HEIGHT, size[1]),
            (cv2.CAP_PROP_FPS, FPS),
            (cv2.CAP_PROP_BUFFERSIZE, 1),
        ):
            self._camera.set(key, value)
        self._device = device
        frame = self.read()
        if frame is not None and (frame.shape[1], frame.shape[0]) != size:
            self.close()
            there = f"{frame.shape[1]} x {frame.shape[0]}"
            raise DeviceNotFoundError(f"{device} gives {there}, not {size[0]} x {size[1]}: calibrate it anew")

    def read(self) -> Image | None:
        """A fresh frame."""
        is_there, frame = self._camera.read()
        if not is_there or frame is None:
            raise DeviceLostError(f"{self._device} brings no picture")
        return frame  # type: ignore[no-any-return]

    def skip(self) -> None:
        """Take a frame from the driver, and do not decode it."""
        if not self._camera.grab():
            raise DeviceLostError(f"{self._device} brings no picture")

    def controls(self) -> Controls:
        """Those that the camera has."""
        values = {name: self._camera.get(key) for name, key in self._keys().items()}
        return {name: value for name, value in values.items() if value not in (-1, None)}

    def focal_px(self) -> float | None:
        """Nobody tells."""
        return None

    def hold(self, controls: Controls) -> None:
        """Switch the automatics off, then set each; a camera leaves out what it does not have."""
        import cv2

        self._camera.set(cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL)
        self._camera.set(cv2.CAP_PROP_AUTO_WB, 0)
        self._camera.set(cv2.CAP_PROP_AUTOFOCUS, 0)
        keys = self._keys()
        for name, value in controls.items():
            if name in keys:
                self._camera.set(keys[name], value)

    def close(self) -> None:
        """Let go of the device."""
        self._camera.release()

    @staticmethod
    def _keys() -> dict[str, int]:
        import cv2

        return {
            "exposure": cv2.CAP_PROP_EXPOSURE,
            "gain": cv2.CAP_PROP_GAIN,
            "white_balance": cv2.CAP_PROP_WB_TEMPERATURE,
            "focus": cv2.CAP_PROP_FOCUS,
        }


def has_pi_camera() -> bool:
    """Whether picamera2 is installed and sees one."""
    try:
        from picamera2 import Picamera2
    except ImportError:
        return False
    return bool(Picamera2.global_camera_info())


class PiCamera:
    """The Pi's own camera, by way of picamera2 from the system."""

    is_queued, is_live = False, True
    fps = FPS
    # Our name, libcamera's in the metadata and in set_controls.
    _NAMES = (
        ("exposure", "ExposureTime"),
        ("gain", "AnalogueGain"),
        ("white_balance", "ColourGains"),
        ("focus", "LensPosition"),
    )

    def __init__(self, size: tuple[int, int]) -> None:
        """Start it at ``size`` and ``FPS``."""
        try:
            from picamera2 import Picamera2
        except ImportError as error:
            mend = "apt install python3-picamera2, and a venv with --system-site-packages"
            raise DeviceNotFoundError(f"picamera2 is not installed: {mend}") from error
        try:
            self._camera: Any = Picamera2()
        except IndexError:
            raise DeviceNotFoundError("the Pi sees no camera: check its ribbon cable") from None
        except RuntimeError as error:
            raise DeviceBusyError(f"the Pi's camera is busy ({error}): stop what else uses it") from error
        self._width = size[0]
        try:
            frame_us = int(_MICROS / FPS)
            # libcamera names the bytes of a word from the high end: this one is B, G, R in memory.
            main = {"size": size, "format": "RGB888"}
            limits = {"FrameDurationLimits": (frame_us, frame_us)}
            self._camera.configure(self._camera.create_video_configuration(main=main, controls=limits))
            self._camera.start()
        except RuntimeError as error:
            self._camera.close()
            raise DeviceLostError(f"the Pi's camera does not start: {error}") from error

    def read(self) -> Image | None:
        """The next frame."""
        try:
            return self._camera.capture_array("main")  # type: ignore[no-any-return]
        except RuntimeError as error:
            raise DeviceLostError(f"the Pi's camera brings no picture: {error}") from error

    def skip(self) -> None:
        """Nothing waits: the camera fills its buffers anew."""

    def controls(self) -> Controls:
        """Of the next frame."""
        seen = self._camera.capture_metadata()
        return {name: seen[key] for name, key in self._NAMES if key in seen}

    def focal_px(self) -> float | None:
        """Of the lens that comes with this sensor, by the part of the sensor that is read."""
        known = self._camera.camera_properties
        lens_mm, cell_nm = _LENSES_MM.get(known.get("Model", "")), known.get("UnitCellSize")
        crop = self._camera.capture_metadata().get("ScalerCrop")
        if lens_mm is None or not cell_nm or not crop:
            return None
        return float(lens_mm * _NM / cell_nm[0] * self._width / crop[2])

    def hold(self, controls: Controls) -> None:
        """Set them, with the automatics off."""
        known = {key: controls[name] for name, key in self._NAMES if name in controls}
        wanted: dict[str, Any] = {"AeEnable": False, "AwbEnable": False, **known}
        if "LensPosition" in known:
            wanted["AfMode"] = 0  # manual
        if "ExposureTime" in known:
            wanted["ExposureTime"] = int(controls["exposure"])  # type: ignore[arg-type]
        if "ColourGains" in known:
            wanted["ColourGains"] = tuple(controls["white_balance"])  # type: ignore[arg-type]
        self._camera.set_controls(wanted)

    def close(self) -> None:
        """Stop it and let go."""
        self._camera.close()
