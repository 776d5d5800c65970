import numpy as np
import pytest

from gramian.base.errors import DataError
from gramian.manifold import MDS, ClassicalMDS
from gramian.manifold.dissimilarities import measure

TRIANGLE = np.array([[0.0, 3, 4], [3, 0, 5], [4, 5, 0]])


@pytest.mark.parametrize("cls", [ClassicalMDS, MDS])
@pytest.mark.parametrize(
    ("change", "phrase"),
    [
        (lambda D: D[:, :2], "square"),
        (lambda D: D + np.triu(np.ones((3, 3)), 1), "must be symmetric; got"),
        (lambda D: -D, "must not be negative; got -5"),
        (lambda D: D + np.eye(3), "from itself must be 0; got 1 on"),
    ],
)
def test_what_is_no_matrix_of_distances_is_refused(cls, change, phrase):
    with pytest.raises(DataError, match=phrase) as error:
        cls(metric="precomputed").fit(change(TRIANGLE))
    assert cls.__name__ in str(error.value)


def test_metrics_are_measured_by_name():
    X = np.array([[0.0, 0.0], [3.0, 4.0]])
    assert measure(MDS(), X, None, "manhattan", None)[0, 1] == 7
    assert measure(MDS(), X, X[:1], "minkowski", {"p": 2})[1, 0] == 5
