"""KernelDensity: worked numbers, other libraries, and what it refuses."""

import csv
import gzip

import numpy as np
import pytest
import sklearn.neighbors
from scipy.special import logsumexp
from scipy.stats import gaussian_kde, norm

import gramian
from gramian import KernelDensity, KernelDensityClassifier
from gramian.base.errors import ParameterError
from gramian.neighbors.density.kernels import KERNELS, log_normaliser


def exact(X, Q, kernel, h):
    D = np.sqrt(((Q[:, None] - X[None]) ** 2).sum(axis=2))
    log_sum = logsumexp(KERNELS[kernel].log_weight(D, h), axis=1)
    return log_sum + log_normaliser(kernel, X.shape[1], h) - np.log(len(X))


def test_density_at_0_of_three_points():
    model = KernelDensity(bandwidth=1.0).fit([[-1.0], [0.0], [1.0]])
    assert np.exp(model.score_samples([[0.0]])[0]) == pytest.approx(0.294295, abs=5e-7)


@pytest.mark.parametrize("d", [1, 3, 5])  # its cosine kernel integrates to 1 in odd dimensions only
@pytest.mark.parametrize("kernel", KERNELS)
def test_values_agree_with_scikit_learn(rng, kernel, d):
    X, Q = rng.normal(size=(300, d)), rng.normal(size=(40, d))
    w = rng.random(300)
    ours = KernelDensity(kernel=kernel, bandwidth=2.5).fit(X, sample_weight=w).score_samples(Q)
    theirs = sklearn.neighbors.KernelDensity(kernel=kernel, bandwidth=2.5)
    theirs = theirs.fit(X, sample_weight=w).score_samples(Q)
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("rule", ["scott", "silverman"])
def test_rules_of_thumb_match_scikit_learn(rng, rule):
    X = rng.normal(size=(70, 2))
    theirs = sklearn.neighbors.KernelDensity(bandwidth=rule).fit(X)
    assert KernelDensity(bandwidth=rule).fit(X).bandwidth_ == pytest.approx(theirs.bandwidth_)


def test_an_ellipsoidal_bandwidth_agrees_with_scipy(rng):
    X, Q = rng.normal(size=(200, 3)) @ rng.normal(size=(3, 3)), rng.normal(size=(20, 3))
    theirs = gaussian_kde(X.T, bw_method=0.4)
    ours = KernelDensity(bandwidth=theirs.covariance).fit(X)
    np.testing.assert_allclose(ours.score_samples(Q), theirs.logpdf(Q.T), rtol=1e-10)
    by_metric = KernelDensity(
        bandwidth=0.4, metric="mahalanobis", metric_params={"V": np.cov(X.T)}
    ).fit(X)
    np.testing.assert_allclose(by_metric.score_samples(Q), ours.score_samples(Q), rtol=1e-10)
    diagonal = KernelDensity(bandwidth=[0.5, 1.0, 2.0]).fit(X)
    matrix = KernelDensity(bandwidth=np.diag([0.25, 1.0, 4.0])).fit(X)
    np.testing.assert_allclose(diagonal.score_samples(Q), matrix.score_samples(Q), rtol=1e-12)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(
    ("metric", "metric_params"),
    [
        ("euclidean", None),
        ("manhattan", None),
        ("chebyshev", None),
        ("minkowski", {"p": 3}),
        ("minkowski", {"p": 1, "w": [2.0, 0.5]}),
        ("seuclidean", {"V": [4.0, 0.5]}),
        ("mahalanobis", {"V": [[2.0, 1.0], [1.0, 1.0]]}),
    ],
)
def test_densities_of_the_plane_integrate_to_one(kernel, metric, metric_params):
    model = KernelDensity(kernel=kernel, metric=metric, metric_params=metric_params, bandwidth=0.7)
    model.fit([[0.0, 0.0], [1.0, 0.5]], sample_weight=[1.0, 3.0])
    grid, step = np.linspace(
        *((-18, 18) if KERNELS[kernel].has_unbounded_support else (-3, 3)), 361, retstep=True
    )
    points = np.stack(np.meshgrid(grid, grid), axis=-1).reshape(-1, 2)
    total = np.exp(model.score_samples(points)).sum() * step**2
    assert total == pytest.approx(1, abs=0.02)


