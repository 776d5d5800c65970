"""Decision trees, oblique trees, model trees, C4.5; pruning and export."""

from gramian.tree.c45_classifier import C45_DEFAULTS, C45Classifier
from gramian.tree.decision_tree_classifier import DecisionTreeClassifier
from gramian.tree.decision_tree_regressor import DecisionTreeRegressor
from gramian.tree.export.export_dot import export_dot
from gramian.tree.export.export_svg import export_svg
from gramian.tree.export.export_text import Rule, export_rules, export_text
from gramian.tree.export.node_table import node_table
from gramian.tree.export.plot_tree import plot_tree
from gramian.tree.growth.impurity import (
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
from gramian.tree.model_tree_regressor import ModelTreeRegressor
from gramian.tree.oblique_tree import ObliqueTreeClassifier, ObliqueTreeRegressor
from gramian.tree.pruning import (
    Pruned,
    PruningCurve,
    node_errors,
    prune_cost_complexity,
    prune_pessimistic,
    prune_reduced_error,
    raise_subtrees,
    replace_subtrees,
)
from gramian.tree.pruning.pessimistic_error import pessimistic_error
from gramian.tree.structure.forest import Forest
from gramian.tree.structure.leaf_cells import leaf_cells
from gramian.tree.structure.tree import Tree

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
    "plot_tree",
    "prune_cost_complexity",
    "prune_pessimistic",
    "prune_reduced_error",
    "raise_subtrees",
    "replace_subtrees",
    "split_cost",
    "split_information",
]
