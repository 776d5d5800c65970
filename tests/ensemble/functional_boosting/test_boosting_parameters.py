"""Parameters shared by the gradient boosting estimators."""

import pytest

from gramian import FunctionalGradientBoostingClassifier, FunctionalGradientBoostingRegressor, Ridge
from tests.ensemble.problems import curved


def test_defaults_and_positions_are_those_of_scikit_learn():
    sk = pytest.importorskip("sklearn.ensemble")
    for kind in (FunctionalGradientBoostingClassifier, FunctionalGradientBoostingRegressor):
        mine, theirs = (
            kind().get_params(),
            getattr(sk, kind.__name__.removeprefix("Functional"))().get_params(),
        )
        for name in mine.keys() & theirs.keys() - {"criterion"}:
            assert mine[name] == theirs[name], name


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("learning_rate", 0.0),
        ("n_estimators", 0),
        ("subsample", 0.0),
        ("subsample", 1.5),
        ("max_depth", 0),
        ("tol", -1.0),
        ("alpha", 1.5),
    ],
)
def test_values_out_of_range_are_refused_by_name(name, value):
    with pytest.raises(ValueError, match=name):
        FunctionalGradientBoostingRegressor(**{name: value}).fit(*curved(30))


def test_steps_are_the_learning_rate_without_a_line_search():
    model = FunctionalGradientBoostingRegressor(
        estimator=Ridge(), line_search=False, learning_rate=0.3, n_estimators=4
    ).fit(*curved())
    assert model.steps_.tolist() == [0.3] * 4
    assert len(model.estimators_) == model.n_estimators_ == len(model.train_score_) == 4
