"""A class that bears scikit-learn's name has its parameters, methods and fitted attributes."""

import inspect
import re
import warnings
from functools import cache
from typing import Any

import numpy as np
import pytest
from sklearn.utils.discovery import all_estimators

from gramian.base.catalogue import ESTIMATORS, Entry
from gramian.base.fields import rules_of
from tests.contract.differences import DIFFERENCES, REFUSED_VALUES
from tests.contract.estimators import table
from tests.contract.settings import examples

THEIRS = dict(all_estimators())
SHARED = [entry for entry in ESTIMATORS if entry.name in THEIRS]
SPECIAL = ("__len__", "__getitem__", "__iter__")


def parameters(function: Any) -> dict[str, inspect.Parameter]:
    found = inspect.signature(function).parameters
    return {name: p for name, p in found.items() if name != "self"}


def same(a: Any, b: Any) -> bool:
    return a is b or bool(a == b) or repr(a) == repr(b)


def constructor_differences(ours: type, theirs: type) -> list[str]:
    mine, wanted = parameters(ours.__init__), parameters(theirs.__init__)
    found = []
    for name, parameter in wanted.items():
        if name not in mine:
            found.append(name)
        elif not same(mine[name].default, parameter.default):
            found.append(f"default of {name}")
        elif parameter.kind is parameter.POSITIONAL_OR_KEYWORD is not mine[name].kind:
            found.append(f"position of {name}")
    return found


def method_differences(ours: type, theirs: type) -> list[str]:
    found = []
    for name in dir(theirs):
        method = getattr(theirs, name)
        if name.startswith("_") and name not in SPECIAL:
            continue
        if not callable(method) or isinstance(method, type):
            continue
        if not hasattr(ours, name):
            found.append(name)
        elif not name.startswith(("_", "set_")):
            mine, wanted = parameters(getattr(ours, name)), parameters(method)
            positional = [n for n, p in wanted.items() if p.kind is p.POSITIONAL_OR_KEYWORD]
            absent = [n for n in wanted if n not in mine]
            found += [f"{name}({argument})" for argument in absent]
            both = [n for n in wanted if n in mine]
            found += [
                f"{name}(default of {n})"
                for n in both
                if not same(mine[n].default, wanted[n].default)
            ]
            if not absent and list(mine)[: len(positional)] != positional:
                found.append(f"{name}(order)")
    return found


def documented(theirs: type) -> list[str]:
    """The fitted attributes that scikit-learn's docstring lists."""
    doc = inspect.cleandoc(theirs.__doc__ or "")
    section = re.search(r"^Attributes\n-+\n(.*?)(?=^\w[\w ]*\n-{3,}$|\Z)", doc, re.M | re.S)
    heads = re.findall(r"^(\w[^\n]*)", section.group(1), re.M) if section else []
    return [name for head in heads for name in re.findall(r"\w+", head.split(":")[0])]


def _required(model: Any) -> bool:
    every = parameters(type(model).__init__).values()
    return any(p.default is p.empty for p in every)


@cache
def fitted_pair(entry: Entry) -> tuple[Any, Any]:
    """Ours and theirs, fitted to the same rows with the same parameters."""
    ours = examples(entry)[0]
    X, y = table(ours)
    shared = parameters(THEIRS[entry.name].__init__)
    own_settings = type(ours)().get_params(deep=False) if not _required(ours) else {}
    settings = {
        k: v
        for k, v in ours.get_params(deep=False).items()
        if k in shared and (k not in own_settings or repr(v) != repr(own_settings[k]))
    }
    theirs = THEIRS[entry.name](**settings)
    if not theirs.__sklearn_tags__().target_tags.single_output:
        y = np.c_[y == y[0], X[:, 0] > np.median(X[:, 0])].astype(int)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for model in (ours, theirs):
            model.fit(X) if y is None else model.fit(X, y)
    return ours, theirs


def attribute_differences(entry: Entry) -> list[str]:
    ours, theirs = fitted_pair(entry)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of attributes that it deprecates
        known = [name for name in documented(type(theirs)) if hasattr(theirs, name)]
    return [name for name in known if not hasattr(ours, name)]


def differences(entry: Entry) -> list[str]:
    ours, theirs = entry.resolve(), THEIRS[entry.name]
    found = constructor_differences(ours, theirs) + method_differences(ours, theirs)
    return [f"{entry.name}.{what}" for what in found + attribute_differences(entry)]


@pytest.mark.slow
@pytest.mark.parametrize("entry", SHARED, ids=lambda entry: entry.name)
def test_what_differs_from_scikit_learn_is_listed(entry):
    assert [what for what in differences(entry) if what not in DIFFERENCES] == []


@pytest.mark.parametrize("entry", SHARED, ids=lambda entry: entry.name)
def test_what_is_listed_differs(entry):
    listed = {what for what in DIFFERENCES if what.partition(".")[0] == entry.name}
    assert listed - set(differences(entry)) == set()


def test_the_list_is_sorted_and_of_shared_classes():
    assert list(DIFFERENCES) == sorted(DIFFERENCES)
    assert {what.partition(".")[0] for what in DIFFERENCES} <= {entry.name for entry in SHARED}


@pytest.mark.parametrize("entry", SHARED, ids=lambda entry: entry.name)
def test_values_that_have_a_name_match_scikit_learn(entry):
    """A name that scikit-learn's class checks for is taken, or listed with its reason."""
    rules = rules_of(entry.resolve())
    for parameter, allowed in THEIRS[entry.name]._parameter_constraints.items():
        if parameter not in rules or isinstance(allowed, str):
            continue
        refused = {
            value
            for part in allowed
            for value in getattr(part, "options", set()) - getattr(part, "deprecated", set())
            if isinstance(value, str) and not rules[parameter].accepts(value)
        }
        named = f"{entry.name}.{parameter}"
        listed, reason = REFUSED_VALUES.get(named, (set(), "none"))
        assert refused <= listed, f"{named}: {reason}"  # another SciPy has other metrics
        assert not any(rules[parameter].accepts(value) for value in listed), named
