"""What all tests share: how long Hypothesis searches. `HYPOTHESIS_PROFILE=soak` searches for long."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile("quick", deadline=None, max_examples=20, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("soak", parent=settings.get_profile("quick"), max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
