"""What fitted k-means models share: predict, transform, score."""

import numpy as np
import pytest

from gramian import KMeans, MiniBatchKMeans


def test_transform_gives_the_distances(digits):
    model = KMeans(7, random_state=0).fit(digits)
    obvious = np.sqrt(((digits[:, None] - model.cluster_centers_[None]) ** 2).sum(axis=2))
    np.testing.assert_allclose(model.transform(digits), obvious, rtol=1e-12)
    assert list(model.get_feature_names_out()) == [f"kmeans{i}" for i in range(7)]


def test_score_is_minus_the_objective(digits):
    model = KMeans(7, random_state=0).fit(digits)
    assert model.score(digits) == pytest.approx(-model.inertia_)
    assert model.score(digits, sample_weight=np.full(len(digits), 2.0)) == pytest.approx(
        -2 * model.inertia_
    )


@pytest.mark.parametrize("model", [KMeans, MiniBatchKMeans])
def test_a_tie_goes_to_the_centre_of_lowest_index(model):
    start = np.array([[0.0], [2.0]])
    fitted = model(2, init=start, n_init=1, random_state=0).fit([[0.0], [0.0], [2.0], [2.0]])
    np.testing.assert_allclose(fitted.cluster_centers_, [[0.0], [2.0]])
    assert fitted.predict([[1.0], [1.1]]).tolist() == [0, 1]


@pytest.mark.parametrize("model", [KMeans, MiniBatchKMeans])
def test_fitting_takes_weights_in_the_same_place_as_scikit_learn(model, rng):
    X, w = rng.normal(size=(60, 2)), rng.integers(0, 4, 60)
    fitted = model(3, random_state=0).fit(X, None, w)
    np.testing.assert_array_equal(model(3, random_state=0).fit_predict(X, None, w), fitted.labels_)
    distances = model(3, random_state=0).fit_transform(X, None, w)
    np.testing.assert_array_equal(distances, fitted.transform(X))
    assert not np.allclose(distances, model(3, random_state=0).fit_transform(X))


def test_distances_of_a_fit_come_in_the_container_that_is_set(rng):
    frame = (
        KMeans(2, random_state=0).set_output(transform="pandas").fit_transform(rng.random((9, 2)))
    )
    assert list(frame.columns) == ["kmeans0", "kmeans1"]
