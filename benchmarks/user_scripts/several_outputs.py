"""Several targets at once: numbers by a forest, labels by a chain."""

import numpy as np
from sklearn.datasets import make_multilabel_classification
from sklearn.ensemble import ExtraTreesRegressor, RandomForestRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import jaccard_score
from sklearn.model_selection import train_test_split
from sklearn.multioutput import ClassifierChain, MultiOutputClassifier

rng = np.random.default_rng(0)
X = rng.uniform(-3, 3, size=(4_000, 10))
Y = np.column_stack([np.sin(X[:, 0]) + X[:, 1], np.cos(X[:, 0]) * X[:, 2], X[:, 3] ** 2])
Y += 0.1 * rng.normal(size=Y.shape)
X_train, X_test, Y_train, Y_test = train_test_split(X, Y, random_state=0)
scores = []
for model in (Ridge(), RandomForestRegressor(100, random_state=0), ExtraTreesRegressor(100)):
    scores.append(model.fit(X_train, Y_train).score(X_test, Y_test))
    print(type(model).__name__, scores[-1])

X, Y = make_multilabel_classification(5_000, 40, n_classes=8, random_state=0)
X_train, X_test, Y_train, Y_test = train_test_split(X, Y, random_state=0)
linear = LogisticRegression(max_iter=2000)
for labels in (MultiOutputClassifier(linear), ClassifierChain(linear, random_state=0)):
    predicted = labels.fit(X_train, Y_train).predict(X_test)
    scores.append(jaccard_score(Y_test, predicted, average="samples", zero_division=0))
    print(type(labels).__name__, scores[-1])
print("score", sum(scores) / len(scores))
