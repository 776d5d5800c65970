"""Models written in ONNX answer as `predict` does."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris

from gramian import to_onnx
from gramian.base.errors import DataError
from gramian.export import ensemble_to_onnx
from gramian.export.onnx.tree_nodes import round_down
from gramian.tree import (
    C45Classifier,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ModelTreeRegressor,
    ObliqueTreeClassifier,
    ObliqueTreeRegressor,
)
from tests.tree.real import load

pytest.importorskip("onnx", reason="needs the extra onnx")
runtime = pytest.importorskip("onnxruntime", reason="needs the extra onnx and onnxruntime")

from tests.export.onnx.runtime import answers  # noqa: E402


def test_a_threshold_is_rounded_down_to_float32(rng):
    for t in [*rng.normal(size=200), 0.1, 1e-45, 1e300, -1e300, 3.0]:
        cut = np.float32(round_down(t, np.float32))
        assert float(cut) <= t
        with np.errstate(over="ignore"):
            assert float(np.nextafter(cut, np.float32(np.inf))) > t
    assert round_down(0.1, np.float64) == 0.1


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("loader", [load_iris, load_breast_cancer])
def test_classes_match_predict(loader, dtype):
    X, y = loader(return_X_y=True)
    X = X.astype(dtype)
    model = DecisionTreeClassifier().fit(X[::2], y[::2])
    label, p = answers(to_onnx(model, dtype=dtype), X)
    assert_array_equal(label, model.predict(X))
    assert_allclose(p, model.predict_proba(X), atol=1e-7)


def test_rows_on_a_threshold_take_the_same_side():
    X = np.array([[0.1], [0.1 + 1e-9], [0.3]])  # one float32 number, two float64 numbers
    model = DecisionTreeClassifier().fit(X, [0, 1, 1])
    for dtype in ("float32", "float64"):
        rows = X.astype(dtype)
        assert_array_equal(answers(to_onnx(model, dtype=dtype), rows)[0], model.predict(rows))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_numbers_and_several_outputs(dtype):
    X, y = load_diabetes(return_X_y=True)
    X = X.astype(dtype)
    for target in (y, np.column_stack([y, -y])):
        model = DecisionTreeRegressor(min_samples_leaf=3).fit(X, target)
        (answer,) = answers(to_onnx(model, dtype=dtype), X)
        assert_allclose(answer, model.predict(X).reshape(len(X), -1), rtol=1e-6)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("name", ["labor", "vote", "soybean"])
def test_shared_missing_values_are_shared_in_onnx_too(name, binary, dtype, data_folder):
    X, y = load(data_folder, name)
    model = C45Classifier(binary_splits=binary).fit(X, y)
    rows = model._new_table(X).astype(dtype)
    assert np.isnan(rows).any()
    label, p = answers(to_onnx(model, dtype=dtype), rows)
    expected = model.tree_.predict(rows)[:, 0]
    assert p.dtype == np.float32
    assert_allclose(p, expected, atol=1e-6)
    assert_array_equal(label, model.classes_[expected.argmax(axis=1)])


def test_a_sum_of_trees_with_a_link(rng):
    """What forests and boosting need: scale, offset, one tree per class, softmax."""
    X = rng.normal(size=(200, 3)).astype(np.float32)
    trees = [
        DecisionTreeRegressor(max_depth=3).fit(X, rng.normal(size=200)).tree_ for _ in range(6)
    ]
    targets, offset = [0, 1, 2] * 2, np.array([0.1, -0.2, 0.3])
    scores = np.tile(offset, (200, 1))
    for tree, k in zip(trees, targets, strict=True):
        scores[:, k] += 0.5 * tree.predict(X)[:, 0, 0]
    settings = {"scale": 0.5, "offset": offset, "targets": targets}
    (raw,) = answers(ensemble_to_onnx(trees, **settings), X)
    assert_allclose(raw, scores, atol=1e-6)
    classes = np.array(["a", "b", "c"])
    model = ensemble_to_onnx(trees, **settings, link="softmax", classes=classes)
    label, p = answers(model, X)
    assert_allclose(p, np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True), atol=1e-6)
    assert_array_equal(label, classes[scores.argmax(axis=1)])
    one = ensemble_to_onnx(trees[:2], targets=[0, 0], link="logistic", classes=np.array([0, 1]))
    z = sum(tree.predict(X)[:, 0, 0] for tree in trees[:2])
    assert_allclose(answers(one, X)[1][:, 1], 1 / (1 + np.exp(-z)), atol=1e-6)


def test_a_single_leaf_and_a_file(tmp_path):
    model = DecisionTreeClassifier().fit([[1.0], [2.0]], [5, 5])
    to_onnx(model, tmp_path / "leaf.onnx")
    session = runtime.InferenceSession(str(tmp_path / "leaf.onnx"))
    assert_array_equal(session.run(["label"], {"X": np.zeros((2, 1), np.float32)})[0], [5, 5])


def test_unsupported_models_raise():
    with pytest.raises(DataError, match="at least one tree"):
        ensemble_to_onnx([])
    tree = C45Classifier().fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]).tree_
    with pytest.raises(DataError, match="export the trees one by one"):
        ensemble_to_onnx([tree, tree])
    with pytest.raises(DataError, match="for each of 1 trees"):
        ensemble_to_onnx([tree], targets=[0, 1])
    several = DecisionTreeClassifier().fit([[0.0], [1.0]], [[0, 1], [1, 0]])
    with pytest.raises(DataError, match="2 outputs"):
        to_onnx(several)


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
        (exported,) = answers(to_onnx(model, dtype=dtype), fresh)
        assert_allclose(exported[:, 0], model.predict(fresh), rtol=1e-4, atol=1e-5)
