"""
How large should a tree be?
===========================

A fully grown tree memorises its training rows. Removing splits raises the training error and, up
to a point, lowers the test error. Held-out rows show where that point is. If there are none to
spare, cross-validation chooses the penalty per leaf, and the one-standard-error rule selects the
smallest tree that is not clearly worse.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from gramian import DecisionTreeClassifier
from gramian.plot import plot_pruning_curve
from gramian.tree import prune_cost_complexity, prune_pessimistic, prune_reduced_error

X, y = load_breast_cancer(return_X_y=True)
y = y ^ (np.random.default_rng(0).random(len(y)) < 0.1)  # a tenth of the labels is wrong
X, X_test, y, y_test = train_test_split(X, y, test_size=0.3, random_state=0)
X_grow, X_val, y_grow, y_val = train_test_split(X, y, test_size=0.33, random_state=0)

grown = DecisionTreeClassifier().fit(X_grow, y_grow)
held_out = prune_reduced_error(grown, X_val, y_val)
whole = DecisionTreeClassifier().fit(X, y)
priced = prune_cost_complexity(whole, X, y, cv=10)
cautious = prune_pessimistic(whole, formula="weka")

found = {
    "fully grown": whole,
    "reduced error": held_out.estimator,
    "cost-complexity": priced.estimator,
    "pessimistic": cautious.estimator,
}
for name, model in found.items():
    print(f"{name:18s} {model.get_n_leaves():3d} leaves, test {model.score(X_test, y_test):.3f}")

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
for ax, (title, curve) in zip(
    (left, right),
    {"rows held out": held_out.curve, "cross-validation": priced.curve}.items(),
    strict=True,
):
    plot_pruning_curve(
        curve.n_leaves,
        curve.train_error,
        curve.estimated_error,
        chosen=curve.chosen,
        standard_error=curve.standard_error,
        ax=ax,
    )
    ax.set_title(title)
plt.show()
