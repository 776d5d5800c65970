"""The replacements of scikit-learn's classes, each made when it is first asked for.

They live at ``gramian.accelerate.estimators.<Name>``: that is where pickles look for them.
"""

from gramian.accelerate.replacement import Replaced, replacement
from gramian.accelerate.shared import shared_estimators


def __getattr__(name: str) -> type[Replaced]:
    pair = shared_estimators().get(name)
    if pair is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    made = replacement(pair, module=__name__)
    globals()[name] = made
    return made
