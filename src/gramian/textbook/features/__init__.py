"""The number of monomials."""

from gramian.textbook.features.monomials import count_monomials

__all__ = ["count_monomials"]
