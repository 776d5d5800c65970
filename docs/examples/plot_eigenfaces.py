"""
Eigenfaces
==========

The principal components of pictures of faces are pictures too. A face is nearly the mean face plus
a few of them, and its coordinates on them recognise it: without the first three, which are mostly
light, light matters less. `gramian.data.faces` generates small ones.
"""

import matplotlib.pyplot as plt
import numpy as np

from gramian import PCA, KNeighborsClassifier
from gramian.data import faces

X, people = faces(random_state=0)
side = int(np.sqrt(X.shape[1]))
model = PCA(30).fit(X)

figure, axes = plt.subplots(2, 6, figsize=(9, 3.2), layout="constrained")
for ax, picture in zip(axes.flat, [model.mean_, *model.components_], strict=False):
    ax.imshow(picture.reshape(-1, side), cmap="Greys_r")
    ax.axis("off")
plt.show()

# %%
# Reconstruction of one face from growing numbers of components.

counts = [1, 3, 10, 30]
Z = model.transform(X[:1])
errors = []
figure, axes = plt.subplots(1, 5, figsize=(9, 2), layout="constrained")
for ax, k in zip(axes, counts, strict=False):
    near = model.mean_ + Z[:, :k] @ model.components_[:k]
    errors.append(float(np.linalg.norm(near - X[:1])))
    ax.imshow(near.reshape(-1, side), cmap="Greys_r")
    ax.set(title=f"k = {k}")
axes[-1].imshow(X[0].reshape(-1, side), cmap="Greys_r")
axes[-1].set(title="face")
plt.show()

# %%
# Recognition by the nearest neighbour in the coordinates, with and without the first three.

coordinates = model.transform(X)
half = np.arange(len(X)) % 2 == 0
right = {}
for name, part in {"all": coordinates, "without 3": coordinates[:, 3:]}.items():
    nearest = KNeighborsClassifier(1).fit(part[half], people[half])
    right[name] = nearest.score(part[~half], people[~half])
print(right)
