"""
Principal components: scatter, biplot, scree
============================================

`gramian.PCA` turns rows to the axes of greatest variance. Two coordinates often show the groups;
the arrows of a biplot show what each column adds to them, and the scree plot how much variance is
left.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from gramian import PCA, FactorAnalysis
from gramian.decomposition import parallel_analysis, total_least_squares
from gramian.linalg import QuadraticForm
from gramian.manifold import ClassicalMDS
from gramian.preprocessing import Whitener

wine = load_wine()
X = StandardScaler().fit_transform(wine.data)
model = PCA().fit(X)
Z = model.transform(X)
kept = parallel_analysis(X)

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
left.scatter(Z[:, 0], Z[:, 1], c=wine.target, s=12)
for name, (a, b) in zip(wine.feature_names, 6 * model.components_[:2].T, strict=True):
    left.annotate(name, (0, 0), (a, b), fontsize=6, arrowprops={"arrowstyle": "<-"})
left.set(xlabel="first component", ylabel="second component")
number = np.arange(1, len(model.explained_variance_) + 1)
right.bar(number, model.explained_variance_, color="lightgrey")
right.set(xlabel="component", ylabel="variance", title=f"{kept} above shuffled columns")
proportion = np.cumsum(model.explained_variance_ratio_)
right.twinx().plot(number, proportion, marker="o", color="black")
plt.show()

# %%
# Raw, centred, decorrelated and whitened: each step of `gramian.preprocessing.Whitener`.

rng = np.random.default_rng(0)
raw = rng.normal(size=(300, 2)) @ [[2.0, 1.0], [0.0, 0.6]] + [4.0, 3.0]
panels = {
    "raw": raw,
    "centred": raw - raw.mean(axis=0),
    "decorrelated": Whitener("decorrelate").fit_transform(raw),
    "whitened": Whitener("zca").fit_transform(raw),
}
figure, axes = plt.subplots(1, 4, figsize=(11, 3), sharex=True, sharey=True, layout="constrained")
for ax, (title, points) in zip(axes, panels.items(), strict=True):
    ax.scatter(*points.T, s=4)
    ax.set(title=title, aspect="equal")
plt.show()

# %%
# The first component is the line nearest to the points in orthogonal distance; the regression line
# is nearest along y, and flatter.

orthogonal = total_least_squares(raw[:, 0], raw[:, 1])
slope = np.polyfit(raw[:, 0], raw[:, 1], 1)[0]
print(f"slope of the regression line {slope:.3f}, of the component {orthogonal.coef[0]:.3f}")

# %%
# Level sets of quadratic forms have the eigenvectors as axes, with radii 1 / sqrt(eigenvalue).

forms = {
    "positive definite": QuadraticForm([[2.0, 0.8], [0.8, 1.0]]),
    "positive semidefinite": QuadraticForm([[1.0, 1.0], [1.0, 1.0]]),
    "indefinite": QuadraticForm([[1.0, 0.5], [0.5, -1.0]]),
}
grid = np.stack(np.meshgrid(np.linspace(-2, 2, 60), np.linspace(-2, 2, 60)), axis=-1)
figure, axes = plt.subplots(1, 3, figsize=(10, 3.2), layout="constrained")
for ax, (kind, form) in zip(axes, forms.items(), strict=True):
    values = form(grid.reshape(-1, 2)).reshape(grid.shape[:2])
    ax.contour(grid[..., 0], grid[..., 1], values, levels=[-2, -1, 0, 1, 2, 4])
    for axis in form.axes.T:
        ax.plot(*np.outer([-1, 1], axis).T, color="black")
    ax.set(title=kind, aspect="equal")
plt.show()

# %%
# Classical scaling finds points from their distances alone, and factor analysis the loadings of
# columns on common factors, turned to simple structure.

distances = ClassicalMDS().fit(X).dissimilarity_matrix_
points = ClassicalMDS(metric="precomputed").fit_transform(distances)
loadings = FactorAnalysis(2, rotation="varimax").fit(X).components_.T
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
left.scatter(*points.T, c=wine.target, s=12)
right.imshow(np.abs(loadings), cmap="Greys")
right.set_yticks(range(13), wine.feature_names, fontsize=6)
plt.show()
