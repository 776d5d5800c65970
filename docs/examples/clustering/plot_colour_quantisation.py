"""
Colour quantisation
===================

A photograph has many thousands of colours; a palette of k colours needs only log2(k) bits per
pixel. k-means on the pixels chooses the palette to minimise the squared error. This is called
vector quantisation.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_sample_image

from gramian import KMeans

photo = load_sample_image("china.jpg")[:, 60:-60]
pixels = (photo.reshape(-1, 3) / 255).astype(np.float32)
print(f"{len(pixels)} pixels, {len(np.unique(pixels, axis=0))} colours")

# %%
# ``predict`` assigns the nearest colour of the palette to every pixel. With twelve colours the
# picture looks like a poster; with 96 it is hard to distinguish from the original.

figure, axes = plt.subplots(2, 2, figsize=(9, 7.4), layout="constrained")
axes.flat[0].imshow(photo)
axes.flat[0].set_title("24 bits a pixel")
for ax, k in zip(axes.flat[1:], [4, 12, 96], strict=True):
    model = KMeans(k, n_init=1, max_iter=30, tol=1e-3, random_state=0).fit(pixels)
    drawn = model.cluster_centers_[model.predict(pixels)]
    error = np.sqrt(np.mean((drawn - pixels) ** 2))
    ax.imshow(drawn.reshape(photo.shape).clip(0, 1))
    ax.set_title(f"{k} colours, {np.log2(k):.1f} bits a pixel, error {error:.3f}")
for ax in axes.flat:
    ax.set_axis_off()
plt.show()
