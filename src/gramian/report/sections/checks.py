"""The checks: issues found in the data and the models, most serious first."""

from dataclasses import replace

from gramian.report.limits import Limits
from gramian.report.sections.commands import with_flags
from gramian.report.view import View
from gramian.study.contents import Contents

_ORDER = ("serious", "warning", "note")
_MOST = 60


def checks(contents: Contents, _: Limits) -> View:
    """Return the findings in order, with the flags of the settings that they name."""
    found = sorted(contents.checks, key=lambda check: _ORDER.index(check.severity))
    shown = [
        replace(c, text=with_flags(c.text), remedy=with_flags(c.remedy)) for c in found[:_MOST]
    ]
    return {"checks": shown, "left_out": max(0, len(found) - _MOST)}
