"""
Averaging neighbours
====================

Nearest-neighbour regression predicts the mean target of nearby points: the k nearest, or all
within a radius. Few neighbours follow the noise; many flatten the peaks. With weights by
distance, the curve passes through every point. If no point is within the radius, the prediction
is NaN.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np

from gramian import KNeighborsRegressor, RadiusNeighborsRegressor

rng = np.random.default_rng(0)
x = np.sort(np.concatenate([rng.uniform(0, 4, 60), rng.uniform(5.5, 8, 25)]))
y = np.sin(x) + rng.normal(0, 0.25, len(x))
grid = np.linspace(-0.2, 8.2, 800)

models = {
    "k = 3": KNeighborsRegressor(n_neighbors=3),
    "k = 20": KNeighborsRegressor(n_neighbors=20),
    "k = 20, by distance": KNeighborsRegressor(n_neighbors=20, weights="distance"),
    "radius 0.4": RadiusNeighborsRegressor(radius=0.4),
}

figure, axes = plt.subplots(2, 2, figsize=(9, 6), layout="constrained", sharex=True, sharey=True)
curves = {}
for ax, (name, model) in zip(axes.flat, models.items(), strict=True):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the gap holds no neighbours: NaN
        curves[name] = model.fit(x[:, None], y).predict(grid[:, None])
    ax.plot(grid, np.sin(grid), color="grey", linestyle="--", linewidth=1, label="truth")
    ax.scatter(x, y, s=12, color="#76777a")
    ax.plot(grid, curves[name], color="#2f6db5", label=name)
    ax.legend(loc="lower left")
plt.show()
