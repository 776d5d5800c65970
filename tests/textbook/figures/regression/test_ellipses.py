"""Ellipses of equal residual sum of squares."""

import numpy as np
from numpy.testing import assert_allclose

from gramian.textbook.figures.regression.ellipses import draw_ellipses, excess_rss

X, Y = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 3.0]]), np.array([1.0, 2.0, 2.5])
G, BEST = X.T @ X, np.linalg.lstsq(X, Y)[0]


def rss(w):
    return ((Y - X @ w) ** 2).sum()


def test_the_excess_is_the_rss_above_its_minimum(rng):
    for w in rng.normal(size=(5, 2)):
        assert_allclose(excess_rss(G, w - BEST), rss(w) - rss(BEST))


def test_on_an_ellipse_the_rss_is_the_same(ax):
    draw_ellipses(ax, G, BEST, (-3, 4, -3, 4), [0.5, 2.0])
    for path, level in zip(ax.collections[0].get_paths(), (0.5, 2.0), strict=True):
        assert_allclose([rss(w) for w in path.vertices], rss(BEST) + level, rtol=1e-2)
    assert_allclose(ax.lines[1].get_xydata(), [BEST])
