"""How properties are tested everywhere: the clock of a busy machine fails none of them."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("boxkeeper", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("boxkeeper")
