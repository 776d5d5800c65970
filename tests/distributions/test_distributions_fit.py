"""Every fit is the maximum of the likelihood, weights are repetitions, statistics merge."""

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as hs
from numpy.testing import assert_allclose
from scipy.optimize import minimize

from gramian.base.errors import DataError, ParameterError
from gramian.distributions import Gaussian, Uniform
from tests.distributions.cases import FITTED, name

pytestmark = pytest.mark.numeric


def numbers(distribution):
    """The parameters as one vector."""
    return np.concatenate(
        [np.ravel(np.asarray(getattr(distribution, f.name), float)) for f in fields(distribution)]
    )


def log_likelihood(distribution, data, weights):
    return float(weights @ distribution.log_prob(data)) / weights.sum()


def coordinates(distribution, known):
    """Free coordinates of a member, and the way back: every vector is a member."""
    cls = type(distribution).__name__
    d = distribution
    log, exp = np.log, np.exp

    def softmax(v):
        e = exp(np.append(v, 0.0))
        return e / e.sum()

    def lower(v, n):
        L = np.zeros((n, n))
        L[np.tril_indices(n)] = v
        L[np.diag_indices(n)] = exp(np.diag(L))
        return L @ L.T

    def factor(M):
        L = np.linalg.cholesky(M)
        L[np.diag_indices(len(M))] = log(np.diag(L))
        return L[np.tril_indices(len(M))]

    kind = type(distribution)
    table = {
        "Bernoulli": lambda: ([log(d.p / (1 - d.p))], lambda v: kind(softmax(v)[0])),
        "Binomial": lambda: ([log(d.p / (1 - d.p))], lambda v: kind(d.n, softmax(v)[0])),
        "Categorical": lambda: (
            log(d.probabilities[:-1] / d.probabilities[-1]),
            lambda v: kind(softmax(v)),
        ),
        "Multinomial": lambda: (
            log(d.probabilities[:-1] / d.probabilities[-1]),
            lambda v: kind(d.n, softmax(v)),
        ),
        "Poisson": lambda: ([log(d.rate)], lambda v: kind(exp(v[0]))),
        "NegativeBinomial": lambda: (
            ([log(d.p / (1 - d.p))], lambda v: kind(d.r, softmax(v)[0]))
            if known
            else (
                [log(d.p / (1 - d.p)), log(d.r)],
                lambda v: kind(exp(v[1]), softmax(v[:1])[0]),
            )
        ),
        "BetaBinomial": lambda: (log([d.a, d.b]), lambda v: kind(d.n, *exp(v))),
        "DirichletMultinomial": lambda: (log(d.alpha), lambda v: kind(d.n, exp(v))),
        "Exponential": lambda: ([log(d.rate)], lambda v: kind(exp(v[0]))),
        "Gamma": lambda: (
            ([log(d.rate)], lambda v: kind(d.shape, exp(v[0])))
            if known
            else (log([d.shape, d.rate]), lambda v: kind(*exp(v)))
        ),
        "Beta": lambda: (log([d.a, d.b]), lambda v: kind(*exp(v))),
        "Gaussian": lambda: ([d.mean, log(d.variance)], lambda v: kind(v[0], exp(v[1]))),
        "InverseGamma": lambda: (log([d.shape, d.scale]), lambda v: kind(*exp(v))),
        "ChiSquared": lambda: ([log(d.df)], lambda v: kind(exp(v[0]))),
        "StudentT": lambda: (
            ([d.location, log(d.scale)], lambda v: kind(d.df, v[0], exp(v[1])))
            if known
            else (
                [d.location, log(d.scale), log(d.df)],
                lambda v: kind(exp(v[2]), v[0], exp(v[1])),
            )
        ),
        "Dirichlet": lambda: (log(d.alpha), lambda v: kind(exp(v))),
        "MultivariateGaussian": lambda: (
            np.append(d.mean, factor(d.covariance)),
            lambda v: kind(v[:3], lower(v[3:], 3)),
        ),
        "MultivariateStudentT": lambda: (
            np.concatenate([[log(d.df)], d.location, factor(d.scale)]),
            lambda v: kind(exp(v[0]), v[1:4], lower(v[4:], 3)),
        ),
        "InverseWishart": lambda: (
            np.append(log(d.df - 2), factor(d.scale)),
            lambda v: kind(exp(v[0]) + 2, lower(v[1:], 3)),
        ),
    }
    return table[cls]()


