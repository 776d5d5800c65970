"""The checks: what was found in the data and the models, the most serious first."""

from typing import Any

from gramian.report.limits import Limits

_ORDER = ("serious", "warning", "note")
_MOST = 60


def checks(contents: dict[str, Any], _: Limits) -> dict[str, Any]:
    """Return the findings in order."""
    found = sorted(contents["checks"], key=lambda check: _ORDER.index(check["severity"]))
    return {"checks": found[:_MOST], "left_out": max(0, len(found) - _MOST)}
