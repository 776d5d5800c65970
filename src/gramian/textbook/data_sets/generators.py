"""Small data sets of textbooks, generated from a seed.

Each function returns X and y as scikit-learn's generators do. See also scikit-learn's
`load_digits`, `make_circles`, `make_moons` and `make_blobs`.
"""

import math
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats

from gramian.base.errors import ParameterError
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Floats

Labels = npt.NDArray[Any]


class Sample(NamedTuple):
    """Rows and their labels or targets."""

    X: Floats
    y: Labels


def two_gaussians(
    n: int = 200, *, distance: float = 2.0, sigma: float = 1.0, d: int = 2, random_state: object = 0
) -> Sample:
    """Draw two spherical normal classes of equal variance, whose Bayes boundary is a hyperplane.

    Parameters
    ----------
    n
        Rows, half of each class, in random order.
    distance
        Distance between the means, along the first column.
    sigma
        Standard deviation of every column. The Bayes error is Phi(-distance / (2 sigma)).
    d
        Number of columns.
    random_state
        Seed or generator for the random draws.

    Examples
    --------
    >>> X, y = two_gaussians(100)
    >>> X.shape, float(y.mean())
    ((100, 2), 0.5)
    """
    draws = _checked_generator("two_gaussians", n, random_state, sigma=sigma)
    y = draws.permutation(np.arange(n) % 2)
    X = sigma * draws.standard_normal((n, d))
    X[:, 0] += distance * (y - 0.5)
    return Sample(X, y)


