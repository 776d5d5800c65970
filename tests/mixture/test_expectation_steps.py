"""An iteration over complete and incomplete rows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.mixture.components import Components
from gramian.mixture.expectation_steps import MixtureData

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 2))


def first(kind):
    S = {"full": np.tile(np.eye(2), (2, 1, 1)), "tied": np.eye(2), "diag": np.ones((2, 2))}
    S["spherical"] = np.ones(2)
    return Components.of(kind, np.array([0.5, 0.5]), np.array([[-1.0, 0], [1.0, 0]]), S[kind])


@pytest.mark.parametrize("kind", ["full", "tied", "diag", "spherical"])
def test_a_row_without_any_value_changes_the_weights_only(kind):
    plain = MixtureData.of(X, None, None, tied=kind == "tied").iterate(first(kind), 0.0)[1]
    rows = np.vstack([X, [[np.nan, 5.0]]])
    weights = np.append(np.ones(200), 1e-12)
    made = MixtureData.of(rows, weights, None, tied=kind == "tied").iterate(first(kind), 0.0)[1]
    assert_allclose(made.means, plain.means, atol=1e-9)
    assert_allclose(made.covariances, plain.covariances, atol=1e-9)


def test_only_incomplete_rows():
    rows = X.copy()
    rows[::2, 0], rows[1::2, 1] = np.nan, np.nan
    bound, made = MixtureData.of(rows, None, None, tied=False).iterate(first("full"), 0.0)
    assert np.isfinite(bound)
    assert made.means.shape == (2, 2)
