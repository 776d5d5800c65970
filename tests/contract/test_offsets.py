"""Columns far from zero, and of different scales, give the answers of the centred columns.

The rows, offsets and scales are binary fractions, so that offset rows are exact. What remains is
the rounding of the fitted means: one unit in the last place of the offset.
"""

import numpy as np
import pytest

import gramian

RNG = np.random.default_rng(0)
Y = np.arange(90) % 3
ROWS = np.round((RNG.normal(size=(90, 3)) + Y[:, None] * [1.0, 0.5, 0.2]) * 2**16) / 2**16
EPS = np.finfo(float).eps
UNEQUAL = 2.0 ** np.array([-20, 0, 20])


def mixture(kind, start):
    return gramian.GaussianMixture(
        3,
        covariance_type=kind,
        means_init=start,
        random_state=0,
        max_iter=5,
        tol=0,
        reg_covar=1e-12,
    )


MODELS = {
    "GaussianNB": (lambda start: gramian.GaussianNB(var_smoothing=0), "predict_proba"),
    "NearestCentroid": (lambda start: gramian.NearestCentroid(), "decision_function"),
    "full": (lambda start: mixture("full", start), "score_samples"),
    "tied": (lambda start: mixture("tied", start), "score_samples"),
    "diag": (lambda start: mixture("diag", start), "score_samples"),
    "spherical": (lambda start: mixture("spherical", start), "score_samples"),
    **{
        name: (lambda start, name=name: getattr(gramian, name)(), "mahalanobis")
        for name in ("EmpiricalCovariance", "ShrunkCovariance", "LedoitWolf", "OAS")
    },
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("power", [20, 26])
@pytest.mark.parametrize("name", MODELS)
def test_an_offset_changes_the_answers_by_the_rounding_of_the_means_only(name, power):
    make, method = MODELS[name]
    far = ROWS + 2.0**power
    expected = getattr(make(ROWS[:3]).fit(ROWS, Y), method)(ROWS)
    found = getattr(make(far[:3]).fit(far, Y), method)(far)
    np.testing.assert_allclose(found, expected, rtol=0, atol=100 * 2.0**power * EPS)


@pytest.mark.parametrize("power", [0, 20, 26])
@pytest.mark.parametrize("name", ["GaussianNB", "EmpiricalCovariance"])
def test_scales_change_no_answer(name, power):
    make, method = MODELS[name]
    far = (ROWS + 2.0**power) * UNEQUAL
    expected = getattr(make(None).fit(ROWS, Y), method)(ROWS)
    found = getattr(make(None).fit(far, Y), method)(far)
    np.testing.assert_allclose(found, expected, rtol=0, atol=100 * 2.0**power * EPS)
