"""What all neighbour estimators share: the search in use, its limits, and model files."""

import zipfile

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

import gramian
import gramian.neighbors as ours


def test_more_neighbours_than_rows_are_refused(table):
    X = table[0]
    model = ours.NearestNeighbors(n_neighbors=201).fit(X)
    with pytest.raises(ValueError, match="n_neighbors = 201, n_samples_fit = 200") as error:
        model.kneighbors(X)
    assert "NearestNeighbors" in str(error.value)
    assert "decrease n_neighbors" in str(error.value)
    with pytest.raises(ValueError, match="n_neighbors < n_samples_fit"):
        model.kneighbors(n_neighbors=200)
    assert model.kneighbors(n_neighbors=199)[1].shape == (200, 199)
    for wrong, kind in ((0, ValueError), (2.5, TypeError)):
        with pytest.raises(kind, match="n_neighbors must be an integer >= 1"):
            model.kneighbors(X, n_neighbors=wrong)
    with pytest.raises(ValueError, match="radius must be a number >= 0"):
        model.radius_neighbors(X, -1.0)


def test_algorithm_reports_the_search_in_use(rng):
    X, y = rng.normal(size=(60, 3)), np.arange(60) % 3
    for model in (ours.KNeighborsClassifier, ours.KNeighborsRegressor):
        assert model(algorithm="brute").fit(X, y).algorithm_ == "brute"
        assert model(algorithm="kd_tree").fit(X, y).algorithm_ == "kd_tree"
    assert ours.NearestNeighbors(metric="canberra").fit(X).algorithm_ == "brute"
    with pytest.raises(NotFittedError):
        _ = ours.NearestNeighbors().algorithm_


def test_a_model_file_holds_no_tree_and_finds_the_same(X, tmp_path):
    model = ours.KNeighborsClassifier(algorithm="kd_tree").fit(X, X[:, 0] > 0.5)
    path = gramian.save(model, tmp_path / "model.gram")
    with zipfile.ZipFile(path) as file:
        assert b"_tree" not in file.read("manifest.json").replace(b"kd_tree", b"")
    copy = gramian.load(path)
    np.testing.assert_array_equal(model.kneighbors(X)[1], copy.kneighbors(X)[1])


def test_every_query_may_have_a_radius_of_its_own(table):
    X = table[0]
    model = ours.NearestNeighbors().fit(X)
    radii = np.linspace(0.0, 1.0, 50)
    distances, indices = model.radius_neighbors(X[:50], radius=radii, sort_results=True)
    for i, radius in enumerate(radii):
        d, found = model.radius_neighbors(X[i : i + 1], radius=radius, sort_results=True)
        np.testing.assert_array_equal(indices[i], found[0])
        np.testing.assert_array_equal(distances[i], d[0])
    with pytest.raises(ValueError, match="radius must be a number or an array of 50"):
        model.radius_neighbors(X[:50], radius=radii[:3])


def test_two_orders_of_the_metric_are_reported(table):
    X = table[0]
    with pytest.warns(SyntaxWarning, match="p is found in metric_params"):
        model = ours.NearestNeighbors(metric_params={"p": 1}).fit(X)
    assert model.effective_metric_ == "manhattan"
