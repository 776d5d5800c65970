"""The catalogue is the set of public estimators, and the docstrings name the fields."""

import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
from sklearn.base import BaseEstimator

import gramian
from gramian.base.catalogue import ESTIMATORS
from gramian.base.kinds import DeclaredTags
from gramian.everyday import EVERYDAY, MOST
from tests.contract import settings

ROOT = Path(__file__).parents[2]
BY_NAME = {e.name for e in ESTIMATORS}


def public_estimators() -> set[str]:
    """Every concrete estimator class that a family exports."""
    found = set()
    for module in pkgutil.iter_modules(gramian.__path__):
        if module.ispkg and module.name != "base":
            family = importlib.import_module(f"gramian.{module.name}")
            for name in getattr(family, "__all__", ()):
                value = getattr(family, name)
                if inspect.isclass(value) and issubclass(value, BaseEstimator):
                    found.add(f"gramian.{module.name}.{name}")
    return found


def test_the_catalogue_equals_the_set_of_public_estimators():
    assert {e.path for e in ESTIMATORS} == public_estimators()


def test_the_catalogue_is_sorted():
    assert [e.path for e in ESTIMATORS] == sorted(e.path for e in ESTIMATORS)


def test_settings_and_excuses_name_estimators_of_the_catalogue():
    assert settings.SETTINGS.keys() | settings.EXCUSED.keys() <= BY_NAME


def test_every_estimator_and_every_package_is_an_attribute_of_gramian():
    for entry in ESTIMATORS:
        assert getattr(gramian, entry.name) is entry.resolve()
    for package in {e.path.split(".")[1] for e in ESTIMATORS}:
        assert getattr(gramian, package) is importlib.import_module(f"gramian.{package}")


def test_the_stub_is_the_one_that_tools_names_writes():
    listed = Path(gramian.__file__).with_suffix(".pyi").read_text()
    code = "import runpy, sys; print(runpy.run_path(sys.argv[1])['stub'](), end='')"
    command = [sys.executable, "-c", code, str(ROOT / "tools" / "names")]
    # In a process of its own: other tests add estimators to this one's catalogue.
    assert listed == subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_gramian_offers_packages_estimators_and_everyday_functions_and_nothing_else():
    packages = {m.name for m in pkgutil.iter_modules(gramian.__path__) if m.ispkg}
    offered = packages | BY_NAME | EVERYDAY.keys()
    assert set(dir(gramian)) == offered | {"__version__"}
    for name in offered:
        assert getattr(gramian, name) is not None


def test_the_front_door_stays_small():
    """No helper or type that a module of gramian imports for itself is offered by accident."""
    assert len(EVERYDAY) <= MOST == 25
    for name in ("Any", "Path", "Pair", "import_module", "re", "update", "xor"):
        assert not hasattr(gramian, name)


def test_everyday_functions_match_their_packages():
    for name, module in EVERYDAY.items():
        assert getattr(gramian, name) is getattr(importlib.import_module(module), name)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="NoSuchThing"):
        gramian.NoSuchThing  # noqa: B018


@pytest.mark.parametrize(
    "entry", [e for e in ESTIMATORS if fields(e.resolve())], ids=lambda e: e.name
)
def test_the_docstring_names_the_parameters_in_the_order_of_the_signature(entry):
    cls = entry.resolve()
    section = re.search(
        r"Parameters\n-+\n(.*?)\n\n(Attributes|Notes|Examples)\n", cls.__doc__, re.S
    )
    assert section, "no Parameters section"
    named = re.findall(r"^(\w+) :", section.group(1), flags=re.M)
    assert named == list(inspect.signature(cls).parameters)
    assert sorted(named) == sorted(f.name for f in fields(cls))


@pytest.mark.parametrize("entry", ESTIMATORS, ids=lambda e: e.name)
def test_the_docstring_has_a_runnable_example(entry):
    assert ">>> " in entry.resolve().__doc__


@pytest.mark.parametrize("entry", ESTIMATORS, ids=lambda e: e.name)
def test_public_methods_are_documented(entry):
    cls = entry.resolve()
    for name, method in inspect.getmembers(cls, inspect.isfunction):
        if not name.startswith("_") and method.__module__.startswith("gramian"):
            assert inspect.getdoc(method), name


def test_importing_gramian_loads_no_family():
    code = "import sys, gramian; print([m for m in sys.modules if m.startswith('gramian.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("entry", ESTIMATORS, ids=lambda e: e.name)
def test_every_declared_tag_reaches_scikit_learn(entry):
    declares = any(vars(base).get("tags") for base in entry.resolve().__mro__)
    assert not declares or issubclass(entry.resolve(), DeclaredTags)


def own_depth(cls: type) -> int:
    """Return the number of gramian's own classes in the longest chain of bases."""
    if not cls.__module__.startswith("gramian"):
        return 0
    return 1 + max(map(own_depth, cls.__bases__))


@pytest.mark.parametrize("entry", ESTIMATORS, ids=lambda e: e.name)
def test_no_estimator_is_more_than_four_of_our_own_classes_deep(entry):
    assert own_depth(entry.resolve()) <= 4
