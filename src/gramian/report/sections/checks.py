"""The checks: what was found in the data and the models, the most serious first."""

from typing import Any

from gramian.report.limits import Limits
from gramian.report.sections.commands import with_flags

_ORDER = ("serious", "warning", "note")
_MOST = 60


def checks(contents: dict[str, Any], _: Limits) -> dict[str, Any]:
    """Return the findings in order, with the flags of the settings that they name."""
    found = sorted(contents["checks"], key=lambda check: _ORDER.index(check["severity"]))
    shown = [
        {**c, **{key: with_flags(c[key]) for key in ("text", "remedy") if key in c}}
        for c in found[:_MOST]
    ]
    return {"checks": shown, "left_out": max(0, len(found) - _MOST)}
