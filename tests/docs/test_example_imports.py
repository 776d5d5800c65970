"""Examples of the reference run when they are copied into a fresh session."""

import inspect
import sys
from doctest import DocTestParser
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))

import example_imports
import pages

EVERY = [path for group in pages.documented().values() for path in group]
PUBLIC = {id(pages.resolve(path)): path for path in EVERY}


def documents(path):
    """Return what has a docstring on the page of a name: itself and its methods."""
    thing = pages.resolve(path)
    if not inspect.isclass(thing):
        return [thing]
    members = [inspect.getattr_static(thing, name) for name in dir(thing) if name[0] != "_"]
    unwrapped = [getattr(one, "__func__", getattr(one, "fget", one)) for one in members]
    return [thing, *(one for one in unwrapped if inspect.isfunction(one))]


@pytest.mark.parametrize("path", EVERY)
def test_every_example_imports_what_it_uses(path):
    for one in documents(path):
        if not getattr(one, "__module__", "").startswith("gramian"):
            continue
        lines = (inspect.getdoc(one) or "").splitlines()
        shown = example_imports.with_imports(lines, one.__module__, PUBLIC)
        examples = DocTestParser().get_examples("\n".join(shown))
        assert not example_imports.unknown_names("".join(e.source for e in examples))


def test_imports_go_above_the_first_line_with_its_margin():
    lines = ["Words.", "", "  >>> vc_dimension(np.abs(x) for x in [1])", "  3"]
    shown = example_imports.with_imports(
        lines, "gramian.textbook.learning_theory.shattering", PUBLIC
    )
    assert shown == [
        *lines[:2],
        "  >>> import numpy as np",
        "  >>> from gramian.textbook.learning_theory import vc_dimension",
        *lines[2:],
    ]


def test_names_of_other_packages_come_from_there():
    module = sys.modules["gramian.textbook.learning_theory.hoeffding"]
    found = example_imports.import_lines(["HoeffdingBound", "math", "np", "stats"], module, PUBLIC)
    assert found == [
        "import math",
        "import numpy as np",
        "from scipy import stats",
        "from gramian.textbook.learning_theory import HoeffdingBound",
    ]


def test_what_defines_all_its_names_is_left_as_it_is():
    lines = [
        ">>> from os import path",
        ">>> def f(x):",
        "...     return x",
        ">>> [f(y) for y in (1, 2)]",
    ]
    assert (
        example_imports.with_imports(lines, "gramian.textbook.learning_theory.bounds", PUBLIC)
        == lines
    )


def test_a_name_that_nobody_offers_is_refused():
    with pytest.raises(ValueError, match="an example uses nothing_such"):
        example_imports.with_imports(
            [">>> nothing_such(3)"], "gramian.textbook.learning_theory.hoeffding", PUBLIC
        )
