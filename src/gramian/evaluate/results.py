"""Results of hypothesis tests and confidence intervals; each prints as one sentence."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Interval:
    """A point estimate and its confidence interval.

    Attributes
    ----------
    estimate
        The point estimate.
    low, high
        The limits; infinite on the open side of a one-sided interval.
    confidence
        Proportion of samples whose interval contains the true value, if `assumes` holds.
    method
        Name of the method.
    assumes
        The assumptions behind the confidence level.
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
            f"{self.method}: {self.estimate:.4g}, with {100 * self.confidence:g}% confidence "
            f"{between(self.low, self.high)}."
        )


@dataclass(frozen=True)
class HypothesisTestResult:
    """Result of a hypothesis test.

    Attributes
    ----------
    test
        Name of the test.
    null
        The null hypothesis, in words.
    statistic
        Value of the test statistic.
    p_value
        Probability, under the null hypothesis, of a statistic at least as extreme.
    alpha
        Significance level: the null hypothesis is rejected if ``p_value <= alpha``.
    assumes
        The assumptions behind the p-value.
    df
        Degrees of freedom of the reference distribution: none, one, or two for an F.
    estimate
        Estimate of the tested quantity, or None.
    interval
        Limits of its confidence interval at confidence 1 - alpha, or None.
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
        """Whether the null hypothesis is rejected at level alpha."""
        return self.p_value <= self.alpha

    def __str__(self) -> str:
        answer = "is rejected" if self.rejected else "cannot be rejected"
        text = f'{self.test}: "{self.null}" {answer} at level {self.alpha:g} '
        text += f"(statistic {self.statistic:.4g}, p = {self.p_value:.3g}"
        if self.df:
            text += f", {' and '.join(f'{df:g}' for df in self.df)} degrees of freedom"
        text += ")"
        if self.estimate is not None:
            text += f"; estimate {self.estimate:.4g}"
        if self.interval is not None:
            text += f", {between(*self.interval)}"
        return text + "."


def between(low: float, high: float) -> str:
    """Describe an interval in words, one- or two-sided."""
    if np.isnan(low):
        return "with unknown limits"
    if np.isneginf(low):
        return f"at most {high:.4g}"
    if np.isposinf(high):
        return f"at least {low:.4g}"
    return f"between {low:.4g} and {high:.4g}"
