"""
Wide margins
============

A support vector machine finds the widest slab between the classes. Its parameter C is the penalty
for rows inside the slab. With polynomial features, the boundary is curved.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

from gramian import LinearSVC
from gramian.plot import draw_decision_regions, plot_margin_slab
from gramian.textbook.linear_classifiers import Hyperplane, support_report

rng = np.random.default_rng(1)
X = np.vstack([rng.normal(size=(25, 2)) - 1.8, rng.normal(size=(25, 2)) + 1.8])
y = np.repeat([-1, 1], 25)


def machine(C):
    """A support vector machine with an unpenalised bias."""
    return LinearSVC("l2", "hinge", C=C, tol=1e-6, penalize_intercept=False, max_iter=10**6)


# %%
# The widest slab
# ---------------
#
# With an infinite penalty, no row may lie inside the slab. The two or three circled rows are the
# support vectors; leaving out the others would not change the model.

hard = machine(np.inf).fit(X, y)
report = support_report(hard, X, y, tol=1e-3)
figure, ax = plt.subplots(figsize=(5.5, 5), layout="constrained")
plot_margin_slab(X, y, hard.coef_[0], hard.intercept_[0], support=report.support, ax=ax)
plt.show()

# %%
# The penalty for slack
# ---------------------
#
# A low penalty gives a wide slab with many rows inside; a high penalty gives a narrow slab with
# few support vectors.

noisy = X + 0.9 * rng.normal(size=X.shape)
prices = [0.01, 0.1, 1.0, 100.0]
figure, axes = plt.subplots(2, 2, figsize=(10, 8.4), layout="constrained")
widths, held = [], []
for C, ax in zip(prices, axes.flat, strict=True):
    soft = machine(C).fit(noisy, y)
    rows = support_report(soft, noisy, y, tol=1e-3).support
    plot_margin_slab(noisy, y, soft.coef_[0], soft.intercept_[0], support=rows, ax=ax)
    ax.set_title(f"C = {C:g}: {ax.get_title()}")
    widths.append(2 / Hyperplane.of(soft).length)
    held.append(len(rows))
plt.show()

# %%
# Polynomial features
# -------------------
#
# Two rings are not separable by a line. With the monomials of degree 2 they are; degree 5 is more
# flexible than needed. C is chosen for each degree by cross-validation. Margins are measured in the
# space of the features, so margins of different degrees cannot be compared. The proportion of
# support vectors can: it is an upper bound on the leave-one-out error.

angle, radius = rng.uniform(0, 2 * np.pi, 160), np.repeat([1.0, 2.2], 80)
rings = (radius + 0.35 * rng.normal(size=160))[:, None] * np.c_[np.cos(angle), np.sin(angle)]
kind = np.repeat(["inner", "outer"], 80)
figure, axes = plt.subplots(1, 3, figsize=(13, 4.2), layout="constrained")
accuracy, slabs = {}, {}
for degree, ax in zip((1, 2, 5), axes, strict=True):
    tried = {}
    for C in (0.01, 0.1, 1.0, 10.0):
        lifted = make_pipeline(
            PolynomialFeatures(degree, include_bias=False),
            StandardScaler(),
            LinearSVC(C=C, max_iter=10**5),
        )
        tried[C] = cross_val_score(lifted, rings, kind, cv=5).mean()
    best = max(tried, key=tried.get)
    accuracy[degree] = tried[best]
    lifted.set_params(linearsvc__C=best).fit(rings, kind)
    slabs[degree] = slab = support_report(lifted[-1], lifted[:-1].transform(rings), kind)
    draw_decision_regions(lifted.predict, rings, kind, ax=ax)
    ax.set_title(
        f"degree {degree}, C = {best:g}: {tried[best]:.0%} right\n"
        f"margin {slab.margin:.2f}, {len(slab.support)} support vectors"
    )
plt.show()
