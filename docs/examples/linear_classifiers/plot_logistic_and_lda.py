"""
Logistic regression and discriminant analysis
=============================================

Linear discriminant analysis (LDA) and logistic regression have posteriors of the same form, a
sigmoid of a linear function, but fit it differently: LDA by two means and a covariance, logistic
regression by the likelihood of the labels given the points.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris

from gramian import LinearDiscriminantAnalysis, LogisticRegression
from gramian.plot import plot_posterior_contours, plot_posterior_curves


def posteriors(X, y):
    """The probability of the second class by each model."""
    models = {
        "logistic": LogisticRegression(C=np.inf, max_iter=1000).fit(X, y),
        "LDA": LinearDiscriminantAnalysis().fit(X, y),
    }
    return {
        name: lambda rows, model=model: model.predict_proba(rows)[:, 1]
        for name, model in models.items()
    }


# %%
# One variable, two variables
# ---------------------------
#
# We distinguish two kinds of iris by their petals. The classes are nearly Gaussian, and the two
# methods agree.

iris = load_iris()
rows = iris.target > 0
X, y = iris.data[rows, 2:], iris.target_names[iris.target[rows]]

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.4), layout="constrained")
plot_posterior_curves(X[:, 0], y, posteriors(X[:, :1], y), ax=left)
left.set_xlabel(iris.feature_names[2])
plot_posterior_contours(X, y, posteriors(X, y), ax=right)
right.set(xlabel=iris.feature_names[2], ylabel=iris.feature_names[3])
plt.show()

# %%
# A few easy flowers
# ------------------
#
# We add a dozen flowers far from the boundary, on the correct side. They are already classified
# correctly, so logistic regression hardly changes. LDA treats them as part of a Gaussian: they
# change its mean and variance, so the boundary moves.

far = np.vstack([X[:, :1], np.full((12, 1), 14.0)])
kinds = np.append(y, np.repeat("virginica", 12))
before, after = posteriors(X[:, :1], y), posteriors(far, kinds)
grid = np.linspace(1, 14, 4001)[:, None]
boundary = {
    name: [float(grid[np.argmax(model(grid) > 0.5), 0]) for model in (before[name], after[name])]
    for name in before
}
for name, (old, new) in boundary.items():
    print(f"{name}: the boundary moves from {old:.2f} cm to {new:.2f} cm")
plot_posterior_curves(far, kinds, after).set_xlabel(iris.feature_names[2])
plt.show()

# %%
# Three kinds of classes, both methods
# ------------------------------------
#
# The plot shows errors on new rows, over many training sets of 60 rows. If the classes are
# Gaussian with the same covariance, the assumptions of LDA hold, and LDA is no worse. If the
# variables are skewed (lognormal), or a few rows are far out on their own side, the means and the
# covariance mislead LDA. Logistic regression models only the odds and is better in these cases.


def gaussian(rng, n):
    y = np.arange(n) % 2
    return rng.normal(size=(n, 4)) + np.outer(y, [1.0, 0.5, 0.0, 0.0]), y


def skewed(rng, n):
    y = np.arange(n) % 2
    return np.exp(rng.normal(size=(n, 2)) * 1.3 + np.outer(y, [1.3, 0.0])), y


def outliers(rng, n):
    X, y = gaussian(rng, n)
    X[y == 1, 0] += np.where(rng.random(n // 2) < 0.1, 15.0, 0.0)
    return X, y


def held_out_errors(sample, sets=60):
    """Mean error of each method on new rows, over training sets of 60 rows."""
    wrong = {"logistic": [], "LDA": []}
    for number in range(sets):
        rng = np.random.default_rng(number)
        (X, y), (Q, truth) = sample(rng, 60), sample(rng, 2000)
        for name, posterior in posteriors(X, y).items():
            wrong[name].append(np.mean((posterior(Q) > 0.5) != truth))
    return {name: float(np.mean(errors)) for name, errors in wrong.items()}


errors = {sample.__name__: held_out_errors(sample) for sample in (gaussian, skewed, outliers)}
for classes, found in errors.items():
    print(f"{classes}: " + ", ".join(f"{name} {error:.3f}" for name, error in found.items()))

# %%
# Linearly separable classes
# --------------------------
#
# Without a penalty, the likelihood of separated classes has no maximum: the slope of logistic
# regression grows with every iteration, here until the gradient is below a tolerance. The slope
# of LDA is computed from two means and a covariance, so it is finite. With a penalty, the slope
# of logistic regression is finite too.

rng = np.random.default_rng(0)
left, right = rng.normal(0, 1, 40).clip(-3, 2), rng.normal(7, 1, 40).clip(5, 10)
apart = np.concatenate([left, right])[:, None]
sides = np.repeat(["left", "right"], 40)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of separated classes, which are the point here
    separated = {
        f"no penalty, tolerance {tol:g}": LogisticRegression(C=np.inf, tol=tol, max_iter=1000)
        for tol in (1e-2, 1e-5, 1e-8)
    }
    separated |= {"C = 1": LogisticRegression(), "LDA": LinearDiscriminantAnalysis()}
    slopes = {name: float(model.fit(apart, sides).coef_[0, 0]) for name, model in separated.items()}
for name, slope in slopes.items():
    print(f"{name}: slope {slope:.2f}")
curves = {
    name: lambda rows, model=model: model.predict_proba(rows)[:, 1]
    for name, model in separated.items()
}
plot_posterior_curves(apart, sides, curves)
plt.show()
