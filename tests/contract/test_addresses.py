"""A name that scikit-learn has too lives at scikit-learn's address, one word replaced."""

import importlib
import inspect
import pkgutil

import pytest
from sklearn.utils.discovery import all_estimators, all_functions

import gramian

# scikit-learn's functions of these names do another thing than ours.
OTHER_THINGS = {"entropy": "ours is of class proportions, theirs of labels"}


def public() -> dict[str, set[str]]:
    """Our public names, with the packages that offer them."""
    found: dict[str, set[str]] = {}
    for module in pkgutil.iter_modules(gramian.__path__):
        if module.ispkg and module.name not in {"base", "cli", "objectives", "solvers"}:
            package = importlib.import_module(f"gramian.{module.name}")
            for name in getattr(package, "__all__", ()):
                found.setdefault(name, set()).add(module.name)
    return found


def theirs() -> dict[str, set[str]]:
    """Every public estimator and function of scikit-learn outside its utilities, by name."""
    found: dict[str, set[str]] = {}
    for name, thing in [*all_estimators(), *all_functions()]:
        packages = thing.__module__.split(".")[1:]
        if packages and packages[0] != "utils" and not name.startswith("_"):
            found.setdefault(name, set()).add(packages[0])
    return found


SHARED = sorted(public().keys() & theirs().keys() - OTHER_THINGS.keys())


def test_many_names_are_shared():
    assert len(SHARED) > 40


@pytest.mark.parametrize("name", SHARED)
def test_replacing_one_word_in_an_import_is_enough(name):
    assert theirs()[name] & public()[name], f"scikit-learn has it at {theirs()[name]}"


def test_a_bare_import_reaches_every_package():
    for module in pkgutil.iter_modules(gramian.__path__):
        if module.ispkg:
            assert inspect.ismodule(getattr(gramian, module.name))
