"""What is at the same address is shared; nothing else is."""

import sklearn.ensemble
import sklearn.naive_bayes

import gramian
from gramian.accelerate.shared import shared_estimators, shared_functions
from gramian.base.catalogue import ESTIMATORS


def test_estimators_are_those_of_the_catalogue_that_scikit_learn_has():
    shared = shared_estimators()
    theirs, ours = shared["GaussianNB"]
    assert theirs is sklearn.naive_bayes.GaussianNB
    assert ours is gramian.GaussianNB
    assert "C45Classifier" not in shared
    assert len(shared) > 70
    assert shared.keys() <= {entry.name for entry in ESTIMATORS}


def test_functions_are_public_in_both():
    shared = shared_functions()
    assert {"kneighbors_graph", "lasso_path"} <= shared.keys()
    assert all(theirs.__module__.startswith("sklearn.") for theirs, _ in shared.values())
    assert all(ours.__module__.startswith("gramian.") for _, ours in shared.values())


def test_functions_that_write_in_another_form_are_left_alone():
    assert "export_text" not in shared_functions()
