import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.datasets import make_multilabel_classification
from sklearn.metrics import get_scorer
from sklearn.model_selection import cross_val_score
from sklearn.svm import SVC

import gramian
from gramian import (
    BinaryRelevance,
    DecisionTreeClassifier,
    LinearSVC,
    LogisticRegression,
    MLkNN,
)
from gramian.base.errors import DataError, ParameterError

X, Y = make_multilabel_classification(120, 6, n_classes=4, random_state=0)
NAMES = np.array(["a", "b", "c", "d"])
SETS = [set(NAMES[row > 0]) for row in Y]


@pytest.mark.parametrize("learner", [MLkNN(5), BinaryRelevance(LogisticRegression())], ids=str)
def test_label_sets_may_be_a_matrix_csr_a_frame_or_sets(learner):
    plain = learner.fit(X, Y).predict(X)
    sparse = learner.fit(X, sp.csr_array(Y)).predict(X)
    assert sp.issparse(sparse)
    np.testing.assert_array_equal(sparse.toarray(), plain)
    assert learner.fit(X, SETS).label_names_.tolist() == NAMES.tolist()
    np.testing.assert_array_equal(learner.predict(X), plain)
    assert learner.predict_sets(X) == [set(NAMES[row > 0]) for row in plain]
    framed = learner.fit(X, pd.DataFrame(Y, columns=NAMES))
    assert framed.label_names_.tolist() == NAMES.tolist()
    np.testing.assert_array_equal(framed.predict(X), plain)


def test_labels_are_ranked_by_score():
    model = BinaryRelevance(LogisticRegression()).fit(X, SETS)
    order = np.argsort(-model.predict_proba(X), axis=1, kind="stable")
    np.testing.assert_array_equal(model.rank_labels(X), NAMES[order])
    assert model.rank_labels(X, 2).shape == (120, 2)
    for k in (0, 5, 1.5):
        with pytest.raises(ParameterError, match="integer from 1 to 4, the number of labels"):
            model.rank_labels(X, k)


def test_one_label_per_row_is_classification():
    y = NAMES[Y.argmax(axis=1)]
    model = BinaryRelevance(LogisticRegression()).fit(X, y)
    assert not model.multilabel_
    p = model.predict_proba(X)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_array_equal(model.predict(X), model.classes_[p.argmax(axis=1)])
    assert model.predict_sets(X[:1]) == [{model.predict(X[:1])[0]}]


def test_probabilities_are_offered_where_the_members_have_them():
    assert hasattr(BinaryRelevance(LogisticRegression()), "predict_proba")
    model = BinaryRelevance(LinearSVC()).fit(X, Y)
    assert not hasattr(model, "predict_proba")
    np.testing.assert_array_equal(model.thresholds_, 0)
    np.testing.assert_array_equal(model.predict(X), (model.decision_function(X) > 0).astype(int))


def test_scorers_and_any_estimator_work():
    """Two labels too, which scikit-learn could take for two classes."""
    for n in (2, 4):
        model = BinaryRelevance(LogisticRegression()).fit(X, Y[:, :n])
        for name in ("f1_micro", "average_precision", "roc_auc", "accuracy"):
            assert 0 < get_scorer(name)(model, X, Y[:, :n]) <= 1
    scores = cross_val_score(BinaryRelevance(SVC()), X, Y, scoring="f1_macro", cv=3)
    assert (scores > 0.5).all()


def test_rows_without_labels_and_labels_unseen_in_a_fold():
    none = Y.copy()
    none[:40] = 0
    none[5, 3] = 1
    none[6:, 3] = 0  # one row has the last label
    model = BinaryRelevance(DecisionTreeClassifier(), threshold="f1", threshold_cv=3).fit(X, none)
    assert model.predict(X).shape == Y.shape


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (np.full((120, 2), 3), "matrix of 0 and 1"),
        ([set()] * 120, "y has no labels"),
        (Y[:50], "inconsistent"),
        (sp.csr_array((120, 0)), "at least one label"),
        (None, "requires y"),
    ],
    ids=["threes", "empty sets", "short", "no columns", "none"],
)
def test_bad_targets_raise_an_error(y, message):
    with pytest.raises(DataError, match=message):
        BinaryRelevance(LogisticRegression()).fit(X, y)


def test_a_model_file_keeps_the_learner(tmp_path):
    model = BinaryRelevance(LogisticRegression(), threshold="count").fit(X, SETS)
    gramian.save(model, tmp_path / "m.gram")
    read = gramian.load(tmp_path / "m.gram")
    np.testing.assert_array_equal(read.decision_function(X), model.decision_function(X))
    assert read.predict_sets(X[:3]) == model.predict_sets(X[:3])
    model.thresholds_ = model.thresholds_[:2]
    gramian.save(model, tmp_path / "tampered.gram")
    with pytest.raises(ValueError, match="one value per label"):
        gramian.load(tmp_path / "tampered.gram")


def test_lists_of_as_many_names_are_sets():
    model = BinaryRelevance(LogisticRegression()).fit(X[:4], [["a", "b"], ["b", "c"]] * 2)
    assert model.label_names_.tolist() == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("y", "said"),
    [
        (2 * Y - 1, r"got an array of shape \(120, 4\), with -1 in row 0"),
        (np.where(np.arange(120)[:, None] == 3, np.nan, Y), "with nan in row 3"),
        (NAMES[Y], r"\[set\(row\) for row in y\]"),
        (Y + np.arange(4), r"\[set\(row\) for row in y\]"),
        (Y[:, :0], r"got an array of shape \(120, 0\)"),
    ],
    ids=["signs", "missing", "names", "numbers", "none"],
)
def test_a_matrix_of_other_values_is_described(y, said):
    with pytest.raises(DataError, match=f"BinaryRelevance: y must be a matrix of 0 and 1.*{said}"):
        BinaryRelevance(LogisticRegression()).fit(X, y)


def test_scores_take_the_labels_in_every_form():
    model = BinaryRelevance(LogisticRegression()).fit(X, SETS)
    right = (model.predict(X) == Y).all(axis=1)
    for y in (Y, Y.tolist(), SETS, pd.Series(SETS), sp.csr_array(Y)):
        assert model.score(X, y) == pytest.approx(right.mean())
    assert model.score(X, SETS, np.arange(120.0)) == pytest.approx(right @ np.arange(120) / 7140)
    few = [k for k in range(120) if len(SETS[k] - {"a"}) and "a" not in SETS[k]]
    assert model.score(X[few], [SETS[k] for k in few]) == pytest.approx(right[few].mean())
    with pytest.raises(DataError, match=r"y has the labels \['z'\], which did not occur in fit"):
        model.score(X[:2], [{"z"}, {"a"}])
