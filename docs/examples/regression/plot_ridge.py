"""
Ridge regression: geometry and paths
====================================

Ridge regression minimises the residual sum of squares plus ``alpha |w|^2``. As functions of the
weights, the first term is a bowl with elliptic contours around the least-squares weights, and the
second is a bowl with circular contours around the origin. At the solution, an ellipse touches a
circle.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes

from gramian import Ridge, RidgeCV
from gramian.plot import plot_coefficient_paths
from gramian.textbook.figures import plot_ridge_geometry

# %%
# Two weights
# -----------
#
# The path leaves the least-squares solution in the direction in which the bowl is flat, because
# reducing the norm in this direction costs little.

rng = np.random.default_rng(0)
X = rng.multivariate_normal([0, 0], [[1.0, 0.75], [0.75, 1.0]], 40)
X -= X.mean(axis=0)
y = X @ [3.0, 0.5] + rng.normal(size=40)
gram, least_squares = X.T @ X, np.linalg.lstsq(X, y)[0]
plot_ridge_geometry(gram, least_squares, [5, 30, 150])
plt.show()

# %%
# Ten weights
# -----------
#
# In the diabetes data, two of the blood measurements are nearly collinear, and least squares gives
# them large weights of opposite sign. A small penalty shrinks both. The dashed line is the penalty
# chosen by leave-one-out cross-validation.

diabetes = load_diabetes()
alphas = np.geomspace(1e-4, 1e2, 100)
coefs = [Ridge(alpha).fit(diabetes.data, diabetes.target).coef_ for alpha in alphas]
chosen = RidgeCV(alphas).fit(diabetes.data, diabetes.target).alpha_
figure, ax = plt.subplots(figsize=(8, 4.6), layout="constrained")
plot_coefficient_paths(alphas, coefs, names=diabetes.feature_names, chosen=chosen, ax=ax)
plt.show()
