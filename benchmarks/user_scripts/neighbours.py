"""Nearest neighbours: the best k, a discriminant before them, a map, and missing values."""

import numpy as np
from sklearn.datasets import load_digits
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.impute import KNNImputer
from sklearn.manifold import Isomap
from sklearn.model_selection import GridSearchCV, cross_val_score, train_test_split
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors
from sklearn.pipeline import make_pipeline

X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
grid = {"n_neighbors": [1, 3, 5, 9, 15], "weights": ["uniform", "distance"], "p": [1, 2]}
search = GridSearchCV(KNeighborsClassifier(), grid, cv=5).fit(X_train, y_train)
reduced = make_pipeline(LinearDiscriminantAnalysis(), KNeighborsClassifier(9))
mapped = make_pipeline(Isomap(n_neighbors=10, n_components=8), KNeighborsClassifier())
scores = [
    search.score(X_test, y_test),
    cross_val_score(reduced, X, y, cv=5).mean(),
    mapped.fit(X_train, y_train).score(X_test, y_test),
]
rng = np.random.default_rng(0)
holes = np.where(rng.random(X.shape) < 0.1, np.nan, X)
filled = KNNImputer().fit_transform(holes)
scores.append(KNeighborsClassifier().fit(filled[::2], y[::2]).score(filled[1::2], y[1::2]))
distances, _ = NearestNeighbors(n_neighbors=10).fit(X).kneighbors()
print(search.best_params_, scores, distances.mean())
print("score", sum(scores) / len(scores))
