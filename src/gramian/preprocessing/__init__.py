"""Feature maps for linear models, and whitening.

For monomials of any degree use `sklearn.preprocessing.PolynomialFeatures`, for splines
`SplineTransformer`, for a function without parameters `FunctionTransformer`.
"""

from gramian.preprocessing.basis_features import BasisFeatures
from gramian.preprocessing.parabolic_lift import ParabolicLift, Sphere
from gramian.preprocessing.quadric import Quadric, classify_quadric
from gramian.preprocessing.quadric_features import QuadricFeatures
from gramian.preprocessing.random_features import RandomFeatures
from gramian.preprocessing.whitener import Whitener

__all__ = [
    "BasisFeatures",
    "ParabolicLift",
    "Quadric",
    "QuadricFeatures",
    "RandomFeatures",
    "Sphere",
    "Whitener",
    "classify_quadric",
]
