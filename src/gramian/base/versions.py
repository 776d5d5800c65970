"""What is installed, for bug reports."""

import platform
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version

import gramian
from gramian import _native

_PACKAGES = (
    "numpy",
    "scipy",
    "scikit-learn",
    "joblib",
    "narwhals",
    "threadpoolctl",
    "matplotlib",
    "torch",
)


def versions_of(packages: Sequence[str]) -> dict[str, str]:
    """Return the version of Python and of each package.

    Examples
    --------
    >>> versions_of(["no-such-package"])["no-such-package"]
    'not installed'
    """
    return {"python": platform.python_version(), **{name: _version(name) for name in packages}}


def installation(packages: Sequence[str] = _PACKAGES) -> dict[str, str]:
    """Return the versions, the threads and the instruction set in use."""
    return {
        "gramian": gramian.__version__,
        "system": f"{platform.system()} {platform.machine()}",
        "threads": str(_native.num_threads()),
        "instruction set": _native.isa(),
        **versions_of(packages),
    }


def show_versions() -> None:
    """Print the versions, the threads and the instruction set in use.

    Examples
    --------
    >>> import gramian
    >>> gramian.show_versions()  # doctest: +ELLIPSIS
    gramian ...
    """
    rows = installation()
    width = max(map(len, rows))
    sys.stdout.write("".join(f"{name:<{width}}  {value}\n" for name, value in rows.items()))


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
