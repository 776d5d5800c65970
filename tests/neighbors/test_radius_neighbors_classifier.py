"""Votes of the neighbours within a radius, and queries without neighbours."""

import numpy as np
import pytest
import sklearn.neighbors as theirs
from numpy.testing import assert_allclose, assert_array_equal

from gramian.neighbors import KNeighborsClassifier, RadiusNeighborsClassifier

FAR = [[50.0, 0, 0, 0]]


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_votes_equal_scikit_learns(weights, table):
    X, y, _, Q = table
    ours, peer = (
        model(radius=2.5, weights=weights).fit(X, y)
        for model in (RadiusNeighborsClassifier, theirs.RadiusNeighborsClassifier)
    )
    near = Q[[len(i) > 0 for i in peer.radius_neighbors(Q, return_distance=False)]]
    assert len(near) > 20
    assert_array_equal(ours.predict(near), peer.predict(near))
    assert_allclose(ours.predict_proba(near), peer.predict_proba(near))


def test_several_outputs(table):
    X, y, _, Q = table
    labels = np.column_stack([y, y[::-1] + 5])
    ours, peer = (
        model(radius=3.0, outlier_label="most_frequent").fit(X, labels)
        for model in (RadiusNeighborsClassifier, theirs.RadiusNeighborsClassifier)
    )
    assert_array_equal(ours.predict(Q), peer.predict(Q))
    assert_array_equal(ours.predict(FAR), peer.predict(FAR))
    for a, b in zip(ours.predict_proba(Q), peer.predict_proba(Q), strict=True):
        assert_allclose(a, b)


def test_a_query_without_neighbours(table):
    X, y, _, _ = table
    with pytest.raises(ValueError, match="No neighbors found for test samples"):
        RadiusNeighborsClassifier(radius=1.0).fit(X, y).predict(FAR)
    model = RadiusNeighborsClassifier(radius=1.0, outlier_label=-1).fit(X, y)
    with pytest.warns(UserWarning, match="Outlier label -1 is not in training classes"):
        assert model.predict(FAR) == [-1]
    with pytest.warns(UserWarning, match="Outlier label -1 is not in training classes"):
        assert_array_equal(model.predict_proba(FAR), [[0, 0, 0]])
    model = RadiusNeighborsClassifier(radius=1.0, outlier_label=2).fit(X, y)
    assert_array_equal(model.predict_proba(FAR), [[0, 0, 1]])


def test_outlier_labels_that_do_not_fit_are_refused(table):
    X, y, _, _ = table
    with pytest.raises(TypeError, match="must have the type of the classes"):
        RadiusNeighborsClassifier(outlier_label="none").fit(X, y)
    with pytest.raises(ValueError, match="inconsistent with the number of outputs"):
        RadiusNeighborsClassifier(outlier_label=[0, 1]).fit(X, y)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.zeros_like, "zero weights"),
        (lambda d: -1 - d, "numbers >= 0; got -"),
        (lambda d: 1 / np.zeros_like(d), "finite number"),
    ],
)
@pytest.mark.parametrize("classifier", [RadiusNeighborsClassifier, KNeighborsClassifier])
@pytest.mark.filterwarnings("ignore:divide by zero")
def test_weights_that_give_no_proportions_are_refused(classifier, weights, message, table):
    X, y, _, Q = table
    model = classifier(weights=weights).set_params(
        **{"radius": 9.0} if classifier is RadiusNeighborsClassifier else {}
    )
    with pytest.raises(ValueError, match=f"{classifier.__name__}: .*{message}"):
        model.fit(X, y).predict_proba(Q)
