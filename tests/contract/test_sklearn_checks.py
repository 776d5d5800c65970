"""scikit-learn's own checks on every estimator; the excuses are the catalogue's, with reasons."""

import warnings

import pytest
from sklearn.exceptions import SkipTestWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

from gramian.base.catalogue import ESTIMATORS
from tests.contract.estimators import entry_of

# Their checks fit tiny data on purpose, which may not converge.
pytestmark = pytest.mark.filterwarnings("default")


@parametrize_with_checks(
    [example for entry in ESTIMATORS for example in entry.examples()],
    expected_failed_checks=lambda model: entry_of(model).excused,
    xfail_strict=True,
)
def test_scikit_learn_accepts(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SkipTestWarning)
        check(estimator)
