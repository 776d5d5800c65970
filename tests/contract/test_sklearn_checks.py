"""scikit-learn's own checks on every estimator; settings.py has the excuses, with reasons."""

import warnings

import pytest
from sklearn.exceptions import SkipTestWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

from tests.contract.estimators import ALL
from tests.contract.settings import EXCUSED, examples

# Their checks fit tiny data on purpose, which may not converge.
pytestmark = pytest.mark.filterwarnings("default")


@parametrize_with_checks(
    [example for entry in ALL for example in examples(entry)],
    expected_failed_checks=lambda model: EXCUSED.get(type(model).__name__, {}),
    xfail_strict=True,
)
def test_scikit_learn_accepts(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SkipTestWarning)
        check(estimator)
