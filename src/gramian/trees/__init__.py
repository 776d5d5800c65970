"""Decision trees: one engine for every split."""

from gramian.trees.c45 import C45_DEFAULTS, C45Classifier
from gramian.trees.cells import leaf_cells
from gramian.trees.classifier import DecisionTreeClassifier
from gramian.trees.export_dot import export_dot
from gramian.trees.export_svg import export_svg
from gramian.trees.export_text import Rule, export_rules, export_text
from gramian.trees.forest import Forest
from gramian.trees.impurity import (
    ImpurityAxioms,
    check_impurity,
    entropy,
    entropy_in_stages,
    gain_ratio,
    gini,
    information_gain,
    misclassification,
    split_cost,
    split_information,
)
from gramian.trees.model_tree import ModelTreeRegressor
from gramian.trees.node_table import node_table
from gramian.trees.oblique import ObliqueTreeClassifier, ObliqueTreeRegressor
from gramian.trees.onnx_model import ensemble_to_onnx, to_onnx
from gramian.trees.pessimism import pessimistic_error
from gramian.trees.pruning import (
    Pruned,
    PruningCurve,
    node_errors,
    prune_cost_complexity,
    prune_pessimistic,
    prune_reduced_error,
    raise_subtrees,
    replace_subtrees,
)
from gramian.trees.regressor import DecisionTreeRegressor
from gramian.trees.tree import Tree

__all__ = [
    "C45_DEFAULTS",
    "C45Classifier",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "Forest",
    "ImpurityAxioms",
    "ModelTreeRegressor",
    "ObliqueTreeClassifier",
    "ObliqueTreeRegressor",
    "Pruned",
    "PruningCurve",
    "Rule",
    "Tree",
    "check_impurity",
    "ensemble_to_onnx",
    "entropy",
    "entropy_in_stages",
    "export_dot",
    "export_rules",
    "export_svg",
    "export_text",
    "gain_ratio",
    "gini",
    "information_gain",
    "leaf_cells",
    "misclassification",
    "node_errors",
    "node_table",
    "pessimistic_error",
    "prune_cost_complexity",
    "prune_pessimistic",
    "prune_reduced_error",
    "raise_subtrees",
    "replace_subtrees",
    "split_cost",
    "split_information",
    "to_onnx",
]