def xor(n: int = 200, *, noise: float = 0.2, random_state: object = 0) -> Sample:
    """Draw four groups at the corners of a square; opposite corners are one class.

    Parameters
    ----------
    n
        Rows, a quarter at each corner.
    noise
        Standard deviation around the corners (0, 0), (0, 1), (1, 0), (1, 1); 0 gives the corners.
    random_state
        Seed or generator for the random draws.

    Examples
    --------
    >>> X, y = xor(4, noise=0.0)
    >>> sorted(zip(map(tuple, X.tolist()), y.tolist()))
    [((0.0, 0.0), 0), ((0.0, 1.0), 1), ((1.0, 0.0), 1), ((1.0, 1.0), 0)]
    """
    draws = _checked_generator("xor", n, random_state, noise=noise)
    corner = draws.permutation(np.arange(n) % 4)
    corners = np.c_[corner // 2, corner % 2].astype(float)
    return Sample(corners + noise * draws.standard_normal((n, 2)), (corner // 2) ^ (corner % 2))


def spirals(
    n: int = 400,
    *,
    classes: int = 4,
    turns: float = 1.0,
    noise: float = 0.02,
    random_state: object = 0,
) -> Sample:
    """Draw the arms of a spiral, one class per arm.

    Parameters
    ----------
    n
        Rows, spread evenly over the arms.
    classes
        Number of arms.
    turns
        Number of turns of an arm around the origin, up to radius 1.
    noise
        Standard deviation of the points around their arm.
    random_state
        Seed or generator for the random draws.

    Examples
    --------
    >>> X, y = spirals(40)
    >>> np.bincount(y).tolist()
    [10, 10, 10, 10]
    """
    draws = _checked_generator("spirals", n, random_state, noise=noise)
    y = draws.permutation(np.arange(n) % classes)
    radius = np.sqrt(draws.uniform(0.01, 1, n))
    angle = 2 * math.pi * (turns * radius + y / classes)
    X = radius[:, None] * np.c_[np.cos(angle), np.sin(angle)]
    return Sample(X + noise * draws.standard_normal((n, 2)), y)


def circles(n: int = 200, *, noise: float = 0.05, random_state: object = 0) -> Sample:
    """Draw one class on a circle of radius 1/2 and one on a circle of radius 1.

    Parameters
    ----------
    n
        Rows, half on each circle.
    noise
        Standard deviation of the points around their circle.
    random_state
        Seed or generator for the random draws.

    Examples
    --------
    >>> X, y = circles(6, noise=0.0)
    >>> np.linalg.norm(X[y == 1], axis=1).round(12).tolist()
    [1.0, 1.0, 1.0]
    """
    draws = _checked_generator("circles", n, random_state, noise=noise)
    y = draws.permutation(np.arange(n) % 2)
    angle = draws.uniform(0, 2 * math.pi, n)
    X = np.where(y == 1, 1.0, 0.5)[:, None] * np.c_[np.cos(angle), np.sin(angle)]
    return Sample(X + noise * draws.standard_normal((n, 2)), y)


def sine(n: int = 50, *, noise: float = 0.2, random_state: object = 0) -> Sample:
    """Draw a sine with noise: x uniform in [0, 1], y = sin(2 pi x) + noise.

    Parameters
    ----------
    n
        Rows.
    noise
        Standard deviation of the noise.
    random_state
        Seed or generator for the random draws.

    Examples
    --------
    >>> X, y = sine(3, noise=0.0)
    >>> bool(np.allclose(y, np.sin(2 * np.pi * X[:, 0])))
    True
    """
    draws = _checked_generator("sine", n, random_state, noise=noise)
    x = draws.random(n)
    return Sample(x[:, None], np.sin(2 * math.pi * x) + noise * draws.standard_normal(n))


def heights(n: int = 200, *, random_state: object = 0) -> Sample:
    """Draw heights of women and men in cm: two overlapping normal distributions.

    Means 163 and 176 cm and standard deviations 6.5 and 7 cm, similar to European surveys; the data
    are simulated.

    Parameters
    ----------
    n
        Rows, half of each.
    random_state
        Seed or generator for the random draws.

    Examples
    --------
    >>> X, y = heights(1000)
    >>> sorted(set(y.tolist())), bool(X[y == "man"].mean() > X[y == "woman"].mean())
    (['man', 'woman'], True)
    """
    draws = _checked_generator("heights", n, random_state)
    men = draws.permutation(np.arange(n) % 2) == 1
    centimetres = np.where(men, 176.0, 163.0) + np.where(men, 7.0, 6.5) * draws.standard_normal(n)
    return Sample(centimetres[:, None], np.where(men, "man", "woman"))


def nested_spheres(n: int = 2000, *, d: int = 10, random_state: object = 0) -> Sample:
    """Draw normal rows; class -1 is inside the sphere that contains half of them, 1 outside.

    The squared radius is the median of the chi-squared distribution with d degrees of freedom, 9.34
    for d = 10: a standard problem for AdaBoost.

    Parameters
    ----------
    n
        Rows.
    d
        Number of columns.
    random_state
        Seed or generator for the random draws.

    Examples
    --------
    >>> X, y = nested_spheres(1000)
    >>> bool(((X**2).sum(axis=1)[y == 1] > 9.34).all())
    True
    """
    X = _checked_generator("nested_spheres", n, random_state).standard_normal((n, d))
    return Sample(X, np.where((X**2).sum(axis=1) > stats.chi2(d).median(), 1, -1))


def faces(
    people: int = 10,
    images: int = 8,
    *,
    size: int = 24,
    noise: float = 0.03,
    random_state: object = 0,
) -> Sample:
    """Draw schematic faces: ovals with eyes, brows, nose and mouth, lit from different sides.

    Each person has a face shape; each image has its own light and a slightly different mouth. Grey
    values are between 0 and 1, one row of size * size pixels per image.

    Parameters
    ----------
    people
        Number of classes.
    images
        Number of images per person.
    size
        Height and width in pixels.
    noise
        Standard deviation of the noise of a pixel.
    random_state
        Seed or generator for the random draws.

    Examples
    --------
    >>> X, y = faces(3, 2)
    >>> X.shape, y.tolist()
    ((6, 576), [0, 0, 1, 1, 2, 2])
    """
    _check_counts("faces", people=people, images=images, size=size)
    _check_spreads("faces", noise=noise)
    draws = stream(seed_of(random_state))
    row, column = np.mgrid[0:size, 0:size] / max(1, size - 1) * 2 - 1
    shapes = draws.uniform(-1, 1, (people, 6))
    X = np.empty((people * images, size * size))
    for k, (width, tall, apart, brow, nose, lips) in enumerate(np.repeat(shapes, images, axis=0)):
        light, smile = draws.uniform(-0.35, 0.35), draws.uniform(-0.03, 0.03)
        oval = (column / (0.72 + 0.1 * width)) ** 2 + (row / (0.92 + 0.06 * tall)) ** 2
        image = 0.15 + 0.65 / (1 + np.exp(18 * (oval - 1))) * (1 + light * column)
        aside = np.abs(column) - (0.32 + 0.07 * apart)
        image -= 0.45 * np.exp(-((aside / 0.1) ** 2) - ((row + 0.22) / 0.07) ** 2)
        image -= 0.3 * np.exp(-((aside / 0.16) ** 2) - ((row + 0.42 + 0.06 * brow) / 0.05) ** 2)
        image -= 0.2 * np.exp(-((column / 0.07) ** 2) - ((row - 0.1) / (0.18 + 0.06 * nose)) ** 2)
        mouth = row - 0.5 - smile * 4 * column**2
        image -= 0.4 * np.exp(-((column / (0.3 + 0.08 * lips)) ** 2) - (mouth / 0.07) ** 2)
        X[k] = np.clip(image.ravel() + noise * draws.standard_normal(size * size), 0, 1)
    return Sample(X, np.repeat(np.arange(people), images))


def _checked_generator(
    owner: str, n: int, random_state: object, **spreads: float
) -> np.random.Generator:
    """Check the size of a data set and return its random generator."""
    _check_counts(owner, n=n)
    _check_spreads(owner, **spreads)
    return stream(seed_of(random_state))


def _check_counts(owner: str, **counts: int) -> None:
    for name, count in counts.items():
        if not isinstance(count, Integral) or count < 1:
            raise ParameterError(f"{owner}: {name} must be an integer >= 1; got {count!r}.")


def _check_spreads(owner: str, **spreads: float) -> None:
    for name, spread in spreads.items():
        if not 0 <= spread < math.inf:
            raise ParameterError(f"{owner}: {name} must be a finite number >= 0; got {spread!r}.")
