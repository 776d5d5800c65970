"""The classes of linear classifiers."""

import numpy as np
import pytest

from gramian import LogisticRegression
from gramian.base.errors import DataError
from gramian.linear_model.common.class_targets import check_classes, class_outputs


def test_one_class_is_refused():
    with pytest.raises(ValueError, match="at least 2 classes") as error:
        LogisticRegression().fit([[0.0], [1.0]], ["a", "a"])
    assert "'a'" in str(error.value)
    with pytest.raises(ValueError, match="at least 2 classes"):
        LogisticRegression().fit([[0.0], [1.0]], ["a", "b"], sample_weight=[1, 0])


def test_outputs_are_the_second_of_two_classes_or_each():
    assert class_outputs(np.array(["no", "yes"])) == [1]
    assert class_outputs(np.array(["a", "b", "c"])) == [0, 1, 2]


def test_classes_of_positive_weight_are_counted():
    classes = np.array(["a", "b", "c"])
    check_classes("Owner", classes, np.array([0.0, 1.0, 2.0]))
    with pytest.raises(DataError, match=r"Owner: y must contain at least 2 classes .* only: 'b'"):
        check_classes("Owner", classes, np.array([0.0, 1.0, 0.0]))
