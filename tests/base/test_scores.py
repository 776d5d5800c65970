import numpy as np
import pytest
from sklearn.metrics import r2_score

from gramian import KNeighborsClassifier, Ridge
from gramian.base.errors import DataError, ParameterError
from gramian.base.scores import accuracy, r_squared, score_number

rng = np.random.default_rng(0)
truth, answers = rng.normal(size=(2, 30))


@pytest.mark.parametrize("scale", [1.0, 2.0**900, 2.0**-900])
def test_r_squared_knows_no_unit(scale):
    found = r_squared("Ridge", truth * scale, answers * scale, None)
    assert found == pytest.approx(r2_score(truth, answers), rel=1e-12)


@pytest.mark.parametrize("weight", [1e300, 1e-300])
def test_scores_know_no_unit_of_weights(weight):
    weights = np.full(30, weight)
    assert r_squared("Ridge", truth, answers, weights) == pytest.approx(r2_score(truth, answers))
    assert accuracy("GaussianNB", truth > 0, truth > 0, weights) == 1


def test_answers_far_away_have_a_score():
    assert r_squared("Ridge", truth * 1e-300, answers * 1e300, None) < -1e200


def test_errors_of_scores_name_the_estimator():
    X = rng.normal(size=(30, 2))
    model = KNeighborsClassifier().fit(X, np.where(truth > 0, "a", "b"))
    with pytest.raises(DataError, match=r"^KNeighborsClassifier: y"):
        model.score(X, truth > 0)
    with pytest.raises(
        DataError, match=r"^KNeighborsClassifier: y must contain labels of one type"
    ):
        model.score(X, np.array([1, "a"] * 15, dtype=object))
    with pytest.raises(DataError, match=r"^Ridge: y must contain numbers"):
        Ridge().fit(X, truth).score(X, np.arange(30).astype("datetime64[D]"))


def test_a_scoring_function_must_return_a_number():
    assert score_number("RidgeCV", "scoring", np.float32(0.5)) == 0.5
    assert score_number("RidgeCV", "scoring", np.array(2)) == 2
    for wrong in (None, "0.5", np.ones(2)):
        with pytest.raises(
            ParameterError, match="RidgeCV: scoring must be a function that returns"
        ):
            score_number("RidgeCV", "scoring", wrong)
