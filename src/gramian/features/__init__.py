"""Maps of the columns, and choices among them: transformers that a linear model can follow.

For monomials of any degree use `sklearn.preprocessing.PolynomialFeatures`, for splines its
`SplineTransformer`, for a map without parameters its `FunctionTransformer`.
"""

from gramian.features.basis_features import BasisFeatures
from gramian.features.best_subset import BestSubsetSelector, Subsets, best_subsets
from gramian.features.monomials import count_monomials
from gramian.features.parabolic_lift import ParabolicLift, Sphere
from gramian.features.quadric import Quadric, classify_quadric
from gramian.features.quadric_features import QuadricFeatures
from gramian.features.random_features import RandomFeatures
from gramian.features.stepwise_selector import StepwiseSelector, z_scores

__all__ = [
    "BasisFeatures",
    "BestSubsetSelector",
    "ParabolicLift",
    "Quadric",
    "QuadricFeatures",
    "RandomFeatures",
    "Sphere",
    "StepwiseSelector",
    "Subsets",
    "best_subsets",
    "classify_quadric",
    "count_monomials",
    "z_scores",
]
