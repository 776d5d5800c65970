"""
Nearest centroids and contours of scores
========================================

The centroid method computes the mean of each class and divides the plane halfway between them. Its
score is linear, so its contours are parallel lines; a score with squares and products has curved
contours.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.pipeline import make_pipeline

from gramian import LogisticRegression, NearestCentroid, QuadricFeatures
from gramian.plot import plot_score_contours
from gramian.textbook.figures import plot_centroids

rng = np.random.default_rng(0)
X = np.vstack([rng.normal(size=(60, 2)) - [1.2, 0.4], 0.8 * rng.normal(size=(60, 2)) + [1.2, 0.8]])
y = np.repeat(["C", "X"], 60)

# %%
# Two means and a bisector
# ------------------------
#
# The score is (mean difference) . (x - middle). If the means differ, at least one point of each
# class lies on the correct side.

model = NearestCentroid().fit(X, y)
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.6), layout="constrained")
plot_centroids(X, y, model.centroids_, ax=left)
plot_score_contours(model.decision_function, X, y, levels=(-6, -3, 0, 3, 6), ax=right)
plt.show()

# %%
# A nonlinear score
# -----------------
#
# The same points with squares and products as features: the contours are conics, and the surface
# shows how the score rises.

bent = make_pipeline(QuadricFeatures(), LogisticRegression()).fit(X, y)
figure = plt.figure(figsize=(11, 4.6), layout="constrained")
flat, surface = figure.add_subplot(1, 2, 1), figure.add_subplot(1, 2, 2, projection="3d")
plot_score_contours(bent.decision_function, X, y, ax=flat)
plot_score_contours(bent.decision_function, X, y, resolution=60, ax=surface)
plt.show()
