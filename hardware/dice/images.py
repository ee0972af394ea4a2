"""Pictures from files: whole ones only."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware_host.errors import ConfigError, DeviceNotFoundError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Image = NDArray[np.uint8]

_JPEG_START, _JPEG_END = b"\xff\xd8", b"\xff\xd9"


def need_opencv() -> None:
    """Raise DeviceNotFoundError, with its mend, where OpenCV or numpy is not installed."""
    try:
        import cv2
        import numpy  # noqa: F401
    except ImportError as error:
        what = f"reading dice needs OpenCV and numpy ({error})"
        raise DeviceNotFoundError(f"{what}: pip install 'boxkeeper[camera]'") from None
    cv2.setNumThreads(1)  # the other cores are the table's; and a reading that costs the same each time


def load_image(path: Path) -> Image | None:
    """The picture at ``path`` (height x width x 3, BGR, uint8); None where the file is no whole picture.

    Raises ConfigError where there is no such file or it cannot be opened.
    """
    import cv2
    import numpy as np

    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror}); name a picture") from None
    # OpenCV fills what is missing of a cut JPEG with grey, and says so only on stderr.
    if not data or (data.startswith(_JPEG_START) and _JPEG_END not in data[-4096:]):
        return None
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if image is None or image.size == 0 else np.asarray(image, np.uint8)


def strongest(image: NDArray[Any]) -> NDArray[Any]:
    """The largest channel of each pixel (height x width); numpy takes ten times as long along so short an
    axis.
    """
    import cv2

    blue, green, red = cv2.split(image)
    largest: NDArray[Any] = cv2.max(cv2.max(blue, green), red)
    return largest


@cache
def square(side: int) -> NDArray[np.uint8]:
    """A full square as OpenCV's dilations and erosions take it."""
    import numpy as np

    return np.ones((side, side), np.uint8)


def shrunk(image: Image, step: int) -> Image:
    """The means of ``step`` x ``step`` pixels each; what is left at the right and below is dropped."""
    import cv2
    import numpy as np

    height, width = image.shape[0] // step, image.shape[1] // step
    whole = image[: height * step, : width * step]
    return np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def connected(mask: Image) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Which piece each pixel of a mask is of (0: none), and OpenCV's statistics of the pieces.

    OpenCV's own choice of method takes twice as long on small masks.
    """
    import cv2

    _, labels, stats, _ = cv2.connectedComponentsWithStatsWithAlgorithm(mask, 8, cv2.CV_32S, cv2.CCL_GRANA)
    return labels, stats


def without_holes(mask: Image, largest: float) -> Image:
    """The mask with its holes filled, but for those of more than so many pixels."""
    import cv2

    contours, nested = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    for i, contour in enumerate(contours):
        if nested[0][i][3] >= 0 and cv2.contourArea(contour) <= largest:
            cv2.drawContours(mask, contours, i, 255, -1)
    return mask
