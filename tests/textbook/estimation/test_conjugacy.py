from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from gramian.base.errors import DataError, ParameterError
from gramian.distributions import (
    Bernoulli,
    Beta,
    Binomial,
    Categorical,
    Dirichlet,
    Exponential,
    Gamma,
    Gaussian,
    InverseGamma,
    InverseWishart,
    Multinomial,
    MultivariateGaussian,
    NormalInverseWishart,
    Poisson,
    Uniform,
)
from gramian.textbook.estimation import grid_posterior, maximum_a_posteriori, posterior, update

COV = [[2.0, 0.5], [0.5, 1.0]]
RNG = np.random.default_rng(0)
CASES = {
    "Bernoulli": (Beta(2, 3), RNG.integers(2, size=12), None, {}),
    "Binomial": (Beta(2, 3), RNG.integers(8, size=12), Binomial, {"n": 7}),
    "Categorical": (Dirichlet([1, 2, 3]), RNG.integers(3, size=12), None, {}),
    "Multinomial": (
        Dirichlet([1, 2, 3]),
        RNG.multinomial(5, [0.2, 0.3, 0.5], size=12),
        Multinomial,
        {"n": 5},
    ),
    "Poisson": (Gamma(2, 3), RNG.poisson(3.0, size=12), Poisson, {}),
    "Exponential": (Gamma(2, 3), RNG.exponential(2.0, size=12), Exponential, {}),
    "Gaussian": (Gaussian(1.0, 4.0), RNG.normal(size=12), None, {"variance": 2.0}),
    "vectors": (
        MultivariateGaussian([0, 1], np.eye(2)),
        RNG.normal(size=(12, 2)),
        None,
        {"covariance": COV},
    ),
    "variance": (InverseGamma(3.0, 2.0), RNG.normal(size=12), None, {"mean": 0.5}),
    "covariance": (InverseWishart(5.0, COV), RNG.normal(size=(12, 2)), None, {"mean": [0.5, 0]}),
    "both": (NormalInverseWishart([0, 1], 2.0, 5.0, COV), RNG.normal(size=(12, 2)), None, {}),
}


def assert_close(a, b, rtol=1e-9):
    assert type(a) is type(b)
    for mine, theirs in zip(a._values(), b._values(), strict=True):
        assert_allclose(mine, theirs, rtol=rtol, atol=1e-12)


def test_worked_number_t30():
    """N = 4, m = 2, sigma0 = 2, prior N(0, 1): mean 1.0, variance 0.5."""
    found = posterior(Gaussian(0.0, 1.0), [1.0, 2.0, 2.0, 3.0], variance=4.0)
    assert found.mean == pytest.approx(1.0)
    assert found.variance == pytest.approx(0.5)


def test_worked_number_t31():
    """Beta(2, 2) after 8 ones and 2 zeros; a counts ones, b zeros."""
    assert posterior(Beta(2, 2), [1] * 8 + [0] * 2) == Beta(10, 4)
    assert Beta(2, 2).variance == pytest.approx(0.05)


@pytest.mark.parametrize("case", CASES)
@settings(max_examples=10, deadline=None)
@given(cuts=st.lists(st.integers(0, 12), max_size=4))
def test_one_at_a_time_in_batches_or_all_at_once(case, cuts):
    prior, data, likelihood, known = CASES[case]
    whole = posterior(prior, data, likelihood, **known)
    batched = prior
    for batch in np.split(data, np.sort(np.array(cuts, dtype=int))):
        batched = update(batched, batch, likelihood, **known)
    assert_close(batched, whole)
    *_, last = accumulate([prior, *data], lambda p, x: update(p, x, likelihood, **known))
    assert_close(last, whole)


@pytest.mark.parametrize("case", CASES)
def test_no_data_leave_the_prior(case):
    prior, data, likelihood, known = CASES[case]
    assert posterior(prior, [], likelihood, **known) == prior
    assert posterior(prior, data[:0], likelihood, **known) == prior


@pytest.mark.parametrize("case", CASES)
def test_a_weight_is_an_observation_repeated(case):
    prior, data, likelihood, known = CASES[case]
    weights = np.arange(len(data)) % 3
    weighted = posterior(prior, data, likelihood, sample_weight=weights, **known)
    repeated = posterior(prior, np.repeat(data, weights, axis=0), likelihood, **known)
    assert_close(weighted, repeated)


@pytest.mark.parametrize("case", CASES)
def test_merged_statistics_are_enough(case):
    prior, data, likelihood, known = CASES[case]
    family = likelihood or {
        "Bernoulli": Bernoulli,
        "Categorical": Categorical,
        "Gaussian": Gaussian,
        "variance": Gaussian,
    }.get(case, MultivariateGaussian)
    fixed = {"n": known["n"]} if "n" in known else {}
    if case == "Categorical":
        fixed = {"n_categories": 3}
    parts = family.sufficient_statistics(data[:5], **fixed) + family.sufficient_statistics(
        data[5:], **fixed
    )
    whole = posterior(prior, data, likelihood, **known)
    assert_close(posterior(prior, parts, likelihood, **known), whole)
    assert_close(update(prior, parts, likelihood, **known), whole)


