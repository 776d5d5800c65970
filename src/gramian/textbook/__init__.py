"""Material for a course, in packages named after its chapters.

Data structures with visible steps, theorems as functions, textbook versions of algorithms, matrix
identities and bounds. The other packages do not use them. A package is imported on first access.
"""

from importlib import import_module as _import_module
from typing import Any as _Any

__all__ = [
    "clustering",
    "data_sets",
    "decisions",
    "dimension_reduction",
    "discriminant_analysis",
    "ensembles",
    "estimation",
    "exponential_families",
    "features",
    "figures",
    "graphs",
    "kernels",
    "learning_theory",
    "linear_algebra",
    "linear_classifiers",
    "neighbors",
    "networks",
    "optimization",
    "regression",
]


def __getattr__(name: str) -> _Any:
    if name not in __all__:
        raise AttributeError(f"module 'gramian.textbook' has no attribute {name!r}")
    return _import_module(f"gramian.textbook.{name}")


def __dir__() -> list[str]:
    return sorted(__all__)
