"""The catalogue is the set of public estimators, and the docstrings name the fields."""

import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from dataclasses import fields

import pytest
from sklearn.base import BaseEstimator

import gramian
from gramian.base.catalogue import ESTIMATORS, public_names
from gramian.base.kinds import Classifier, Clusterer, Estimator, Regressor, Transformer

KINDS = {Estimator, Classifier, Regressor, Clusterer, Transformer}


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


def test_every_public_name_is_an_attribute_of_gramian():
    for name in public_names():
        assert getattr(gramian, name).__name__ == name
        assert name in dir(gramian)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="NoSuchThing"):
        gramian.NoSuchThing  # noqa: B018


def test_type_checkers_see_every_public_name():
    """The TYPE_CHECKING block of gramian/__init__.py lists what __getattr__ gives."""
    source = inspect.getsource(gramian)
    listed = re.findall(r"^    from (\S+) import (\w+) as \2$", source, flags=re.M)
    assert sorted((name, module) for module, name in listed) == sorted(public_names().items())


@pytest.mark.parametrize(
    "entry", [e for e in ESTIMATORS if fields(e.resolve())], ids=lambda e: e.name
)
def test_the_docstring_names_the_fields_in_order(entry):
    cls = entry.resolve()
    section = re.search(
        r"Parameters\n\s+-+\n(.*?)\n\s*\n\s+(Attributes|Notes|Examples)\n", cls.__doc__, re.S
    )
    assert section, "no Parameters section"
    named = re.findall(r"^    (\w+) :", section.group(1), flags=re.M)
    assert named == [f.name for f in fields(cls)]


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
