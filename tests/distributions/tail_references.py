"""Write tail_references.json: values of the distributions with many digits, computed by mpmath.

Run ``python -m tests.distributions.tail_references`` from the root of the checkout (mpmath must be
installed; it takes some minutes). Parameters and events are drawn log-uniformly from wide ranges.
Each case holds the inputs, the value, and its condition number: the sum over the real inputs t of
|t df/dt| / |f|, by differences. An error of one rounding of each input changes the value by this
number of roundings, so that no method that takes floats can promise more.
"""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from mpmath import mp, mpf

FILE = Path(__file__).with_name("tail_references.json")


class Recipe(NamedTuple):
    """How the cases of one function of one family are drawn and computed."""

    draw: Callable[[random.Random], list[float]]
    value: Callable[..., Any]
    exact: Callable[[int, int], bool]  # whether input i of so many is a count, without rounding
    count: int = 60
    digits: int = 120


def around(r: random.Random, low: float, high: float) -> float:
    """Draw a number whose logarithm to base 10 is uniform in [low, high]."""
    return float(10 ** r.uniform(low, high))


def log_beta(a, b):
    return mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)


def log_choose(n, x):
    return mp.loggamma(n + 1) - mp.loggamma(x + 1) - mp.loggamma(n - x + 1)


def gamma_below(a, y):
    """The regularised lower incomplete gamma function."""
    if y > a + 10 * mp.sqrt(a) + 30:
        return 1 - gamma_above(a, y)
    return mp.exp(a * mp.log(y) - y - mp.loggamma(a + 1)) * mp.hyp1f1(1, a + 1, y, maxterms=10**6)


def gamma_above(a, y):
    return mp.gammainc(a, y, mp.inf, regularized=True) if y > a else 1 - gamma_below(a, y)


def beta_below(a, b, x, rest):
    """The regularised incomplete beta function; rest = 1 - x."""
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_below(b, a, rest, x)
    front = mp.exp(a * mp.log(x) + b * mp.log(rest) - log_beta(a, b)) / a
    return front * mp.hyp2f1(a + b, 1, a + 1, x)


def normal_below(z):
    return mp.erfc(-z / mp.sqrt(2)) / 2


def student_t_below(z, df):
    below = beta_below(df / 2, mpf(1) / 2, df / (df + z * z), z * z / (df + z * z)) / 2
    return below if z < 0 else 1 - below


# Logarithms of densities and probabilities


def gamma_log_prob(a, b, x):
    return a * mp.log(b) - mp.loggamma(a) + (a - 1) * mp.log(x) - b * x


def inverse_gamma_log_prob(a, b, x):
    return a * mp.log(b) - mp.loggamma(a) - (a + 1) * mp.log(x) - b / x


def beta_log_prob(a, b, x):
    return (a - 1) * mp.log(x) + (b - 1) * mp.log(1 - x) - log_beta(a, b)


def student_t_log_prob(df, location, scale, x):
    z = (x - location) / scale
    constant = mp.loggamma((df + 1) / 2) - mp.loggamma(df / 2) - mp.log(mp.pi * df) / 2
    return constant - mp.log(scale) - (df + 1) / 2 * mp.log1p(z * z / df)


def gaussian_log_prob(mean, variance, x):
    return -((x - mean) ** 2) / (2 * variance) - mp.log(2 * mp.pi * variance) / 2


def poisson_log_prob(rate, x):
    return x * mp.log(rate) - rate - mp.loggamma(x + 1)


def binomial_log_prob(n, p, x):
    return log_choose(n, x) + x * mp.log(p) + (n - x) * mp.log(1 - p)


def negative_binomial_log_prob(r, p, x):
    front = mp.loggamma(x + r) - mp.loggamma(r) - mp.loggamma(x + 1)
    return front + r * mp.log(p) + x * mp.log(1 - p)


def beta_binomial_log_prob(n, a, b, x):
    return log_choose(n, x) + log_beta(x + a, n - x + b) - log_beta(a, b)


def multinomial_log_prob(n, *held):
    """Probabilities count up to a common factor: the distribution divides them by their sum."""
    K = len(held) // 2
    p, x = held[:K], held[K:]
    total = mp.fsum(p)
    logs = mp.fsum(m * mp.log(q / total) for m, q in zip(x, p, strict=True) if m)
    return mp.loggamma(n + 1) - mp.fsum(mp.loggamma(m + 1) for m in x) + logs


