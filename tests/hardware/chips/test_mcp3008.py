"""The converter and its fake: the right bits at the right clocks."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from firmware_host.errors import DeviceLostError
from hardware.chips.mcp3008 import Adc
from sim.devices.mcp3008 import Mcp3008


def at(*volts: float) -> Mcp3008:
    return Mcp3008([lambda level=level: level for level in volts])


@pytest.mark.parametrize(
    ("volts", "count"), [(0.0, 0), (3.3 / 1024, 1), (1.65, 512), (3.2999, 1023), (5.0, 1023), (-1.0, 0)]
)
def test_a_level_is_its_share_of_the_supply(volts: float, count: int) -> None:
    assert Adc(at(volts + 1e-9)).read(0) == count


def test_each_channel_is_its_own_input() -> None:
    adc = Adc(at(*(0.1 + 0.4 * channel for channel in range(8))))
    counts = [adc.read(channel) for channel in range(8)]
    assert counts == sorted(set(counts))


def test_a_conversion_is_24_clocks() -> None:
    fake = at(1.0)
    Adc(fake).read(0)
    assert fake.clocks == 24


def test_the_fake_answers_wherever_the_start_bit_lies() -> None:
    fake = at(1.65)
    # Start bit, SGL, D2 D1 D0, a clock to sample, the null bit, then B9 first: DS21295D, figure 5-1.
    assert fake.xfer2([0b11000_000, 0, 0]) == [0b0000000_1, 0, 0]
    assert fake.xfer2([0, 0, 0]) == [0, 0, 0]
    assert fake.xfer2([1]) == [0]


def test_the_fake_goes_on_backwards_after_the_last_bit() -> None:
    count = 0b1011001110
    fake = at((count + 0.5) / 1024 * 3.3)
    out = fake.xfer2([1, 0x80, 0, 0, 0])
    assert "".join(f"{byte:08b}" for byte in out[1:])[6:25] == "1011001110" + "111001101"


def test_the_fake_takes_the_difference_of_a_pair() -> None:
    fake = at(2.0, 0.35)
    assert fake.xfer2([1, 0x00, 0])[1:] == [2, 0]
    assert fake.xfer2([1, 0x10, 0])[1:] == [0, 0]


def test_nobody_on_the_line_is_found_out() -> None:
    fake = at(1.0)
    adc = Adc(fake)
    fake.is_there = False
    with pytest.raises(DeviceLostError, match="does not answer"):
        adc.read(0)


def test_a_bus_that_fails_is_a_lost_device() -> None:
    class Broken:
        def xfer2(self, values: Sequence[int]) -> list[int]:
            raise OSError(110, "Connection timed out")

        def close(self) -> None: ...

    adc = Adc(Broken())
    with pytest.raises(DeviceLostError, match="MCP3008: Connection timed out"):
        adc.read(0)


def test_once_closed_it_is_dead_and_closing_twice_is_quiet() -> None:
    adc = Adc(at(1.0))
    adc.close()
    adc.close()
    with pytest.raises(DeviceLostError, match="closed"):
        adc.read(0)
