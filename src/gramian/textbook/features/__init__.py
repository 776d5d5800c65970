"""Numbers of polynomial features."""

from gramian.textbook.features.monomials import count_monomials

__all__ = ["count_monomials"]