SMOOTH = [case for case in FITTED if not isinstance(case[0], Uniform)]


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True], ids=["rows", "weights"])
@pytest.mark.parametrize(("truth", "known"), SMOOTH, ids=name)
def test_the_fit_is_where_an_optimiser_finds_the_maximum(truth, known, weighted):
    rng = np.random.default_rng(5)
    data = truth.sample(400, random_state=1)
    weights = rng.integers(0, 4, size=400) * 0.5 if weighted else np.ones(400)
    fitted = type(truth).fit(data, weights if weighted else None, **known)
    start, member = coordinates(truth, known)

    def cost(v):
        return -log_likelihood(member(v), data, weights)

    found = minimize(cost, np.asarray(start, dtype=float), method="BFGS", options={"gtol": 1e-6})
    best = member(found.x)
    assert log_likelihood(fitted, data, weights) >= -found.fun - 1e-10
    assert_allclose(numbers(fitted), numbers(best), rtol=2e-3, atol=2e-3)


@pytest.mark.parametrize(("truth", "known"), SMOOTH, ids=name)
def test_nearby_parameters_have_a_lower_likelihood(truth, known):
    data = truth.sample(300, random_state=2)
    weights = np.random.default_rng(0).random(300)
    fitted = type(truth).fit(data, weights, **known)
    center, member = coordinates(fitted, known)
    best = log_likelihood(fitted, data, weights)
    for k in range(len(center)):
        for step in (-1e-3, 1e-3):
            moved = np.array(center, dtype=float)
            moved[k] += step
            assert log_likelihood(member(moved), data, weights) <= best + 1e-12


def test_the_uniform_fit_is_the_range_of_the_data():
    x = Uniform(-1.0, 3.0).sample(50, random_state=0)
    fitted = Uniform.fit(x, np.where(x > 2.5, 0.0, 1.0))
    kept = x[x <= 2.5]
    assert (fitted.low, fitted.high) == (kept.min(), kept.max())


@pytest.mark.parametrize(("truth", "known"), FITTED, ids=name)
def test_weight_k_equals_k_copies_of_a_row(truth, known):
    data = truth.sample(60, random_state=4)
    weights = np.random.default_rng(1).integers(0, 4, size=60)
    repeated = np.repeat(data, weights, axis=0)
    once = type(truth).fit(data, weights, **known)
    again = type(truth).fit(repeated, **known)
    assert_allclose(numbers(once), numbers(again), rtol=1e-6, atol=1e-9)


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@pytest.mark.parametrize(("truth", "known"), FITTED, ids=name)
@given(cuts=hs.lists(hs.integers(0, 50), min_size=1, max_size=3), seed=hs.integers(0, 99))
def test_statistics_of_parts_merge_to_those_of_all(truth, known, cuts, seed):
    """Sequential, batch by batch and all at once are the same estimate."""
    cls = type(truth)
    known = {**known, "n_categories": 3} if cls.__name__ == "Categorical" else known
    data = truth.sample(50, random_state=7)
    weights = np.random.default_rng(seed).random(50) + 0.1
    whole = cls.fit(data, weights, **known)
    total = None
    for rows in np.split(np.arange(50), sorted(cuts)):
        part = cls.sufficient_statistics(data[rows], weights[rows], **known)
        total = part if total is None else total + part
    assert total.weight == pytest.approx(weights.sum())
    merged = cls.from_statistics(total)
    assert_allclose(numbers(merged), numbers(whole), rtol=1e-6, atol=1e-9)


