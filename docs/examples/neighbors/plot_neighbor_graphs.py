"""
Graphs of neighbours
====================

A graph that joins every point with its k nearest points, or with all points within a radius,
follows the shape of the data; spectral methods and many embeddings start from such a graph. With
a fixed k, every point has neighbours; with a radius, isolated points have none. The same choice
determines what a classifier predicts far from all data.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection
from scipy.sparse.csgraph import connected_components
from sklearn.datasets import make_moons

from gramian import RadiusNeighborsClassifier
from gramian.neighbors import kneighbors_graph, radius_neighbors_graph
from gramian.plot import draw_decision_regions

X, y = make_moons(150, noise=0.08, random_state=0)
graphs = {
    "5 nearest": kneighbors_graph(X, n_neighbors=5),
    "within 0.2": radius_neighbors_graph(X, radius=0.2),
}

figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained", sharey=True)
pieces = {}
for ax, (name, graph) in zip(axes, graphs.items(), strict=True):
    edges = graph.tocoo()
    ax.add_collection(
        LineCollection(
            np.stack([X[edges.row], X[edges.col]], axis=1), colors="#aab4c0", linewidths=0.6
        )
    )
    pieces[name] = connected_components(graph, directed=False)[0]
    ax.scatter(*X.T, s=10, color="#2f6db5", zorder=2)
    ax.set_title(f"{name}: {graph.nnz} edges, {pieces[name]} pieces")
plt.show()

# %%
# A radius classifier can report that no training row is near.

model = RadiusNeighborsClassifier(radius=0.25, outlier_label=2).fit(X, y)
names = np.array(["upper", "lower", "nobody near"])
with warnings.catch_warnings():
    warnings.simplefilter("ignore", UserWarning)  # the third label is not in y, on purpose
    ax = draw_decision_regions(lambda Z: names[model.predict(Z)], X, names[y])
ax.set_title("within 0.25")
plt.show()
