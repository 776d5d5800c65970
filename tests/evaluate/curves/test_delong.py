"""The area under the ROC curve with DeLong's interval."""

import numpy as np
import pytest
from scipy.stats import binom, norm

from gramian.evaluate import (
    auc_interval,
)


def test_delong_interval_of_hanley_and_mcneils_images():
    """Hanley and McNeil, Radiology 143, 1982, table I: 58 normal, 51 abnormal images, rated 1..5.

    Ratings and figures were not checked against the print.
    Stata's ``roctab`` gives for them: area 0.8932, standard error (DeLong) 0.0307,
    interval 0.83295 to 0.95339.
    """
    normal, abnormal = [33, 6, 6, 11, 2], [3, 2, 2, 11, 33]
    ratings = np.arange(1, 6)
    score = np.r_[np.repeat(ratings, normal), np.repeat(ratings, abnormal)]
    area = auc_interval(np.repeat([0, 1], [58, 51]), score, scale="area")
    assert area.auc == pytest.approx(0.8932, abs=5e-5)
    assert area.standard_error == pytest.approx(0.0307, abs=5e-5)
    assert area.low == pytest.approx(0.83295, abs=5e-6)
    assert area.high == pytest.approx(0.95339, abs=5e-6)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("m", "n", "shift", "scale"),
    [
        (100, 100, 0.8, "area"),
        (60, 180, 1.2, "area"),
        (100, 100, 0.8, "logit"),
        (20, 20, 0.8, "logit"),
        (15, 15, 2.0, "logit"),
    ],
)
def test_the_interval_has_its_nominal_coverage(m, n, shift, scale):
    """Normal scores: AUC = Phi(shift / sqrt 2). Inside binomial 99.9% limits of 95%."""
    rng = np.random.default_rng(12)
    truth, y, runs = norm.cdf(shift / np.sqrt(2)), np.repeat([1, 0], [m, n]), 800
    covered = 0
    for _ in range(runs):
        score = np.r_[rng.normal(shift, size=m), rng.normal(size=n)]
        area = auc_interval(y, score, scale=scale)
        covered += area.low <= truth <= area.high
    low, high = binom.interval(0.999, runs, 0.95)
    assert low <= covered <= high


def test_perfect_separation_has_an_interval_that_is_no_point():
    """All of min(m, n) = 8 independent pairs succeeded: low = 0.025^(1/8)."""
    area = auc_interval(np.repeat([0, 1], [8, 12]), np.arange(20))
    assert (area.auc, area.high) == (1, 1)
    assert area.low == pytest.approx(0.025 ** (1 / 8))
    turned = auc_interval(np.repeat([1, 0], [8, 12]), np.arange(20))
    assert (turned.low, turned.high) == (0, pytest.approx(1 - area.low))


def test_constant_scores_and_single_rows():
    area = auc_interval([0, 0, 1, 1], np.ones(4))
    assert (area.auc, area.low, area.high) == (0.5, 0.5, 0.5)
    assert np.isnan(auc_interval([1, 0, 0, 0], [2, 3, 1, 0]).low)
