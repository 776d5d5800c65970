"""
The Bayes rule and its risk
===========================

If the distribution of each class is known, so is the best rule: choose the class whose density,
scaled by prior and cost, is largest. The area below the other curve is the Bayes risk, which no
rule can avoid.
"""

import matplotlib.pyplot as plt
import numpy as np

from gramian import LogisticRegression
from gramian.distributions import Gaussian, GenerativeModel, MultivariateGaussian
from gramian.plot import plot_class_histograms, plot_covariance_ellipses
from gramian.textbook.decisions import ContinuousDecisionProblem, true_error
from gramian.textbook.figures import plot_scaled_densities

# %%
# Two unit normals at 0 and 2. With equal priors and costs the boundary is halfway between them; a
# rare second class moves it to the right, and a cost of 5 for missing that class moves it back to
# the left.

classes = [Gaussian(0.0, 1.0), Gaussian(2.0, 1.0)]
problems = {
    "equal": ContinuousDecisionProblem([0.5, 0.5], classes),
    "second is rare": ContinuousDecisionProblem([0.9, 0.1], classes),
    "and costs 5": ContinuousDecisionProblem([0.9, 0.1], classes, [[0, 5], [1, 0]]),
}
x = np.linspace(-3.5, 5.5, 500)
figure, axes = plt.subplots(1, 3, figsize=(14, 4), layout="constrained", sharex=True)
for ax, (name, problem) in zip(axes, problems.items(), strict=True):
    scale = 1.0 if problem.costs is None else np.array([1.0, 5.0])
    heights = (np.exp(problem.log_joint(x)) * scale).T
    boundaries = problem.boundaries().points
    plot_scaled_densities(x, heights, names=["first", "second"], boundaries=boundaries, ax=ax)
    risk = problem.bayes_risk().value
    ax.set_title(f"{name}: boundary {boundaries[0]:.3f}, Bayes risk {risk:.3f}")
plt.show()

# %%
# Two normals of different widths have two boundaries: the wide class is chosen outside both of
# them.

wide = ContinuousDecisionProblem([0.5, 0.5], [Gaussian(0.0, 1.0), Gaussian(0.0, 4.0)])
print(wide.boundaries(), round(wide.bayes_risk().value, 6))

# %%
# The risk of a classifier fitted to a sample comes close to the Bayes risk but cannot be below
# it. Because the distribution is known, the true error can be computed without test rows.

model = GenerativeModel([0.5, 0.5], classes)
X, y = model.sample(60, random_state=0)
fitted = LogisticRegression().fit(X[:, None], y)
error = true_error(fitted, problems["equal"])
print(f"true error {error.value:.4f}, Bayes error {problems['equal'].bayes_risk().value:.4f}")

# %%
# Densities estimated for each class: histograms with the fitted normals.

X, y = model.sample(800, random_state=1)
fits = {label: Gaussian.fit(X[y == label]) for label in (0, 1)}
plot_class_histograms(X, y, {label: fit.prob for label, fit in fits.items()})
plt.show()

# %%
# Two variables: the ellipses of the fitted covariance matrices at Mahalanobis distances 1, 2 and 3.
# The boundary between the fitted densities is a curve.

plane = GenerativeModel(
    [0.6, 0.4],
    [
        MultivariateGaussian([0, 0], [[2.0, 1.2], [1.2, 1.0]]),
        MultivariateGaussian([4, 1], [[0.6, 0.0], [0.0, 1.8]]),
    ],
)
Z, labels = plane.sample(400, random_state=2)
normals = [MultivariateGaussian.fit(Z[labels == label]) for label in (0, 1)]
means, covariances = [n.mean for n in normals], [n.covariance for n in normals]
ax = plot_covariance_ellipses(Z, means, covariances, labels)
plug_in = ContinuousDecisionProblem([0.6, 0.4], normals)
for curve in plug_in.boundary_contours([(-5, 8), (-5, 6)])[0]:
    ax.plot(*curve.T, color="#222222", linewidth=2)
ax.set(xlim=(-5, 8), ylim=(-5, 6))
plt.show()
