"""
A tree, its splits and its cells
================================

A decision tree makes one split after another and so divides the space into boxes. Here is a tree
for iris flowers: as text, as a drawing, as cells in the plane, and as the class proportions in
its leaves. ``export_svg(tree, "tree.svg")`` writes a drawing that any browser can open.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_iris

from gramian import DecisionTreeClassifier, DecisionTreeRegressor
from gramian.plot import plot_cells, plot_leaf_probabilities, plot_step_surface
from gramian.tree import export_rules, export_text, leaf_cells, plot_tree

iris = load_iris()
X, y = iris.data[:, 2:], iris.target_names[iris.target]
names = ["petal length", "petal width"]
model = DecisionTreeClassifier(max_depth=3, min_samples_leaf=3).fit(X, y)
print(export_text(model, feature_names=names))
rules = export_rules(model, feature_names=names)
for rule in rules:
    print(rule)

# %%
# The colour of a box shows its most frequent class; the strip below shows the class proportions.

tree = model.tree_
figure, ax = plt.subplots(figsize=(9, 5), layout="constrained")
plot_tree(model, feature_names=names, filled=True, precision=2, ax=ax)
plt.show()

# %%
# The cells of the leaves, and their class probabilities.

box = (0.5, 7.5, 0.0, 2.7)
cells = leaf_cells(model, box)
labels = [model.classes_[tree.value[leaf, 0].argmax()] for leaf in cells]
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
plot_cells(list(cells.values()), labels, X=X, y=y, ax=left)
leaves = list(cells)
plot_leaf_probabilities(
    tree.value[leaves, 0], tree.weight[leaves], names=list(model.classes_), ax=right
)
plt.show()

# %%
# A regression tree is a step function.

steps = DecisionTreeRegressor(max_leaf_nodes=8).fit(X, iris.data[:, 0])
boxes = steps.leaf_boxes()
low = boxes.lower.clip(box[::2], box[1::2])
high = boxes.upper.clip(box[::2], box[1::2])
heights = steps.tree_.value[boxes.leaf, 0, 0]
surface = plot_step_surface(low, high, heights)
surface.set(xlabel=names[0], ylabel=names[1], zlabel="sepal length")
plt.show()
