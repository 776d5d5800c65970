"""
Logistic regression with conic boundaries
=========================================

The posterior of two Gaussian classes is a sigmoid of a quadratic function, so logistic regression
on quadratic features has posteriors of the same form as quadratic discriminant analysis (QDA).
The two methods estimate them differently: QDA fits two Gaussians, logistic regression only the
boundary.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.pipeline import make_pipeline

from gramian import LogisticRegression, QuadraticDiscriminantAnalysis, QuadricFeatures
from gramian.plot import plot_posterior_contours
from gramian.preprocessing import classify_quadric


def second(model):
    """The posterior of the second class."""
    return lambda rows: model.predict_proba(rows)[:, 1]


def contenders(X, y):
    logistic = make_pipeline(QuadricFeatures(), LogisticRegression(C=np.inf, max_iter=5000))
    return {
        "logistic": logistic.fit(X, y),
        "QDA": QuadraticDiscriminantAnalysis().fit(X, y),
    }


# %%
# When QDA is right
# -----------------
#
# Two Gaussians with different covariances. The boundaries nearly agree, and the signs of the
# eigenvalues of the quadratic part show which kind of conic each one is.

rng = np.random.default_rng(1)
n = 300
gaussian = np.vstack([
    rng.multivariate_normal([0, 0], [[3.0, 1.2], [1.2, 1.0]], n),
    rng.multivariate_normal([1, 1], [[0.5, -0.2], [-0.2, 1.5]], n),
])  # fmt: skip
y = np.repeat(["a", "b"], n)

# %%
# When QDA is wrong
# -----------------
#
# The second class now has a few far outliers, all on its own side. They stretch the Gaussian that
# QDA fits; logistic regression already classifies them with certainty. The errors in the titles are
# those on the Gaussian data, without the outliers.

outliers = gaussian.copy()
outliers[-15:] = rng.multivariate_normal([2, 16], 0.5 * np.eye(2), 15)

figure, axes = plt.subplots(1, 2, figsize=(11, 4.8), layout="constrained")
errors, shapes = {}, {}
for ax, (name, X) in zip(axes, {"Gaussian": gaussian, "outliers": outliers}.items(), strict=True):
    models = contenders(X, y)
    features, linear = models["logistic"][0], models["logistic"][-1]
    shapes[name] = classify_quadric(*features.quadric(linear.coef_, linear.intercept_[0]))
    errors[name] = {kind: np.mean(model.predict(gaussian) != y) for kind, model in models.items()}
    plot_posterior_contours(
        X, y, {kind: second(model) for kind, model in models.items()}, levels=(0.5,), ax=ax
    )
    found = ", ".join(f"{kind} {error:.1%}" for kind, error in errors[name].items())
    ax.set_title(f"{name}: {found} wrong")
    print(f"{name}: the boundary of the logistic regression is of the kind '{shapes[name]}'")
plt.show()
