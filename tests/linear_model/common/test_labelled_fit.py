"""Checks of labelled rows, and one `fit` for the classifiers that take them."""

import numpy as np
import pytest

from gramian import LinearProgramClassifier, LinearSVC, LogisticRegression, SigmoidDiscriminant
from gramian.linear_model.common.labelled_fit import LabelledFit, check_labelled_rows

X = np.arange(4.0)[:, None]
Y = np.array(["b", "a", "b", "b"])


def test_class_weights_multiply_sample_weights():
    model = LogisticRegression(class_weight={"a": 10.0})
    rows = check_labelled_rows(model, X, Y, [1.0, 2.0, 3.0, 4.0])
    assert rows.targets.tolist() == [1, 0, 1, 1]
    assert rows.weights.tolist() == [1.0, 20.0, 3.0, 4.0]
    assert rows.class_totals.tolist() == [20.0, 8.0]


def test_rows_without_weights_count_once():
    rows = check_labelled_rows(SigmoidDiscriminant(), X, Y, None)
    assert rows.weights is None
    assert rows.row_weights().tolist() == [1.0] * 4
    assert rows.class_totals.tolist() == [1.0, 3.0]


@pytest.mark.parametrize(
    "kind", [LinearProgramClassifier, LinearSVC, LogisticRegression, SigmoidDiscriminant]
)
def test_every_classifier_refuses_a_single_class_in_its_own_name(kind):
    assert issubclass(kind, LabelledFit)
    with pytest.raises(ValueError, match=f"{kind.__name__}: y must contain at least 2 classes"):
        kind().fit(X, np.zeros(4))
