"""Classical machine learning, complete and fast: scikit-learn's interface over a C++20 core.

Every public class is here as ``gramian.<Class>``; its family is imported when it is first used.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0.dev0"


def __getattr__(name: str) -> Any:
    from gramian.base.catalogue import public_names

    module = public_names().get(name)
    if module is None:
        raise AttributeError(f"module 'gramian' has no attribute {name!r}")
    value = getattr(import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    from gramian.base.catalogue import public_names

    return sorted([*globals(), *public_names()])
