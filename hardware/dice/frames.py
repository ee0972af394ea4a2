"""Where frames come from: a camera, a folder of pictures, a video file.

All are BGR, uint8.  Controls go by the same names for all cameras; each takes those that it knows.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from firmware_host.errors import ConfigError, DeviceLostError
from hardware.dice.images import load_image
from hardware.dice.rig_file import Controls

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Image = NDArray[np.uint8]

FPS = 15.0  # of cameras, and of folders, which do not say
PICTURES = (".jpg", ".jpeg", ".png", ".bmp")


class Frames(Protocol):
    """An open camera or file.  ``is_queued``: frames that nobody takes wait, and are to be skipped.

    ``is_live``: a camera, whose frames come in their own time; else a file, of ``fps`` frames a second.
    """

    is_queued: bool
    is_live: bool
    fps: float

    def read(self) -> Image | None:
        """The next frame (of a camera: a fresh one); None at the end of a file.

        Raises DeviceLostError when the camera no longer works.
        """

    def skip(self) -> None:
        """Pass a frame by."""

    def controls(self) -> Controls:
        """What exposure, gain, white balance and focus are now; empty for files."""

    def focal_px(self) -> float | None:
        """The focal length of the lens, in pixels; None where it is not known."""

    def hold(self, controls: Controls) -> None:
        """Keep to ``controls`` from now on, nothing automatic."""

    def close(self) -> None:
        """Let go."""


def open_frames(device: str, size: tuple[int, int], controls: Controls) -> Frames:
    """Open ``device``: ``auto``, ``picamera2``, a device file, a folder or a video.

    Raises DeviceNotFoundError, DeviceBusyError or DeviceLostError, each with what mends it.
    """
    frames = _open(device, size)
    if controls:
        frames.hold(controls)
    return frames


def _open(device: str, size: tuple[int, int]) -> Frames:
    from hardware.dice.cameras import PiCamera, V4l2Camera, has_pi_camera

    if device == "picamera2" or (device == "auto" and has_pi_camera()):
        return PiCamera(size)
    if device == "auto":
        usb = sorted(Path("/dev/v4l/by-id").glob("*-video-index0"))
        return V4l2Camera(str(usb[0]) if usb else "/dev/video0", size)
    path = Path(device)
    if path.is_dir():
        return Folder(path)
    if path.is_file():
        return Video(path)
    return V4l2Camera(device, size)


class Folder:
    """The pictures of a folder in the order of their names."""

    is_queued, is_live = False, False
    fps = FPS

    def __init__(self, path: Path) -> None:
        """Raises ConfigError where there are none."""
        self._paths = sorted(file for file in path.iterdir() if file.suffix.lower() in PICTURES)
        if not self._paths:
            raise ConfigError(f"{path}: holds no pictures ({', '.join(PICTURES)})")
        self._next = 0

    def read(self) -> Image | None:
        """The next picture; one that is not whole counts as a camera's failure."""
        if self._next == len(self._paths):
            return None
        path = self._paths[self._next]
        self._next += 1
        frame = load_image(path)
        if frame is None:
            raise DeviceLostError(f"{path} is no whole picture")
        return frame

    def skip(self) -> None:
        """None waits."""

    def controls(self) -> Controls:
        """None."""
        return {}

    def focal_px(self) -> float | None:
        """Nobody knows any more."""
        return None

    def hold(self, controls: Controls) -> None:
        """Pictures are as they are."""

    def close(self) -> None:
        """Nothing is held."""


class Video:
    """A video file."""

    is_queued, is_live = False, False

    def __init__(self, path: Path) -> None:
        """Raises ConfigError where it is no video."""
        import cv2

        self._video = cv2.VideoCapture(str(path))
        if not self._video.isOpened():
            raise ConfigError(f"{path}: is no video that OpenCV can read")
        self.fps = self._video.get(cv2.CAP_PROP_FPS) or FPS

    def read(self) -> Image | None:
        """The next frame."""
        is_there, frame = self._video.read()
        return frame if is_there else None

    def skip(self) -> None:
        """None waits."""

    def controls(self) -> Controls:
        """None."""
        return {}

    def focal_px(self) -> float | None:
        """Nobody knows any more."""
        return None

    def hold(self, controls: Controls) -> None:
        """A video is as it is."""

    def close(self) -> None:
        """Close the file."""
        self._video.release()
