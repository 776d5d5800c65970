"""
k-d trees: exact and approximate queries
========================================

A k-d tree divides space into boxes and visits only those that may contain a nearer point. If the
results may be up to 1 + eps times as far away as the true neighbours, it skips more boxes. Even
with eps = 1 most results are exact, because the bound is for the worst case.
"""

import matplotlib.pyplot as plt
import numpy as np

from gramian.neighbors import KDTree

rng = np.random.default_rng(0)
points, queries = rng.normal(size=(20_000, 6)), rng.normal(size=(1_000, 6))
tree = KDTree(points)
exact, nearest = tree.query(queries, k=1)

# %%
# The error of the approximate results, the proportion of exact results, and the proportion of
# points visited:

tolerances = [0.0, 0.25, 0.5, 1.0, 2.0, 4.0]
worst, mean, right, looked_at = [], [], [], []
for eps in tolerances:
    distance, index = tree.query(queries, k=1, eps=eps)
    worst.append((distance / exact).max())
    mean.append((distance / exact).mean())
    right.append((index == nearest).mean())
    looked_at.append(tree.visits().points / len(queries) / len(points))

figure, (left_ax, right_ax) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
left_ax.plot(tolerances, 1 + np.array(tolerances), "--", color="grey", label="allowed: 1 + eps")
left_ax.plot(tolerances, worst, marker="o", label="worst of 1000")
left_ax.plot(tolerances, mean, marker="o", label="mean")
left_ax.set(xlabel="eps", ylabel="distance found / nearest distance")
left_ax.legend()
right_ax.plot(tolerances, right, marker="o", label="exact results")
right_ax.plot(tolerances, looked_at, marker="o", label="points visited")
right_ax.set(xlabel="eps", ylabel="proportion", ylim=(0, 1.05))
right_ax.legend()
plt.show()

# %%
# The tree also counts or lists the points within a radius.

inside = tree.query_radius(queries, r=0.8)
print(f"within 0.8: {np.mean([len(found) for found in inside]):.1f} points on average")
