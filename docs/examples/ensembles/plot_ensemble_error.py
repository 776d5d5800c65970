"""
Error against the number of learners
====================================

The data have ten normal variables; the class says whether the sum of their squares exceeds its
median. A stump is hardly better than random guessing, yet hundreds of boosted stumps are far
better than one large tree. Bagging trees helps too, but soon levels off. The trees of a forest
try only a few columns in each node, so they are less correlated and gain more from averaging.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import chi2

from gramian import (
    AdaBoostClassifier,
    BaggingClassifier,
    DecisionTreeClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from gramian.ensemble import error_against_members
from gramian.plot import plot_error_against_members


def sphere(n, seed):
    X = np.random.default_rng(seed).standard_normal((n, 10))
    return X, np.where((X**2).sum(axis=1) > chi2.ppf(0.5, 10), 1, -1)


X, y = sphere(2000, 1)
Q, truth = sphere(5000, 2)

single = np.mean(DecisionTreeClassifier(random_state=0).fit(X, y).predict(Q) != truth)
models = {
    "AdaBoost, stumps": AdaBoostClassifier(n_estimators=400),
    "boosting, 4 leaves": HistGradientBoostingClassifier(max_iter=400, max_leaf_nodes=4),
    "bagging, full trees": BaggingClassifier(n_estimators=60, random_state=0),
    "random forest": RandomForestClassifier(n_estimators=300, random_state=0),
}
curves = {name: error_against_members(model.fit(X, y), Q, truth) for name, model in models.items()}
ax = plot_error_against_members(curves, single=single, single_label="one full tree")
ax.set_ylabel("error on new rows")
plt.tight_layout()
