"""
Density estimates
=================

Six density estimates from one sample of a mixture of two normal distributions. A histogram
depends on where its bins begin. The naive estimator counts points in a moving window, and a
kernel makes the window smooth. With the k nearest points, the window adapts to the sample; this
estimate is spiky where points are close, and its tails do not vanish. All widths maximise the
leave-one-out likelihood. A single normal distribution cannot fit two bumps, whatever its mean and
variance.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import norm

from gramian import HistogramDensity, KernelDensity, KNeighborsDensity
from gramian.neighbors import choose_bandwidth, choose_bins, choose_neighbors, naive_density
from gramian.plot import plot_densities

rng = np.random.default_rng(4)
sample = np.concatenate([rng.normal(-2, 0.7, 60), rng.normal(1.5, 1.0, 90)])
X = sample[:, None]


def truth(points):
    return 0.4 * norm.pdf(points[:, 0], -2, 0.7) + 0.6 * norm.pdf(points[:, 0], 1.5, 1.0)


h = choose_bandwidth(X).best
bins = choose_bins(sample, range(3, 16)).best
k = choose_neighbors(X).best
print(f"bandwidth {h:.2f}, {bins} bins, {k} neighbours")


def of(model):
    model.fit(X)
    return lambda points: np.exp(model.score_samples(points))


def normal(points):
    return norm.pdf(points[:, 0], sample.mean(), sample.std())


def naive(points):
    return naive_density(sample, points[:, 0], 4 * h)


plain, smooth = KNeighborsDensity(k), KNeighborsDensity(k, kernel="gaussian")
groups = [
    {"histogram": of(HistogramDensity(bins)), "naive": naive},
    {"kernel": of(KernelDensity(bandwidth=h)), "normal distribution": normal},
    {"k nearest": of(plain), "k nearest, kernel": of(smooth)},
]
figure, axes = plt.subplots(3, 1, figsize=(8, 9), layout="constrained", sharex=True)
for ax, group in zip(axes, groups, strict=True):
    plot_densities(sample, group, truth=truth, ax=ax)
    ax.set_ylim(0, 0.5)
plt.show()
