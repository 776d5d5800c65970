"""
Edges and orientations
======================

Pixel values change with the light, but edges do not. A gradient filter finds edges, histograms of
their orientations describe regions, and equalised grey levels undo a change of exposure.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from gramian import KNeighborsClassifier
from gramian.feature_extraction.image import (
    equalize_histogram,
    image_gradients,
    join_descriptors,
    orientation_histograms,
)
from gramian.plot import plot_edge_map, plot_orientation_histograms

# %%
# A round shape with texture and noise, under light that falls off to the right.

rows, columns = np.mgrid[0:64, 0:64]
rng = np.random.default_rng(0)
disc = (rows - 32) ** 2 + (columns - 30) ** 2 < 400
image = np.where(disc, 0.6 + 0.2 * np.sin(rows / 2.5), 0.2) * np.exp(-columns / 60)
image += 0.02 * rng.normal(size=image.shape)

figure, axes = plt.subplots(2, 3, figsize=(10, 7), layout="constrained")
axes[0, 0].imshow(image, cmap="gray")
axes[0, 0].set(xticks=[], yticks=[], title="image")
for ax, method in zip(axes.ravel()[1:4], ("tap", "sobel", "gaussian"), strict=True):
    edges = image_gradients(image, method=method, sigma=1.5)
    plot_edge_map(edges.magnitude, ax=ax).set_title(method)
cells = orientation_histograms(image, cell=8, method="gaussian").reshape(8, 8, 12)
plot_orientation_histograms(image, cells, ax=axes[1, 1])
axes[1, 2].imshow(equalize_histogram(image), cmap="gray")
axes[1, 2].set(xticks=[], yticks=[], title="equalised")
plt.show()

# %%
# Digits with random contrast and brightness: nearest neighbours are often wrong for raw pixels,
# but seldom for block-normalised orientations or equalised grey levels.

X, y = load_digits().images, load_digits().target
dim = X * rng.uniform(0.2, 1.0, (len(X), 1, 1)) + rng.uniform(0, 16, (len(X), 1, 1))
orientations = orientation_histograms(dim, cell=2, block=2, signed=True)
features = {
    "pixels": dim.reshape(len(X), -1),
    "equalised": equalize_histogram(dim).reshape(len(X), -1),
    "orientations": orientations,
    "both": join_descriptors(equalize_histogram(dim), orientations),
}
accuracy = {}
for name, table in features.items():
    model = KNeighborsClassifier(1).fit(table[:1000], y[:1000])
    accuracy[name] = model.score(table[1000:], y[1000:])
print({name: round(value, 3) for name, value in accuracy.items()})
