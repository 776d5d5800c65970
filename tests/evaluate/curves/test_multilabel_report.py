import numpy as np
import pytest
import scipy.sparse as sp
from sklearn import metrics
from sklearn.datasets import make_multilabel_classification

from gramian import BinaryRelevance, LogisticRegression
from gramian.base.errors import DataError, ParameterError
from gramian.evaluate import multilabel_report

X, Y = make_multilabel_classification(150, 6, n_classes=5, random_state=0)
MODEL = BinaryRelevance(LogisticRegression()).fit(X[:80], Y[:80])
TRUTH, SCORES, PREDICTED = Y[80:], MODEL.decision_function(X[80:]), MODEL.predict(X[80:])


def test_the_estimates_are_scikit_learns():
    found = multilabel_report(TRUTH, SCORES, ks=(1, 3), n_bootstrap=5).metrics
    some = TRUTH.any(axis=1)
    expected = {
        "hamming_loss": metrics.hamming_loss(TRUTH, PREDICTED),
        "subset_accuracy": metrics.accuracy_score(TRUTH, PREDICTED),
        "f1_samples": metrics.f1_score(TRUTH, PREDICTED, average="samples", zero_division=0),
        "f1_micro": metrics.f1_score(TRUTH, PREDICTED, average="micro"),
        "f1_macro": metrics.f1_score(TRUTH, PREDICTED, average="macro"),
        "coverage": (metrics.coverage_error(TRUTH, SCORES) * len(some) - some.sum()) / len(some),
        "ranking_loss": metrics.label_ranking_loss(TRUTH, SCORES),
        "average_precision": metrics.label_ranking_average_precision_score(TRUTH, SCORES),
        "ndcg_at_3": metrics.ndcg_score(TRUTH, SCORES, k=3),
        "auc_micro": metrics.roc_auc_score(TRUTH, SCORES, average="micro"),
        "auc_macro": metrics.roc_auc_score(TRUTH, SCORES, average="macro"),
    }
    for name, value in expected.items():
        assert found[name].estimate == pytest.approx(value), name
    assert found["precision_at_1"].estimate + found["one_error"].estimate == pytest.approx(1)


@pytest.mark.slow
def test_intervals_surround_the_estimates_and_depend_on_the_seed_only():
    first = multilabel_report(TRUTH, SCORES, n_bootstrap=60)
    again = multilabel_report(sp.csr_array(TRUTH), SCORES, sp.csr_array(PREDICTED), n_bootstrap=60)
    for name, interval in first.metrics.items():
        assert interval.low <= interval.estimate <= interval.high, name
        assert interval == again.metrics[name]
    wider = multilabel_report(TRUTH, SCORES, n_bootstrap=60, confidence=0.99).metrics["f1_micro"]
    narrow = first.metrics["f1_micro"]
    assert wider.high - wider.low > narrow.high - narrow.low


def test_each_label_has_its_results():
    report = multilabel_report(TRUTH, SCORES, labels=list("abcde"), n_bootstrap=2)
    assert [each.label for each in report.labels] == list("abcde")
    for j, each in enumerate(report.labels):
        t, p = TRUTH[:, j], PREDICTED[:, j]
        assert each.rows == t.sum()
        assert each.precision == pytest.approx(metrics.precision_score(t, p, zero_division=0))
        assert each.recall == pytest.approx(metrics.recall_score(t, p))
        assert each.f1 == pytest.approx(metrics.f1_score(t, p))
        assert each.auc == pytest.approx(metrics.roc_auc_score(t, SCORES[:, j]))
    assert str(report).splitlines()[0] == "70 rows, 5 labels"


def test_labels_never_or_always_on():
    fixed = TRUTH.copy()
    fixed[:, 0], fixed[:, 1] = 0, 1
    report = multilabel_report(fixed, SCORES, n_bootstrap=5)
    assert np.isnan(report.labels[0].auc)
    assert report.labels[0].recall == 0
    assert 0 < report.metrics["auc_macro"].estimate < 1
    none = multilabel_report(np.zeros((3, 2)), np.zeros((3, 2)), n_bootstrap=3)
    assert np.isnan(none.metrics["auc_macro"].low)


def test_k_above_the_labels_is_left_out():
    names = multilabel_report(TRUTH, SCORES, ks=(2, 9), n_bootstrap=2).metrics
    assert "precision_at_2" in names
    assert "precision_at_9" not in names


def test_bad_input_is_named():
    with pytest.raises(DataError, match="one shape"):
        multilabel_report(TRUTH, SCORES[:, :2])
    with pytest.raises(DataError, match="y_pred must have shape"):
        multilabel_report(TRUTH, SCORES, PREDICTED[:3])
    with pytest.raises(DataError, match="name the 5 columns"):
        multilabel_report(TRUTH, SCORES, labels=["a"])
    with pytest.raises(ParameterError, match="integers >= 1"):
        multilabel_report(TRUTH, SCORES, n_bootstrap=0)


def test_scores_may_be_infinite():
    """Logarithms of probabilities: their order is all that counts."""
    truth = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 0], [0, 0, 1]])
    p = np.array([[0.5, 0.0, 0.2], [0.0, 1.0, 0.1], [0.9, 0.0, 0.0], [0.3, 0.2, 0.6]])
    with np.errstate(divide="ignore"):
        logs = np.log(p)
    found = multilabel_report(truth, logs, p > 0.25, n_bootstrap=5)
    assert found.metrics == multilabel_report(truth, p, p > 0.25, n_bootstrap=5).metrics


def test_predictions_that_are_no_labels_are_named():
    truth, scores = [[1, 0], [0, 1]], [[0.4, 0.2], [0.1, 0.3]]
    with pytest.raises(DataError, match="y_pred must contain 0 and 1 only"):
        multilabel_report(truth, scores, scores)
    with pytest.raises(ParameterError, match="must be integers >= 1; got n_bootstrap=200"):
        multilabel_report(truth, scores, ks=(1.5,))


def test_no_rows_are_refused_as_such():
    with pytest.raises(DataError, match=r"at least one row and one label; got shape \(0, 3\)"):
        multilabel_report(np.zeros((0, 3)), np.zeros((0, 3)))


def test_a_single_row_is_accepted():
    assert str(multilabel_report([[1, 0]], [[1.0, -1.0]])).startswith("1 row, 2 labels\n")
