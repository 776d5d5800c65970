"""Classical machine learning, complete and fast: scikit-learn's interface over a C++20 core.

Every public class is here as ``gramian.<Class>``; its family is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what __getattr__ gives, for type checkers; one line per name, sorted
    from gramian.base.callbacks import EarlyStopping as EarlyStopping
    from gramian.base.callbacks import TimeBudget as TimeBudget
    from gramian.base.files import load as load
    from gramian.base.files import save as save
    from gramian.base.threads import get_num_threads as get_num_threads
    from gramian.base.threads import set_num_threads as set_num_threads
    from gramian.base.versions import show_versions as show_versions
    from gramian.linear import LinearRegression as LinearRegression
    from gramian.linear import LogisticRegression as LogisticRegression
    from gramian.linear import LogisticRegressionCV as LogisticRegressionCV
    from gramian.linear import PoissonRegressor as PoissonRegressor
    from gramian.linear import SigmoidDiscriminant as SigmoidDiscriminant

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
