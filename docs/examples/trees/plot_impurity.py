"""
Why entropy and Gini, and not the error rate
============================================

A split is good if its children are purer than their parent. Entropy and the Gini impurity are
strictly concave, so every split that changes the class proportions reduces them; the error rate is
piecewise linear, so a split may not reduce it even though the children are purer.
"""

import matplotlib.pyplot as plt
import numpy as np

from gramian.textbook.figures import (
    plot_impurity_curves,
    plot_impurity_simplex,
    plot_information_gain,
)
from gramian.tree import entropy, gini, information_gain, misclassification

p = np.linspace(0, 1, 201)
proportions = np.column_stack([p, 1 - p])
curves = {
    "entropy, bits": entropy(proportions),
    "2 x Gini": 2 * gini(proportions),
    "2 x error rate": 2 * misclassification(proportions),
}
branches = [[10, 9], [10, 1]]
gains = {f.__name__: float(information_gain(branches, f)) for f in (entropy, misclassification)}
print(gains)

figure, axes = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
plot_impurity_curves(p, curves, ax=axes[0])
children, weights = [10 / 19, 10 / 11], [19, 11]
plot_information_gain(p, entropy(proportions), children, weights, ax=axes[1])
plot_information_gain(p, misclassification(proportions), children, weights, ax=axes[2])
plt.show()

# %%
# With three classes the proportions are points of a triangle; entropy is largest at its centre.

plot_impurity_simplex(entropy)
plt.show()
