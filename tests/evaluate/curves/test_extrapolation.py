"""Errors inside and outside the training range."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.compose import make_column_transformer
from sklearn.dummy import DummyRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, PolynomialFeatures

from gramian.base.errors import DataError
from gramian.evaluate import extrapolation_errors
from gramian.linear_model import LinearRegression

# Census of the United States, millions, 1790 to 2020.
POPULATION = np.array([
    3.93, 5.31, 7.24, 9.64, 12.87, 17.07, 23.19, 31.44, 38.56, 50.19, 62.98, 76.21, 92.23,
    106.02, 123.20, 132.16, 151.33, 179.32, 203.21, 226.55, 248.71, 281.42, 308.75, 331.45,
])  # fmt: skip
YEARS = np.arange(1790, 2030, 10.0)[:, None]


def polynomial(degree):
    return make_pipeline(MinMaxScaler((-1, 1)), PolynomialFeatures(degree), LinearRegression())


def test_high_degrees_fit_the_census_and_fail_beyond_it():
    """RG-07: inside, degree 10 beats degree 1; outside, it is the worst by far."""
    degrees = [1, 2, 4, 10]
    errors = extrapolation_errors(
        [polynomial(p) for p in degrees], YEARS, POPULATION, YEARS[:, 0] <= 1960
    )
    assert (np.diff(errors.training) < 0).all()  # nested models
    assert errors.inside.argmin() in (1, 2)
    assert errors.outside.argmax() == 3
    assert errors.outside[3] > 100 * errors.outside[1]


def test_the_three_errors_by_hand():
    """A mean of 0, 2 is 1; left out in turn, each is predicted by the other; beyond lies 5."""
    errors = extrapolation_errors(
        [DummyRegressor()], [[0.0], [1.0], [2.0]], [0.0, 2.0, 5.0], [True, True, False], folds=2
    )
    assert_allclose(errors.training, [1])
    assert_allclose(errors.inside, [2])
    assert_allclose(errors.outside, [4])


def test_a_polynomial_of_the_right_degree_goes_on_exactly():
    x = np.linspace(0, 1, 20)[:, None]
    errors = extrapolation_errors([polynomial(3)], x, x[:, 0] ** 3 - x[:, 0], x[:, 0] < 0.6)
    assert_allclose(np.ravel(errors), 0, atol=1e-10)


def test_a_frame_keeps_the_names_of_its_columns():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"year": YEARS[:, 0], "noise": np.zeros(24)})
    by_name = make_column_transformer((MinMaxScaler(), ["year"]))
    errors = extrapolation_errors(
        [make_pipeline(by_name, LinearRegression())], frame, POPULATION, frame["year"] <= 1960
    )
    plain = extrapolation_errors([polynomial(1)], YEARS, POPULATION, YEARS[:, 0] <= 1960)
    assert_allclose(np.ravel(errors), np.ravel(plain))


@pytest.mark.parametrize(
    ("inside", "message"),
    [
        (np.ones(24, dtype=bool), "one outside; got 24 and 0"),
        (np.arange(24) < 3, "got 3 and 21"),
        (np.ones(23, dtype=bool), r"each of the 24 rows of X; got shape \(23,\)"),
    ],
)
def test_a_range_that_cannot_be_judged_is_refused(inside, message):
    with pytest.raises(DataError, match=message):
        extrapolation_errors([polynomial(1)], YEARS, POPULATION, inside)


def test_one_fold_leaves_nothing_to_fit():
    with pytest.raises(ValueError, match="folds must be at least 2; got 1"):
        extrapolation_errors([polynomial(1)], YEARS, POPULATION, YEARS[:, 0] < 1900, folds=1)
