"""What a fitted model hands out, its members and trees, as scikit-learn's would be."""

import sys
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_matrix, issparse

from gramian.accelerate.serving import as_theirs
from gramian.accelerate.shared import shared_estimators
from gramian.accelerate.tree_arrays import TreeArrays

if TYPE_CHECKING:
    from gramian.ensemble import DecisionStump
    from gramian.tree import DecisionTreeClassifier

_OF_SPARSE_ROWS = ("coef_", "dual_coef_")  # of a support vector machine
HANDED_OUT = ("dual_coef_", "estimator_", "estimators_", "tree_")


def read(model: Any, name: str) -> Any:
    """Return an attribute of a model of gramian's as scikit-learn's model would have it."""
    if name == "_predictors":  # scikit-learn's partial_dependence reads the boosted trees there
        return [[TreeArrays(tree, tree.samples) for tree in trees] for trees in model.predictors_]
    value = getattr(model, name)
    if name in _OF_SPARSE_ROWS and issparse(getattr(model, "support_vectors_", None)):
        return csr_matrix(value)  # a machine fitted to sparse rows has sparse coefficients
    return handed_out(value)


def handed_out(value: Any) -> Any:
    """Return estimators as those of replaced classes, and trees by scikit-learn's conventions."""
    if _is(value, "tree", "Tree"):
        return TreeArrays(value)
    if isinstance(value, list):
        return [handed_out(part) for part in value]
    if isinstance(value, np.ndarray) and value.dtype == object:
        found = np.empty_like(value)
        for index, part in np.ndenumerate(value):
            found[index] = handed_out(part)
        return found
    if _is(value, "ensemble", "DecisionStump"):
        value = _tree_of(value)
    from gramian.accelerate import estimators  # which imports this module

    pair = shared_estimators().get(type(value).__name__)
    if pair is not None and type(value) is pair.ours:
        return as_theirs(value, getattr(estimators, type(value).__name__))
    return value


def _is(value: Any, family: str, name: str) -> bool:
    """Whether a value is of a class of gramian's, whose family need not be imported to tell."""
    return type(value) is getattr(sys.modules.get(f"gramian.{family}"), name, None)


def _tree_of(stump: "DecisionStump") -> "DecisionTreeClassifier":
    """Return a stump of AdaBoost as the tree of one split that scikit-learn's would be."""
    from gramian.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(max_depth=1)
    known = ("classes_", "feature_names_in_", "n_features_in_")
    tree.__dict__ |= {name: vars(stump)[name] for name in known if name in vars(stump)}
    tree._categories = [None] * stump.n_features_in_
    tree.n_classes_, tree.n_outputs_ = len(stump.classes_), 1
    tree.max_features_ = stump.n_features_in_
    tree.tree_ = stump.tree_
    return tree
