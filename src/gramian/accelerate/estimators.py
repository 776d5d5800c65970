"""The replacements of scikit-learn's classes, each created on first access.

Pickles refer to them as ``gramian.accelerate.estimators.<Name>``.
"""

from gramian.accelerate.replacement import Replaced, replacement
from gramian.accelerate.shared import shared_estimators


def __getattr__(name: str) -> type[Replaced]:
    pair = shared_estimators().get(name)
    if pair is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    cls = replacement(pair, module=__name__)
    globals()[name] = cls
    return cls
