"""
Graph cuts and spectral clustering
==================================

Two half moons are not round clusters, so k-means cuts through both of them. In a graph of near
neighbours, only a few edges connect the moons. The Fiedler vector, the second eigenvector of the
Laplacian, orders the vertices; we take the best cut along this order. Cheeger's inequality bounds
how far from optimal this cut can be.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_moons
from sklearn.metrics import adjusted_rand_score

from gramian import KMeans, SpectralClustering, SpectralEmbedding
from gramian.graph import fiedler_pair, knn_graph, sweep_cut
from gramian.plot import plot_fiedler_vector, plot_graph_cut, plot_spectral_embedding
from gramian.textbook.graphs import cheeger_bounds

X, moons = make_moons(300, noise=0.05, random_state=1)

# %%
# The graph joins each point with its 8 nearest neighbours. The sweep tries all 299 cuts along the
# Fiedler vector.

graph = knn_graph(X, 8, masses="degree")
pair = fiedler_pair(graph)
cut = sweep_cut(graph, pair.vector, objective="ratio")
bounds = cheeger_bounds(graph)
print(f"conductance of the sweep: {cut.value:.4f}")
print(f"no cut is below {bounds.lower:.4f}; the sweep is at most {bounds.upper:.4f}")

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
edges, weights = graph.edges()
plot_graph_cut(X, edges, cut.labels, weights=weights, ax=left)
plot_fiedler_vector(pair.vector, cut.labels, ax=right)
plt.show()

# %%
# Spectral clustering applies k-means to the rows of the first eigenvectors; in these coordinates,
# the moons are separated.

settings = {"n_neighbors": 9, "random_state": 0}
embedding = SpectralEmbedding(2, **settings).fit_transform(X)
labels = SpectralClustering(2, affinity="nearest_neighbors", **settings).fit_predict(X)
means = KMeans(2, n_init=10, random_state=0).fit_predict(X)
scores = {name: adjusted_rand_score(moons, found) for name, found in
          {"k-means": means, "spectral": labels, "sweep": cut.labels}.items()}  # fmt: skip
print({name: round(score, 2) for name, score in scores.items()})

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
plot_graph_cut(X, edges, means, ax=left)
left.set_title(f"k-means, {left.get_title()}")
plot_spectral_embedding(embedding, moons, ax=right).set_title("the moons, embedded")
plt.show()
