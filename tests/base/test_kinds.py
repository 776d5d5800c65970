"""Each kind is what scikit-learn takes it for, and its tags follow from the class variables."""

from typing import ClassVar

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import is_classifier, is_clusterer, is_outlier_detector, is_regressor
from sklearn.utils import get_tags

from gramian.base.fields import params
from gramian.base.kinds import (
    Classifier,
    Clusterer,
    Density,
    Estimator,
    LogProbabilities,
    OutlierDetector,
    Regressor,
    Transformer,
    input_tag,
)

ASKED = {
    Classifier: is_classifier,
    Regressor: is_regressor,
    Clusterer: is_clusterer,
    OutlierDetector: is_outlier_detector,
}


def made(*kinds, **variables):
    """Return an estimator of these kinds without parameters."""
    return params(type("Made", kinds, {"__doc__": "A test.", **variables}))()


@pytest.mark.parametrize("kind", [*ASKED, Transformer, Density])
def test_scikit_learn_sees_the_kind_and_no_other(kind):
    model = made(kind)
    for other, asked in ASKED.items():
        assert asked(model) == (other is kind)
    assert hasattr(model, "transform") is False
    assert (get_tags(model).transformer_tags is not None) == (kind is Transformer)


def test_an_estimator_of_two_kinds_has_the_tags_of_both():
    model = made(Classifier, Transformer)
    assert is_classifier(model)
    assert get_tags(model).transformer_tags.preserves_dtype == ["float64", "float32"]


@pytest.mark.parametrize("accepted", [True, False])
def test_tags_follow_from_the_class_variables(accepted):
    names = ("takes_sparse", "takes_nan", "takes_categories")
    tags = get_tags(made(Regressor, **dict.fromkeys(names, accepted))).input_tags
    assert (tags.sparse, tags.allow_nan, tags.categorical, tags.string) == (accepted,) * 4


def test_one_variable_sets_its_own_tags_only():
    tags = get_tags(made(Regressor, takes_nan=True)).input_tags
    assert (tags.sparse, tags.allow_nan, tags.categorical, tags.string) == (
        False,
        True,
        False,
        False,
    )


def test_derived_attributes_are_none_after_loading():
    model = made(Estimator, derived_attributes=("index_",))
    model.index_, model.rows_ = object(), [1, 2]
    model._restore()
    assert model.index_ is None
    assert model.rows_ == [1, 2]


@pytest.mark.parametrize("several", [False, True])
def test_logarithms_of_the_probabilities_of_one_output_or_of_several(several):
    p = np.array([[0.0, 1.0], [0.5, 0.5]])
    model = made(LogProbabilities, Classifier, predict_proba=lambda _, X: [p, p] if several else p)
    with np.errstate(all="raise"):
        logs = model.predict_log_proba(p)
    expected = [[-np.inf, 0.0], [-np.log(2), -np.log(2)]]
    assert_array_equal(logs, [expected, expected] if several else expected)


def test_a_class_and_its_mixins_declare_tags_in_one_line_and_the_nearest_one_wins():
    class Several:
        tags: ClassVar = {"target_tags.multi_output": True, "input_tags.pairwise": True}

    class NotPairwise(Several):
        tags: ClassVar = {"input_tags.pairwise": lambda self: not self.takes_nan}

    for takes_nan in (True, False):
        tags = get_tags(made(NotPairwise, Regressor, takes_nan=takes_nan))
        assert tags.target_tags.multi_output
        assert tags.input_tags.pairwise == (not takes_nan)
        assert tags.target_tags.required  # of the kind


def test_declared_tags_come_after_those_of_the_kinds():
    declared = {"classifier_tags.poor_score": True, "transformer_tags.preserves_dtype": []}
    tags = get_tags(made(Classifier, Transformer, tags=declared))
    assert tags.classifier_tags.poor_score
    assert tags.transformer_tags.preserves_dtype == []


def test_an_input_tag_of_what_has_no_tags_is_false():
    assert input_tag(made(Regressor, tags={"input_tags.pairwise": True}), "pairwise")
    assert not input_tag(object(), "pairwise")
