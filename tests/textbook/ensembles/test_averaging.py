"""The variance of averages, in theory and measured."""

import numpy as np
import pytest

from gramian import BaggingRegressor
from gramian.textbook.ensembles import average_variance, measured_variance


def test_what_members_have_in_common_stays():
    assert average_variance(4.0, 0.0, 4) == 1
    assert average_variance(4.0, 1.0, 4) == 4
    assert average_variance(4.0, 0.25, 10**9) == pytest.approx(1)
    with pytest.raises(ValueError, match="correlation"):
        average_variance(1.0, 2.0, 3)


@pytest.mark.slow
def test_the_variance_of_bagged_trees_follows_the_formula(rng):
    """Trees on 60 training sets: measured variance of the mean against r s^2 + (1 - r) s^2 / T."""
    grid = np.linspace(0, 1, 20)[:, None]
    answers = []
    for number in range(60):
        X = rng.uniform(size=(80, 1))
        y = np.sin(6 * X[:, 0]) + 0.3 * rng.normal(size=80)
        model = BaggingRegressor(n_estimators=8, random_state=number).fit(X, y)
        answers.append([member.predict(grid) for member in model.estimators_])
    report = measured_variance(answers)
    assert 0 < report.correlation < 1
    assert report.average == pytest.approx(report.expected, rel=1e-9)
    assert report.average < report.member
    with pytest.raises(ValueError, match="shape"):
        measured_variance(np.zeros((3, 4)))
