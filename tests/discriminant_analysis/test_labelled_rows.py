"""Labelled rows in chunks have the same moments as in memory; some options are refused."""

import numpy as np
import pytest

from gramian import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from gramian.base.errors import ParameterError
from gramian.base.rows.label_chunks import LabelChunks
from gramian.discriminant_analysis.labelled_rows import LabelledChunks, LabelledTable

rng = np.random.default_rng(0)
X = rng.normal(size=(120, 3)) + 5.0
codes = np.arange(120) % 3
CHUNKS = [(X[:50], codes[:50]), (X[50:], codes[50:])]


def test_all_moments_agree():
    near = LabelledTable(X, codes, np.arange(3), None)
    far = LabelledChunks(LabelChunks.of(LinearDiscriminantAnalysis(), CHUNKS))
    assert (near.n_rows, near.n_features) == (far.n_rows, far.n_features) == (120, 3)
    assert near.class_counts.tolist() == far.class_counts.tolist()
    means = near.columns().means
    np.testing.assert_allclose(far.columns().means, means)
    np.testing.assert_allclose(far.within_scatter(means), near.within_scatter(means))
    std = np.ones(3)
    np.testing.assert_allclose(
        far.within_axes(means, std, 120.0)[0], near.within_axes(means, std, 120.0)[0], rtol=1e-10
    )
    model = LinearDiscriminantAnalysis()
    np.testing.assert_allclose(far.total(model, 0.1, None), near.total(model, 0.1, None))


@pytest.mark.parametrize(
    "model",
    [
        LinearDiscriminantAnalysis("lsqr", shrinkage="auto"),
        QuadraticDiscriminantAnalysis(solver="eigen", shrinkage="auto"),
    ],
)
def test_options_that_need_all_rows_are_refused(model):
    with pytest.raises(ParameterError, match="fit_chunks does not support"):
        model.fit_chunks(CHUNKS)