def dirichlet_multinomial_log_prob(n, *held):
    K = len(held) // 2
    alpha, x = held[:K], held[K:]
    total = mp.fsum(alpha)
    value = mp.loggamma(n + 1) + mp.loggamma(total) - mp.loggamma(n + total)
    for a, m in zip(alpha, x, strict=True):
        value += mp.loggamma(m + a) - mp.loggamma(a) - mp.loggamma(m + 1)
    return value


def dirichlet_log_prob(*held):
    K = len(held) // 2
    alpha, x = held[:K], held[K:]
    value = mp.loggamma(mp.fsum(alpha))
    for a, each in zip(alpha, x, strict=True):
        value += (a - 1) * mp.log(each) - mp.loggamma(a)
    return value


def inverse_wishart_log_prob(df, s1, s12, s2, x1, x12, x2):
    """Of 2 x 2 matrices; complex, so that it is dropped, if x is not positive definite."""
    a = df / 2
    inside, outside = s1 * s2 - s12**2, x1 * x2 - x12**2
    trace = (s1 * x2 + s2 * x1 - 2 * s12 * x12) / outside
    gammas = mp.log(mp.pi) / 2 + mp.loggamma(a) + mp.loggamma(a - mpf(1) / 2)
    return a * mp.log(inside / 4) - gammas - (df + 3) / 2 * mp.log(outside) - trace / 2


def multivariate_t_log_prob(df, s1, s12, s2, x1, x2):
    """Of two coordinates around 0."""
    det = s1 * s2 - s12**2
    q = (s2 * x1**2 - 2 * s12 * x1 * x2 + s1 * x2**2) / det
    constant = mp.loggamma(df / 2 + 1) - mp.loggamma(df / 2) - mp.log(df * mp.pi)
    return constant - mp.log(det) / 2 - (df + 2) / 2 * mp.log1p(q / df)


def multivariate_gaussian_log_prob(s1, s12, s2, x1, x2):
    det = s1 * s2 - s12**2
    q = (s2 * x1**2 - 2 * s12 * x1 * x2 + s1 * x2**2) / det
    return -q / 2 - mp.log(2 * mp.pi) - mp.log(det) / 2


# Entropies


def sum_entropy(log_prob, counts):
    logs = [log_prob(mpf(x)) for x in counts]
    return -mp.fsum(mp.exp(each) * each for each in logs)


def dirichlet_entropy(*alpha):
    total, K = mp.fsum(alpha), len(alpha)
    value = -mp.loggamma(total) + (total - K) * mp.digamma(total)
    return value + mp.fsum(mp.loggamma(a) - (a - 1) * mp.digamma(a) for a in alpha)


def gamma_entropy(a, b):
    return a - mp.log(b) + mp.loggamma(a) + (1 - a) * mp.digamma(a)


def inverse_gamma_entropy(a, b):
    return a + mp.log(b) + mp.loggamma(a) - (1 + a) * mp.digamma(a)


def student_t_entropy(df, scale):
    slope = (df + 1) / 2 * (mp.digamma((df + 1) / 2) - mp.digamma(df / 2))
    return slope + mp.log(df) / 2 + log_beta(df / 2, mpf(1) / 2) + mp.log(scale)


def inverse_wishart_entropy(df, s1, s2):
    a = df / 2
    gammas = mp.log(mp.pi) / 2 + mp.loggamma(a) + mp.loggamma(a - mpf(1) / 2)
    digammas = mp.digamma(a) + mp.digamma(a - mpf(1) / 2)
    return gammas + df + 1.5 * mp.log(s1 * s2 / 4) - (df + 3) / 2 * digammas


# Draws of inputs


def draw_gamma(r):
    a = around(r, -12, 12)
    b = around(r, -100, 100)
    how = r.random()
    if how < 0.5:  # where the probability is
        x = max(a + r.gauss(0, 3) * a**0.5, a * around(r, -6, 0)) / b
    else:
        x = a / b * around(r, -12, 4)
    if how > 0.9:
        return [around(r, -3, 0), around(r, -200, -50), around(r, -305, -120)]
    return [a, b, x]


