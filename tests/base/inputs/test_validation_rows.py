import pytest

from gramian.base.errors import DataError
from gramian.base.inputs.validation_rows import has_validation_rows
from gramian.ensemble import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
)
from gramian.feature_selection import BestSubsetSelector, StepwiseSelector
from gramian.neural_network import MLPClassifier
from gramian.tree import C45Classifier, DecisionTreeClassifier, DecisionTreeRegressor

X, y = [[0.0], [1.0], [2.0], [3.0]] * 3, [0, 0, 1, 1] * 3
TAKE_VALIDATION_ROWS = [
    BestSubsetSelector(),
    C45Classifier(pruning="reduced_error"),
    DecisionTreeClassifier(),
    DecisionTreeRegressor(),
    GradientBoostingClassifier(),
    GradientBoostingRegressor(),
    HistGradientBoostingClassifier(early_stopping=True),
    MLPClassifier(),
    StepwiseSelector(),
]


def test_both_or_neither():
    assert has_validation_rows("A", X, y)
    assert has_validation_rows("A", X, y, [1.0])
    assert not has_validation_rows("A", None, None)


@pytest.mark.parametrize("model", TAKE_VALIDATION_ROWS, ids=lambda model: type(model).__name__)
@pytest.mark.parametrize(("passed", "missing"), [("X_val", "y_val"), ("y_val", "X_val")])
def test_one_without_the_other_is_an_error(model, passed, missing):
    with pytest.raises(
        DataError,
        match=f"^{type(model).__name__}: X_val and y_val must be .*; {missing} is missing",
    ):
        model.fit(X, y, **{passed: X if passed == "X_val" else y})


@pytest.mark.parametrize(
    "model",
    [GradientBoostingRegressor(), HistGradientBoostingClassifier(), MLPClassifier()],
    ids=lambda model: type(model).__name__,
)
def test_weights_without_validation_rows_are_an_error(model):
    with pytest.raises(DataError, match="sample_weight_val needs X_val and y_val"):
        model.fit(X, y, sample_weight_val=[1.0] * len(X))
