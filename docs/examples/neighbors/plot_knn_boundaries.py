"""
k-nearest neighbours: how many?
===============================

A single neighbour reproduces the training labels, including the noise; too many neighbours smooth
the boundary away. Choose the number on rows that the model was not fitted to.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer, make_moons
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

from gramian import KNeighborsClassifier
from gramian.neighbors import error_against_k
from gramian.plot import draw_decision_regions, plot_error_against_k

# %%
# Boundaries for several k
# ------------------------

X, y = make_moons(250, noise=0.3, random_state=0)

figure, axes = plt.subplots(2, 2, figsize=(9, 7), layout="constrained")
for ax, k in zip(axes.flat, [1, 5, 25, 125], strict=True):
    model = KNeighborsClassifier(n_neighbors=k).fit(X, y)
    draw_decision_regions(model.predict, X, y, ax=ax)
    ax.set_title(f"k = {k}: {1 - model.score(X, y):.1%} training error")
plt.show()

# %%
# Error against k
# ---------------
#
# The training error at k = 1 is zero and uninformative. The validation error, here by ten-fold
# cross-validation, falls and then rises: too few neighbours follow the noise, too many blur the
# boundary. A single neighbour search is enough for all values of k.

X, y = load_breast_cancer(return_X_y=True)
ks = [1, 3, 5, 7, 9, 13, 17, 23, 31, 41, 55, 75, 101]
train, validation = [], []
for rows, others in StratifiedKFold(10).split(X, y):
    scaler = StandardScaler().fit(X[rows])
    known, new = scaler.transform(X[rows]), scaler.transform(X[others])
    errors = error_against_k(KNeighborsClassifier(), known, y[rows], new, y[others], ks)
    train.append(errors[0])
    validation.append(errors[1])

ax = plot_error_against_k(ks, np.mean(train, axis=0), np.transpose(validation))
ax.set_xscale("log")
ax.set_xticks(ks, ks, minor=False)
ax.minorticks_off()
plt.show()