def draw_inverse_gamma(r):
    a, b, x = draw_gamma(r)
    return [a, b, min(1 / x, 1e300)]


def draw_beta(r):
    a, b = around(r, -12, 12), around(r, -12, 12)
    how = r.random()
    if how < 0.5:
        center = a / (a + b)
        x = center + r.gauss(0, 3) * (center * (1 - center) / (a + b + 1)) ** 0.5
    elif how < 0.8:
        x = around(r, -300 if a < 1 else -20, 0)
    else:
        x = 1 - around(r, -15, 0)
    return [a, b, x if 0 < x < 1 else r.random()]


def draw_student_t(r):
    scale = around(r, -100, 100)
    location = r.choice([0.0, r.gauss(0, 1) * scale])
    return [
        around(r, -8, 14),
        location,
        scale,
        location + scale * r.gauss(0, 1) * around(r, -3, 12),
    ]


def draw_gaussian(r):
    variance = around(r, -200, 200)
    mean = r.choice([0.0, r.gauss(0, 1) * variance**0.5])
    return [mean, variance, mean + variance**0.5 * r.gauss(0, 1) * around(r, -3, 6)]


def near(r, mean, spread, most=float("inf")):
    """Draw a count: near the mean, or anywhere."""
    if r.random() < 0.6:
        x = round(mean + 3 * r.gauss(0, 1) * spread)
    else:
        x = int(around(r, 0, 15 if most == float("inf") else len(str(int(most)))))
    if most < float("inf") and r.random() < 0.3:
        x = r.choice([0, 1, most - 1, most])
    return float(min(max(x, 0), most, 2**53))


def draw_poisson(r):
    rate = around(r, -15, 14)
    return [rate, near(r, rate, rate**0.5)]


def draw_binomial(r):
    n = int(around(r, 0, 13))
    p = r.choice([r.random(), around(r, -15, 0), 1 - around(r, -15, 0)])
    p = p if 0 < p < 1 else 0.5
    return [float(n), p, near(r, n * p, (n * p * (1 - p)) ** 0.5, n)]


def draw_negative_binomial(r):
    p = r.choice([r.random(), around(r, -15, 0), 1 - around(r, -15, -1)])
    size = around(r, -12, 12)
    mean = size * (1 - p) / p
    return [size, p, near(r, mean, (mean / p) ** 0.5)]


def draw_beta_binomial(r):
    n, a, b = int(around(r, 0, 13)), around(r, -12, 12), around(r, -12, 12)
    p = a / (a + b)
    spread = (n * p * (1 - p) * (a + b + n) / (a + b + 1)) ** 0.5
    return [float(n), a, b, near(r, n * p, spread, n)]


def split(r, n, shares):
    """Divide n trials among categories, roughly by shares."""
    left, counts = n, []
    for k in range(len(shares) - 1):
        p = shares[k] / sum(shares[k:])
        x = int(near(r, left * p, (left * p * (1 - p)) ** 0.5, left)) if left else 0
        counts.append(x)
        left -= x
    return [float(x) for x in [*counts, left]]


def draw_multinomial(r):
    n, K = int(around(r, 0, 12)), r.choice([2, 3, 5])
    weights = [around(r, -6, 0) for _ in range(K)]
    p = [w / sum(weights) for w in weights]
    return [float(n), *p, *split(r, n, p)]


def draw_dirichlet_multinomial(r):
    n, K = int(around(r, 0, 12)), r.choice([2, 3, 5])
    alpha = [around(r, -8, 10) for _ in range(K)]
    return [float(n), *alpha, *split(r, n, alpha)]


def draw_dirichlet(r):
    K = r.choice([2, 3, 4])
    size = around(r, 0, 12)
    alpha = [around(r, -3, 0) * size for _ in range(K)]
    if r.random() < 0.3:
        alpha = [size] * K
        return [*alpha, *([1 / K] * K if K != 3 else [0.25, 0.5, 0.25])]
    center = [a * max(1 + r.gauss(0, 2) / a**0.5, 0.01) for a in alpha]
    x = [c / sum(center) for c in center]
    return [*alpha, *x]


def draw_matrix(r, low, high):
    s1, s2 = around(r, low, high), around(r, low, high)
    return [s1, r.uniform(-0.9, 0.9) * (s1 * s2) ** 0.5, s2]


