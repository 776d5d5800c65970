"""
Kernel machines
===============

A Gaussian kernel puts a bump on each support vector; the decision function is the sum of these
bumps. Its boundary approaches the best possible one.
"""

import matplotlib.pyplot as plt
import numpy as np

from gramian import SVC, SVCGridCV
from gramian.plot import draw_decision_regions
from gramian.textbook.linear_classifiers import support_report

rng = np.random.default_rng(4)
n = 120
X = np.vstack([0.8 * rng.normal(size=(n, 2)), 2.0 * rng.normal(size=(n, 2))])
y = np.repeat([-1, 1], n)

# %%
# A sum of bumps
# --------------
#
# The score is ``sum_i b_i exp(-gamma |x - x_i|^2)`` plus a constant: a surface made of
# Gaussian bumps, up for one class and down for the other.

grid = np.linspace(-5, 5, 81)
plane = np.stack(np.meshgrid(grid, grid), axis=-1).reshape(-1, 2)
model = SVC(C=1.0, gamma=0.5).fit(X, y)
surface = model.decision_function(plane).reshape(81, 81)
figure = plt.figure(figsize=(6, 5), layout="constrained")
ax = figure.add_subplot(projection="3d")
ax.plot_surface(*np.meshgrid(grid, grid), surface, cmap="coolwarm", linewidth=0)
ax.set(xlabel="$x_1$", ylabel="$x_2$", zlabel="score")
plt.show()

# %%
# The Bayes boundary
# ------------------
#
# Both classes are round Gaussians about the origin, so the best boundary is a circle (dashed). C
# and gamma are chosen by cross-validation, which computes the kernel once for each gamma.

search = SVCGridCV(Cs=[0.1, 1.0, 10.0, 100.0], gammas=[0.02, 0.1, 0.5, 2.0]).fit(X, y)
best = search.best_estimator_
radius = np.sqrt(4 * np.log(2.0 / 0.8) / (1 / 0.8**2 - 1 / 2.0**2))
figure, ax = plt.subplots(figsize=(5.5, 5), layout="constrained")
draw_decision_regions(best.predict, X, y, ax=ax)
ax.add_patch(plt.Circle((0, 0), radius, fill=False, ls="--", lw=2))
ax.set_title(f"C = {best.C:g}, gamma = {best.gamma:g}")
plt.show()

# %%
# Support vectors by kind
# -----------------------
#
# Rows on the edge of the margin have a multiplier between 0 and C; rows inside the margin or on
# the wrong side have the multiplier C. Leaving out all other rows would not change the model.
# `gramian.textbook.linear_classifiers.support_report` lists the rows of each kind.

report = support_report(best, X, y)
free, bound = report.on_edge, report.inside
scores = best.decision_function(plane).reshape(81, 81)
figure, ax = plt.subplots(figsize=(5.5, 5), layout="constrained")
ax.contour(grid, grid, scores, levels=[-1, 0, 1], colors="0.3", linestyles=["--", "-", "--"])
for label in (-1, 1):
    ax.scatter(*X[y == label].T, s=12, label=str(label))
for rows, marker, label in ((free, "o", "on the edge"), (bound, "s", "inside or wrong")):
    ax.scatter(*X[rows].T, s=70, marker=marker, facecolors="none", edgecolors="k", label=label)
ax.legend()
plt.show()
