"""
Error against the number of learners
====================================

Ten normal variables; the class tells whether their squares sum to more than the median. A stump is
hardly better than chance, yet boosting hundreds of them leaves one big tree far behind. Averaging
bagged trees helps too, and soon has helped all it can.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import chi2

from gramian import (
    AdaBoostClassifier,
    BaggingClassifier,
    DecisionTreeClassifier,
    HistGradientBoostingClassifier,
)
from gramian.plot import plot_training_curves


def sphere(n, seed):
    X = np.random.default_rng(seed).standard_normal((n, 10))
    return X, np.where((X**2).sum(axis=1) > chi2.ppf(0.5, 10), 1, -1)


X, y = sphere(2000, 1)
Q, truth = sphere(5000, 2)

tree = np.mean(DecisionTreeClassifier(random_state=0).fit(X, y).predict(Q) != truth)
stumps = AdaBoostClassifier(n_estimators=400).fit(X, y)
boosted = HistGradientBoostingClassifier(max_iter=400, max_leaf_nodes=4).fit(X, y)
bagged = BaggingClassifier(n_estimators=60, random_state=0).fit(X, y)

shares = np.cumsum([member.predict_proba(Q)[:, 1] for member in bagged.estimators_], axis=0)
counts = np.arange(1, len(shares) + 1)[:, None]
curves = {
    "AdaBoost, stumps": [np.mean(p != truth) for p in stumps.staged_predict(Q)],
    "boosting, 4 leaves": [np.mean(p != truth) for p in boosted.staged_predict(Q)],
    "bagging, full trees": np.mean(np.where(shares / counts > 0.5, 1, -1) != truth, axis=1),
}
ax = plot_training_curves(curves, xlabel="learners", ylabel="error on new rows")
ax.axhline(tree, color="0.5", linestyle=":")
ax.annotate("one tree grown out", (200, tree + 0.008), color="0.4")
plt.tight_layout()
