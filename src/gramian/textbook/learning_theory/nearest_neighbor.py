r"""Asymptotic errors of one and of many nearest neighbours.

For n -> infinity the error of one nearest neighbour is between the Bayes error B and

    2 B - K / (K - 1) B^2   for K classes,   2 B - 2 B^2   for two,   2 B - B^2   for any number,

and the error of k neighbours tends to B if k -> infinity and k / n -> 0. References: Cover and
Hart, IEEE Transactions on Information Theory 13, 1967; Fix and Hodges, 1951.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from gramian.base.randomness import seed_of, stream
from gramian.base.types import Floats
from gramian.neighbors import KNeighborsClassifier
from gramian.textbook.learning_theory.argument_checks import check_between, check_count
from gramian.textbook.learning_theory.simulation import Draw


def cover_hart_bound(bayes_error: float, n_classes: int | None = None) -> float:
    """Return the largest asymptotic error of one nearest neighbour.

    Parameters
    ----------
    bayes_error
        Error of the Bayes rule, B; with K classes at most 1 - 1 / K.
    n_classes
        Number of classes, K; None for any number.

    Examples
    --------
    >>> round(cover_hart_bound(0.1), 12), round(cover_hart_bound(0.1, n_classes=2), 12)
    (0.19, 0.18)
    """
    factor = _class_factor("cover_hart_bound", n_classes)
    check_between("cover_hart_bound", "bayes_error", bayes_error, 0.0, factor, closed=True)
    return 2 * bayes_error - bayes_error**2 / factor


def least_bayes_error(neighbor_error: float, n_classes: int | None = None) -> float:
    """Return the smallest Bayes error compatible with an asymptotic 1-NN error.

    The inverse of `cover_hart_bound`: no classifier can be better on such data.

    Parameters
    ----------
    neighbor_error
        Error of one nearest neighbour, measured on many rows.
    n_classes
        Number of classes, K; None for any number.

    Examples
    --------
    >>> round(least_bayes_error(0.18, n_classes=2), 12)
    0.1
    """
    factor = _class_factor("least_bayes_error", n_classes)
    check_between("least_bayes_error", "neighbor_error", neighbor_error, 0.0, 1.0, closed=True)
    return factor * (1 - math.sqrt(max(0.0, 1 - neighbor_error / factor)))


class ConsistencyCurve(NamedTuple):
    """Errors of k neighbours for growing samples.

    Attributes
    ----------
    n
        Numbers of training rows.
    k
        Number of neighbours for each.
    errors
        Mean error on test rows.
    standard_errors
        Standard deviations of these means over the repetitions.
    """

    n: Sequence[int]
    k: list[int]
    errors: Floats
    standard_errors: Floats


def neighbor_consistency(
    draw: Draw,
    sizes: Sequence[int],
    *,
    neighbors: Callable[[int], int] | None = None,
    n_test: int = 2000,
    repetitions: int = 10,
    random_state: object = 0,
) -> ConsistencyCurve:
    """Return the error of k neighbours against the number of rows.

    Parameters
    ----------
    draw
        Function of n and a generator that returns rows and labels of a sample.
    sizes
        Numbers of training rows.
    neighbors
        Function n -> k; None means the square root, for which k -> infinity and k / n -> 0. A
        constant 1 tends to a limit that `cover_hart_bound` bounds.
    n_test
        Number of test rows in each repetition.
    repetitions
        Number of training sets of each size.
    random_state
        Seed for the samples.

    Examples
    --------
    >>> def draw(n, generator):  # the Bayes error is 0.2
    ...     x = generator.random((n, 1))
    ...     return x, (x[:, 0] > 0.5) ^ (generator.random(n) < 0.2)
    >>> curve = neighbor_consistency(draw, [20, 2000])
    >>> bool(curve.errors[1] < curve.errors[0]), bool(abs(curve.errors[1] - 0.2) < 0.02)
    (True, True)
    """
    check_count("neighbor_consistency", "n_test", n_test)
    check_count("neighbor_consistency", "repetitions", repetitions, at_least=2)
    seed, number = seed_of(random_state), 0
    chosen, means, deviations = [], [], []
    for n in sizes:
        check_count("neighbor_consistency", "sizes", n)
        k = max(1, min(n, round(math.sqrt(n)) if neighbors is None else neighbors(n)))
        errors = np.empty(repetitions)
        for repetition in range(repetitions):
            generator = stream(seed, number)
            number += 1
            errors[repetition] = _error(k, draw(n, generator), draw(n_test, generator))
        chosen.append(k)
        means.append(errors.mean())
        deviations.append(errors.std(ddof=1) / math.sqrt(repetitions))
    return ConsistencyCurve(sizes, chosen, np.array(means), np.array(deviations))


def _error(k: int, training: tuple[Any, Any], test: tuple[Any, Any]) -> float:
    """Return the error of k neighbours on test rows."""
    model = KNeighborsClassifier(k).fit(*training)
    return float(np.mean(model.predict(test[0]) != np.asarray(test[1])))


def _class_factor(owner: str, n_classes: int | None) -> float:
    """Return (K - 1) / K, 1 for any number of classes."""
    if n_classes is None:
        return 1.0
    check_count(owner, "n_classes", n_classes, at_least=2)
    return (n_classes - 1) / n_classes
