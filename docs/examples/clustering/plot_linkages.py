"""
Hierarchical clustering with eight linkages
===========================================

Agglomerative clustering repeatedly joins the two nearest clusters. The linkage defines what
"nearest" means for clusters, and it determines the shape of the tree. The dashed line cuts each
tree into three clusters.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_blobs

from gramian.cluster import Dendrogram, KMedoids, linkage
from gramian.plot import plot_dendrogram, plot_medoids

X, _ = make_blobs([14, 10, 8], cluster_std=[1.6, 0.8, 0.5], random_state=21)

# %%
# Eight linkages
# --------------
#
# Single linkage chains neighbours together; complete and Ward linkage prefer compact clusters.
# With centroid, median and medoid linkage, a merge can bring clusters nearer to each other. The
# tree then has inversions, which are drawn dashed.

methods = ["single", "complete", "average", "weighted", "ward", "centroid", "median", "medoid"]
trees = {method: Dendrogram(linkage(X, method)) for method in methods}
figure, axes = plt.subplots(2, 4, figsize=(13, 6), layout="constrained")
for ax, method in zip(axes.flat, methods, strict=True):
    tree = trees[method]
    heights = np.sort(tree.heights)
    cut = (heights[-2] + heights[-3]) / 2
    plot_dendrogram(*tree.branches(), cut=cut, ax=ax).set_title(method)
plt.show()

# %%
# k-medoids
# ---------
#
# k-medoids on the same points: the centres are points, and distances are not squared, so a distant
# point has less influence. Any metric can be used.

figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
models = {}
for ax, metric in zip(axes, ["euclidean", "chebyshev"], strict=True):
    model = models[metric] = KMedoids(3, metric=metric, init="build").fit(X)
    plot_medoids(X, model.cluster_centers_, model.labels_, ax=ax)
    ax.set_title(f"{metric}: J = {model.inertia_:.1f}")
plt.show()
