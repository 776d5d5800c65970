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
    fitted = model(2, init=np.array([[0.0], [2.0]]), n_init=1).fit([[0.0], [0.0], [2.0], [2.0]])
    np.testing.assert_allclose(fitted.cluster_centers_, [[0.0], [2.0]])
    assert fitted.predict([[1.0], [1.1]]).tolist() == [0, 1]
