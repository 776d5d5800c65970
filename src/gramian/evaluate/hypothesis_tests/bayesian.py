r"""Posterior probabilities that one model is better, worse, or practically the same.

Two scores within a region of practical equivalence (rope) of each other count as the same. With d
the differences first - second:

Correlated t, K splits of one data set: under the prior 1/sigma^2 and with the correlation
rho = n_test / (n_test + n_train) of overlapping splits, the mean difference has a Student posterior

    mu | d ~ t_{K-1}(m, (1/K + rho / (1 - rho)) S^2).

Signed rank, N data sets: the distribution of d has a Dirichlet process prior of strength s at 0.
With weights w ~ Dirichlet(s, 1, ..., 1) on z_0 = 0 and the d_i, the mass of "first is better" is
the sum of w_i w_j over pairs with (z_i + z_j) / 2 > rope, and so for the others; the probability of
each answer is the proportion of draws of w in which its mass is the largest.

References: Corani and Benavoli, Machine Learning 100, 2015; Benavoli et al., ICML 2014; Benavoli,
Corani, Demsar and Zaffalon, JMLR 18, 2017.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from gramian.evaluate.hypothesis_tests.corrected_t import corrected_standard_error, differences
from gramian.evaluate.input_checks import check_positive, check_rope
from gramian.evaluate.results import between


@dataclass(frozen=True)
class Posterior:
    """Posterior probabilities that one model is better, practically the same, or worse.

    Attributes
    ----------
    method
        Name of the method.
    better
        Probability that the first model is better by more than `rope`.
    same
        Probability that they differ by no more than `rope`.
    worse
        Probability that the first model is worse by more than `rope`.
    rope
        Half-width of the region of practical equivalence, in units of the score.
    estimate
        Mean (correlated t) or median of pairwise means (signed rank) of the differences.
    interval
        Limits of the central 95% credible interval of the mean difference, or None.
    assumes
        The assumptions of the method.
    """

    method: str
    better: float
    same: float
    worse: float
    rope: float
    estimate: float
    interval: tuple[float, float] | None
    assumes: str

    def __str__(self) -> str:
        text = (
            f"{self.method}: the first is better with probability {self.better:.3f}, the same "
            f"within {self.rope:g} with {self.same:.3f}, worse with {self.worse:.3f}; "
            f"difference {self.estimate:.4g}"
        )
        return text + ("." if self.interval is None else f", {between(*self.interval)}.")


def correlated_t_posterior(
    first: ArrayLike,
    second: ArrayLike | None = None,
    *,
    test_over_train: float,
    rope: float = 0.01,
) -> Posterior:
    """Compare two models over splits of one data set by the correlated Bayesian t.

    With rope = 0 its tails are the one-sided p-values of `corrected_t_test`.

    Parameters
    ----------
    first, second
        Scores of the two models on the same K splits; or only their differences.
    test_over_train
        n_test / n_train: 1 / (k - 1) for k folds, however often repeated.
    rope
        Half-width of the region of practical equivalence, in units of the score.

    Returns
    -------
    posterior
        Probabilities of better, same and worse.

    Examples
    --------
    >>> print(correlated_t_posterior([0.02, 0.03, 0.01, 0.04, 0.0], test_over_train=1 / 4))
    ... # doctest: +NORMALIZE_WHITESPACE
    correlated Bayesian t: the first is better with probability 0.800, the same within 0.01 with
    0.176, worse with 0.024; difference 0.02, between -0.009449 and 0.04945.
    """
    owner = "correlated_t_posterior"
    d = differences(owner, first, second)
    check_rope(owner, rope)
    K, m = len(d), float(d.mean())
    error = corrected_standard_error(owner, d, test_over_train)
    if error > 0:
        worse = float(stats.t.cdf((-rope - m) / error, K - 1))
        better = float(stats.t.sf((rope - m) / error, K - 1))
        half_width = float(stats.t.isf(0.025, K - 1)) * error
    else:  # all splits have the same difference: the posterior is a point
        worse, better, half_width = float(m < -rope), float(m > rope), 0.0
    return Posterior(
        "correlated Bayesian t", better, max(0.0, 1 - better - worse), worse, rope, m,
        (m - half_width, m + half_width),
        "normal differences, correlated by the proportion of test rows",
    )  # fmt: skip


def signed_rank_posterior(
    first: ArrayLike,
    second: ArrayLike | None = None,
    *,
    rope: float = 0.01,
    prior_strength: float = 0.5,
    n_draws: int = 20_000,
    random_state: int | np.random.Generator | None = 0,
) -> Posterior:
    """Compare two models over several data sets by the Bayesian signed-rank test.

    Parameters
    ----------
    first, second
        Scores of the two models on the same N data sets; or only their differences.
    rope
        As for `correlated_t_posterior`.
    prior_strength
        Weight s of the prior, which favours "the same", as a number of data sets.
    n_draws
        Draws from the posterior; the error of a probability is at most 0.5 / sqrt(n_draws).
    random_state
        Seed or generator for the random draws.

    Returns
    -------
    posterior
        Probabilities of better, same and worse.

    Examples
    --------
    >>> found = signed_rank_posterior([0.05, 0.03, 0.06, 0.02, 0.04, 0.07, 0.03])
    >>> found.better > 0.99
    True
    """
    owner = "signed_rank_posterior"
    d = differences(owner, first, second)
    check_rope(owner, rope)
    check_positive(owner, "prior_strength", prior_strength)
    check_positive(owner, "n_draws", n_draws)
    z = np.concatenate([[0.0], d])
    means = (z[:, None] + z[None, :]) / 2
    rng = np.random.default_rng(random_state)
    # A Dirichlet draw is a vector of gammas over its sum; dividing does not change the largest.
    weights = rng.standard_gamma(np.r_[prior_strength, np.ones(len(d))], size=(n_draws, len(z)))
    up = ((weights @ (means > rope)) * weights).sum(axis=1)
    down = ((weights @ (means < -rope)) * weights).sum(axis=1)
    same = weights.sum(axis=1) ** 2 - up - down
    winner = np.argmax([same, up, down], axis=0)
    probabilities = np.bincount(winner, minlength=3) / n_draws
    walsh = means[1:, 1:][np.triu_indices(len(d))]
    return Posterior(
        "Bayesian signed rank", float(probabilities[1]), float(probabilities[0]),
        float(probabilities[2]), rope,
        float(np.median(walsh)), None, "independent data sets",
    )  # fmt: skip
