"""
High dimensions and random projections
======================================

In many dimensions normal vectors lie on a thin shell, random directions are nearly orthogonal, and
a ball's volume lies near its surface. Random projections nevertheless preserve distances. The
squared length of a normal vector follows the chi-square distribution with d degrees of freedom.
"""

import matplotlib.pyplot as plt
import numpy as np
import scipy.stats

from gramian.random_projection import GaussianRandomProjection, distortion
from gramian.textbook.dimension_reduction import inner_volume, random_angles, thin_shell

dimensions = [2, 10, 100, 1000]
shells = {d: thin_shell(d) for d in dimensions}
angles = {d: random_angles(d) for d in dimensions}
figure, axes = plt.subplots(2, 2, figsize=(9, 6), layout="constrained")
one, two, three, four = axes.flat
for d in dimensions:
    away = shells[d].lengths - np.sqrt(d)
    one.hist(away, bins=30, histtype="step", density=True, label=f"d = {d}")
    two.hist(angles[d].cosines, bins=30, histtype="step", density=True)
t = np.linspace(0, 40, 200)
three.hist(shells[10].lengths ** 2, bins=40, density=True, alpha=0.5, label="simulated, d = 10")
three.plot(t, scipy.stats.chi2(10).pdf(t), color="black", label="chi-square, d = 10")
four.semilogx(dimensions, [inner_volume(0.1, d) for d in dimensions], marker="o")
one.set(xlabel="length - sqrt(d)", ylabel="density", title="thin shell")
one.legend()
two.set(xlabel="cosine of two directions", ylabel="density", title="angles", xticks=[-1, 0, 1])
three.set(xlabel="squared length", ylabel="density", title="squared lengths")
three.legend()
four.set(xlabel="dimension d", ylabel="proportion of volume", title="deeper than 0.1 in a ball")
plt.show()

# %%
# Distances before and after projecting 1000 columns onto 100 random directions.

X = np.random.default_rng(0).normal(size=(200, 1000))
report = distortion(X, GaussianRandomProjection(100, random_state=0).fit_transform(X), eps=0.3)
figure, ax = plt.subplots(figsize=(5, 3.2), layout="constrained")
ax.hist(report.ratios, bins=60)
ax.set(
    xlabel="distance after / before",
    ylabel="pairs of rows",
    title=f"{report.within:.0%} of squares within 30%",
)
plt.show()