EXACT_AT_1 = {"Bernoulli", "Binomial", "Categorical", "Multinomial", "Poisson", "Exponential"}
POINT_MASS = {"Gaussian", "MultivariateGaussian"}
NEEDS_ONE = {"ChiSquared"}


@pytest.mark.parametrize(("truth", "known"), FITTED, ids=name)
def test_one_event_is_fitted_or_the_error_gives_a_reason(truth, known):
    cls, one = type(truth), truth.sample(1, random_state=3)
    label = cls.__name__
    if label in EXACT_AT_1 | POINT_MASS | NEEDS_ONE or "r" in known or "shape" in known:
        fitted = cls.fit(one, **known)
        if label not in NEEDS_ONE:
            assert_allclose(fitted.mean, one[0] if label != "Categorical" else fitted.mean)
    else:
        with pytest.raises(DataError, match=f"{label}: the likelihood"):
            cls.fit(one, **known)


@pytest.mark.parametrize(("truth", "known"), FITTED, ids=name)
def test_no_event_is_an_error_and_empty_statistics_change_nothing(truth, known):
    cls = type(truth)
    known = {**known, "n_categories": 3} if cls.__name__ == "Categorical" else known
    data = truth.sample(40, random_state=0)
    empty = cls.sufficient_statistics(data[:0], **known)
    assert empty.weight == 0
    with pytest.raises(DataError, match="at least one event"):
        cls.from_statistics(empty)
    some = cls.sufficient_statistics(data, **known)
    for both in (some + empty, empty + some):
        assert_allclose(
            numbers(cls.from_statistics(both)), numbers(cls.fit(data, **known)), rtol=1e-9
        )


@pytest.mark.parametrize(("truth", "known"), FITTED, ids=name)
def test_invalid_weights_and_data_are_rejected(truth, known):
    cls, data = type(truth), truth.sample(6, random_state=0)
    with pytest.raises(DataError, match="every sample_weight is zero"):
        cls.fit(data, np.zeros(6), **known)
    with pytest.raises(DataError, match=r"must not be negative; got -1 at row 2"):
        cls.fit(data, [1, 1, -1, 1, 1, 1], **known)
    with pytest.raises(DataError, match="one weight per row"):
        cls.fit(data, [1, 1], **known)
    wrong = np.array(data, dtype=float)
    wrong[3] = np.nan
    with pytest.raises(DataError, match=r"\(row 3\)"):
        cls.fit(wrong, **known)
    with pytest.raises(ParameterError, match="can be fixed"):
        cls.fit(data, **known, sigma=1)
    with pytest.raises(DataError, match="shape"):
        cls.fit(np.zeros((2, 2, 2, 2)), **known)


@pytest.mark.parametrize(("truth", "known"), FITTED, ids=name)
def test_statistics_of_other_families_do_not_merge(truth, known):
    mine = type(truth).sufficient_statistics(truth.sample(6, random_state=0), **known)
    other = Uniform if not isinstance(truth, Uniform) else Gaussian
    with pytest.raises(DataError, match="same family"):
        mine.merge(other.sufficient_statistics([1.0, 2.0]))
    with pytest.raises(DataError, match="same family"):
        mine + 3


MILLION = [case for case in FITTED if type(case[0]).__name__ not in {"InverseWishart"}]


@pytest.mark.slow
@pytest.mark.parametrize(("truth", "known"), MILLION, ids=name)
def test_a_fit_to_a_million_events_recovers_the_parameters(truth, known):
    data = truth.sample(1_000_000, random_state=11)
    if type(truth).__name__ == "Beta":
        data = data[(data > 0) & (data < 1)]
    fitted = type(truth).fit(data, **known)
    assert_allclose(numbers(fitted), numbers(truth), rtol=0.02, atol=0.02)
