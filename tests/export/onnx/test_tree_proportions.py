"""Trees that send missing values down several branches, as ONNX operators."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gramian import to_onnx
from gramian.tree import C45Classifier

pytest.importorskip("onnx", reason="needs the extra onnx")
pytest.importorskip("onnxruntime", reason="needs the extra onnx and onnxruntime")

from tests.export.onnx.runtime import answers


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_missing_value_is_divided_by_the_weights_of_the_branches(dtype):
    X, y = [[0.0], [1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b", "b"]
    model = to_onnx(C45Classifier().fit(X, y), dtype=dtype)
    label, p = answers(model, np.array([[0.0], [9.0], [np.nan]], dtype=dtype))
    assert_allclose(p, [[1.0, 0.0], [0.0, 1.0], [0.4, 0.6]], rtol=1e-6)
    assert_array_equal(label, ["a", "b", "b"])


def test_categories_and_numbers_that_are_missing_together(rng):
    n = 300
    X = np.empty((n, 2), dtype=object)
    X[:, 0] = rng.choice(["x", "y", "z", None], n)
    X[:, 1] = np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n))
    size = np.nan_to_num(X[:, 1].astype(float))
    y = ((X[:, 0] == "x") ^ (size > 0.3)).astype(int)
    model = C45Classifier().fit(X, y)
    assert model.tree_.n_leaves > 3
    rows = model._new_table(X).astype(np.float64)
    label, p = answers(to_onnx(model, dtype="float64"), rows)
    assert_allclose(p, model.predict_proba(X), atol=1e-6)
    assert_array_equal(label, model.predict(X))
