"""The number of monomials."""

from math import comb

from gramian.base.errors import ParameterError


def count_monomials(n_features: int, degree: int, *, exactly: bool = False) -> int:
    """Return the number of monomials in d variables, up to degree p or of degree p exactly.

    Up to degree p, the constant included, there are C(d + p, p); of degree p exactly
    C(d + p - 1, p). The first is the number of columns that
    `sklearn.preprocessing.PolynomialFeatures` produces.
    A polynomial kernel of the same degree gives the same models without computing them.

    Parameters
    ----------
    n_features
        Number of variables, d.
    degree
        Highest degree, p.
    exactly
        Whether to count only the monomials of degree p.

    Returns
    -------
    int
        Number of monomials.

    Examples
    --------
    >>> count_monomials(100, 4)
    4598126
    >>> count_monomials(784, 2, exactly=True)  # d (d + 1) / 2
    307720
    """
    if n_features < 1 or degree < 0:
        raise ParameterError(
            "count_monomials: n_features must be at least 1 and degree at least 0; "
            f"got {n_features} and {degree}."
        )
    return comb(n_features + degree - (1 if exactly else 0), degree)
