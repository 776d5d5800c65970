"""Ensembles of trees: random forests and extremely randomised trees."""

from gramian.ensembles.extra_trees import ExtraTreesClassifier, ExtraTreesRegressor
from gramian.ensembles.random_forest import RandomForestClassifier, RandomForestRegressor

__all__ = [
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "RandomForestClassifier",
    "RandomForestRegressor",
]
