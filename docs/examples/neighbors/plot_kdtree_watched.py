"""
A k-d tree, traced
==================

`gramian.textbook.neighbors.TextbookKDTree` is the k-d tree of the textbooks, in plain Python, with
the options that they discuss and a trace of every query. (Use `gramian.neighbors.KDTree` for
speed.) The boxes that a query visited are shaded; the circle passes through the nearest point.
"""

import matplotlib.pyplot as plt
import numpy as np

from gramian.textbook.figures import plot_boxes
from gramian.textbook.neighbors import TextbookKDTree

rng = np.random.default_rng(4)
points = rng.normal(size=(60, 2))
query = np.array([1.24, -0.07])


def draw(ax, tree, method):
    """Draw the leaves, those that the query visited, and its result."""
    answer = tree.query(query, method=method)
    entered = {step.node for step in answer.trace if step.action == "enter"}
    leaves = tree.leaves
    plot_boxes(
        [leaf.low for leaf in leaves],
        [leaf.high for leaf in leaves],
        points,
        visited=[leaf.number in entered for leaf in leaves],
        query=query,
        radius=answer.distances[0],
        found=points[answer.indices],
        ax=ax,
    )
    ax.set_title(f"{method}: {answer.n_points} points, {answer.n_boxes} boxes", fontsize=10)
    return answer


# %%
# It is fast to descend to the leaf that contains the query and stop there, but the result may be
# wrong: here the circle around the query crosses the border of the leaf, and a nearer point lies
# beyond it. Visiting all boxes that the circle overlaps corrects this. Best-first search, which
# always visits the nearest box next, visits the fewest boxes.

tree = TextbookKDTree(points, leaf_size=4)
figure, axes = plt.subplots(1, 3, figsize=(12, 4), layout="constrained")
answers = {
    method: draw(ax, tree, method)
    for ax, method in zip(axes, ("greedy", "overlap", "best_first"), strict=True)
}
plt.show()

# %%
# Greedy descent fails more often in higher dimensions, where a leaf has more borders.

dimensions = [1, 2, 3, 4, 6, 8]
failures = [
    TextbookKDTree(rng.normal(size=(500, d)), leaf_size=5).greedy_failures(
        rng.normal(size=(200, d))
    )
    for d in dimensions
]

# %%
# The splitting rule determines the shape of the boxes: medians give a balanced tree, middles give
# boxes that are not too thin.

choices = [
    {"feature": "widest", "value": "median"},
    {"feature": "rotate", "value": "median"},
    {"feature": "random", "value": "median", "random_state": 0},
    {"feature": "widest", "value": "middle"},
    {"feature": "widest", "value": "alternate"},
    {"feature": "widest", "value": "median", "store": "nodes"},
]
figure, axes = plt.subplots(2, 3, figsize=(12, 7.6), layout="constrained")
for ax, choice in zip(axes.flat, choices, strict=True):
    tree = TextbookKDTree(points, leaf_size=4, **choice)
    draw(ax, tree, "best_first")
    words = [str(v) for k, v in choice.items() if k != "random_state"]
    ax.set_title(f"{', '.join(words)}: depth {tree.depth}", fontsize=10)
plt.show()

# %%
# The savings depend on the points. The worst case is points on a sphere around the query: all are
# equally near, and no box can be excluded.

sphere = rng.normal(size=(500, 3))
sphere /= np.linalg.norm(sphere, axis=1, keepdims=True)
kinds = {"normal": rng.normal(size=(500, 3)), "sphere": sphere}
measured = {
    name: TextbookKDTree(X, leaf_size=5).query(np.zeros(3)).n_points for name, X in kinds.items()
}

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
left.plot(dimensions, failures, marker="o")
left.set(xlabel="features", ylabel="greedy descent misses the nearest", ylim=(0, 1))
right.barh(list(measured), list(measured.values()))
right.set(xlabel="points measured of 500")
plt.show()
