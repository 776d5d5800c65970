"""
Oblique splits
==============

An ordinary tree splits parallel to the axes and approximates an oblique boundary by a staircase.
An oblique tree splits along a line from a linear classifier, the best of several random lines, or
a conic.
"""

import matplotlib.pyplot as plt
import numpy as np

from gramian import DecisionTreeClassifier, ObliqueTreeClassifier
from gramian.plot import draw_decision_regions, plot_cells
from gramian.tree import export_text, leaf_cells

rng = np.random.default_rng(0)
X = rng.uniform(-1, 1, size=(300, 2))
y = np.where(X[:, 0] + 0.7 * X[:, 1] > 0, "above", "below")

models = {
    "along the axes": DecisionTreeClassifier().fit(X, y),
    "logistic regression": ObliqueTreeClassifier().fit(X, y),
    "best of 50 random lines": ObliqueTreeClassifier(split="random", random_state=0).fit(X, y),
}
figure, axes = plt.subplots(1, 3, figsize=(12, 4), layout="constrained")
for ax, (name, model) in zip(axes, models.items(), strict=True):
    cells = leaf_cells(model, (-1, 1, -1, 1))
    labels = [model.classes_[model.tree_.value[leaf, 0].argmax()] for leaf in cells]
    plot_cells(list(cells.values()), labels, X=X, y=y, ax=ax)
    ax.set_title(f"{name}: {model.get_n_leaves()} leaves")
plt.show()
print(export_text(models["logistic regression"], feature_names=["x", "y"]))

# %%
# With squares and products of the features, the boundaries are conics.

ring = np.where((X**2).sum(axis=1) < 0.5, "inside", "outside")
conics = ObliqueTreeClassifier(shape="quadratic").fit(X, ring)
ax = draw_decision_regions(conics.predict, X, ring)
ax.set_title(f"a conic: {conics.get_n_leaves()} leaves")
plt.show()
