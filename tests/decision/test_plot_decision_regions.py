"""The regions of a fitted classifier are those of its predictions."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from gramian import DecisionTreeClassifier
from gramian.base.errors import DataError
from gramian.decision import plot_decision_regions
from gramian.plot import draw_decision_regions

X = np.array([[0.0, 0.0], [0.0, 1.0], [2.0, 0.0], [2.0, 1.0]])
Y = np.array(["a", "a", "b", "b"])


@pytest.fixture
def ax():
    figure, ax = plt.subplots()
    yield ax
    plt.close(figure)


def test_the_shading_matches_the_predictions(ax):
    model = DecisionTreeClassifier().fit(X, Y)
    assert plot_decision_regions(model, X, Y, resolution=20, ax=ax) is ax
    shades = ax.collections[0].get_array()
    figure, other = plt.subplots()
    draw_decision_regions(model.predict, X, Y, resolution=20, ax=other)
    np.testing.assert_array_equal(shades, other.collections[0].get_array())
    plt.close(figure)
    assert set(np.unique(shades)) == {0, 1}


def test_a_classifier_of_more_features_is_refused():
    model = DecisionTreeClassifier().fit(np.column_stack([X, X[:, 0]]), Y)
    with pytest.raises(DataError, match="fitted on two features; DecisionTreeClassifier has 3"):
        plot_decision_regions(model, X, Y)


def test_a_classifier_must_be_fitted():
    with pytest.raises(NotFittedError):
        plot_decision_regions(DecisionTreeClassifier(), X, Y)
