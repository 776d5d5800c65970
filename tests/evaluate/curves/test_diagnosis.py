"""Diagnosis of underfitting and overfitting."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gramian.evaluate import (
    diagnose_fit,
)


def test_the_diagnosis_gives_advice():
    text = str(diagnose_fit([0.0, 0.02], [0.3, 0.34]))
    assert text.startswith("overfit: training error 0.01")
    assert "use more rows" in text
    assert diagnose_fit(0.4, 0.8).fit == "underfit and overfit"
    noisy = diagnose_fit([0.1] * 4, [0.0, 0.4, 0.0, 0.4], acceptable=0.1)
    assert noisy.fit == "good"  # a gap of 0.1 with a standard error of 0.115
    assert diagnose_fit(0.1, 0.2, acceptable=0.1, tolerance=0.05).fit == "overfit"
    small = diagnose_fit(0.1, 0.17, acceptable=0.16)
    assert small.fit == "good"  # a gap, but near the acceptable error
    shared = diagnose_fit(0.26, 0.34, acceptable=0.16, tolerance=0.11)
    assert shared.fit == "underfit"  # neither part is great alone; the bias is the greater
    with pytest.raises(ValueError, match="finite"):
        diagnose_fit(np.nan, 0.1)


@pytest.mark.parametrize(
    ("train", "validation", "fit"),
    [
        (0.0, 0.0, "good"),
        (0.0, 0.02, "good"),
        (0.001, 0.0011, "good"),
        (0.02, 0.03, "good"),
        (0.05, 0.055, "good"),
        (0.05, 0.04, "good"),  # validation rows may be easier
        (0.1, 0.12, "good"),
        (0.0, 0.1, "overfit"),
        (0.02, 0.1, "overfit"),
        (0.001, 0.3, "overfit"),
        (0.2, 0.21, "underfit"),
        (0.3, 0.36, "underfit"),
        (0.45, 0.5, "underfit"),
        (0.2, 0.4, "underfit and overfit"),
        (0.4, 0.8, "underfit and overfit"),
    ],
)
def test_a_table_of_error_rates(train, validation, fit):
    assert diagnose_fit(train, validation).fit == fit


@pytest.mark.parametrize(
    ("train", "validation", "baseline", "fit"),
    [
        (25.0, 30.0, 400.0, "good"),
        (5.0, 90.0, 400.0, "overfit"),
        (300.0, 310.0, 400.0, "underfit"),
        (200.0, 390.0, 400.0, "underfit and overfit"),
        (0.05, 0.055, 0.06, "underfit"),  # one class has 94% of the rows
        (0.001, 0.0011, 0.0012, "underfit"),
        (0.001, 0.005, 0.06, "overfit"),
    ],
)
def test_a_table_with_baselines(train, validation, baseline, fit):
    assert diagnose_fit(train, validation, baseline=baseline).fit == fit


def test_small_errors_are_a_good_fit():
    assert diagnose_fit(0.001, 0.0011).fit == "good"
    assert diagnose_fit(0.02, 0.021).fit == "good"
    assert diagnose_fit(0.001, 0.0011, tolerance=0.0005).fit == "underfit"


def test_errors_above_one_need_a_scale():
    with pytest.raises(ValueError, match=r"an error of 30 is not an error rate; pass baseline,"):
        diagnose_fit(25.0, 30.0)
    assert diagnose_fit(25.0, 30.0, acceptable=24.0).fit == "good"
    assert diagnose_fit(25.0, 30.0, tolerance=1.0).fit == "underfit and overfit"


@given(st.floats(1e-6, 1e6))
@settings(max_examples=30, deadline=None)
def test_with_a_baseline_the_verdict_does_not_depend_on_the_units(unit):
    cases = [((0.001, 0.0011), "good"), ((0.001, 0.3), "overfit"), ((0.8, 0.85), "underfit")]
    for (train, validation), fit in cases:
        assert diagnose_fit(train * unit, validation * unit, baseline=unit).fit == fit


def test_a_baseline_is_an_error_above_zero():
    with pytest.raises(ValueError, match="baseline must be an error above 0"):
        diagnose_fit(0.1, 0.2, baseline=0.0)