def draw_inverse_wishart(r):
    df = 1 + around(r, -2, 12)
    S = draw_matrix(r, -3, 3)
    spread = around(r, -8, 1) if r.random() < 0.5 else 3 / (df + 10) ** 0.5
    X = [s / df * (1 + r.uniform(-0.3, 0.3) * min(spread, 1)) for s in S]
    return [df, *S, *X]


def draw_multivariate_t(r):
    S = draw_matrix(r, -50, 50)
    far = around(r, -3, 10)
    return [around(r, -4, 12), *S, r.gauss(0, far) * S[0] ** 0.5, r.gauss(0, far) * S[2] ** 0.5]


def draw_exponential(r):
    rate = around(r, -200, 200)
    return [rate, around(r, -14, 3) / rate]


def draw_bernoulli(r):
    p = r.choice([around(r, -300, 0), 1 - around(r, -15, 0)])
    return [p if 0 < p < 1 else 0.5, float(r.random() < 0.5)]


# Distribution functions: parameters of moderate size, events far in the tails


def draw_gamma_cdf(r):
    a = around(r, -4, 3.5)
    if r.random() < 0.3:
        return [around(r, -3, 0), around(r, -200, -50), around(r, -305, -120)]
    b = around(r, -50, 50)
    return [a, b, a / b * around(r, -8, 0.3)]


def draw_inverse_gamma_cdf(r):
    a, b, x = draw_gamma_cdf(r)
    x = b / (a * around(r, -8, 0) + r.choice([0, 1]) * r.uniform(0, 600))
    return [a, b, x]


def draw_beta_cdf(r):
    a, b = around(r, -2, 2.5), around(r, -2, 2.5)
    return [a, b, r.choice([around(r, -60, 0), 1 - around(r, -12, 0)])]


def draw_student_t_cdf(r):
    return [around(r, -1, 3), 0.0, 1.0, -around(r, -4, 25)]


def draw_gaussian_cdf(r):
    return [0.0, 1.0, r.choice([-38.4 * r.random() ** 0.5, r.uniform(-38.48, -36), 5 * r.random()])]


def draw_poisson_cdf(r):
    rate = around(r, -8, 3.5)
    return [rate, float(round(rate * around(r, -1.5, 0.3)))]


def draw_binomial_cdf(r):
    n = int(around(r, 0, 3.5))
    return [float(n), r.choice([around(r, -8, 0), r.random()]), float(r.randrange(n))]


def draw_negative_binomial_cdf(r):
    size, p = around(r, -3, 2.5), around(r, -3, 0)
    return [size, p, float(round(size * (1 - p) / p * around(r, -2, 0.5)))]


def no_counts(i, width):
    return False


def last_is_a_count(i, width):
    return i == width - 1


def all_but(*real):
    return lambda i, width: i not in real


def counts_of_categories(i, width):
    """The inputs are n, a parameter for each category, a count for each."""
    return i == 0 or i > width // 2


def poisson_entropy(rate):
    top = int(rate + 60 * mp.sqrt(rate) + 80)
    return sum_entropy(lambda x: poisson_log_prob(rate, x), range(top))


def binomial_entropy(n, p):
    return sum_entropy(lambda x: binomial_log_prob(n, p, x), range(int(n) + 1))


def beta_binomial_entropy(n, a, b):
    return sum_entropy(lambda x: beta_binomial_log_prob(n, a, b, x), range(int(n) + 1))


def bernoulli_log_prob(p, x):
    return mp.log(p) if x == 1 else mp.log(1 - p)


