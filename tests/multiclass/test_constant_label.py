import pytest

from gramian.base.errors import DataError
from gramian.multiclass.constant_label import ConstantLabel


@pytest.mark.parametrize("label", [0, 1])
def test_it_predicts_its_label(label):
    member = ConstantLabel(label)
    assert member.predict([[1], [2]]).tolist() == [label, label]
    assert member.predict_proba([[1]]).argmax() == label
    assert (member.decision_function([[1]]) > 0)[0] == bool(label)


def test_other_labels_are_refused():
    with pytest.raises(DataError, match="0 or 1"):
        ConstantLabel(2)