def test_the_sphere_is_flat_for_small_bandwidths(rng):
    X = 0.01 * rng.normal(size=(50, 2))
    flat = KernelDensity(bandwidth=0.003).fit(X).score_samples(X)
    sphere = KernelDensity(bandwidth=0.003, metric="haversine").fit(X).score_samples(X)
    np.testing.assert_allclose(sphere, flat, atol=1e-2)
    with pytest.raises(ValueError, match="two columns"):
        KernelDensity(metric="haversine").fit(rng.normal(size=(5, 3)))


@pytest.mark.parametrize("kernel", ["gaussian", "exponential"])
def test_far_from_all_data_the_log_density_is_finite(rng, kernel):
    X = rng.normal(size=(100, 2))
    Q = np.array([[1e4, 0.0], [1e100, -1e100], [40.0, 40.0]])
    found = KernelDensity(kernel=kernel, bandwidth=0.01).fit(X).score_samples(Q)
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found[[0, 2]], exact(X, Q, kernel, 0.01)[[0, 2]], rtol=1e-11)


def test_beyond_every_kernel_the_density_is_zero():
    model = KernelDensity(kernel="tophat").fit([[0.0], [1.0]])
    assert model.score_samples([[1.0], [1.5], [2.0]]).tolist() == [
        pytest.approx(np.log(0.25)),  # a row at distance h does not count
        pytest.approx(np.log(0.25)),
        -np.inf,
    ]


def test_one_row_and_constant_columns():
    one = KernelDensity(bandwidth=2.0).fit([[3.0, 3.0]])
    assert one.score_samples([[3.0, 3.0]])[0] == pytest.approx(-np.log(2 * np.pi * 4))
    constant = KernelDensity(bandwidth=2.0).fit(np.full((500, 2), 3.0))
    assert constant.score_samples([[3.0, 3.0]])[0] == pytest.approx(-np.log(2 * np.pi * 4))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"bandwidth": 0}, "bandwidth must be"),
        ({"bandwidth": -1.0}, "bandwidth must be"),
        ({"bandwidth": 1e-200}, "Scale X and the bandwidth"),
        ({"bandwidth": [1.0, 0.0]}, "2 numbers > 0"),
        ({"bandwidth": [1.0, 1.0], "metric": "manhattan"}, "metric='euclidean'"),
        ({"bandwidth": np.ones((2, 2))}, "positive definite"),
        ({"metric": "jaccard"}, "metric must be"),
        ({"kernel": "bell"}, "kernel must be"),
    ],
)
def test_refused_parameters(rng, parameters, message):
    with pytest.raises(ValueError, match=rf"^KernelDensity: .*{message}"):
        KernelDensity(**parameters).fit(rng.normal(size=(9, 2)))


def test_refused_data(rng):
    with pytest.raises(ValueError, match="NaN"):
        KernelDensity().fit([[np.nan], [1.0]])
    with pytest.raises(ValueError, match="Scale the columns"):
        KernelDensity().fit([[1e200], [1.0]])


def test_rtol_bounds_the_error(rng):
    X, Q = rng.normal(size=(2000, 2)), rng.normal(size=(100, 2))
    rough = KernelDensity(bandwidth=0.05, rtol=1e-2).fit(X).score_samples(Q)
    np.testing.assert_allclose(np.exp(rough), np.exp(exact(X, Q, "gaussian", 0.05)), rtol=1e-2)


@pytest.mark.parametrize("kernel", KERNELS)
def test_samples_have_the_variance_of_the_density(kernel):
    X = np.array([[0.0, 0.0], [4.0, 0.0]])
    model = KernelDensity(kernel=kernel, bandwidth=0.5).fit(X, sample_weight=[1.0, 3.0])
    drawn = model.sample(4000, random_state=0)
    assert drawn.shape == (4000, 2)
    np.testing.assert_allclose(drawn.mean(axis=0), [3.0, 0.0], atol=0.15)
    np.testing.assert_array_equal(drawn, model.sample(4000, random_state=0))
    assert np.isfinite(model.score_samples(drawn)).all()


def test_a_saved_model_gives_the_same_bits(rng, tmp_path):
    X = rng.normal(size=(300, 3))
    model = KernelDensity(bandwidth="scott").fit(X, sample_weight=rng.random(300))
    loaded = gramian.load(gramian.save(model, tmp_path / "kde.gram"))
    np.testing.assert_array_equal(loaded.score_samples(X), model.score_samples(X))


