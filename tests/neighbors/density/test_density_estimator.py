"""The score of a density is the log-likelihood of the rows."""

import numpy as np
import pytest

from gramian import HistogramDensity, KernelDensity, KNeighborsDensity


@pytest.mark.parametrize("kind", [HistogramDensity, KernelDensity, KNeighborsDensity])
def test_the_score_is_the_sum_over_the_rows(kind):
    X = np.random.default_rng(0).normal(size=(40, 2))
    model = kind().fit(X)
    assert model.score(X[:9]) == pytest.approx(model.score_samples(X[:9]).sum())