@pytest.mark.parametrize(
    ("case", "name", "limits"),
    [
        ("Bernoulli", "p", (0.0, 1.0)),
        ("Binomial", "p", (0.0, 1.0)),
        ("Poisson", "rate", (1e-9, 20.0)),
        ("Exponential", "rate", (1e-9, 20.0)),
    ],
)
def test_it_is_the_normalised_product_of_likelihood_and_prior(case, name, limits):
    prior, data, likelihood, known = CASES[case]
    exact = posterior(prior, data, likelihood, **known)
    grid = grid_posterior(
        likelihood or Bernoulli, {name: limits}, data=data, prior=prior, resolution=400, **known
    )
    assert_allclose(grid.density, exact.prob(grid.points[0]), rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("case", CASES)
def test_the_ratio_of_posteriors_is_the_ratio_of_likelihood_times_prior(case):
    """At any two parameters; for covariances the density of the whole pair."""
    prior, data, likelihood, known = CASES[case]
    after = posterior(prior, data, likelihood, **known)
    if case == "both":
        (m1, S1), (m2, S2) = (prior.sample(1, random_state=s) for s in (1, 2))
        first, second = (m1[0], S1[0]), (m2[0], S2[0])
    else:
        first, second = prior.sample(random_state=1), prior.sample(random_state=2)

    def likelihood_at(theta):
        if case in ("Bernoulli", "Binomial"):
            return (Binomial(known["n"], theta) if known else Bernoulli(theta)).log_prob(data).sum()
        if case in ("Categorical", "Multinomial"):
            family = Multinomial(known["n"], theta) if known else Categorical(theta)
            return family.log_prob(data).sum()
        if case in ("Poisson", "Exponential"):
            return likelihood(float(theta)).log_prob(data).sum()
        if case in ("Gaussian", "variance"):
            mean, variance = (theta, known["variance"]) if case == "Gaussian" else (0.5, theta)
            return Gaussian(float(mean), float(variance)).log_prob(data).sum()
        mean, cov = {
            "vectors": lambda: (theta, COV),
            "covariance": lambda: (known["mean"], theta),
            "both": lambda: theta,
        }[case]()
        return MultivariateGaussian(mean, cov).log_prob(data).sum()

    def change(distribution):
        return float(distribution.log_prob(first) - distribution.log_prob(second))

    gained = likelihood_at(first) - likelihood_at(second)
    assert change(after) == pytest.approx(change(prior) + gained, rel=1e-7, abs=1e-8)


def test_the_mode_is_the_map_estimate():
    prior, data, *_ = CASES["Gaussian"]
    exact = posterior(prior, data, variance=2.0)
    density = lambda x, mean: -0.25 * (x - mean) ** 2  # noqa: E731
    found = maximum_a_posteriori(density, prior, 0.0, data=data)
    assert found.x[0] == pytest.approx(exact.mean, abs=1e-6)
    assert found.covariance[0, 0] == pytest.approx(exact.variance, rel=1e-4)


def test_certain_priors_and_noiseless_observations():
    assert posterior(Gaussian(3.0, 0.0), [1.0], variance=2.0) == Gaussian(3.0, 0.0)
    assert posterior(Gaussian(3.0, 1.0), [1.0], variance=0.0) == Gaussian(1.0, 0.0)
    flat = MultivariateGaussian([0, 0], [[1, 1], [1, 1]])  # singular
    after = posterior(flat, [[2.0, 0.0]], covariance=np.eye(2))
    assert_allclose(after.mean, [2 / 3, 2 / 3])


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: posterior(Uniform(), [1]), "prior must be one of"),
        (lambda: posterior(Gamma(1, 1), [1]), "pass likelihood"),
        (lambda: posterior(Beta(1, 1), [1], Poisson), "conjugate to Bernoulli, Binomial"),
        (lambda: posterior(Gaussian(), [1.0]), "needs the known variance"),
        (lambda: posterior(Beta(1, 1), [1], n=3), "no known parameters"),
        (lambda: posterior(Beta(1, 1), [1, 2, 0.5]), "row"),
        (lambda: posterior(Gamma(1, 1), [1, 2.5], Poisson), "row 1"),
        (lambda: posterior(Dirichlet([1, 1]), [0, 2]), "row 1"),
        (lambda: posterior(Dirichlet([1, 1]), [[1, 1, 1]], Multinomial, n=3), "2 categories"),
        (
            lambda: posterior(NormalInverseWishart([0, 0], 1, 4, np.eye(2)), np.ones((3, 3))),
            "2 coordinates",
        ),
    ],
)
def test_bad_input(call, match):
    with pytest.raises((DataError, ParameterError), match=match):
        call()


def test_data_of_another_width_are_refused():
    one = np.eye(2)
    for prior, known in [
        (InverseWishart(5, one), {"mean": [0, 0]}),
        (MultivariateGaussian([0, 0], one), {"covariance": one}),
        (NormalInverseWishart([0, 0], 1, 5, one), {}),
    ]:
        with pytest.raises(DataError, match=r"the prior has 2 coordinates, the data 3"):
            posterior(prior, np.ones((4, 3)), **known)
    with pytest.raises(ParameterError, match=r"mean"):
        posterior(InverseWishart(5, one), np.ones((4, 2)), mean=[0, 0, 0])
    with pytest.raises(ParameterError, match=r"mean"):
        posterior(InverseGamma(1, 1), [1.0], mean=np.nan)


def test_statistics_of_another_family_are_refused():
    moments, sums = Gaussian.sufficient_statistics([1.0, 2]), Bernoulli.sufficient_statistics([1])
    with pytest.raises(DataError, match=r"come from Bernoulli.sufficient_statistics"):
        posterior(Beta(1, 1), moments)
    with pytest.raises(DataError, match=r"come from Gaussian.sufficient_statistics"):
        posterior(Gaussian(0, 1), sums, variance=1)
    with pytest.raises(DataError, match=r"n=10 trials; got n=5"):
        posterior(Beta(1, 1), Binomial.sufficient_statistics([8], n=10), Binomial, n=5)
