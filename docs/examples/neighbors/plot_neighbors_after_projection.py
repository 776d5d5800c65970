"""
Neighbours after PCA or random projection
=========================================

Distances in many dimensions are expensive, and most of the dimensions carry little information.
Projecting first makes the search cheaper but approximate. PCA adapts to the data. A random
projection does not, but it preserves distances within a factor of 1 + eps if it has enough
dimensions (Johnson and Lindenstrauss). Both can be a step before the classifier in a pipeline.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline

from gramian import PCA, GaussianRandomProjection, KNeighborsClassifier, NearestNeighbors

X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
exact = NearestNeighbors(n_neighbors=10).fit(X_train).kneighbors(X_test, return_distance=False)

# %%
# Recall is the proportion of the ten true neighbours that the projected search finds. The
# accuracy suffers less, because the neighbours found instead are often of the same class.

sizes = [2, 4, 8, 12, 16, 24, 32, 48, 61]  # three pixels are blank in all rows
maps = {
    "PCA": lambda size: PCA(size, random_state=0),
    "random projection": lambda size: GaussianRandomProjection(size, random_state=0),
}

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
for name, make in maps.items():
    recall, accuracy = [], []
    for size in sizes:
        project = make(size).fit(X_train)
        index = NearestNeighbors(n_neighbors=10).fit(project.transform(X_train))
        found = index.kneighbors(project.transform(X_test), return_distance=False)
        shared = [len(np.intersect1d(a, b)) for a, b in zip(exact, found, strict=True)]
        recall.append(np.mean(shared) / 10)
        model = make_pipeline(make(size), KNeighborsClassifier(n_neighbors=5))
        accuracy.append(model.fit(X_train, y_train).score(X_test, y_test))
    left.plot(sizes, recall, marker="o", markersize=4, label=name)
    right.plot(sizes, accuracy, marker="o", markersize=4, label=name)

full = KNeighborsClassifier(n_neighbors=5).fit(X_train, y_train).score(X_test, y_test)
right.axhline(full, color="grey", linestyle="--", linewidth=1, label="all 64 pixels")
left.set(xlabel="dimensions kept", ylabel="recall of the ten nearest")
right.set(xlabel="dimensions kept", ylabel="accuracy of five neighbours")
left.legend()
right.legend()
plt.show()
