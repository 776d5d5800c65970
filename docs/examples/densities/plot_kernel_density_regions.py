"""
Classes from kernel densities
=============================

The Bayes classifier with kernel densities assigns a point to the class whose kernels have the
largest sum there. A narrow kernel gives almost the Voronoi regions of the training points, and a
wide kernel gives smooth regions. Far from all training points, the nearest ones decide.
"""

import matplotlib.pyplot as plt
import numpy as np

from gramian import KernelDensityClassifier, KNeighborsClassifier
from gramian.plot import draw_decision_regions

rng = np.random.default_rng(1)
angle = rng.uniform(0, np.pi, 120)
side = np.repeat([0, 1], 60)
X = np.column_stack([np.cos(angle) + side, np.sin(angle) * (1 - 2 * side) + 0.4 * side])
X += rng.normal(0, 0.18, X.shape)

models = {
    "nearest point": KNeighborsClassifier(1),
    "h = 0.05": KernelDensityClassifier(bandwidth=0.05),
    "h = 0.25": KernelDensityClassifier(bandwidth=0.25),
    "h = 1": KernelDensityClassifier(bandwidth=1.0),
}
figure, axes = plt.subplots(2, 2, figsize=(9, 7), layout="constrained")
for ax, (name, model) in zip(axes.flat, models.items(), strict=True):
    draw_decision_regions(model.fit(X, side).predict, X, side, ax=ax)
    ax.set(title=name, xlabel="$x_1$", ylabel="$x_2$")
plt.show()
