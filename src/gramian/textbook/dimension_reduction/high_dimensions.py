r"""The geometry of high dimensions, as formulas and simulations.

shell     a standard normal p of R^d has E |p|^2 = d and Var |p|^2 = 2 d; its length is about
          sqrt(d), with a standard deviation that tends to 1 / sqrt(2)
volume    the fraction of a ball of radius r farther than e from its surface is (1 - e / r)^d
angles    the cosine of the angle of two random directions has mean 0 and deviation 1 / sqrt(d)
nearest   the distances to the nearest and to a far point become similar
"""

import math
from typing import NamedTuple

import numpy as np

from gramian.base.errors import ParameterError
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Floats
from gramian.distributions.common.gamma_differences import log_gamma_step
from gramian.neighbors import NearestNeighbors
from gramian.random_projection.random_directions import check_counts, random_directions


class ShellFacts(NamedTuple):
    """Lengths of standard normal vectors.

    Attributes
    ----------
    mean_square, variance_of_square
        d and 2 d.
    mean_length, std_of_length
        Exact, by the chi distribution.
    lengths
        Simulated lengths.
    """

    mean_square: float
    variance_of_square: float
    mean_length: float
    std_of_length: float
    lengths: Floats


def thin_shell(d: int, *, n: int = 1000, random_state: object = 0) -> ShellFacts:
    """Return the lengths of standard normal vectors of R^d, in theory and simulated.

    Parameters
    ----------
    d
        Number of coordinates.
    n
        Number of simulated vectors.
    random_state
        Seed or generator.

    Examples
    --------
    >>> facts = thin_shell(1000)
    >>> round(facts.mean_length, 2), round(facts.std_of_length, 3)
    (31.61, 0.707)
    """
    check_counts("thin_shell", d=d, n=n)
    mean = math.sqrt(2) * math.exp(log_gamma_step(d / 2, 0.5))
    # d - mean^2 cancels for large d, where the variance is 1/2 - 1/(8 d) - ...
    variance = d - mean**2 if d < 1000 else 0.5 - 1 / (8 * d)
    # |p|^2 is chi-squared, so no (n, d) table is needed.
    lengths = np.sqrt(stream(seed_of(random_state)).chisquare(d, n))
    return ShellFacts(float(d), 2.0 * d, mean, math.sqrt(variance), lengths)


def inner_volume(width: float, d: int, *, radius: float = 1.0) -> float:
    """Return the fraction of a ball's volume that is farther than `width` from its surface.

    Parameters
    ----------
    width
        Width of the shell, at most the radius.
    d
        Number of coordinates.
    radius
        Radius of the ball.

    Examples
    --------
    >>> round(inner_volume(0.1, 100), 8)
    2.656e-05
    """
    check_counts("inner_volume", d=d)
    if not 0 <= width <= radius:
        raise ParameterError(
            f"inner_volume: width must be between 0 and the radius, {radius!r}; got {width!r}."
        )
    return float((1 - width / radius) ** d)


class AngleFacts(NamedTuple):
    """Cosines of the angles of random directions: exact deviation, and simulated values."""

    std: float
    cosines: Floats


def random_angles(d: int, *, n: int = 1000, random_state: object = 0) -> AngleFacts:
    """Return the cosines of n random directions with a fixed one; their deviation is 1 / sqrt(d).

    Parameters
    ----------
    d
        Number of coordinates.
    n
        Number of directions.
    random_state
        Seed or generator.

    Examples
    --------
    >>> random_angles(100).std
    0.1
    """
    check_counts("random_angles", d=d, n=n)
    cosines = random_directions(n, d, random_state=random_state)[:, 0]
    return AngleFacts(1 / math.sqrt(d), cosines)


class Concentration(NamedTuple):
    """Distances of a query to its nearest and to its m-th nearest point.

    Attributes
    ----------
    nearest, far
        Means over the queries.
    ratio
        far / nearest; near 1 if nearest neighbours are not meaningful.
    """

    nearest: float
    far: float
    ratio: float


def distance_concentration(
    d: int, *, n: int = 2000, far: int = 1000, queries: int = 50, random_state: object = 0
) -> Concentration:
    """Compare the distances to the nearest and to the `far`-th nearest of n normal points.

    Parameters
    ----------
    d
        Number of coordinates.
    n
        Number of points.
    far
        Rank of the neighbour that the nearest is compared with.
    queries
        Number of queries averaged over.
    random_state
        Seed or generator.

    Examples
    --------
    >>> low, high = distance_concentration(2), distance_concentration(500)
    >>> low.ratio > 20, high.ratio < 1.3
    (True, True)
    """
    check_counts("distance_concentration", d=d, n=n, far=far, queries=queries)
    if far > n:
        raise ParameterError(f"distance_concentration: far must be at most n; got {far} of {n}.")
    seed = seed_of(random_state)
    points = stream(seed, 0).standard_normal((n, d))
    search = NearestNeighbors(n_neighbors=far).fit(points)
    distances, _ = search.kneighbors(stream(seed, 1).standard_normal((queries, d)))
    nearest, last = float(distances[:, 0].mean()), float(distances[:, -1].mean())
    return Concentration(nearest, last, last / nearest)
