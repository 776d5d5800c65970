"""What a test, an interval or a posterior says: small frozen results that read as one sentence."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats

Alternative = Literal["two-sided", "greater", "less"]
Side = Literal["two-sided", "lower", "upper"]


@dataclass(frozen=True)
class Interval:
    """A point estimate with the interval around it.

    Attributes
    ----------
    estimate
        The point.
    low, high
        The ends; infinite on the open side of a one-sided interval.
    confidence
        Share of samples whose interval holds the truth, if `assumes` is true.
    method
        How it was found.
    assumes
        What must hold for the confidence to be what it says.
    """

    estimate: float
    low: float
    high: float
    confidence: float
    method: str
    assumes: str

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def __str__(self) -> str:
        return (
            f"{self.method}: {self.estimate:.4g}, with {100 * self.confidence:g} % confidence "
            f"{between(self.low, self.high)}."
        )


@dataclass(frozen=True)
class Verdict:
    """What a hypothesis test found.

    Attributes
    ----------
    test
        Its name.
    null
        The hypothesis, in words.
    statistic
        What was compared with the law under the hypothesis.
    p_value
        Probability, under the hypothesis, of a statistic at least as extreme.
    alpha
        The level: the hypothesis is rejected if ``p_value <= alpha``.
    assumes
        What must hold for the p-value to be what it says.
    df
        Degrees of freedom of the law: none, one, or two for an F.
    estimate
        The quantity the test is about, or None.
    interval
        Ends of its interval of confidence 1 - alpha, or None.
    """

    test: str
    null: str
    statistic: float
    p_value: float
    alpha: float
    assumes: str
    df: tuple[float, ...] = ()
    estimate: float | None = None
    interval: tuple[float, float] | None = None

    @property
    def rejected(self) -> bool:
        """Whether the hypothesis is rejected at level alpha."""
        return self.p_value <= self.alpha

    def __str__(self) -> str:
        answer = "is rejected" if self.rejected else "cannot be rejected"
        words = f'{self.test}: "{self.null}" {answer} at level {self.alpha:g} '
        words += f"(statistic {self.statistic:.4g}, p = {self.p_value:.3g}"
        if self.df:
            words += f", {' and '.join(f'{df:g}' for df in self.df)} degrees of freedom"
        words += ")"
        if self.estimate is not None:
            words += f"; estimate {self.estimate:.4g}"
        if self.interval is not None:
            words += f", {between(*self.interval)}"
        return words + "."


def between(low: float, high: float) -> str:
    """Say an interval in words, one- or two-sided."""
    if np.isnan(low):
        return "within limits that these values do not tell"
    if np.isneginf(low):
        return f"at most {high:.4g}"
    if np.isposinf(high):
        return f"at least {low:.4g}"
    return f"between {low:.4g} and {high:.4g}"


class Law(NamedTuple):
    """Upper tail of a symmetric law, and the quantile that leaves a share above it."""

    tail: Callable[[float], float]
    quantile: Callable[[float], float]


NORMAL = Law(stats.norm.sf, stats.norm.isf)


def student(df: float) -> Law:
    """Student's law with `df` degrees of freedom."""
    return Law(partial(stats.t.sf, df=df), partial(stats.t.isf, df=df))


def p_of(statistic: float, law: Law, alternative: Alternative) -> float:
    """Probability of a statistic at least as extreme, in the direction of the alternative."""
    if alternative == "two-sided":
        return float(2 * law.tail(abs(statistic)))
    return float(law.tail(statistic if alternative == "greater" else -statistic))


def ends(
    centre: float, error: float, law: Law, alpha: float, alternative: Alternative
) -> tuple[float, float]:
    """Values that a test at level alpha with this alternative would not reject."""
    if alternative == "two-sided":
        reach = float(law.quantile(alpha / 2)) * error
        return centre - reach, centre + reach
    reach = float(law.quantile(alpha)) * error
    return (centre - reach, np.inf) if alternative == "greater" else (-np.inf, centre + reach)


