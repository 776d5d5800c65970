"""
Eigenfaces
==========

The principal components of pictures of faces are pictures too. A face is nearly the mean face
plus a combination of a few components, and its coordinates identify the person. In photographs
the first three components mostly describe the lighting and are often left out. The faces of
`gramian.textbook.data_sets.faces` have nearly the same lighting, so leaving them out does not
help here.
"""

import matplotlib.pyplot as plt
import numpy as np

from gramian import PCA, KNeighborsClassifier
from gramian.feature_extraction.image import equalize_histogram
from gramian.plot import plot_image_grid
from gramian.textbook.data_sets import faces

X, people = faces(random_state=0)
side = int(np.sqrt(X.shape[1]))
model = PCA(30).fit(X)

figure, ax = plt.subplots(figsize=(9, 3.6), layout="constrained")
pictures = np.vstack([model.mean_, model.components_[:11]]).reshape(-1, side, side)
titles = ["mean", *(f"component {j}" for j in range(1, 12))]
plot_image_grid(pictures, titles=titles, ax=ax)
plt.show()

# %%
# One face reconstructed from an increasing number of components.

counts = [1, 3, 10, 30]
Z = model.transform(X[:1])
near = [model.mean_ + Z[0, :k] @ model.components_[:k] for k in counts]
errors = [float(np.linalg.norm(picture - X[0])) for picture in near]
figure, ax = plt.subplots(figsize=(9, 2), layout="constrained")
titles = [*(f"k = {k}" for k in counts), "face"]
plot_image_grid(np.array([*near, X[0]]).reshape(-1, side, side), titles=titles, ax=ax)
plt.show()

# %%
# Recognition by the nearest neighbour in these coordinates, with and without the first three.

half = np.arange(len(X)) % 2 == 0
known, new = X[half], X[~half]


def recognised(known, new, first=0):
    """Return the proportion of new faces whose nearest known face is of the same person."""
    model = PCA(30).fit(known)
    nearest = KNeighborsClassifier(1).fit(model.transform(known)[:, first:], people[half])
    return nearest.score(model.transform(new)[:, first:], people[~half])


right = {"all": recognised(known, new), "without 3": recognised(known, new, first=3)}
print(right)

# %%
# The same with new pictures of a different exposure (the square root of the brightness). Now the
# coordinates are useless, unless the grey levels of all pictures are equalised first.

exposed = np.sqrt(new)


def equalised(pictures):
    """Return pictures with grey levels equalised."""
    return equalize_histogram(pictures.reshape(-1, side, side)).reshape(len(pictures), -1)


right["exposed"] = recognised(known, exposed)
right["equalised"] = recognised(equalised(known), equalised(exposed))
print(right)
