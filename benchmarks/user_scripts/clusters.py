"""How many clusters: k-means, mixtures and densities after a projection."""

import numpy as np
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from sklearn.datasets import make_blobs
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_rand_score, silhouette_score
from sklearn.mixture import GaussianMixture
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

X, y = make_blobs(8_000, 20, centers=8, cluster_std=3.0, random_state=0)
Z = make_pipeline(StandardScaler(), PCA(6, random_state=0)).fit_transform(X)
silhouettes = {}
for k in range(4, 13):
    labels = KMeans(k, n_init=10, random_state=0).fit_predict(Z)
    silhouettes[k] = silhouette_score(Z, labels, sample_size=2_000, random_state=0)
best = max(silhouettes, key=silhouettes.get)
criteria = [GaussianMixture(k, random_state=0).fit(Z).bic(Z) for k in range(4, 11)]
print("k-means", best, "mixture", 4 + int(np.argmin(criteria)))
found = {
    "k-means": KMeans(best, n_init=10, random_state=0).fit_predict(Z),
    "Ward": AgglomerativeClustering(best).fit_predict(Z[:5_000]),
    "densities": DBSCAN(eps=0.6, min_samples=10).fit_predict(Z),
}
for name, labels in found.items():
    print(name, adjusted_rand_score(y[: len(labels)], labels))
print("score", adjusted_rand_score(y, found["k-means"]))