RECIPES: dict[str, Recipe] = {
    "Gamma.log_prob": Recipe(draw_gamma, gamma_log_prob, no_counts, 220),
    "InverseGamma.log_prob": Recipe(draw_inverse_gamma, inverse_gamma_log_prob, no_counts, 150),
    "ChiSquared.log_prob": Recipe(
        lambda r: [2 * (a := around(r, -12, 12)), a * around(r, -8, 1)],
        lambda df, x: gamma_log_prob(df / 2, mpf(1) / 2, x),
        no_counts,
        80,
    ),
    "Exponential.log_prob": Recipe(
        draw_exponential, lambda rate, x: mp.log(rate) - rate * x, no_counts, 50
    ),
    "Beta.log_prob": Recipe(draw_beta, beta_log_prob, no_counts, 250),
    "StudentT.log_prob": Recipe(draw_student_t, student_t_log_prob, no_counts, 120),
    "Gaussian.log_prob": Recipe(draw_gaussian, gaussian_log_prob, no_counts, 60),
    "Bernoulli.log_prob": Recipe(draw_bernoulli, bernoulli_log_prob, last_is_a_count, 40, 340),
    "Poisson.log_prob": Recipe(draw_poisson, poisson_log_prob, last_is_a_count, 120),
    "Binomial.log_prob": Recipe(draw_binomial, binomial_log_prob, all_but(1), 150),
    "NegativeBinomial.log_prob": Recipe(
        draw_negative_binomial, negative_binomial_log_prob, last_is_a_count, 150
    ),
    "BetaBinomial.log_prob": Recipe(draw_beta_binomial, beta_binomial_log_prob, all_but(1, 2), 250),
    "Multinomial.log_prob": Recipe(
        draw_multinomial, multinomial_log_prob, counts_of_categories, 100
    ),
    "DirichletMultinomial.log_prob": Recipe(
        draw_dirichlet_multinomial, dirichlet_multinomial_log_prob, counts_of_categories, 150
    ),
    "Dirichlet.log_prob": Recipe(draw_dirichlet, dirichlet_log_prob, no_counts, 120),
    "InverseWishart.log_prob": Recipe(
        draw_inverse_wishart, inverse_wishart_log_prob, no_counts, 60
    ),
    "MultivariateStudentT.log_prob": Recipe(
        draw_multivariate_t, multivariate_t_log_prob, no_counts, 60
    ),
    "MultivariateGaussian.log_prob": Recipe(
        lambda r: draw_multivariate_t(r)[1:], multivariate_gaussian_log_prob, no_counts, 40
    ),
    "Gamma.cdf": Recipe(draw_gamma_cdf, lambda a, b, x: gamma_below(a, b * x), no_counts, 80, 60),
    "InverseGamma.cdf": Recipe(
        draw_inverse_gamma_cdf, lambda a, b, x: gamma_above(a, b / x), no_counts, 60, 400
    ),
    "Beta.cdf": Recipe(
        draw_beta_cdf, lambda a, b, x: beta_below(a, b, x, 1 - x), no_counts, 80, 100
    ),
    "StudentT.cdf": Recipe(
        draw_student_t_cdf, lambda df, _, __, z: student_t_below(z, df), no_counts, 60, 100
    ),
    "Gaussian.cdf": Recipe(draw_gaussian_cdf, lambda _, __, z: normal_below(z), no_counts, 60),
    "Exponential.cdf": Recipe(
        draw_exponential, lambda rate, x: -mp.expm1(-rate * x), no_counts, 30
    ),
    "Poisson.cdf": Recipe(
        draw_poisson_cdf, lambda rate, x: gamma_above(x + 1, rate), last_is_a_count, 50, 400
    ),
    "Binomial.cdf": Recipe(
        draw_binomial_cdf,
        lambda n, p, x: beta_below(n - x, x + 1, 1 - p, p),
        all_but(1),
        50,
        100,
    ),
    "NegativeBinomial.cdf": Recipe(
        draw_negative_binomial_cdf,
        lambda size, p, x: beta_below(size, x + 1, p, 1 - p),
        last_is_a_count,
        50,
        100,
    ),
    "Gamma.entropy": Recipe(
        lambda r: [around(r, -12, 14), around(r, -100, 100)], gamma_entropy, no_counts, 40
    ),
    "InverseGamma.entropy": Recipe(
        lambda r: [around(r, -12, 14), around(r, -100, 100)], inverse_gamma_entropy, no_counts, 40
    ),
    "Beta.entropy": Recipe(
        lambda r: [around(r, -12, 12), around(r, -12, 12)], dirichlet_entropy, no_counts, 60
    ),
    "Dirichlet.entropy": Recipe(
        lambda r: [around(r, -8, 12) for _ in range(r.choice([2, 3, 5]))],
        dirichlet_entropy,
        no_counts,
        60,
    ),
    "StudentT.entropy": Recipe(
        lambda r: [around(r, -8, 14), around(r, -100, 100)], student_t_entropy, no_counts, 40
    ),
    "InverseWishart.entropy": Recipe(
        lambda r: [1 + around(r, -2, 12), around(r, -5, 5), around(r, -5, 5)],
        inverse_wishart_entropy,
        no_counts,
        30,
    ),
    "Bernoulli.entropy": Recipe(
        lambda r: draw_bernoulli(r)[:1],
        lambda p: -p * mp.log(p) - (1 - p) * mp.log(1 - p),
        no_counts,
        30,
        340,
    ),
    "Poisson.entropy": Recipe(lambda r: [around(r, -8, 2)], poisson_entropy, no_counts, 15, 40),
    "Binomial.entropy": Recipe(
        lambda r: [float(int(around(r, 0, 2))), around(r, -8, 0)],
        binomial_entropy,
        all_but(1),
        15,
        40,
    ),
    "BetaBinomial.entropy": Recipe(
        lambda r: [float(int(around(r, 0, 1.5))), around(r, -6, 8), around(r, -6, 8)],
        beta_binomial_entropy,
        all_but(1, 2),
        20,
        60,
    ),
    "NegativeBinomial.mgf": Recipe(
        lambda r: [around(r, -3, 2), p := around(r, -12, 0), p * r.uniform(-3, 0.5)],
        lambda size, p, t: (p / (1 - (1 - p) * mp.exp(t))) ** size,
        no_counts,
        40,
    ),
    "Beta.variance": Recipe(
        lambda r: [around(r, -12, 12), around(r, -12, 12)],
        lambda a, b: a * b / (a + b) ** 2 / (a + b + 1),
        no_counts,
        20,
    ),
    "Gamma.variance": Recipe(
        lambda r: [around(r, -100, 12), around(r, -200, 100)],
        lambda a, b: a / b**2,
        no_counts,
        20,
    ),
}


