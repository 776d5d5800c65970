"""What ridge regression costs in terms of features and in terms of rows."""

from math import comb
from typing import Literal, NamedTuple

from gramian.base.errors import ParameterError
from gramian.kernels import Kernel, Linear, Polynomial

MOST_FEATURES = 2000  # that are made explicit


class RidgeCosts(NamedTuple):
    """Operations of both forms of ridge regression.

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
    """Return the costs of ridge regression by features and by rows.

    Parameters
    ----------
    n_samples
        Rows, n.
    n_features
        Columns, d, which the kernel reads.
    n_expanded
        Features D of the kernel; None: the columns themselves.

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


def features_of(kernel: Kernel, n_features: int) -> int | None:
    """Return the number of features of a kernel where they can be made explicit, else None."""
    if isinstance(kernel, Linear):
        return n_features
    if isinstance(kernel, Polynomial) and kernel.coef0 >= 0 and kernel.degree == int(kernel.degree):
        degree = int(kernel.degree)
        return comb(n_features + degree - (0 if kernel.coef0 > 0 else 1), degree)
    return None
