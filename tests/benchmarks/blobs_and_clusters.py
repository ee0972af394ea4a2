"""The common way to read dice, as a yardstick: OpenCV's blobs, and a die for each cluster of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

REACH_PX = 40  # between two blobs of one die


def blobs_and_clusters(image: NDArray[np.uint8]) -> list[int]:
    """How many blobs each cluster has, in ascending order."""
    params = cv2.SimpleBlobDetector.Params()
    params.filterByInertia, params.minInertiaRatio = True, 0.6
    blobs = cv2.SimpleBlobDetector.create(params).detect(cv2.medianBlur(image, 7))
    clusters: list[list[Any]] = []
    for blob in blobs:
        near = [c for c in clusters if any(np.hypot(*np.subtract(blob.pt, o.pt)) < REACH_PX for o in c)]
        clusters = [c for c in clusters if c not in near] + [[blob, *(o for c in near for o in c)]]
    return sorted(map(len, clusters))
