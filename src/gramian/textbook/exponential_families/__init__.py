"""Exponential families: densities by natural parameters and sufficient statistics."""

from gramian.textbook.exponential_families.exponential_family import (
    ConjugatePrior,
    ExponentialFamily,
)
from gramian.textbook.exponential_families.natural_forms import NaturalForm, natural_form

__all__ = ["ConjugatePrior", "ExponentialFamily", "NaturalForm", "natural_form"]
