"""Fisher's criterion along any direction."""

from gramian.textbook.discriminant_analysis.fisher_criterion import fisher_criterion

__all__ = ["fisher_criterion"]
