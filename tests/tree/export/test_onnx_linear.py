"""Oblique trees and model trees in ONNX."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gramian import to_onnx
from gramian.tree import (
    ModelTreeRegressor,
    ObliqueTreeClassifier,
    ObliqueTreeRegressor,
)

pytest.importorskip("onnx", reason="needs the extra onnx")
pytest.importorskip("onnxruntime", reason="needs the extra onnx and onnxruntime")

from tests.tree.export.runtime import answers


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_oblique_trees_and_model_trees(dtype, rng):
    X = rng.normal(size=(300, 3)).astype(dtype)
    y = np.digitize(X[:, 0] + X[:, 1] ** 2, [0, 1])
    number = np.abs(X[:, 0]) + X[:, 1]
    fresh = rng.normal(size=(500, 3)).astype(dtype)
    X[::9, 2] = fresh[::9, 2] = np.nan
    for shape in ("linear", "quadratic"):
        model = ObliqueTreeClassifier(shape=shape, split="ridge").fit(X, y)
        label, p = answers(to_onnx(model, dtype=dtype), fresh)
        assert_array_equal(label, model.predict(fresh))
        assert_allclose(p, model.predict_proba(fresh), atol=1e-6)
    for model in (
        ObliqueTreeRegressor(max_depth=5).fit(X, number),
        ModelTreeRegressor().fit(X, number),
    ):
        (given,) = answers(to_onnx(model, dtype=dtype), fresh)
        assert_allclose(given[:, 0], model.predict(fresh), rtol=1e-4, atol=1e-5)