def anything(r):
    """Draw from all positive floats, denormal ones too."""
    return around(r, -320, 300)


def some_unit(r):
    """Draw from the floats between 0 and 1, denormal ones too."""
    return r.choice([around(r, -320, 0), 1 - around(r, -15, -1), around(r, -3, 0) / 2])


def multinomial_entropy(n, *p):
    total = mp.fsum(p)
    p = [q / total for q in p]
    value = -mp.loggamma(n + 1) - n * mp.fsum(q * mp.log(q) for q in p)
    for q in p:
        for m in range(int(n) + 1):
            value += mp.exp(binomial_log_prob(n, q, m)) * mp.loggamma(m + 1)
    return value


def dirichlet_multinomial_entropy(n, *alpha):
    whole = mp.fsum(alpha)
    value = mp.loggamma(n + whole) - mp.loggamma(whole) - mp.loggamma(n + 1)
    for a in alpha:
        for m in range(int(n) + 1):
            gain = mp.loggamma(m + a) - mp.loggamma(a) - mp.loggamma(m + 1)
            value -= mp.exp(beta_binomial_log_prob(n, a, whole - a, m)) * gain
    return value


def normal_inverse_wishart_log_prob(kappa, df, s1, s12, s2, m1, m2, x1, x12, x2):
    """Of a mean (m1, m2) around 0 and a 2 x 2 matrix."""
    of_mean = multivariate_gaussian_log_prob(x1 / kappa, x12 / kappa, x2 / kappa, m1, m2)
    return of_mean + inverse_wishart_log_prob(df, s1, s12, s2, x1, x12, x2)


def draw_normal_inverse_wishart(r):
    df, s1, s12, s2, x1, x12, x2 = draw_inverse_wishart(r)
    kappa = around(r, -6, 12)
    means = [3 * r.gauss(0, 1) * (x / kappa) ** 0.5 for x in (x1, x2)]
    return [kappa, df, s1, s12, s2, *means, x1, x12, x2]


def draw_extreme_beta_binomial(r):
    n = int(around(r, 0, 15))
    return [float(n), anything(r), anything(r), float(r.choice([0, n, r.randrange(n + 1)]))]


def first_share_variance(*alpha):
    p, whole = alpha[0] / mp.fsum(alpha), mp.fsum(alpha)
    return p * (1 - p) / (whole + 1)


