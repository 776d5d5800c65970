"""Boosting iterations in one process."""

from numpy.testing import assert_allclose
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

from gramian import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from tests.ensemble.problems import wave


def test_several_steps_per_leaf_learn_more_per_tree(rng):
    X, y = wave(rng, 4000)
    label = (y > 0).astype(int)
    Xt, Xv, yt, yv = train_test_split(X, label, random_state=0)
    one, five = (
        HistGradientBoostingClassifier(max_iter=15, leaf_steps=steps).fit(Xt, yt)
        for steps in (1, 5)
    )
    assert log_loss(yv, five.predict_proba(Xv)) < log_loss(yv, one.predict_proba(Xv)) - 0.005
    squared = [
        HistGradientBoostingRegressor(max_iter=5, leaf_steps=s).fit(X, y).predict(X) for s in (1, 3)
    ]
    assert_allclose(squared[0], squared[1], atol=1e-4)  # one Newton step minimises a parabola
