"""Costs of the primal and the dual form of ridge regression."""

from math import comb
from typing import Literal, NamedTuple

from gramian.base.errors import ParameterError
from gramian.kernels import Kernel, Linear, Polynomial

MAX_FEATURES = 2000  # largest number of explicit features


class RidgeCosts(NamedTuple):
    """Number of operations of both forms of ridge regression.

    Attributes
    ----------
    primal : float
        D^3 / 3 + D^2 n: the system of D features.
    dual : float
        n^3 / 3 + n^2 d: the kernel matrix of d columns, and the system of n rows.
    cheaper : str
        "primal" or "dual".
    """

    primal: float
    dual: float
    cheaper: Literal["primal", "dual"]


def primal_or_dual(n_samples: int, n_features: int, n_expanded: int | None = None) -> RidgeCosts:
    """Return the costs of the primal and the dual form of ridge regression.

    Parameters
    ----------
    n_samples
        Number of rows n.
    n_features
        Number of columns d.
    n_expanded
        Number D of features of the kernel; None means d.

    Returns
    -------
    costs : RidgeCosts

    Examples
    --------
    >>> primal_or_dual(1000, 20).cheaper, primal_or_dual(50, 20, 10_000).cheaper
    ('primal', 'dual')
    """
    if n_samples < 1 or n_features < 1:
        raise ParameterError(
            f"primal_or_dual: n_samples and n_features must be at least 1; got {n_samples} and "
            f"{n_features}."
        )
    n, d = float(n_samples), float(n_features)
    D = d if n_expanded is None else float(n_expanded)
    primal, dual = D**3 / 3 + D**2 * n, n**3 / 3 + n**2 * d
    return RidgeCosts(primal, dual, "primal" if primal < dual else "dual")


def n_explicit_features(kernel: Kernel, n_features: int) -> int | None:
    """Return the number of explicit features of a kernel, or None if there is no finite map."""
    if isinstance(kernel, Linear):
        return n_features
    if isinstance(kernel, Polynomial) and kernel.coef0 >= 0 and kernel.degree == int(kernel.degree):
        degree = int(kernel.degree)
        return comb(n_features + degree - (0 if kernel.coef0 > 0 else 1), degree)
    return None
