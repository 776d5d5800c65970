r"""Simulations of learning guarantees: a learner is fitted to many samples.

    unbiased    the training error of a fixed hypothesis has its risk as its mean
    PAC         the fraction of samples of size n after which the risk of the learned hypothesis is
                at most epsilon (or epsilon above the least) is at least 1 - delta

Reference: Valiant, Communications of the ACM 27, 1984.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gramian.base.errors import ParameterError
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Floats
from gramian.evaluate import Interval, clopper_pearson_interval
from gramian.evaluate.input_checks import check_fraction
from gramian.textbook.learning_theory.argument_checks import check_count
from gramian.textbook.learning_theory.consistent_hypothesis import Hypothesis, empirical_error

Draw = Callable[[int, np.random.Generator], tuple[Any, npt.ArrayLike]]
Learner = Callable[[Any, npt.ArrayLike], Any]


class ErrorSimulation(NamedTuple):
    """Training errors of one fixed hypothesis on many samples.

    Attributes
    ----------
    errors
        The error of each sample.
    mean
        Mean of the errors, an estimate of the risk.
    standard_error
        Standard deviation of the mean.
    """

    errors: Floats
    mean: float
    standard_error: float


def simulate_errors(
    hypothesis: Hypothesis, draw: Draw, n: int, *, trials: int = 1000, random_state: object = 0
) -> ErrorSimulation:
    """Return the errors of a fixed hypothesis on samples of n rows.

    Parameters
    ----------
    hypothesis
        Function that returns a label for every row.
    draw
        Function of n and a generator that returns rows and labels of a sample.
    n
        Number of rows of a sample.
    trials
        Number of samples.
    random_state
        Seed for the samples.

    Examples
    --------
    >>> def draw(n, generator):
    ...     x = generator.random(n)
    ...     return x, x > 0.5
    >>> found = simulate_errors(lambda x: x > 0.25, draw, 20)
    >>> abs(found.mean - 0.25) < 4 * found.standard_error
    True
    """
    check_count("simulate_errors", "n", n)
    check_count("simulate_errors", "trials", trials, at_least=2)
    seed = seed_of(random_state)
    samples = (draw(n, stream(seed, t)) for t in range(trials))
    errors = np.array([empirical_error(hypothesis, X, y) for X, y in samples])
    return ErrorSimulation(
        errors, float(errors.mean()), float(errors.std(ddof=1) / math.sqrt(trials))
    )


class PACSimulation(NamedTuple):
    """Risks of the hypotheses learned from many samples.

    Attributes
    ----------
    risks
        Risk after each sample, minus `least_risk` if given.
    success
        Fraction of samples with a risk of at most epsilon.
    interval
        95% interval of the probability of success.
    promised
        1 - delta of a bound, if one was given.
    """

    risks: Floats
    success: float
    interval: Interval
    promised: float | None


def simulate_pac(
    learner: Learner,
    draw: Draw,
    risk: Callable[[Any], float],
    n: int,
    epsilon: float,
    *,
    bound: Any = None,
    least_risk: float = 0.0,
    trials: int = 200,
    random_state: object = 0,
) -> PACSimulation:
    """Return how often a learner is within epsilon after n rows, and the guarantee of a bound.

    Parameters
    ----------
    learner
        Function of rows and labels that returns a hypothesis, or an estimator's ``fit``.
    draw
        Function of n and a generator that returns rows and labels of a sample.
    risk
        Function that returns the risk of a learned hypothesis.
    n
        Number of rows of a sample.
    epsilon
        Largest risk, or excess risk, that counts as success.
    bound
        A bound of this package, or None; ``bound.delta(n, epsilon)`` is compared.
    least_risk
        Smallest risk in the class; the excess over it is compared with epsilon.
    trials
        Number of samples.
    random_state
        Seed for the samples.

    Examples
    --------
    >>> from gramian.textbook.learning_theory import ConsistentBound, consistent_hypothesis
    >>> grid = np.arange(1, 20) / 20
    >>> thresholds = [lambda x, t=t: x > t for t in grid]
    >>> def draw(n, generator):
    ...     x = generator.random(n)
    ...     return x, x > 0.5
    >>> found = simulate_pac(
    ...     lambda X, y: grid[consistent_hypothesis(thresholds, X, y).position],
    ...     draw, lambda t: abs(t - 0.5), n=60, epsilon=0.1, bound=ConsistentBound(19),
    ... )
    >>> found.success >= found.promised
    True
    """
    check_count("simulate_pac", "n", n)
    check_count("simulate_pac", "trials", trials)
    check_fraction("simulate_pac", "epsilon", epsilon)
    if bound is not None and not hasattr(bound, "delta"):
        raise ParameterError(
            "simulate_pac: bound must be None or a bound of gramian.textbook.learning_theory, "
            "such as ConsistentBound; "
            f"got {bound!r}."
        )
    seed = seed_of(random_state)
    risks = np.empty(trials)
    for t in range(trials):
        X, y = draw(n, stream(seed, t))
        risks[t] = risk(learner(X, y)) - least_risk
    successes = int((risks <= epsilon).sum())
    return PACSimulation(
        risks,
        successes / trials,
        clopper_pearson_interval(successes, trials),
        None if bound is None else 1 - bound.delta(n, epsilon),
    )
