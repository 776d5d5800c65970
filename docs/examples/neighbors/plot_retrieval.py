"""
Finding images by their neighbours
==================================

An image is described by a vector, and similar images have nearby vectors. There are two classic
applications: recognise a picture by its nearest neighbour in the space of a few principal
components ("eigenfaces"), and guess where a picture was taken from the places of its 120 nearest
neighbours.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits, load_sample_image
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline

from gramian import PCA, KNeighborsClassifier, LSHNeighbors

# %%
# Recognition ----------- The principal components are themselves pictures. With a handful of
# them, the nearest neighbour recognises a handwritten digit. For faces instead of digits, these
# components are called eigenfaces.

digits = load_digits()
X_train, X_test, y_train, y_test = train_test_split(digits.data, digits.target, random_state=0)
sizes = [2, 5, 10, 20, 40]
accuracy = [
    make_pipeline(PCA(size, random_state=0), KNeighborsClassifier(n_neighbors=1))
    .fit(X_train, y_train)
    .score(X_test, y_test)
    for size in sizes
]
pca = PCA(5, random_state=0).fit(X_train)
figure, axes = plt.subplots(2, 3, figsize=(7, 5), layout="constrained")
names = ["mean", *(f"component {k}" for k in range(1, 6))]
for ax, name, picture in zip(axes.flat, names, [pca.mean_, *pca.components_], strict=True):
    ax.imshow(picture.reshape(8, 8), cmap="gray")
    ax.set_title(name)
    ax.axis("off")
for size, share in zip(sizes, accuracy, strict=True):
    print(f"{size} components: {share:.1%} of new digits recognised")
plt.show()

# %%
# Where was this taken? --------------------- Every patch of 32 x 32 pixels of two photographs is
# described by the mean colours of 8 x 8 squares. The patches that begin in every eighth column of
# squares are the queries; the other patches are the training set. With k = 1, the prediction is
# the photograph and position of the neighbour; with k = 120, it is the photograph that most
# neighbours come from, and the median of their positions in it. One neighbour finds the exact
# position, because patches overlap. If the training set contains only similar places, many
# neighbours are needed.

photographs = [load_sample_image(name) / 255.0 for name in ("china.jpg", "flower.jpg")]
descriptors, places = [], []
for number, photograph in enumerate(photographs):
    means = photograph[:424, :640].reshape(53, 8, 80, 8, 3).mean(axis=(1, 3))
    for row in range(means.shape[0] - 3):
        for column in range(means.shape[1] - 3):
            descriptors.append(means[row : row + 4, column : column + 4].ravel())
            places.append((number, row, column))
descriptors, places = np.array(descriptors), np.array(places)

asked = places[:, 2] % 8 == 4  # stripes whose patches are held out
index = LSHNeighbors(n_neighbors=120, recall=0.95, random_state=0).fit(descriptors[~asked])
neighbours = places[~asked][index.kneighbors(descriptors[asked], return_distance=False)]

one = neighbours[:, 0]
photograph = (neighbours[:, :, 0].mean(axis=1) > 0.5).astype(int)
same = neighbours[:, :, 0] == photograph[:, None]
spots = np.where(same[:, :, None], neighbours[:, :, 1:], np.nan)
many = np.column_stack([photograph, np.nanmedian(spots, axis=1)])
right = {k: float(np.mean(g[:, 0] == places[asked][:, 0])) for k, g in ((1, one), (120, many))}
off = {
    k: np.linalg.norm(8 * (g[:, 1:] - places[asked][:, 1:]), axis=1)
    for k, g in ((1, one), (120, many))
}
print(
    {k: f"{right[k]:.1%} right photograph, median {np.median(off[k]):.0f} pixels off" for k in off}
)

figure, ax = plt.subplots(figsize=(5.5, 3.4), layout="constrained")
for k in off:
    ax.plot(np.sort(off[k]), np.linspace(0, 1, len(off[k])), label=f"{k} nearest")
ax.set(xlabel="pixels off", ylabel="proportion of patches", xlim=(0, 400))
ax.legend()
plt.show()
