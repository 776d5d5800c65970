"""
Wide margins
============

A support vector machine takes the widest slab between the classes. Its parameter C sets how much it
costs to let rows inside; over lifted columns the slab bends.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

from gramian import LinearSVC, support_report
from gramian.linear_model import Hyperplane
from gramian.plot import draw_decision_regions, plot_margin_slab

rng = np.random.default_rng(1)
X = np.vstack([rng.normal(size=(25, 2)) - 1.8, rng.normal(size=(25, 2)) + 1.8])
y = np.repeat([-1, 1], 25)


def machine(C):
    """A machine whose bias is free."""
    return LinearSVC("l2", "hinge", C=C, tol=1e-6, penalize_intercept=False, max_iter=10**6)


# %%
# The widest slab
# ---------------
#
# With an infinite price no row may enter. Two or three rows, ringed, hold the slab; all others
# could be left out.

hard = machine(np.inf).fit(X, y)
report = support_report(hard, X, y, tol=1e-3)
figure, ax = plt.subplots(figsize=(5.5, 5), layout="constrained")
plot_margin_slab(X, y, hard.coef_[0], hard.intercept_[0], support=report.support, ax=ax)
plt.show()

# %%
# The price of slack
# ------------------
#
# A low price buys a wide slab with many rows inside; a high one a narrow slab that hangs on few.

noisy = X + 0.9 * rng.normal(size=X.shape)
prices = [0.01, 0.1, 1.0, 100.0]
figure, axes = plt.subplots(1, 4, figsize=(14, 3.8), layout="constrained")
widths, held = [], []
for C, ax in zip(prices, axes, strict=True):
    soft = machine(C).fit(noisy, y)
    rows = support_report(soft, noisy, y, tol=1e-3).support
    plot_margin_slab(noisy, y, soft.coef_[0], soft.intercept_[0], support=rows, ax=ax)
    ax.set_title(f"C = {C:g}: {ax.get_title()}", fontsize=9)
    widths.append(2 / Hyperplane.of(soft).length)
    held.append(len(rows))
plt.show()

# %%
# More columns
# ------------
#
# Two rings are not separable by a line. Over the monomials of degree 2 they are; degree 5 bends
# more than the rows ask for. C is chosen anew for each degree, by validation. Margins are measured
# among the lifted columns, so that those of different degrees do not compare; the proportion of
# rows that hold the slab does: it bounds the error that leaving one row out would show.

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
