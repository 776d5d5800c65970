r"""Random directions, random subspaces and random points in a ball.

A vector of independent normal numbers has no preferred direction, so divided by its length it
is uniform on the sphere; k of them, made orthonormal, span a uniform random subspace; a direction
times U^{1/d} with uniform U is uniform in the ball. Reference: Muller, Communications of the ACM 2,
1959.
"""

from numbers import Integral

import numpy as np

from gramian.base.errors import ParameterError
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Floats


def random_directions(n: int, d: int, *, random_state: object = None) -> Floats:
    """Return n directions of R^d, uniform on the unit sphere, as rows.

    Parameters
    ----------
    n
        Number of directions.
    d
        Number of coordinates.
    random_state
        Seed or generator.

    Examples
    --------
    >>> np.linalg.norm(random_directions(3, 5, random_state=0), axis=1).round(12)
    array([1., 1., 1.])
    """
    check_counts("random_directions", n=n, d=d)
    drawn = stream(seed_of(random_state)).standard_normal((n, d))
    return np.asarray(drawn / np.linalg.norm(drawn, axis=1, keepdims=True))


def random_subspace(k: int, d: int, *, random_state: object = None) -> Floats:
    """Return an orthonormal basis of a uniform random subspace of dimension k, as rows.

    Parameters
    ----------
    k
        Dimension of the subspace, at most d.
    d
        Number of coordinates.
    random_state
        Seed or generator.

    Examples
    --------
    >>> basis = random_subspace(2, 6, random_state=0)
    >>> (basis @ basis.T).round(12) + 0.0
    array([[1., 0.],
           [0., 1.]])
    """
    check_counts("random_subspace", k=k, d=d)
    if k > d:
        raise ParameterError(f"random_subspace: k must be at most d; got {k} and {d}.")
    Q, R = np.linalg.qr(stream(seed_of(random_state)).standard_normal((d, k)))
    # With positive diagonal entries of R the basis itself is uniform, not only its span.
    return np.asarray((Q * np.where(np.diag(R) < 0, -1.0, 1.0)).T)


def random_in_ball(n: int, d: int, *, radius: float = 1.0, random_state: object = None) -> Floats:
    """Return n points uniform in a ball of R^d, as rows.

    Parameters
    ----------
    n
        Number of points.
    d
        Number of coordinates.
    radius
        Radius of the ball.
    random_state
        Seed or generator.

    Examples
    --------
    >>> bool((np.linalg.norm(random_in_ball(100, 3, random_state=0), axis=1) <= 1).all())
    True
    """
    check_counts("random_in_ball", n=n, d=d)
    if not 0 < radius < np.inf:
        raise ParameterError(f"random_in_ball: radius must be finite and > 0; got {radius!r}.")
    seed = seed_of(random_state)
    lengths = stream(seed, 1).random((n, 1)) ** (1 / d)
    return np.asarray(radius * lengths * random_directions(n, d, random_state=seed))


def check_counts(owner: str, **counts: int) -> None:
    """Raise unless all are integers >= 1."""
    for name, value in counts.items():
        if not isinstance(value, Integral) or isinstance(value, bool) or value < 1:
            raise ParameterError(f"{owner}: {name} must be an integer >= 1; got {value!r}.")