def test_densities_of_a_real_table_match_scikit_learn(data_folder):
    with gzip.open(data_folder / "shuttle.csv.gz", "rt") as file:
        rows = list(csv.reader(file))[1:2001]
    X = np.array([row[:-1] for row in rows], dtype=np.float64)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    ours = KernelDensity(bandwidth=0.5).fit(X).score_samples(X[:200])
    theirs = sklearn.neighbors.KernelDensity(bandwidth=0.5).fit(X).score_samples(X[:200])
    np.testing.assert_allclose(ours, theirs, rtol=1e-8, atol=1e-8)


def test_a_normal_sample_is_fitted_best_by_its_mean_and_variance(rng):
    x, new = rng.normal(3, 2, 400), rng.normal(3, 2, 4000)
    mean, deviation = norm.fit(x)
    assert (mean, deviation) == pytest.approx((x.mean(), x.std()))
    by_kernel = KernelDensity(bandwidth=0.8).fit(x[:, None]).score(new[:, None])
    assert norm.logpdf(new, mean, deviation).sum() > by_kernel


@pytest.mark.parametrize("n_samples", [-1, 1.5])
def test_the_number_of_drawn_rows_is_checked(n_samples):
    model = KernelDensity().fit([[0.0], [1.0]])
    assert model.sample(0).shape == (0, 1)
    with pytest.raises(ParameterError, match=r"n_samples must be an integer >= 0"):
        model.sample(n_samples)


@pytest.mark.parametrize("kernel", ["gaussian", "exponential", "tophat"])
@pytest.mark.parametrize("weights", [(1e300, 1e-300), (1e-300, 1e300), (1.0, 1e-310)])
def test_weights_may_differ_by_more_than_the_range_of_a_double(kernel, weights):
    rows = np.array([[0.0], [1000.0]])
    model = KernelDensity(kernel=kernel).fit(rows, sample_weight=weights)
    alone = [KernelDensity(kernel=kernel).fit(row[None]).score_samples(rows) for row in rows]
    log_w = np.log(weights)
    expected = np.logaddexp(alone[0] + log_w[0], alone[1] + log_w[1]) - log_w.max()
    np.testing.assert_allclose(model.score_samples(rows), expected, rtol=1e-12)


@pytest.mark.parametrize("kernel", ["gaussian", "tophat"])
def test_weights_on_the_sphere_may_differ_by_more_than_the_range_of_a_double(kernel):
    rows, weights = np.array([[0.0, 0.0], [0.5, 0.5]]), (1e300, 1e-300)
    common = {"kernel": kernel, "metric": "haversine", "bandwidth": 0.01}
    model = KernelDensity(**common).fit(rows, sample_weight=weights)
    alone = [KernelDensity(**common).fit(row[None]).score_samples(rows) for row in rows]
    expected = np.logaddexp(alone[0], alone[1] + np.log(weights[1]) - np.log(weights[0]))
    np.testing.assert_allclose(model.score_samples(rows), expected, rtol=1e-12)


@pytest.mark.parametrize("kernel", ["gaussian", "tophat"])
@pytest.mark.parametrize("least", [1e-300, 1e-280, 1e-160])
def test_tiny_weights_far_away_keep_their_ratio(kernel, least):
    rows = np.array([[0.0], [1000.0], [2000.0]])
    model = KernelDensity(kernel=kernel).fit(rows, sample_weight=[1.0, least, 3 * least])
    log_density = model.score_samples(rows)
    np.testing.assert_allclose(np.diff(log_density), np.log([least, 3.0]), rtol=1e-12)


@pytest.mark.parametrize("rule", ["scott", "silverman"])
@pytest.mark.parametrize("weight", [1e200, 1e-308])
def test_rules_of_thumb_do_not_depend_on_the_unit_of_extreme_weights(rng, rule, weight):
    X = rng.normal(size=(64, 2))
    model = KernelDensity(bandwidth=rule).fit(X, sample_weight=np.full(64, weight))
    classifier = KernelDensityClassifier(bandwidth=rule).fit(X, [0, 1] * 32, np.full(64, weight))
    assert 0.1 < model.bandwidth_ < 1
    assert model.bandwidth_ == pytest.approx(classifier.bandwidth_, rel=1e-14)
    assert np.isfinite(model.score_samples(X)).all()
