"""
Ridge: ellipses, circles and paths
==================================

Ridge regression minimises the residual sum of squares plus ``alpha |w|^2``. In the space of the
weights the first is a bowl with elliptic contours around the least-squares weights, the second a
bowl with circular contours around the origin; the solution is a point where an ellipse touches a
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
# The path first leaves least squares in the direction in which the bowl is flat: there, the norm
# can be reduced at little cost.

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
# Patients with diabetes: two of the blood measurements nearly repeat each other, and least squares
# gives them large weights of opposite sign. A small penalty shrinks both. The dashed line is the
# penalty chosen by leave-one-out.

diabetes = load_diabetes()
alphas = np.geomspace(1e-4, 1e2, 100)
coefs = [Ridge(alpha).fit(diabetes.data, diabetes.target).coef_ for alpha in alphas]
chosen = RidgeCV(alphas).fit(diabetes.data, diabetes.target).alpha_
figure, ax = plt.subplots(figsize=(8, 4.6), layout="constrained")
plot_coefficient_paths(alphas, coefs, names=diabetes.feature_names, chosen=chosen, ax=ax)
plt.show()
