"""Decision trees: one engine for every split."""

from gramian.trees.classifier import DecisionTreeClassifier
from gramian.trees.regressor import DecisionTreeRegressor
from gramian.trees.tree import Tree

__all__ = ["DecisionTreeClassifier", "DecisionTreeRegressor", "Tree"]
