"""Maps of the columns: transformers that a linear model can follow.

For monomials of any degree use `sklearn.preprocessing.PolynomialFeatures`, for splines its
`SplineTransformer`, for a map without parameters its `FunctionTransformer`.
"""

from gramian.features.basis_features import BasisFeatures
from gramian.features.monomials import count_monomials
from gramian.features.parabolic_lift import ParabolicLift, Sphere
from gramian.features.quadric import Quadric, classify_quadric
from gramian.features.quadric_features import QuadricFeatures
from gramian.features.random_features import RandomFeatures

__all__ = [
    "BasisFeatures",
    "ParabolicLift",
    "Quadric",
    "QuadricFeatures",
    "RandomFeatures",
    "Sphere",
    "classify_quadric",
    "count_monomials",
]
