"""Trees as the attributes of ONNX's tree ensembles."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gramian import to_onnx
from gramian.tree import (
    DecisionTreeClassifier,
)

pytest.importorskip("onnx", reason="needs the extra onnx")
pytest.importorskip("onnxruntime", reason="needs the extra onnx and onnxruntime")

from tests.export.onnx.runtime import answers


@pytest.mark.parametrize("splits", ["group", "each", "one"])
def test_categories_missing_values_and_unseen_levels(splits, rng):
    n = 400
    X = np.empty((n, 3), dtype=object)
    X[:, 0] = rng.choice(list("abcdefghijkl"), n)
    X[:, 1] = rng.choice(["x", "y", None], n)
    X[:, 2] = rng.normal(size=n)
    y = (np.isin(X[:, 0], ["a", "c", "f", "k"]) ^ (X[:, 1] == "x")).astype(int)
    model = DecisionTreeClassifier(categorical_splits=splits).fit(X[:300], y[:300])
    X[300:310, 0] = "never seen"
    rows = model._new_table(X).astype(np.float32)
    label, p = answers(to_onnx(model), rows)
    assert_array_equal(label, model.predict(X))
    assert_allclose(p, model.predict_proba(X), atol=1e-7)
