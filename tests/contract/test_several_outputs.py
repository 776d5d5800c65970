"""Where scikit-learn's class takes several outputs, ours does, and answers in the same shape."""

import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.utils import get_tags

from gramian.base.catalogue import Entry
from tests.contract.settings import examples
from tests.contract.test_signatures import SHARED, THEIRS

RNG = np.random.default_rng(0)
X = np.abs(RNG.normal(size=(60, 4)))
LABELS = (X[:, :2] > 0.6).astype(int)
TARGETS = {
    "numbers": np.column_stack([X[:, 0] + X[:, 1], X[:, 2]]),
    "labels": LABELS,
    "classes": np.column_stack([RNG.integers(0, 3, 60), LABELS[:, 0]]),
}


def pair(entry: Entry) -> tuple[Any, Any]:
    """Ours and theirs, with the same parameters."""
    ours = examples(entry)[0]
    shared = THEIRS[entry.name]._get_param_names()
    settings = {k: v for k, v in ours.get_params(deep=False).items() if k in shared}
    return ours, THEIRS[entry.name](**settings)


def takes(entry: Entry, kind: str) -> bool:
    """Whether scikit-learn's class says that it takes such targets."""
    _, theirs = pair(entry)
    tags = get_tags(theirs)
    several = tags.target_tags.multi_output
    if kind == "numbers":
        return bool(is_regressor(theirs) and several)
    if not is_classifier(theirs):
        return False
    if entry.name in ("ClassifierChain", "OneVsRestClassifier"):
        return kind == "labels"  # it says so, but fails
    return bool(several if kind == "classes" else several or tags.classifier_tags.multi_label)


CASES = [
    pytest.param(entry, kind, id=f"{entry.name}-{kind}")
    for entry in SHARED
    for kind in TARGETS
    if takes(entry, kind)
]


def shapes(model: Any, y: Any) -> dict[str, Any]:
    model = clone(model).fit(X, y)
    found = {"predict": np.shape(model.predict(X))}
    if hasattr(model, "predict_proba"):
        found["predict_proba"] = [np.shape(p) for p in model.predict_proba(X)]
    return found


@pytest.mark.parametrize(("entry", "kind"), CASES)
def test_outputs_have_the_same_shapes(entry, kind):
    ours, theirs = pair(entry)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert shapes(ours, TARGETS[kind]) == shapes(theirs, TARGETS[kind])
