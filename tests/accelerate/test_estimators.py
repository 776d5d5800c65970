"""The module of the replacements makes each once."""

import pytest
import sklearn.cluster

from gramian.accelerate import estimators


def test_a_replacement_is_made_once_and_is_found_where_it_says():
    made = estimators.DBSCAN
    assert made is estimators.DBSCAN
    assert issubclass(made, sklearn.cluster.DBSCAN)
    assert (made.__module__, made.__qualname__) == ("gramian.accelerate.estimators", "DBSCAN")


def test_unshared_names_do_not_exist():
    with pytest.raises(AttributeError, match="OPTICS"):
        estimators.OPTICS  # noqa: B018
