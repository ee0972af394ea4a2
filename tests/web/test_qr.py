"""The QR code on the OLED leads to the page."""

from __future__ import annotations

import pytest

from firmware_host.screens.picture import draw
from firmware_host.table.dialog import ShowPhone
from firmware_host.table.view import Scene, View
from firmware_host.web.qr import MOST_MODULES, qr_rows

pytest.importorskip("segno", reason="the code is drawn by segno, of the extra web")

URLS = (
    "http://192.168.178.123:8137/k",
    "http://10.0.0.5:8137/k",
    "http://127.0.0.1:65535/k",
    "http://[fe80::1234:5678:9abc:def0]:8137/k",
)


@pytest.mark.parametrize("url", URLS)
def test_a_camera_reads_it_off_the_panel(url: str) -> None:
    cv2 = pytest.importorskip("cv2", reason="it is read by OpenCV, of the extra camera")
    import numpy as np

    panel = draw(View(Scene.MENU, page=ShowPhone(url, "4711", qr_rows(url)).page))
    pixels = cv2.copyMakeBorder(np.array(panel.convert("L")), 16, 16, 16, 16, cv2.BORDER_CONSTANT, value=0)
    photo = cv2.GaussianBlur(cv2.resize(pixels, None, fx=6, fy=6, interpolation=cv2.INTER_NEAREST), (0, 0), 2)
    read, _, _ = cv2.QRCodeDetector().detectAndDecode(photo)
    assert read.lower() == url


def test_an_address_that_is_too_long_has_no_code() -> None:
    assert qr_rows(f"http://{'x' * 200}:8137/k") == ()
    assert all(len(qr_rows(url)) <= MOST_MODULES for url in URLS)
