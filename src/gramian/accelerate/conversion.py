"""Convert fitted attributes (members, trees) to scikit-learn's form."""

import sys
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_matrix, issparse

from gramian.accelerate.dispatch import as_replacement
from gramian.accelerate.shared import shared_estimators
from gramian.accelerate.tree_arrays import TreeArrays

if TYPE_CHECKING:
    from gramian.base.kinds import Estimator
    from gramian.ensemble import DecisionStump
    from gramian.tree import DecisionTreeClassifier

_SPARSE_COEFFICIENTS = ("coef_", "dual_coef_")  # of a support vector machine
CONVERTED_ATTRIBUTES = ("dual_coef_", "estimator_", "estimators_", "tree_")


def read_attribute(model: "Estimator", name: str) -> object:
    """Return an attribute of a gramian model in scikit-learn's form."""
    if name == "_predictors":  # scikit-learn's partial_dependence reads the boosted trees there
        return [[TreeArrays(tree, tree.samples) for tree in trees] for trees in model.predictors_]
    value: object = getattr(model, name)
    if name in _SPARSE_COEFFICIENTS and issparse(getattr(model, "support_vectors_", None)):
        return csr_matrix(value)  # an SVM fitted to sparse rows has sparse coefficients
    return to_sklearn(value)


def to_sklearn(value: Any) -> object:
    """Convert estimators to replacement classes, and trees to scikit-learn's conventions."""
    if _has_type(value, "tree", "Tree"):
        return TreeArrays(value)
    if isinstance(value, list):
        return [to_sklearn(part) for part in value]
    if isinstance(value, np.ndarray) and value.dtype == object:
        converted = np.empty_like(value)
        for index, part in np.ndenumerate(value):
            converted[index] = to_sklearn(part)
        return converted
    if _has_type(value, "ensemble", "DecisionStump"):
        value = _stump_as_tree(value)
    from gramian.accelerate import estimators  # imported here: it imports this module

    pair = shared_estimators().get(type(value).__name__)
    if pair is not None and type(value) is pair.gramian_object:
        return as_replacement(value, getattr(estimators, type(value).__name__))
    return value


def _has_type(value: object, family: str, name: str) -> bool:
    """Return whether a value is an instance of a gramian class, without importing that class."""
    return type(value) is getattr(sys.modules.get(f"gramian.{family}"), name, None)


def _stump_as_tree(stump: "DecisionStump") -> "DecisionTreeClassifier":
    """Return a stump of AdaBoost as a tree with one split, as in scikit-learn."""
    from gramian.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(max_depth=1)
    known = ("classes_", "feature_names_in_", "n_features_in_")
    tree.__dict__ |= {name: vars(stump)[name] for name in known if name in vars(stump)}
    tree._categories = [None] * stump.n_features_in_
    tree.n_classes_, tree.n_outputs_ = len(stump.classes_), 1
    tree.max_features_ = stump.n_features_in_
    tree.tree_ = stump.tree_
    return tree
