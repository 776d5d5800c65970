"""Every estimator of the catalogue at each of its test settings, and data that suits it.

The example estimators of kinds.py are among them.
"""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import BaseEstimator, clone, is_classifier, is_clusterer, is_regressor

from gramian.base.catalogue import ESTIMATORS
from tests.contract.kinds import EXAMPLES
from tests.contract.settings import examples

ALL = (*ESTIMATORS, *EXAMPLES)
METHODS = (
    "predict",
    "predict_proba",
    "decision_function",
    "score_samples",
    "transform",
    "kneighbors",
)


def every() -> list[Any]:
    """Return all (estimator, settings) pairs as pytest parameters; a test clones its estimator.

    All settings but an estimator's first are marked slow.
    """
    return [
        pytest.param(example, id=f"{entry.name}-{i}", marks=[pytest.mark.slow] if i else [])
        for entry in ALL
        for i, example in enumerate(examples(entry))
    ]


def first_of_each() -> list[Any]:
    """Return every estimator once, at its first settings."""
    return [pytest.param(examples(e)[0], id=e.name) for e in ALL]


def is_pairwise(model: BaseEstimator) -> bool:
    return bool(model.__sklearn_tags__().input_tags.pairwise)


def needs_numbers(model: BaseEstimator) -> bool:
    """Regressors, and what else cannot do without a target but is no classifier."""
    required = model.__sklearn_tags__().target_tags.required
    return is_regressor(model) or (required and not is_classifier(model))


def table(model: BaseEstimator, n: int = 60, dtype: Any = np.float64) -> tuple[Any, Any]:
    """Three groups of rows in four columns, and a target of the kind the estimator learns."""
    rng = np.random.default_rng(7)
    codes = np.arange(n) % 3
    X = rng.normal(size=(n, 4)) + 3 * codes[:, None]
    tags = model.__sklearn_tags__().input_tags
    X = np.abs(X) if tags.positive_only else X
    X = np.round(X) if tags.categorical and not model.takes_categories else X  # category numbers
    if is_pairwise(model):
        X = np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=2))
    if is_classifier(model):
        y = np.array(["ash", "birch", "cedar"])[codes]
    elif needs_numbers(model):
        y = X[:, 0] + rng.normal(size=n)
        y = np.abs(y) if model.__sklearn_tags__().target_tags.positive_only else y
    else:
        y = None
    if needs_numbers(model):
        y = y.astype(dtype)
    return X.astype(dtype), y


def quick(model: BaseEstimator, iterations: int = 50) -> Any:
    """Return a copy that takes few iterations, for what does not need the optimum."""
    model = clone(model)
    few = {"max_iter": iterations, "n_estimators": 3}
    return model.set_params(**{k: v for k, v in few.items() if k in model.get_params(deep=False)})


def methods_of(model: BaseEstimator) -> list[str]:
    """Return the methods by which a fitted estimator answers for new rows.

    Only a clusterer or an embedding may have none: it may be of the training rows alone.
    """
    found = [method for method in METHODS if hasattr(model, method)]
    assert found or is_clusterer(model) or hasattr(model, "fit_transform")
    return found


def outputs(model: BaseEstimator, X: Any) -> dict[str, Any]:
    """Return what a fitted estimator answers for new rows, and its clusters or embedding."""
    own = ("labels_", "embedding_")
    answers = {name: getattr(model, name) for name in own if hasattr(model, name)}
    for method in methods_of(model):
        answer = getattr(model, method)(X)
        for i, part in enumerate(answer if isinstance(answer, tuple) else (answer,)):
            answers[f"{method}[{i}]"] = part.toarray() if sp.issparse(part) else part
    return answers


def assert_same_outputs(a: dict[str, Any], b: dict[str, Any]) -> None:
    """The same bits."""
    assert a.keys() == b.keys()
    assert a, "the estimator has no output"
    for name in a:
        np.testing.assert_array_equal(np.asarray(a[name]), np.asarray(b[name]), err_msg=name)
