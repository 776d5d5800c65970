"""Run scikit-learn's scripts with gramian's estimators, unchanged.

``python -m gramian.accelerate script.py``, ``gramian.accelerate()`` in a notebook or a ``with``, or
``pytest -p gramian.accelerate``: every estimator and function that both libraries have at the same
address is replaced in all loaded modules, and `undo` puts the originals back. `report` says what
ran where, how often, how long, and why something was left to scikit-learn.

How it works, and why. A replacement must still be scikit-learn's class to whoever looks at it:
isinstance, subclassing, `clone`, `get_params`, repr and metadata routing all read the class; and it
must be able to leave any call to the original. So a replacement is a *subclass of scikit-learn's
class* with its constructor, whose public methods choose between two classes for one object:

- `fit` first lets gramian's class try. What that refuses (a parameter, an input, a metric), the
  original fits, or refuses in the words that users know. The object is put back as it was before.
- gramian's class is imported when it first has to answer, with its family: `accelerate` itself
  imports scikit-learn's families only, of which most scripts load nearly all.
- Both classes work on the *same attributes*: gramian's sees the object as one of its own that
  shares its ``__dict__``. So parameters, fitted attributes, `vars`, `copy` and pickles need no
  forwarding, and nothing can get out of step. Other methods are answered by the class that fitted.

The alternatives were worse. Putting gramian's classes in the place of scikit-learn's (what a
changed import does) leaves no way back for one call. Subclasses that compute scikit-learn's own
attributes, as scikit-learn-intelex has, would need two forms of every fitted model. A proxy around
two estimators, as cuml.accel has, must copy attributes to and fro. Replacing methods inside
scikit-learn's classes would break models fitted before `undo`.

A pickle names the replacement, `gramian.accelerate.estimators.<Name>`: it loads wherever gramian is
installed, accelerated or not.
"""

import sys
from types import ModuleType
from typing import Any

from gramian.accelerate.patching import Acceleration, accelerate, is_active, undo
from gramian.accelerate.plugin import pytest_configure as pytest_configure
from gramian.accelerate.plugin import pytest_terminal_summary as pytest_terminal_summary
from gramian.accelerate.plugin import pytest_unconfigure as pytest_unconfigure
from gramian.accelerate.records import Report, report, reset

__all__ = ["Acceleration", "Report", "is_active", "report", "reset", "undo"]


class _Callable(ModuleType):
    """A module that can be called: ``gramian.accelerate()``."""

    def __call__(self) -> Acceleration:
        return accelerate()

    __call__.__doc__ = accelerate.__doc__


_module: Any = sys.modules[__name__]
_module.__class__ = _Callable
