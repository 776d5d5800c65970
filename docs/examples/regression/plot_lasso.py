"""
The lasso: geometry, paths and feature selection
================================================

The lasso minimises the residual sum of squares plus ``|w|_1``. The ball of this norm is a diamond,
and an ellipse of equal error tends to touch a diamond at a corner, where a weight is exactly 0.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes

from gramian import BestSubsetSelector, Lasso, LassoCV, StepwiseSelector
from gramian.linear_model import lasso_path
from gramian.plot import plot_coefficient_paths
from gramian.textbook.figures import plot_lq_balls, plot_lq_geometry

# %%
# Two weights
# -----------
#
# Left: the point where the ellipse touches the diamond. Right: balls of other powers; for q < 1
# they are not convex, and for q > 1 they have no corners.

rng = np.random.default_rng(0)
X = rng.multivariate_normal([0, 0], [[1.0, 0.5], [0.5, 1.0]], 40)
X -= X.mean(axis=0)
y = X @ [2.0, 0.3] + rng.normal(size=40)
y -= y.mean()
least_squares = np.linalg.lstsq(X, y)[0]
solution = Lasso(0.5).fit(X, y).coef_
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4.4), layout="constrained")
plot_lq_geometry(X.T @ X, least_squares, solution, ax=left)
plot_lq_balls(ax=right)
plt.show()

# %%
# Ten weights
# -----------
#
# The diabetes data, with columns scaled to unit length. From right to left the penalty falls and
# columns enter one by one; the dashed line is the penalty chosen by 5-fold cross-validation.

diabetes = load_diabetes()
names = diabetes.feature_names
table, target = diabetes.data, diabetes.target - diabetes.target.mean()
alphas, coefs, gaps = lasso_path(table, target, tol=1e-8, max_iter=10_000)
chosen = LassoCV(cv=5).fit(table, target)
figure, ax = plt.subplots(figsize=(8, 4.6), layout="constrained")
plot_coefficient_paths(alphas, coefs.T, names=names, chosen=chosen.alpha_, ax=ax)
plt.show()

# %%
# Three methods of feature selection
# ----------------------------------
#
# Branch and bound finds the best subset of each size exactly; BIC chooses the size. Forward
# selection adds one column at a time; the lasso considers all columns together.

best = BestSubsetSelector(scoring="bic").fit(table, target)
forward = StepwiseSelector(scoring="bic").fit(table, target)
print("best subset:", [names[j] for j in best.get_support(indices=True)])
print("forward    :", [names[j] for j in forward.path_[: forward.n_features_to_select_]])
print("lasso      :", [names[j] for j in np.flatnonzero(chosen.coef_)])
