"""
The perceptron in input space and weight space
==============================================

A row is a point of x-space and a line of weight space; a hyperplane is a line of x-space and a
point of weight space. The perceptron moves through weight space until it is on the correct side of
every line.
"""

import matplotlib.pyplot as plt
import numpy as np

from gramian import Perceptron
from gramian.plot import plot_margin_slab
from gramian.textbook.figures import plot_weight_space
from gramian.textbook.linear_classifiers import feasible_weights, mistake_bound

rng = np.random.default_rng(3)
X = rng.normal(size=(14, 2))
y = np.where(X @ [1.0, 0.7] > 0, 1, -1)
X += 0.25 * y[:, None] * np.array([1.0, 0.7])  # a gap between the classes

# %%
# The path
# --------
#
# Each mistake adds y x to w. In weight space the step is orthogonal to the line of the
# misclassified row. The shaded cone contains the weights that classify every row correctly: there
# the risk is 0, and the algorithm stops.

steps = [np.array([-1.5, 1.0])]
for _ in range(20):
    for x, label in zip(X, y, strict=True):
        if label * (x @ steps[-1]) <= 0:
            steps.append(steps[-1] + label * x)
path = np.array(steps)

figure, (points, weights) = plt.subplots(1, 2, figsize=(11, 5), layout="constrained")
plot_margin_slab(X, y, path[-1], 0.0, ax=points)
points.set_title("x-space: the last w is orthogonal to the line")
plot_weight_space(X, y, path=path, reach=1.1 * np.abs(path).max(), ax=weights)
weights.set_title(f"w-space: {len(path) - 1} mistakes to the cone")
plt.show()

# %%
# Bound on the number of mistakes
# -------------------------------
#
# Starting from w = 0, the perceptron makes at most (R / gamma)^2 mistakes, for any order of the
# rows.

bound = mistake_bound(X, y, fit_intercept=False)
counts = [
    Perceptron(fit_intercept=False, tol=None, random_state=seed).fit(X, y).mistakes_[0]
    for seed in range(20)
]
right = feasible_weights(path, X, y)
print(f"bound {bound.bound:.1f}, mistakes {min(counts)} to {max(counts)}")
