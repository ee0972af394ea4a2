"""The ledger of points at the end of a match.  The table handles no money."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ledger:
    """``nets``: what each seat won or lost.  ``pot``: what stays for the next match."""

    nets: tuple[int, ...]
    pot: int


def settle(seats: int, winners: tuple[int, ...], stake: int, pot: int) -> Ledger:
    """Each of ``seats`` puts in ``stake``; the ``winners`` (seat numbers) take the pot.

    ``pot``: what lay in it before.  Winners who share split it evenly; what does not divide
    stays, and all of it does where nobody wins.  Nets and pot always balance:
    ``sum(nets) + pot_after == pot_before``.

    >>> settle(3, (0,), 5, 0)
    Ledger(nets=(10, -5, -5), pot=0)
    >>> settle(2, (), 5, 1)
    Ledger(nets=(-5, -5), pot=11)
    """
    total = pot + seats * stake
    share = total // len(winners) if winners else 0
    nets = tuple((share if seat in winners else 0) - stake for seat in range(seats))
    return Ledger(nets, total - share * len(winners))
