"""Classical machine learning, complete and fast: scikit-learn's interface over a C++20 core.

``gramian.<name>`` is a package, an estimator, or one of the few functions of everyday work that
``everyday.py`` lists; each is imported when first used. Everything else is reached through its
package, as ``gramian.evaluate.mcnemar_test``.
"""

import re as _re
from functools import cache as _cache
from importlib import import_module as _import_module
from pathlib import Path as _Path

__version__ = "0.1.0.dev0"


@_cache
def _addresses() -> dict[str, str]:
    """Return the module of every name; that of a package is gramian itself."""
    stub = _Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    listed = _re.findall(r"^from (\S+) import (?:\(\s+)?(\w+) as \2,?$", stub, flags=_re.M)
    return {name: module for module, name in listed}


def __getattr__(name: str) -> object:
    module = _addresses().get(name)
    if module is None:
        raise AttributeError(f"module 'gramian' has no attribute {name!r}")
    if module == "gramian":
        return _import_module(f"gramian.{name}")
    value = getattr(_import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(["__version__", *_addresses()])
