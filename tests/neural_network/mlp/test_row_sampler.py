"""Orders and weights of the rows of an epoch."""

import numpy as np
import pytest

from gramian import MLPClassifier
from gramian.neural_network.mlp.descent import Examples
from gramian.neural_network.mlp.row_sampler import RowSampler


def rows(codes) -> Examples:
    return Examples(np.zeros((len(codes), 1)), np.asarray(codes, np.int32), None)


def test_every_epoch_presents_every_row_once_in_a_new_order():
    sampler = RowSampler(rows([0] * 100), seed=3, shuffle=True)
    first, second = sampler.order(0), sampler.order(1)
    np.testing.assert_array_equal(np.sort(first), np.arange(100))
    np.testing.assert_array_equal(np.sort(second), np.arange(100))
    assert (first != second).any()
    np.testing.assert_array_equal(first, RowSampler(rows([0] * 100), seed=3, shuffle=True).order(0))
    plain = RowSampler(rows([0] * 100), seed=3, shuffle=False)
    np.testing.assert_array_equal(plain.order(5), np.arange(100))


def test_rare_classes_are_drawn_as_often_as_others():
    """NE-23: the stochastic way."""
    codes = [0] * 900 + [1] * 100
    sampler = RowSampler(rows(codes), seed=0, shuffle=True, emphasis="class", by="sampling")
    drawn = np.concatenate([np.asarray(codes)[sampler.order(epoch)] for epoch in range(10)])
    assert drawn.mean() == pytest.approx(0.5, abs=0.03)
    assert sampler.weights() is None


def test_rare_classes_weigh_as_much_as_others():
    """NE-24: the batch way, which is class_weight="balanced"."""
    sampler = RowSampler(rows([0, 0, 0, 1]), seed=0, shuffle=True, emphasis="class", by="weights")
    np.testing.assert_allclose(sampler.weights(), [2 / 3, 2 / 3, 2 / 3, 2])
    np.testing.assert_array_equal(np.sort(sampler.order(0)), np.arange(4))


@pytest.mark.parametrize("by", ["sampling", "weights"])
def test_rows_with_a_high_loss_are_emphasised(by):
    sampler = RowSampler(rows([0] * 1000), seed=0, shuffle=True, emphasis="loss", by=by)
    sampler.losses[:] = np.repeat([0.0, 3.0], 500)
    if by == "weights":
        np.testing.assert_allclose(sampler.weights(), np.repeat([0.5, 1.5], 500))
    else:
        assert (sampler.order(0) >= 500).mean() == pytest.approx(0.75, abs=0.06)


@pytest.mark.filterwarnings("ignore:.*not converged")
def test_emphasis_of_classes_by_weights_is_a_balanced_cost():
    """NE-24."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), (np.arange(60) % 5 == 0).astype(int)
    settings = {"hidden_layer_sizes": (4,), "random_state": 0, "max_iter": 5}
    one = MLPClassifier(emphasis="class", emphasis_by="weights", **settings).fit(X, y)
    other = MLPClassifier(class_weight="balanced", **settings).fit(X, y)
    np.testing.assert_allclose(one.coefs_[0], other.coefs_[0], rtol=1e-9)


@pytest.mark.filterwarnings("ignore:.*not converged")
@pytest.mark.parametrize("emphasis", ["class", "loss"])
@pytest.mark.parametrize("by", ["sampling", "weights"])
def test_emphasis_finds_more_of_a_rare_class(emphasis, by):
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [950, 50])
    X = rng.normal(size=(1000, 2)) + 1.2 * y[:, None]
    settings = {"hidden_layer_sizes": (8,), "random_state": 0, "max_iter": 40, "tol": 0}
    settings["learning_rate_init"] = 0.02
    plain = MLPClassifier(**settings).fit(X, y)
    model = MLPClassifier(emphasis=emphasis, emphasis_by=by, **settings).fit(X, y)
    found = [m.predict_proba(X[y == 1])[:, 1].mean() for m in (plain, model)]
    assert found[1] > found[0] + 0.02