RECIPES |= {
    "Gamma.log_prob, extreme": Recipe(
        lambda r: [anything(r), anything(r), anything(r)], gamma_log_prob, no_counts, 40, 700
    ),
    "InverseGamma.log_prob, extreme": Recipe(
        lambda r: [anything(r), anything(r), anything(r)],
        inverse_gamma_log_prob,
        no_counts,
        40,
        700,
    ),
    "Beta.log_prob, extreme": Recipe(
        lambda r: [anything(r), anything(r), some_unit(r)], beta_log_prob, no_counts, 40, 700
    ),
    "StudentT.log_prob, extreme": Recipe(
        lambda r: [anything(r), 0.0, anything(r), anything(r)],
        student_t_log_prob,
        no_counts,
        40,
        1300,
    ),
    "Poisson.log_prob, extreme": Recipe(
        lambda r: [anything(r), float(int(around(r, 0, 15)))],
        poisson_log_prob,
        last_is_a_count,
        30,
        700,
    ),
    "NegativeBinomial.log_prob, extreme": Recipe(
        lambda r: [anything(r), some_unit(r), float(int(around(r, -1, 15)))],
        negative_binomial_log_prob,
        last_is_a_count,
        40,
        1300,
    ),
    "Binomial.log_prob, extreme": Recipe(
        lambda r: [float(n := int(around(r, 0, 15))), some_unit(r), float(r.choice([0, 1, n]))],
        binomial_log_prob,
        all_but(1),
        40,
        700,
    ),
    "BetaBinomial.log_prob, extreme": Recipe(
        draw_extreme_beta_binomial, beta_binomial_log_prob, all_but(1, 2), 60, 1300
    ),
    "NormalInverseWishart.log_prob": Recipe(
        draw_normal_inverse_wishart, normal_inverse_wishart_log_prob, no_counts, 40
    ),
    "Multinomial.entropy": Recipe(
        lambda r: [
            float(int(around(r, 0, 1.7))),
            p := around(r, -6, -1),
            q := r.random() / 2,
            1 - p - q,
        ],
        multinomial_entropy,
        lambda i, width: i == 0,
        20,
        60,
    ),
    "DirichletMultinomial.entropy": Recipe(
        lambda r: [float(int(around(r, 0, 1.7))), *(around(r, -4, 6) for _ in range(3))],
        dirichlet_multinomial_entropy,
        lambda i, width: i == 0,
        20,
        80,
    ),
    "Dirichlet.variance": Recipe(
        lambda r: [around(r, -10, 10) for _ in range(3)], first_share_variance, no_counts, 20
    ),
    "DirichletMultinomial.variance": Recipe(
        lambda r: [float(int(around(r, 0, 10))), *(around(r, -10, 10) for _ in range(3))],
        lambda n, *alpha: first_share_variance(*alpha) * n * (n + mp.fsum(alpha)),
        lambda i, width: i == 0,
        20,
    ),
    "Gamma.cdf, large": Recipe(
        lambda r: [a := around(r, 4.5, 7), 1.0, a - r.uniform(2, 9) * a**0.5],
        lambda a, b, x: gamma_below(a, b * x),
        no_counts,
        20,
        60,
    ),
    "Poisson.cdf, large": Recipe(
        lambda r: [m := around(r, 4.5, 7), float(int(m - r.uniform(2, 9) * m**0.5))],
        lambda rate, x: 1 - gamma_below(x + 1, rate),
        last_is_a_count,
        20,
        60,
    ),
    "Poisson.mgf": Recipe(
        lambda r: [around(r, -6, 6), r.choice([1, -1]) * around(r, -8, 0)],
        lambda rate, t: mp.exp(rate * mp.expm1(t)),
        no_counts,
        20,
    ),
    "Binomial.mgf": Recipe(
        lambda r: [float(int(around(r, 0, 9))), around(r, -9, 0), -around(r, -8, 1)],
        lambda n, p, t: (1 + p * mp.expm1(t)) ** n,
        all_but(1, 2),
        20,
    ),
    "Gamma.mgf": Recipe(
        lambda r: [around(r, -6, 6), b := around(r, -50, 50), b * r.uniform(-5, 0.9)],
        lambda a, b, t: (1 - t / b) ** -a,
        no_counts,
        20,
    ),
    "Bernoulli.natural": Recipe(
        lambda r: [r.choice([1, -1]) * around(r, -3, 3), float(r.random() < 0.5)],
        lambda eta, x: x * eta - mp.log1p(mp.exp(eta)),
        last_is_a_count,
        20,
        1000,
    ),
    "Poisson.natural": Recipe(
        lambda r: [r.uniform(-40, 30), float(int(around(r, 0, 13)))],
        lambda eta, x: poisson_log_prob(mp.exp(eta), x),
        last_is_a_count,
        20,
    ),
    "Gamma.natural": Recipe(
        lambda r: [a := around(r, -3, 12), -around(r, -5, 5), a * around(r, -2, 2)],
        lambda e, f, x: gamma_log_prob(e + 1, -f, x),
        no_counts,
        20,
    ),
}


