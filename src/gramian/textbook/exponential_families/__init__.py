"""Exponential families: densities by natural parameters and sufficient statistics."""

from gramian.textbook.exponential_families.exponential_family import (
    ConjugatePrior,
    ExponentialFamily,
)
from gramian.textbook.exponential_families.natural_form import NaturalForm
from gramian.textbook.exponential_families.natural_forms import natural_form

__all__ = ["ConjugatePrior", "ExponentialFamily", "NaturalForm", "natural_form"]
