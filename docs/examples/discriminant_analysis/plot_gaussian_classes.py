"""
Gaussian classes: densities, discriminants, posteriors
======================================================

Quadratic discriminant analysis fits a Gaussian to each class; linear discriminant analysis fits
one covariance to all. Both predict the class with the largest product of prior and density. The
boundary is where two of these products are equal: a quadric or a line.
"""

import matplotlib.pyplot as plt
import numpy as np

from gramian import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from gramian.decision import plot_decision_regions
from gramian.plot import plot_posterior_contours, plot_score_contours

rng = np.random.default_rng(0)
means = np.array([[0.0, 0.0], [3.0, 1.5]])
covariances = np.array([[[1.0, 0.0], [0.0, 1.0]], [[2.5, 1.2], [1.2, 1.2]]])


def draw(n, means, covariances, rng):
    """Rows of Gaussian classes of equal probability, and their classes."""
    y = np.arange(n) % len(means)
    noise = rng.normal(size=(n, 2))
    return means[y] + np.einsum("nij,nj->ni", np.linalg.cholesky(covariances)[y], noise), y


X, y = draw(400, means, covariances, rng)
qda, lda = QuadraticDiscriminantAnalysis().fit(X, y), LinearDiscriminantAnalysis().fit(X, y)

# %%
# From densities to posteriors
# ----------------------------
#
# The two fitted densities times their priors; the difference of the two discriminants, whose zero
# line is the boundary; and the posterior of the second class, the sigmoid of that difference.


def density(k):
    return lambda rows: np.exp(qda.predict_joint_log_proba(rows)[:, k])


surfaces = {
    "first density": density(0),
    "second density": density(1),
    "difference of discriminants": qda.decision_function,
    "posterior of the second class": lambda rows: qda.predict_proba(rows)[:, 1],
}
figure, panels = plt.subplots(
    2, 2, figsize=(10, 9), layout="constrained", subplot_kw={"projection": "3d"}
)
for ax, (name, surface) in zip(panels.flat, surfaces.items(), strict=True):
    plot_score_contours(surface, X, y, resolution=60, ax=ax)
    ax.set_title(name)
plt.show()

# %%
# The true boundary and two estimates
# -----------------------------------
#
# With the true means, covariances and priors, the same formula gives the Bayes rule, which no
# classifier can beat. The contours are at posteriors of 10, 50 and 90%.

truth = QuadraticDiscriminantAnalysis.from_parameters(means, covariances, [0.5, 0.5])
models = {"Bayes rule": truth, "QDA": qda, "LDA": lda}
posteriors = {
    name: lambda rows, model=model: model.predict_proba(rows)[:, 1]
    for name, model in models.items()
}
plot_posterior_contours(X, y, posteriors)
plt.show()

Q, labels = draw(100_000, means, covariances, rng)
errors = {name: float(np.mean(model.predict(Q) != labels)) for name, model in models.items()}
for name, error in errors.items():
    print(f"{name}: {100 * error:.2f}% errors on new rows")

# %%
# Several classes
# ---------------
#
# One isotropic variance for all classes and equal priors give the Voronoi cells of the means; a
# shared covariance gives cells with different straight edges; a separate variance or covariance for
# each class gives curved edges.

centres = np.array([[0.0, 0.0], [4.0, 0.5], [1.5, 3.5], [5.0, 4.5]])
shapes = np.array([np.eye(2), [[0.4, 0.0], [0.0, 2.0]], 0.3 * np.eye(2), [[2.0, 1.2], [1.2, 1.0]]])
many, kinds = draw(600, centres, shapes, rng)
maps = {
    "isotropic LDA": LinearDiscriminantAnalysis(covariance="isotropic"),
    "LDA": LinearDiscriminantAnalysis(),
    "isotropic QDA": QuadraticDiscriminantAnalysis(covariance="isotropic"),
    "QDA": QuadraticDiscriminantAnalysis(),
}
figure, panels = plt.subplots(2, 2, figsize=(10, 9), layout="constrained")
shares = {}
for ax, (name, model) in zip(panels.flat, maps.items(), strict=True):
    plot_decision_regions(model.fit(many, kinds), many, kinds, ax=ax)
    shares[name] = float(np.mean(model.predict(many) != kinds))
    title = f"{name}: {100 * shares[name]:.1f}% training errors"
    ax.set(title=title, xlabel="$x_1$", ylabel="$x_2$")
plt.show()
