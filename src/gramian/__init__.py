"""Classical machine learning, complete and fast: scikit-learn's interface over a C++20 core.

Every public class is here as ``gramian.<Class>``, every package as ``gramian.<package>``; they are
imported when first used. The names are those of ``__init__.pyi``, which tools/names writes.
"""

import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

__version__ = "0.1.0.dev0"


@cache
def _addresses() -> dict[str, str]:
    """Return the module of every name; that of a package is gramian itself."""
    stub = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    listed = re.findall(r"^from (\S+) import (?:\(\s+)?(\w+) as \2,?$", stub, flags=re.M)
    return {name: module for module, name in listed}


def __getattr__(name: str) -> Any:
    module = _addresses().get(name)
    if module is None:
        raise AttributeError(f"module 'gramian' has no attribute {name!r}")
    if module == "gramian":
        return import_module(f"gramian.{name}")
    value = getattr(import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_addresses()})
