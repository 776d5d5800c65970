"""Classical machine learning, complete and fast: scikit-learn's interface over a C++20 core.

``gramian.<name>`` is a package, an estimator, or one of the few functions of everyday work that
``everyday.py`` lists; each is imported when first used. Everything else is reached through its
package, as ``gramian.evaluate.mcnemar_test``.
"""

from importlib import import_module as _import_module

__version__ = "0.1.0.dev0"

_addresses_read: dict[str, str] = {}


def _addresses() -> dict[str, str]:
    """Return the module of every name; for a package it is gramian itself."""
    if not _addresses_read:
        # Plain string methods: importing re and pathlib would take three times as long as the rest.
        with open(f"{__path__[0]}/__init__.pyi", encoding="utf-8") as stub:
            statements = stub.read().split("\nfrom ")[1:]
        for words in map(str.split, statements):
            _addresses_read[words[words.index("as") - 1]] = words[0]
    return _addresses_read


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
