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
from gramian.plot import plot_image_grid

X, people = faces(random_state=0)
side = int(np.sqrt(X.shape[1]))
model = PCA(30).fit(X)

figure, ax = plt.subplots(figsize=(9, 3.2), layout="constrained")
plot_image_grid(np.vstack([model.mean_, model.components_[:11]]).reshape(-1, side, side), ax=ax)
plt.show()

# %%
# Reconstruction of one face from growing numbers of components.

counts = [1, 3, 10, 30]
Z = model.transform(X[:1])
near = [model.mean_ + Z[0, :k] @ model.components_[:k] for k in counts]
errors = [float(np.linalg.norm(picture - X[0])) for picture in near]
figure, ax = plt.subplots(figsize=(9, 2), layout="constrained")
titles = [*(f"k = {k}" for k in counts), "face"]
plot_image_grid(np.array([*near, X[0]]).reshape(-1, side, side), titles=titles, ax=ax)
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
