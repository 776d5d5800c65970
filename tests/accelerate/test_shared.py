"""What is at the same address is shared; nothing else is."""

import gc
import inspect
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules

import pytest
import sklearn.naive_bayes

import gramian
from gramian.accelerate.shared import (
    FUNCTIONS,
    garbage_collection_disabled,
    shared_estimators,
    shared_functions,
)
from gramian.base.catalogue import ESTIMATORS


def test_shared_estimators_are_all_in_the_catalogue_and_in_scikit_learn():
    shared = shared_estimators()
    assert shared["GaussianNB"].sklearn_object is sklearn.naive_bayes.GaussianNB
    assert shared["GaussianNB"].gramian_object is gramian.GaussianNB
    assert "C45Classifier" not in shared
    assert len(shared) > 70
    assert shared.keys() <= {entry.name for entry in ESTIMATORS}


def test_functions_are_all_that_are_public_in_both():
    public = set()
    for family in iter_modules(gramian.__path__):
        if not family.ispkg or not find_spec(f"sklearn.{family.name}"):
            continue
        theirs, ours = (import_module(f"{of}.{family.name}") for of in ("sklearn", "gramian"))
        both = {*getattr(theirs, "__all__", ())} & {*getattr(ours, "__all__", ())}
        for name in both - {"export_text", "plot_tree"}:
            if inspect.isfunction(getattr(ours, name)):
                public.add(f"gramian.{family.name}.{name}")
    assert set(FUNCTIONS) == public
    for name, pair in shared_functions().items():
        assert pair.sklearn_object.__name__ == pair.gramian_object.__name__ == name
        assert pair.sklearn_object.__module__.startswith("sklearn.")
        assert pair.gramian_object.__module__.startswith("gramian.")


def test_functions_that_write_in_another_form_are_not_replaced():
    assert "export_text" not in shared_functions()


@pytest.mark.parametrize("enabled", [True, False])
def test_garbage_collection_is_restored(enabled):
    if not enabled:
        gc.disable()
    try:
        with garbage_collection_disabled():
            assert not gc.isenabled()
        assert gc.isenabled() is enabled
    finally:
        gc.enable()


def test_a_family_is_imported_when_it_is_first_needed():
    code = """
import sys
import gramian

def loaded():
    return {name.split(".")[1] for name in sys.modules if name.startswith("gramian.")}

gramian.accelerate()
import sklearn.naive_bayes, sklearn.random_projection
model = sklearn.naive_bayes.GaussianNB()
assert loaded() == {"accelerate", "base"}, loaded()
model.fit([[0.0], [1.0]], [0, 1])
assert model.score([[0.0], [1.0]], [0, 1]) == 1
assert "naive_bayes" in loaded()
assert not loaded() & {"cluster", "ensemble", "random_projection", "svm", "tree"}, loaded()
sklearn.random_projection.johnson_lindenstrauss_min_dim(1000)
assert "random_projection" in loaded()
assert {row.where for row in gramian.accelerate.report()} == {"gramian"}
"""
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_packages_imported_while_accelerated_keep_the_originals():
    code = """
import sys
import gramian
from gramian.accelerate import estimators, functions
from gramian.accelerate.shared import shared_estimators, shared_functions

gramian.accelerate()
for pair in [*shared_estimators().values(), *shared_functions().values()]:
    pair.gramian_object
replaced = {id(getattr(estimators, name)) for name in shared_estimators()}
replaced |= {id(getattr(functions, name)) for name in shared_functions()}
for name, module in list(sys.modules.items()):
    if name.startswith("gramian.") and not name.startswith("gramian.accelerate."):
        held = [key for key, value in vars(module).items() if id(value) in replaced]
        assert not held, (name, held)
"""
    assert subprocess.run([sys.executable, "-W", "error", "-c", code]).returncode == 0
