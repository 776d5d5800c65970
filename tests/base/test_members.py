"""The input of an estimator made of others is what all of these take."""

import pytest
from sklearn.linear_model import LinearRegression
from sklearn.utils import get_tags

from gramian import DecisionTreeClassifier, LogisticRegression, QuadraticDiscriminantAnalysis
from gramian.base.members import Members, takes


class Joined(Members):
    """As many learners as given."""

    def __init__(self, *learners):
        self.learners = learners

    def _learners(self):
        return self.learners

    def get_params(self, deep=True):
        return {}


@pytest.mark.parametrize(
    ("learners", "sparse", "nan", "categories"),
    [
        ([DecisionTreeClassifier()], True, True, True),
        ([DecisionTreeClassifier(), LogisticRegression()], True, False, False),
        ([LogisticRegression(), QuadraticDiscriminantAnalysis()], False, False, False),
        ([], False, False, False),
    ],
)
def test_what_all_learners_take_is_taken(learners, sparse, nan, categories):
    tags = get_tags(Joined(*learners)).input_tags
    assert (tags.sparse, tags.allow_nan, tags.categorical) == (sparse, nan, categories)


def test_a_learner_without_tags_takes_nothing_special():
    assert takes(LinearRegression(), "sparse")
    assert not takes(object(), "sparse")
