"""Epochs over chunks: the steps of `fit` where rows are visited in the same order."""

import numpy as np
import pytest

from gramian import SGDClassifier, SGDRegressor
from gramian.base.errors import ParameterError
from gramian.base.rows import chunks as chunks_module
from gramian.linear_model.sgd import stochastic_chunks

rng = np.random.default_rng(0)
X = rng.normal(size=(300, 3))
y = (X[:, 0] - X[:, 1] > 0).astype(int)
CHUNKS = [(X[:100], y[:100]), (X[100:], y[100:])]


@pytest.mark.parametrize("shuffle", [True, False])
def test_one_block_takes_the_steps_of_fit(shuffle):
    settings = {"shuffle": shuffle, "random_state": 3}
    whole = SGDClassifier(**settings).fit(X, y)
    parts = SGDClassifier(**settings).fit_chunks(CHUNKS)
    np.testing.assert_array_equal(parts.coef_, whole.coef_)
    assert parts.n_iter_ == whole.n_iter_


def test_rows_in_order_take_the_steps_of_fit_in_many_blocks(monkeypatch):
    for module in (chunks_module, stochastic_chunks):
        monkeypatch.setattr(module, "BLOCK_ROWS", 64)
    settings = {"shuffle": False, "learning_rate": "adaptive", "eta0": 0.1}
    whole = SGDRegressor(**settings).fit(X, y)
    parts = SGDRegressor(**settings).fit_chunks(CHUNKS)
    np.testing.assert_allclose(parts.coef_, whole.coef_, rtol=1e-12)


def test_blocks_do_not_depend_on_the_chunks(monkeypatch):
    for module in (chunks_module, stochastic_chunks):
        monkeypatch.setattr(module, "BLOCK_ROWS", 64)
    one = SGDClassifier(random_state=0).fit_chunks([(X, y)])
    two = SGDClassifier(random_state=0).fit_chunks(CHUNKS)
    np.testing.assert_array_equal(one.coef_, two.coef_)


def test_rows_cannot_be_held_out():
    with pytest.raises(ParameterError, match="cannot hold out rows"):
        SGDClassifier(early_stopping=True).fit_chunks(CHUNKS)
