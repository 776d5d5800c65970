"""
Image segmentation by cutting a graph
=====================================

Pixels are the vertices of a graph, and the edge between two neighbouring pixels has a larger
weight if they are more similar. A segmentation is a cut with a small weight that leaves large
parts: the normalised cut of Shi and Malik.
"""

import matplotlib.pyplot as plt
import numpy as np

from gramian.graph import cut_weight, image_graph, recursive_partition
from gramian.plot import plot_segmentation

# %%
# Four shapes of different brightness, with noise.

rows, columns = np.mgrid[0:48, 0:64]
truth = np.zeros(rows.shape, dtype=int)
truth[(rows - 16) ** 2 + (columns - 18) ** 2 < 120] = 1
truth[26:42, 36:58] = 2
truth[(rows > 4) & (rows < 20) & (columns > 38) & (columns - rows < 44)] = 3
rng = np.random.default_rng(0)
image = np.array([0.1, 0.5, 0.8, 0.45])[truth] + 0.03 * rng.normal(size=truth.shape)

# %%
# In each step, the part with the sparsest cut is divided, until there are four parts.

graph = image_graph(image, sigma=0.07, neighbors=8)
labels = recursive_partition(graph, 4)
parts = labels.reshape(truth.shape)
common = [np.bincount(parts[truth == k]).argmax() for k in range(4)]
agree = float(np.mean(parts == np.array(common)[truth]))
print(f"{graph}; cut {cut_weight(graph, labels):.3g}; {agree:.1%} of the pixels as made")

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
left.imshow(image, cmap="gray")
left.set(xticks=[], yticks=[], title="image")
plot_segmentation(image, labels, ax=right)
plt.show()
