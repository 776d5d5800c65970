"""
Voronoi diagrams and point location
===================================

The Voronoi cell of a point is the region in which this point is the nearest one. To find the
nearest neighbour of a query, locate the cell that contains it.
"""

import matplotlib.pyplot as plt
import numpy as np

from gramian.neighbors import KDTree
from gramian.plot import plot_voronoi_cells
from gramian.textbook.figures import plot_voronoi_sets
from gramian.textbook.neighbors import BSPTree, VoronoiSlabs, in_voronoi_cell, most_voronoi_vertices

rng = np.random.default_rng(3)
points = rng.uniform(size=(14, 2))

# %%
# In the plane, vertical lines through all vertices of the diagram form slabs, in which the edges
# are ordered from bottom to top. A query takes two binary searches.

where = VoronoiSlabs(points)
queries = rng.uniform(size=(1000, 2))
located = where.locate_all(queries)
nearest = KDTree(points).query(queries, return_distance=False)[:, 0]
right = (located == nearest).mean()
print(f"{len(where.edges)} edges, {len(where.slabs)} slabs, {right:.0%} of the results right")

figure, ax = plt.subplots(figsize=(6, 5), layout="constrained")
plot_voronoi_cells(points, box=(-0.2, 1.2, -0.2, 1.2), ax=ax)
ax.scatter(*points.T, s=14, color="black", zorder=3)
for x in where.breaks:
    ax.axvline(x, color="#c9434a", linewidth=0.6, linestyle=":")
ax.set(xlim=(-0.2, 1.2), title="Voronoi cells and the slabs of their vertices")
plt.show()

# %%
# Other norms give other cells. The diagram of order k has a cell for each set of k nearest points.
# With k = n - 1, each cell belongs to its farthest point.

figure, axes = plt.subplots(2, 3, figsize=(10, 6.6), layout="constrained")
panels = [(1, 1), (1, 2), (1, np.inf), (2, 2), (3, 2), (13, 2)]
for ax, (k, p) in zip(axes.flat, panels, strict=True):
    plot_voronoi_sets(points, k, p, ax=ax)
plt.show()

# %%
# In more dimensions, a tree of bisecting planes finds the cell if there are only a few points.
# The planes cut cells into pieces, and a diagram can have very many vertices: about n^(d/2) for n
# points in d dimensions.

cloud = rng.normal(size=(8, 3))
tree = BSPTree(cloud)
asked = rng.normal(size=(500, 3))
sites = tree.locate_all(asked)
inside = [in_voronoi_cell(cloud, i, q[None])[0] for i, q in zip(sites, asked, strict=True)]
print(f"{tree.n_leaves} pieces of {len(cloud)} cells, depth {tree.depth}")
for d in (2, 3, 5, 10):
    print(f"100 points in {d} dimensions: up to {most_voronoi_vertices(100, d):.3g} vertices")