# --- rounding ----------------------------------------------------------------------------------

# What a subtraction and a mean may lose, as a share of the values that went into them.
_ROUNDING = 8 * float(np.finfo(np.float64).eps)


def settled(values: Floats, scale: float) -> Floats:
    """Make equal what differs only by rounding of numbers as large as scale.

    Sizes nearer to each other than that become the least of them, and those so near to 0 become 0;
    signs stay.
    """
    order = np.argsort(np.abs(values))
    sizes = np.abs(values)[order]
    starts = np.diff(sizes, prepend=0.0) > _ROUNDING * scale
    result = np.empty_like(values)
    result[order] = np.r_[0.0, sizes[starts]][np.cumsum(starts)]
    return result * np.sign(values)


def spread(values: Floats) -> float:
    """Return the standard deviation (divisor N - 1), 0 if it comes only from rounding."""
    found = float(values.std(ddof=1))
    return found if found > _ROUNDING * float(np.abs(values).max()) else 0.0


def distance(found: float, supposed: float) -> float:
    """Return found - supposed, 0 if it comes only from rounding."""
    apart = float(found - supposed)
    return apart if abs(apart) > _ROUNDING * max(abs(found), abs(supposed)) else 0.0


def ratio(difference: float, error: float) -> float:
    """Difference / error; 0 / 0 is 0 (nothing differs), and c / 0 is infinite."""
    if error > 0:
        return difference / error
    return 0.0 if difference == 0 else float(np.copysign(np.inf, difference))


# --- checks ------------------------------------------------------------------------------------


def sample(owner: str, values: ArrayLike, *, at_least: int, name: str = "x") -> Floats:
    """Return finite numbers in one dimension, or say why they are none."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or len(array) < at_least:
        raise DataError(
            f"{owner}: {name} must be one-dimensional with at least {at_least} values; "
            f"got shape {array.shape}; give more splits or rows."
        )
    finite(owner, array, name)
    return array


def score_table(owner: str, scores: ArrayLike, *, rows: int, columns: int) -> Floats:
    """Return a finite table, one row per data set or split and one column per model."""
    array = np.asarray(scores, dtype=np.float64)
    if array.ndim != 2 or array.shape[0] < rows or array.shape[1] < columns:
        raise DataError(
            f"{owner}: scores must have a row for each data set (at least {rows}) and a column "
            f"for each model (at least {columns}); got shape {array.shape}."
        )
    finite(owner, array, "scores")
    return array


def finite(owner: str, array: Floats, name: str) -> None:
    """Refuse NaN and infinity."""
    if not np.isfinite(array).all():
        raise DataError(
            f"{owner}: {name} contains NaN or inf; look at the model or the split that gave it, "
            "a score is undefined there."
        )


def one_of(owner: str, name: str, value: str, choices: tuple[str, ...]) -> None:
    """Refuse a word that is not in the list."""
    if value not in choices:
        listed = ", ".join(map(repr, choices))
        raise ParameterError(f"{owner}: {name} must be one of {listed}; got {value!r}.")


def share(owner: str, name: str, value: float) -> float:
    """Return a number strictly between 0 and 1."""
    if not 0 < value < 1:
        raise ParameterError(
            f"{owner}: {name} must be between 0 and 1, both excluded; got {value!r}."
        )
    return float(value)


def positive(owner: str, name: str, value: float) -> float:
    """Return a number above 0."""
    if not (value > 0 and np.isfinite(value)):
        raise ParameterError(f"{owner}: {name} must be a finite number > 0; got {value!r}.")
    return float(value)


def counts(owner: str, errors: int, n: int) -> tuple[int, int]:
    """Return whole numbers with 0 <= errors <= n and n >= 1."""
    if int(errors) != errors or int(n) != n or n < 1 or not 0 <= errors <= n:
        raise DataError(
            f"{owner}: counts must be whole numbers with 0 <= errors <= n and n >= 1; "
            f"got errors={errors!r}, n={n!r}."
        )
    return int(errors), int(n)
