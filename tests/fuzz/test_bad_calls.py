"""A sample of calls with bad input and of drawn settings; `tools/fuzz-calls` makes more."""

import warnings

import numpy as np
import pytest

from gramian.base.errors import DataError
from tests.fuzz import scan
from tests.fuzz.calls import outcome

CALLS = 400


@pytest.mark.slow
def test_bad_input_is_refused_or_answered():
    findings = scan.run("bad-input", 0, CALLS)
    assert findings.bad == []
    assert findings.counts.total() == CALLS
    assert findings.counts["refused"] > CALLS / 10
    assert findings.counts["answered"] > CALLS / 10


@pytest.mark.slow
def test_drawn_settings_are_refused_or_answered():
    findings = scan.run("random-settings", 0, CALLS // 4)
    assert findings.bad == []
    assert findings.counts["answered"] > CALLS / 40


def raising(error):
    def call():
        raise error

    return call


@pytest.mark.parametrize(
    ("call", "came"),
    [
        (lambda: np.ones(3), "answered"),
        (raising(DataError("Ridge: X must have rows.")), "refused"),
        (raising(ValueError("X must have rows")), "!raw error: predict: names nobody"),
        (raising(np.linalg.LinAlgError("Ridge: x")), "!raw error: predict: foreign words"),
        (raising(ValueError("Ridge: int too large to convert")), "!raw error: predict: foreign"),
        (raising(OverflowError("Ridge")), "!raw error: predict: kind of error"),
        (lambda: np.array([1.0, np.nan]), "!not finite: predict: NaN"),
        (lambda: (np.ones(2), np.array([np.inf])), "!not finite: predict: infinity"),
        (lambda: warnings.warn("overflow", RuntimeWarning, stacklevel=1), "!raw warning: predict"),
        (lambda: warnings.warn("Ridge: odd", UserWarning, stacklevel=1), "answered with a warning"),
    ],
)
def test_a_call_is_judged(call, came):
    assert outcome(call, method="predict")[0].startswith(came)
