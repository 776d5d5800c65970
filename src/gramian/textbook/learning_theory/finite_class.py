r"""PAC bounds for finite classes of hypotheses, and the sample sizes they need.

With |H| hypotheses, n independent rows and probability 1 - delta,

    consistent   a hypothesis without a training error has a risk of at most epsilon if
                     n >= ln(|H| / delta) / epsilon,
                 since delta <= |H| (1 - epsilon)^n <= |H| e^{-n epsilon}
    agnostic     the minimiser of the training error has a risk of at most epsilon above the
                 least risk in the class if
                     n >= (2 / epsilon^2) ln(2 |H| / delta)

The second follows from Hoeffding's inequality with epsilon / 2 for each hypothesis: the training
error of the chosen one is at most that of the best one. References: Mohri, Rostamizadeh and
Talwalkar, Foundations of Machine Learning, 2018, chapter 2; Shalev-Shwartz and Ben-David,
Understanding Machine Learning, 2014, section 4.2.
"""

import math
from dataclasses import dataclass
from numbers import Real

from gramian.base.errors import ParameterError
from gramian.evaluate.input_checks import check_fraction
from gramian.textbook.learning_theory.argument_checks import ceiling, check_epsilon, check_rows


@dataclass(frozen=True)
class ConsistentBound:
    """PAC bound for a learner without training errors.

    Parameters
    ----------
    hypotheses
        Number of hypotheses in the class, |H|.
    exact
        Whether to use |H| (1 - epsilon)^n itself instead of the larger |H| e^{-n epsilon};
        it needs slightly fewer rows.

    Examples
    --------
    >>> bound = ConsistentBound(1000)
    >>> bound.sample_size(epsilon=0.1, delta=0.05)
    100
    >>> round(bound.epsilon(n=100, delta=0.05), 4), round(bound.delta(n=100, epsilon=0.1), 4)
    (0.099, 0.0454)
    """

    hypotheses: float
    exact: bool = False

    def __post_init__(self) -> None:
        _check_hypotheses("ConsistentBound", self.hypotheses)

    def sample_size(self, epsilon: float, delta: float) -> int:
        """Return the smallest n for risk `epsilon` with probability 1 - `delta`."""
        epsilon = check_epsilon("ConsistentBound", epsilon)
        check_fraction("ConsistentBound", "delta", delta)
        rate = -math.log1p(-epsilon) if self.exact else epsilon
        return ceiling(self._log_ratio(delta) / rate)

    def epsilon(self, n: int, delta: float) -> float:
        """Return the bound on the risk with n rows and probability 1 - `delta`; at most 1."""
        n = check_rows("ConsistentBound", n)
        check_fraction("ConsistentBound", "delta", delta)
        rate = self._log_ratio(delta) / n
        return -math.expm1(-rate) if self.exact else min(1.0, rate)

    def delta(self, n: int, epsilon: float) -> float:
        """Return the bound on the probability of a risk above `epsilon`; at most 1."""
        n = check_rows("ConsistentBound", n)
        epsilon = check_epsilon("ConsistentBound", epsilon)
        rate = -math.log1p(-epsilon) if self.exact else epsilon
        return math.exp(min(0.0, math.log(self.hypotheses) - n * rate))

    def _log_ratio(self, delta: float) -> float:
        """Return ln(|H| / delta), even if |H| is too large for a float."""
        return math.log(self.hypotheses) - math.log(delta)


@dataclass(frozen=True)
class AgnosticBound:
    """PAC bound for a learner that minimises the training error.

    Parameters
    ----------
    hypotheses
        Number of hypotheses in the class, |H|. None of them needs to be correct.

    Examples
    --------
    >>> bound = AgnosticBound(1000)
    >>> bound.sample_size(epsilon=0.1, delta=0.05)
    2120
    >>> round(bound.epsilon(n=2120, delta=0.05), 5)
    0.09998
    """

    hypotheses: float

    def __post_init__(self) -> None:
        _check_hypotheses("AgnosticBound", self.hypotheses)

    def sample_size(self, epsilon: float, delta: float) -> int:
        """Return the smallest n for an excess risk of `epsilon` with probability 1 - `delta`."""
        epsilon = check_epsilon("AgnosticBound", epsilon)
        check_fraction("AgnosticBound", "delta", delta)
        return ceiling(2 / epsilon**2 * self._log_ratio(delta))

    def epsilon(self, n: int, delta: float) -> float:
        """Return the excess-risk bound with n rows and probability 1 - `delta`; at most 1."""
        n = check_rows("AgnosticBound", n)
        check_fraction("AgnosticBound", "delta", delta)
        return min(1.0, math.sqrt(2 / n * self._log_ratio(delta)))

    def delta(self, n: int, epsilon: float) -> float:
        """Return the bound on the probability of an excess risk above `epsilon`; at most 1."""
        n = check_rows("AgnosticBound", n)
        epsilon = check_epsilon("AgnosticBound", epsilon)
        return math.exp(min(0.0, self._log_ratio(1.0) - n * epsilon**2 / 2))

    def _log_ratio(self, delta: float) -> float:
        """Return ln(2 |H| / delta), even if |H| is too large for a float."""
        return math.log(2) + math.log(self.hypotheses) - math.log(delta)


def _check_hypotheses(owner: str, hypotheses: float) -> None:
    """Raise unless there is a finite, positive number of hypotheses."""
    if not isinstance(hypotheses, Real) or not 1 <= hypotheses < math.inf:
        raise ParameterError(
            f"{owner}: hypotheses must be a number of at least 1; got {hypotheses!r}. For an "
            "infinite class give its growth function to UniformBound or ExcessRiskBound."
        )
