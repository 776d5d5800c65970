"""
Weighted k-means
================

With weights the objective is ``J = sum_i w_i min_j |x_i - c_j|^2``, and a centre is the weighted
mean of its points. A weight of k is equivalent to k copies of the row; a row of weight 0 gets a
label but does not affect the centres. Below we place depots among towns: with equal weights,
weighted by inhabitants, and without the small towns.
"""

import matplotlib.pyplot as plt
import numpy as np

from gramian import KMeans
from gramian.plot import plot_voronoi_cells

rng = np.random.default_rng(3)
towns = np.concatenate([rng.normal(m, s, (60, 2)) for m, s in [((0, 0), 1.6), ((6, 2), 1.2)]])
people = rng.pareto(1.3, len(towns)) + 0.2

# %%
# The towns and k are the same in all panels; only the weights differ. The size of a circle shows
# the size of the town.

weights = {
    "all towns equal": np.ones(len(towns)),
    "by inhabitants": people,
    "only towns above the median": (people > np.median(people)).astype(float),
}

figure, axes = plt.subplots(1, 3, figsize=(12, 4.2), layout="constrained", sharey=True)
(left, bottom), (right, top) = towns.min(axis=0) - 0.5, towns.max(axis=0) + 0.5
for ax, (name, weight) in zip(axes, weights.items(), strict=True):
    model = KMeans(5, n_init=10, random_state=0).fit(towns, sample_weight=weight)
    plot_voronoi_cells(model.cluster_centers_, box=(left, right, bottom, top), ax=ax)
    opacity = np.where(weight > 0, 0.6, 0.1)
    ax.scatter(*towns.T, s=12 * people, color="#444444", alpha=opacity, linewidth=0)
    ax.scatter(*model.cluster_centers_.T, s=90, marker="X", color="black", edgecolors="white")
    far = np.average(model.transform(towns).min(axis=1), weights=people)
    ax.set_title(f"{name}\nmean distance per inhabitant: {far:.2f}")
plt.show()

# %%
# A weight acts like a number of copies: repeating the rows gives the same objective.

copies = rng.integers(0, 4, len(towns))
start = towns[np.flatnonzero(copies)[:5]]
weighted = KMeans(5, init=start, n_init=1).fit(towns, sample_weight=copies)
repeated = KMeans(5, init=start, n_init=1).fit(np.repeat(towns, copies, axis=0))
print(f"weighted {weighted.inertia_:.6f}, repeated {repeated.inertia_:.6f}")
