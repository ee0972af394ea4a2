"""How properties are tested everywhere: the clock of a busy machine fails none of them.

Most of them stand for each of many rules, so a few examples of each are many in all, and the same each time.
BOXKEEPER_EXAMPLES=500 draws as many of each by chance.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

EXAMPLES = int(os.environ.get("BOXKEEPER_EXAMPLES", "0"))

settings.register_profile(
    "boxkeeper",
    max_examples=EXAMPLES or 20,
    derandomize=not EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("boxkeeper")
