"""
k-means from small batches
==========================

``MiniBatchKMeans`` moves its centres a little after every small random batch, so it has good
centres long before it has seen all the data. It also learns from a stream: ``partial_fit`` takes
one batch and does not store it. Its final objective is slightly higher than that of Lloyd's
algorithm.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from gramian import KMeans, MiniBatchKMeans

X, _ = load_digits(return_X_y=True)
full = KMeans(10, n_init=5, random_state=0).fit(X)

# %%
# The objective on all digits after each batch of 100 digits, in random order:

rng = np.random.default_rng(0)
online = MiniBatchKMeans(10, random_state=0)
objective = []
for _ in range(4):
    for batch in np.array_split(rng.permutation(X), len(X) // 100):
        online.partial_fit(batch)
        objective.append(-online.score(X))

figure, ax = plt.subplots(figsize=(7, 3.6), layout="constrained")
ax.plot(100 * np.arange(1, len(objective) + 1), objective, label="MiniBatchKMeans")
ax.axhline(full.inertia_, color="#e0742c", linestyle="--", label="KMeans, all data")
ax.set(xlabel="digits seen", ylabel="objective J on all digits")
ax.legend()
plt.show()

# %%
# The centres are average digits.

figure, axes = plt.subplots(1, 10, figsize=(9, 1.2), layout="constrained")
for ax, center in zip(axes, online.cluster_centers_, strict=True):
    ax.imshow(center.reshape(8, 8), cmap="gray_r")
    ax.set_axis_off()
plt.show()
