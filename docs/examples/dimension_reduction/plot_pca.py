"""
Principal components: scatter, biplot, scree
============================================

`gramian.PCA` rotates the rows to the axes of greatest variance. Two coordinates often show the
groups. The arrows of a biplot show how each column contributes to them, and the scree plot shows
how much variance is left.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from gramian import PCA, FactorAnalysis
from gramian.decomposition import parallel_analysis, total_least_squares
from gramian.manifold import ClassicalMDS
from gramian.plot import plot_biplot, plot_loadings, plot_scree
from gramian.preprocessing import Whitener
from gramian.textbook.figures import plot_quadratic_form
from gramian.textbook.linear_algebra import QuadraticForm

wine = load_wine()
X = StandardScaler().fit_transform(wine.data)
model = PCA().fit(X)
Z = model.transform(X)
kept = parallel_analysis(X)

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 5), layout="constrained")
arrows = model.components_[:2].T
groups = wine.target_names[wine.target]
plot_biplot(Z[:, :2], arrows, labels=groups, names=wine.feature_names, ax=left)
plot_scree(model.explained_variance_, kept=kept, ax=right).set_title(
    f"{kept} above shuffled columns"
)
plt.show()

# %%
# Raw, centred, decorrelated and whitened points: the steps of `gramian.preprocessing.Whitener`.

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
# The first component is the line with the smallest orthogonal distances to the points; the
# regression line has the smallest vertical distances and is flatter.

orthogonal = total_least_squares(raw[:, 0], raw[:, 1])
slope = np.polyfit(raw[:, 0], raw[:, 1], 1)[0]
print(f"slope of the regression line {slope:.3f}, of the component {orthogonal.coef[0]:.3f}")

# %%
# The axes of the level sets of a quadratic form are its eigenvectors. On the dashed line the form
# is 1, and the radii are 1 / sqrt(eigenvalue). A positive definite form is a bowl with one lowest
# point, a semidefinite form is a valley with a flat floor, and an indefinite form is a saddle
# without a minimum.

forms = [
    QuadraticForm([[2.0, 0.8], [0.8, 1.0]]),
    QuadraticForm([[1.0, 1.0], [1.0, 1.0]]),
    QuadraticForm([[1.0, 0.5], [0.5, -1.0]]),
]
figure = plt.figure(figsize=(10, 6.4), layout="constrained")
x, y = np.meshgrid(*[np.linspace(-2, 2, 41)] * 2)
for place, form in enumerate(forms, start=1):
    plot_quadratic_form(form.M, ax=figure.add_subplot(2, 3, place)).set_title(form.definiteness)
    surface = figure.add_subplot(2, 3, 3 + place, projection="3d")
    (a, b), (_, c) = form.M
    surface.plot_surface(x, y, a * x**2 + 2 * b * x * y + c * y**2, cmap="viridis")
plt.show()

# %%
# Classical scaling finds points from their distances alone. Factor analysis finds the loadings of
# columns on common factors, rotated to simple structure.

distances = ClassicalMDS().fit(X).dissimilarity_matrix_
points = ClassicalMDS(metric="precomputed").fit_transform(distances)
loadings = FactorAnalysis(2, rotation="varimax").fit(X).components_.T
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for number, name in enumerate(wine.target_names):
    left.scatter(*points[wine.target == number].T, s=12, label=name)
left.set(xlabel="first coordinate", ylabel="second coordinate")
left.legend()
plot_loadings(loadings, names=wine.feature_names, ax=right)
plt.show()
