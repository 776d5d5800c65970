"""How many monomials there are."""

from math import comb

from gramian.base.errors import ParameterError


def count_monomials(n_features: int, degree: int, *, exactly: bool = False) -> int:
    """Return how many monomials d variables have, up to a degree p or of that degree alone.

    Up to degree p, the constant included, there are C(d + p, p); of degree p alone
    C(d + p - 1, p). The first is the number of columns that
    `sklearn.preprocessing.PolynomialFeatures` makes: ask before you make them. A polynomial
    kernel of the same degree gives the same models without making them.

    Parameters
    ----------
    n_features
        Number of variables, d.
    degree
        Highest degree, p.
    exactly
        Whether to count the monomials of degree p alone.

    Returns
    -------
    int
        Their number.

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
