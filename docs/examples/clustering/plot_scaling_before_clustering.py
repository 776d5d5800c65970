"""
Normalise before clustering, or not?
====================================

k-means adds squared differences over columns, so a column with large values dominates. Whether
this is desirable depends on the columns. In the wine data, they are measurements in different
units, and normalising recovers the three growers, which the raw values hide. If all columns have
the same unit, normalising may instead amplify noise.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.metrics import adjusted_rand_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from gramian import PCA, KMeans

wine = load_wine()
X, grower = wine.data, wine.target
spread = dict(zip(wine.feature_names, X.std(axis=0), strict=True))
print("largest spread:", max(spread, key=spread.get), "and smallest:", min(spread, key=spread.get))

# %%
# The clusters are drawn over the first two principal components of the normalised data; the marker
# shows the grower. The adjusted Rand index is 1 for identical clusters and about 0 for random ones.

plain = KMeans(3, n_init=10, random_state=0)
scaled = make_pipeline(StandardScaler(), KMeans(3, n_init=10, random_state=0))
view = make_pipeline(StandardScaler(), PCA(2)).fit_transform(X)

figure, axes = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained", sharey=True)
for ax, name, model in zip(axes, ["as measured", "normalised"], [plain, scaled], strict=True):
    labels = model.fit_predict(X)
    for number, marker in enumerate("os^"):
        rows = grower == number
        ax.scatter(*view[rows].T, c=[f"C{label}" for label in labels[rows]], marker=marker)
    ax.set_title(f"{name}: adjusted Rand index {adjusted_rand_score(grower, labels):.2f}")
    ax.set_xlabel("first component")
axes[0].set_ylabel("second component")
plt.show()
