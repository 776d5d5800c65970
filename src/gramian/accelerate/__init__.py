"""Run unchanged scikit-learn scripts with gramian's estimators.

``python -m gramian.accelerate script.py``, ``gramian.accelerate()`` in a notebook or a ``with``, or
``pytest -p gramian.accelerate``: every estimator and function that both libraries have at the same
address is replaced in all loaded modules, and `undo` restores the originals. `report` lists which
library ran each call, how often, for how long, and why calls fell back to scikit-learn.

How it works, and why. A replacement must still look like scikit-learn's class: isinstance,
subclassing, `clone`, `get_params`, repr and metadata routing all read the class; and it must be
able to pass any call to the original. So a replacement is a *subclass of scikit-learn's class* with
its constructor, whose public methods choose between two classes for one object:

- `fit` first tries gramian's class. If that raises (an unsupported parameter, input or metric), the
  object is restored and the original class fits it or raises its usual error.
- gramian's class and its package are imported on first use. `accelerate` itself imports only
  scikit-learn's packages, and most scripts load nearly all of them anyway.
- Both classes work on the *same attributes*: gramian's class gets a view of the object that shares
  its ``__dict__``. So parameters, fitted attributes, `vars`, `copy` and pickles need no forwarding
  and stay consistent. Other methods are those of the class that fitted.

The alternatives were worse. Replacing scikit-learn's classes with gramian's (as a changed import
does) allows no fallback for a single call. Subclasses that compute scikit-learn's own attributes,
as scikit-learn-intelex has, would need two forms of every fitted model. A proxy around two
estimators, as cuml.accel has, must copy attributes back and forth. Replacing methods inside
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
