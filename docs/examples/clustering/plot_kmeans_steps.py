"""
k-means, step by step
=====================

Lloyd's algorithm alternates two steps: each point is assigned to its nearest centre (so the
clusters are the Voronoi cells of the centres), then each centre moves to the mean of its points.
Neither step can raise the sum of squares J.
"""

import warnings

import matplotlib.pyplot as plt
from sklearn.datasets import make_blobs
from sklearn.exceptions import ConvergenceWarning

from gramian import KMeans
from gramian.textbook.figures import plot_kmeans_steps, plot_objectives

X, _ = make_blobs(300, centers=6, cluster_std=1.1, random_state=7)

# %%
# One iteration at a time
# -----------------------
#
# A fit with ``max_iter=1`` runs one iteration. Arrows show how the centres moved.

steps = [X[[3, 14, 15, 92, 65, 35]]]
with warnings.catch_warnings():
    warnings.simplefilter("ignore", ConvergenceWarning)  # one iteration is not meant to converge
    for _ in range(7):
        step = KMeans(6, init=steps[-1], n_init=1, max_iter=1).fit(X)
        steps.append(step.cluster_centers_)

plot_kmeans_steps(X, steps)
plt.show()

# %%
# Restarts
# --------
#
# The loop ends at a local minimum that depends on the initial centres. Centres drawn at random
# often share one blob and miss another; k-means++ spreads them and rarely fails. ``inertias_``
# contains the objective of every initialisation: if the best value was reached only once, try
# more.

figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True, layout="constrained")
for ax, init in zip(axes, ["random", "k-means++"], strict=True):
    model = KMeans(6, init=init, n_init=20, random_state=0).fit(X)
    plot_objectives(model.inertias_, ax=ax).set_title(init)
plt.show()
