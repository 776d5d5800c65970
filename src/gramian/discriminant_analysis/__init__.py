"""Linear and quadratic discriminant analysis, and generative classifiers."""

from gramian.discriminant_analysis.generative_classifier import GenerativeClassifier
from gramian.discriminant_analysis.linear_discriminant_analysis import LinearDiscriminantAnalysis
from gramian.discriminant_analysis.quadratic_discriminant_analysis import (
    QuadraticDiscriminantAnalysis,
)
from gramian.discriminant_analysis.quadratic_form import QuadraticForm

__all__ = [
    "GenerativeClassifier",
    "LinearDiscriminantAnalysis",
    "QuadraticDiscriminantAnalysis",
    "QuadraticForm",
]