def quantile(below, guess_low, guess_high, q):
    """Solve below(x) = q by bisection of log x, then secants."""
    low, high = mp.log(guess_low), mp.log(guess_high)
    goal = mp.log(q)
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if mp.log(below(mp.exp(middle))) < goal else (low, middle)
        if high - low < mpf(10) ** -6:
            break
    return mp.exp(
        mp.findroot(lambda u: mp.log(below(mp.exp(u))) - goal, (low, high), tol=mpf(10) ** -50)
    )


RECIPES |= {
    "Gamma.quantile": Recipe(
        lambda r: [around(r, -2, 2), around(r, -50, 50), r.choice([around(r, -80, -0.1)])],
        lambda a, b, q: (
            quantile(lambda y: gamma_below(a, y), mpf(10) ** -9000, 10 * a + 100, q) / b
        ),
        no_counts,
        20,
        40,
    ),
    "InverseGamma.quantile": Recipe(
        lambda r: [around(r, -1, 2), around(r, -50, 50), r.uniform(0.05, 0.999)],
        lambda a, b, q: (
            b / quantile(lambda y: gamma_below(a, y), mpf(10) ** -900, 1000 * a + 100, 1 - q)
        ),
        no_counts,
        20,
        40,
    ),
    "StudentT.quantile": Recipe(
        lambda r: [around(r, -1, 2), 0.0, 1.0, around(r, -60, -0.4)],
        lambda df, _, __, q: (
            -1 / quantile(lambda t: student_t_below(-1 / t, df), mpf(10) ** -700, 10**9, q)
        ),
        no_counts,
        20,
        60,
    ),
    "Beta.quantile": Recipe(
        lambda r: [around(r, -1.5, 1.5), around(r, -1.5, 1.5), around(r, -60, -0.3)],
        lambda a, b, q: quantile(
            lambda x: beta_below(a, b, x, 1 - x), mpf(10) ** -9000, 1 - mpf(10) ** -30, q
        ),
        no_counts,
        20,
        60,
    ),
    "Gaussian.quantile": Recipe(
        lambda r: [0.0, 1.0, around(r, -320, -0.31)],
        lambda _, __, q: -(quantile(lambda z: normal_below(-1 / z), mpf(10) ** -2, 10**3, q) ** -1),
        no_counts,
        20,
        60,
    ),
}


def condition(recipe, inputs, value):
    """Return the sum of |t df/dt| / |f| over the inputs that are not counts."""
    if value == 0:
        return 0.0
    total, h = mpf(0), mpf(10) ** -(mp.dps // 4)
    for i, t in enumerate(inputs):
        if t == 0 or recipe.exact(i, len(inputs)):
            continue
        ends = [recipe.value(*inputs[:i], t * (1 + s * h), *inputs[i + 1 :]) for s in (1, -1)]
        total += abs(ends[0] - ends[1]) / (2 * h)
    return float(total / abs(value))


def main() -> None:
    tables = {}
    for name, recipe in RECIPES.items():
        r = random.Random(name)
        cases = []
        while len(cases) < recipe.count:
            inputs = recipe.draw(r)
            mp.dps = recipe.digits
            exact = [mpf(t) for t in inputs]
            value = recipe.value(*exact)
            if (
                isinstance(value, mp.mpc)
                or not mp.isfinite(value)
                or abs(value) > 1e300
                or 0 < abs(value) < 1e-322
            ):
                continue
            cases.append([inputs, float(value), float(f"{condition(recipe, exact, value):.3g}")])
        tables[name] = cases
    lines = [
        f"{json.dumps(k)}: [\n" + ",\n".join(map(json.dumps, v)) + "]" for k, v in tables.items()
    ]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
