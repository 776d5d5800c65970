"""
Logistic regression beside discriminant analysis
================================================

Linear discriminant analysis (LDA) and logistic regression have posteriors of one form, a sigmoid of
a linear function, and fit it differently: LDA by two means and a covariance, logistic regression by
the likelihood of the labels given the points.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from gramian import LogisticRegression
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
# Two kinds of iris by their petals. The classes are nearly Gaussian, and the two methods agree.

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
# A few flowers that are easy
# ---------------------------
#
# Add a dozen flowers far on the right side. They are classified already, so logistic regression
# hardly moves. LDA takes them for part of a Gaussian, whose mean and variance they change, and
# its boundary follows.

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
