"""
Decision regions of any classifier
==================================

The plot takes any predict function, so it works for every classifier: from gramian, from
scikit-learn, or a rule of your own.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from gramian import KNeighborsClassifier, QuadraticDiscriminantAnalysis
from gramian.plot import draw_decision_regions

iris = load_iris()
X, y = iris.data[:, 2:], iris.target_names[iris.target]


def rule(flowers):
    """Two thresholds on the width of the petal, read off by eye."""
    return np.array(["setosa", "versicolor", "virginica"])[np.digitize(flowers[:, 1], [0.8, 1.65])]


contenders = {
    "15 nearest neighbours": KNeighborsClassifier(n_neighbors=15).fit(X, y).predict,
    "quadratic discriminant": QuadraticDiscriminantAnalysis().fit(X, y).predict,
    "decision tree": DecisionTreeClassifier(random_state=0).fit(X, y).predict,
    "by eye": rule,
}

figure, axes = plt.subplots(2, 2, figsize=(9, 7), layout="constrained", sharex=True, sharey=True)
for ax, (name, predict) in zip(axes.flat, contenders.items(), strict=True):
    draw_decision_regions(predict, X, y, ax=ax)
    ax.set_title(f"{name}: {np.mean(predict(X) != y):.1%} error")
figure.supxlabel(iris.feature_names[2])
figure.supylabel(iris.feature_names[3])
plt.show()
