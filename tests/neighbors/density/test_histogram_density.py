"""Histograms as densities."""

import numpy as np
import pytest

import gramian
from gramian import HistogramDensity
from gramian.base.errors import ParameterError


def test_values_match_numpy(rng):
    x, w = rng.normal(size=300), rng.random(300)
    expected, edges = np.histogram(x, bins=12, weights=w, density=True)
    model = HistogramDensity(bins=12).fit(x[:, None], sample_weight=w)
    np.testing.assert_allclose(model.bin_edges_[0], edges)
    middles = (edges[:-1] + edges[1:]) / 2
    np.testing.assert_allclose(np.exp(model.score_samples(middles[:, None])), expected)


def test_unequal_bin_widths(rng):
    x = rng.uniform(0, 8, 100)
    edges = [0.0, 1.0, 4.0, 8.0]
    expected = np.histogram(x, bins=edges, density=True)[0]
    found = HistogramDensity(edges).fit(x[:, None]).score_samples([[0.5], [2.0], [8.0], [9.0]])
    np.testing.assert_allclose(np.exp(found), [*expected, 0.0])


def test_origin_and_width():
    model = HistogramDensity(width=2.0, origin=-0.5).fit([[0.0], [1.4], [1.5]])
    assert model.bin_edges_[0].tolist() == [-0.5, 1.5, 3.5]
    found = np.exp(model.score_samples([[1.0], [3.0]]))
    assert found == pytest.approx([2 / 6, 1 / 6])


def test_cells_of_the_plane(rng):
    X = rng.normal(size=(500, 2))
    expected, *edges = np.histogram2d(*X.T, bins=5, density=True)
    middles = [(e[:-1] + e[1:]) / 2 for e in edges]
    points = np.stack(np.meshgrid(*middles, indexing="ij"), axis=-1).reshape(-1, 2)
    found = np.exp(HistogramDensity(bins=5).fit(X).score_samples(points))
    np.testing.assert_allclose(found, expected.ravel())


def test_samples_lie_in_the_cells(rng):
    X = rng.normal(size=(200, 2))
    model = HistogramDensity(bins=4).fit(X)
    drawn = model.sample(3000, random_state=1)
    assert np.isfinite(model.score_samples(drawn)).all()
    np.testing.assert_allclose(drawn.mean(axis=0), X.mean(axis=0), atol=0.2)


def test_constant_columns_and_one_row():
    model = HistogramDensity(bins=1).fit(np.full((5, 1), 3.0))
    assert np.exp(model.score_samples([[3.0]]))[0] == pytest.approx(1)
    assert np.isfinite(HistogramDensity().fit([[7.0]]).score_samples([[7.0]])[0])


def test_refused(rng, tmp_path):
    X = rng.normal(size=(20, 1))
    for bins in ([1.0], [2.0, 1.0], [[1.0, 2.0]]):
        with pytest.raises(ValueError, match="bins must be"):
            HistogramDensity(bins).fit(X)
    with pytest.raises(ValueError, match="increase width"):
        HistogramDensity(width=1e-12).fit(X)
    with pytest.raises(ValueError, match="no row lies in a bin"):
        HistogramDensity([50.0, 60.0]).fit(X)
    model = HistogramDensity().fit(X)
    model.cells_ = model.cells_ + 100
    with pytest.raises(ValueError, match="are inconsistent"):
        gramian.load(gramian.save(model, tmp_path / "histogram.gram"))


def test_more_bins_than_memory_are_refused():
    with pytest.raises(
        ValueError, match=r"HistogramDensity: bins must be an integer in \[1, 10000000\]"
    ):
        HistogramDensity(bins=2**63).fit([[0.0], [1.0]])


def test_a_width_below_the_spacing_of_floats_is_refused():
    with pytest.raises(ParameterError, match="width=2 is below the spacing of floats"):
        HistogramDensity(width=2.0).fit(np.full((6, 2), 2.0**64))
