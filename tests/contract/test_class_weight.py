"""Class weights have one meaning: they multiply the rows' weights, and weight k is k rows."""

import numpy as np
import pytest
from sklearn.base import clone

from gramian.base.catalogue import ESTIMATORS
from tests.contract.settings import EXCUSED, examples

# Settings under which a fit draws no rows and counts none, and the kernel knows no weights.
WITHOUT_DRAWS = {
    "NuSVC": {"gamma": 0.5},
    "SVC": {"gamma": 0.5},
    "HistGradientBoostingClassifier": {"min_samples_leaf": 1},
    "RandomForestClassifier": {"bootstrap": False},
}


def weighing() -> list:
    """Every classifier that takes class weights and whose fit draws no rows at random."""
    found = []
    for entry in ESTIMATORS:
        model = clone(examples(entry)[0])
        excused = entry.name in EXCUSED and entry.name not in WITHOUT_DRAWS
        if "class_weight" in model.get_params() and not excused:
            found.append(pytest.param(model, id=entry.name))
    assert len(found) >= 8
    return found


def scores(model, X):
    return model.decision_function(X) if hasattr(model, "decision_function") else model.predict(X)


def rows(model) -> tuple:
    """Three classes of unequal size, or two where a model takes no more."""
    rng = np.random.default_rng(3)
    sizes = [30, 18] if type(model).__name__ == "LinearProgramClassifier" else [30, 12, 6]
    y = np.repeat(np.arange(len(sizes)), sizes)
    return rng.normal(size=(48, 3)) + y[:, None], y, rng.integers(1, 4, size=48)


@pytest.mark.parametrize("class_weight", ["balanced", {0: 2.0, 1: 0.5}])
@pytest.mark.parametrize("model", weighing())
def test_a_row_of_weight_k_counts_as_k_rows_for_its_class_too(model, class_weight):
    """scikit-learn's "balanced" counts rows instead, and differs here where weights are unequal."""
    X, y, k = rows(model)
    model = clone(model).set_params(
        class_weight=class_weight, **WITHOUT_DRAWS.get(type(model).__name__, {})
    )
    weighted = clone(model).fit(X, y, sample_weight=k)
    repeated = clone(model).fit(np.repeat(X, k, axis=0), np.repeat(y, k))
    np.testing.assert_allclose(scores(weighted, X), scores(repeated, X), atol=1e-5)


@pytest.mark.parametrize("model", weighing())
def test_class_weights_multiply_the_weights_of_the_rows(model):
    X, y, k = rows(model)
    model = clone(model).set_params(**WITHOUT_DRAWS.get(type(model).__name__, {}))
    by_class = clone(model).set_params(class_weight={1: 4.0}).fit(X, y, sample_weight=k)
    by_row = clone(model).fit(X, y, sample_weight=np.where(y == 1, 4.0 * k, k))
    np.testing.assert_allclose(scores(by_class, X), scores(by_row, X), atol=1e-5)
