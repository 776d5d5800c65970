"""Every method that can be fitted from chunks, with data and the attributes that must agree."""

from functools import reduce
from itertools import pairwise

import numpy as np

import gramian as g
from gramian.base.rows.parts import caller

N = 1500
rng = np.random.default_rng(0)
code = rng.permutation(np.repeat([0, 1, 2], N // 3))
X = rng.normal(size=(N, 4)) * [1.0, 2.0, 0.5, 1.0] + 3.0 * np.array([0.0, 1.3, -1.6])[code][:, None]
X[:, 1] += 100.0
y = X @ [1.0, -2.0, 0.5, 0.0] + rng.normal(size=N)
Y = np.column_stack([y, -2 * y + rng.normal(size=N)])
label = np.where(rng.random(N) < 0.1, 1, code)
two = np.where(label == 2, "yes", "no")
standard = (X - X.mean(axis=0)) / X.std(axis=0)
counts = np.abs(X.round())
events = rng.poisson(np.exp(0.3 * standard[:, 0]))
weights = rng.integers(0, 3, size=N).astype(float)

# (estimator, X, y, the attributes that must agree)
METHODS = [
    (g.LinearRegression(), X, y, ["coef_", "intercept_", "rss_"]),
    (g.LinearRegression(positive=True), X, y, ["coef_"]),
    (g.Ridge(3.0), X, Y, ["coef_", "intercept_"]),
    (g.Ridge(alpha=[0.5, 40.0]), X, Y, ["coef_"]),
    (g.RidgeCV(alphas=(0.1, 1.0, 10.0)), X, y, ["coef_", "alpha_", "best_score_"]),
    (g.RidgeCV(alphas=(0.1, 10.0), alpha_per_target=True), X, Y, ["coef_", "alpha_"]),
    (g.Lasso(0.3), X, y, ["coef_", "intercept_", "dual_gap_"]),
    (g.ElasticNet(0.3), X, Y, ["coef_", "intercept_"]),
    (g.ElasticNet(0.3, l1_ratio=0.0), X, y, ["coef_"]),
    (g.LogisticRegression(tol=1e-9), standard, two, ["coef_", "intercept_", "objective_"]),
    (g.LogisticRegression(tol=1e-9, class_weight="balanced"), standard, label, ["coef_"]),
    (g.PoissonRegressor(tol=1e-9), standard, events, ["coef_", "intercept_", "objective_"]),
    (g.LinearSVC(tol=1e-9), standard, label, ["coef_", "intercept_", "objective_"]),
    (g.SGDClassifier(random_state=0), standard, label, ["coef_", "intercept_"]),
    (g.SGDRegressor(random_state=0), standard, y / 100, ["coef_", "intercept_"]),
    (g.LinearDiscriminantAnalysis(store_covariance=True), X, label, ["coef_", "covariance_"]),
    (g.LinearDiscriminantAnalysis(tol=1e-12), X, label, ["coef_"]),
    (g.LinearDiscriminantAnalysis("eigen", shrinkage=0.1), X, label, ["coef_"]),
    (g.QuadraticDiscriminantAnalysis(), X, label, ["means_", "scalings_"]),
    (g.GaussianNB(), X, label, ["theta_", "var_", "class_prior_"]),
    (g.MultinomialNB(), counts, label, ["feature_log_prob_"]),
    (g.BernoulliNB(), counts, label, ["feature_log_prob_"]),
    (g.CategoricalNB(), counts % 4, label, ["class_log_prior_", "feature_log_prob_"]),
    (g.KMeans(3, random_state=0), X, None, ["cluster_centers_", "inertia_"]),
    (g.KMeans(3, init="k-means||", random_state=0), X, None, ["cluster_centers_", "inertia_"]),
    (g.GaussianMixture(3, random_state=0), X, None, ["means_", "covariances_", "lower_bound_"]),
    (g.GaussianMixture(3, covariance_type="tied", random_state=0), X, None, ["covariances_"]),
    (g.GaussianMixture(3, covariance_type="diag", random_state=0), X, None, ["covariances_"]),
    (g.PCA(2), X, None, ["components_", "explained_variance_", "mean_"]),
    (g.TruncatedSVD(2), X, None, ["components_", "singular_values_", "explained_variance_"]),
]  # fmt: skip
WEIGHTED = [m for m in METHODS if not isinstance(m[0], g.PCA | g.TruncatedSVD | g.KMeans)]
ONLINE = (g.SGDClassifier, g.SGDRegressor)  # whose steps depend on where parts end


def name_of(method):
    return f"{type(method[0]).__name__}"


def pieces(X, y=None, weights=None, *, parts=3):
    """Cut rows unevenly."""
    cuts = [0, *np.sort(np.linspace(0, len(X), parts + 1)[1:-1].astype(int) - 37), len(X)]
    rows = [slice(a, b) for a, b in pairwise(cuts)]
    return [tuple(None if v is None else v[r] for v in (X, y, weights)) for r in rows]


class ListParts:
    """Parts in this process, merged as a cluster would."""

    def __init__(self, chunks):
        self.chunks, self.parts = chunks, chunks
        self.sent = []

    @property
    def n_parts(self):
        return len(self.chunks)

    def first(self, rows):
        ends = np.cumsum([len(c[0]) for c in self.chunks])
        return ListParts(self.chunks[: int(np.searchsorted(ends, rows)) + 1])

    def head(self, rows):
        first = next(chunk for chunk in self.chunks if len(chunk[0]))
        return tuple(None if v is None else v[:rows] for v in first)

    def n_rows(self):
        return sum(len(c[0]) for c in self.chunks)

    def _starts(self):
        return [0, *np.cumsum([len(c[0]) for c in self.chunks])[:-1].tolist()]

    def total(self, step, merge, *, numbered=False):
        starts = self._starts() if numbered else [0] * len(self.chunks)
        found = [
            step([c], j, at) for j, (c, at) in enumerate(zip(self.chunks, starts, strict=True))
        ]
        self.sent.append(found)
        return reduce(merge, found)

    def fold(self, step, state):
        for j, (c, at) in enumerate(zip(self.chunks, self._starts(), strict=True)):
            state = step([c], j, at, state)
        return state

    def keep_on_workers(self, step, gather):
        return ObjectList([gather([step([c], j, 0)]) for j, c in enumerate(self.chunks)])


class ObjectList:
    """Objects in this process, one for each part; what they return is kept."""

    def __init__(self, held):
        self.held, self.sent, self.closed = held, [], False

    def total(self, method, merge, *arguments):
        found = [getattr(one, method)(*arguments) for one in self.held]
        self.sent.append((method, found))
        return reduce(merge, found)

    def start_coordinator(self, make):
        return caller(make(self))

    def close(self):
        self.closed = True


def assert_agree(model, whole, names, *, rtol=1e-6):
    for name in names:
        found, wanted = (_flat(getattr(m, name)) for m in (model, whole))
        np.testing.assert_allclose(found, wanted, rtol=rtol, atol=1e-7 if rtol else 0, err_msg=name)


def _flat(value):
    if isinstance(value, list):
        return np.concatenate([np.ravel(part) for part in value])
    return np.asarray(value, dtype=float)
