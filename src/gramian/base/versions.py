"""What is installed, for bug reports."""

import platform
import sys
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


def show_versions() -> None:
    """Print the versions, the threads and the instruction set in use.

    Examples
    --------
    >>> import gramian
    >>> gramian.show_versions()  # doctest: +ELLIPSIS
    gramian ...
    """
    rows = {
        "gramian": gramian.__version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "threads": str(_native.num_threads()),
        "instruction set": _native.isa(),
    }
    for package in _PACKAGES:
        try:
            rows[package] = version(package)
        except PackageNotFoundError:
            rows[package] = "not installed"
    width = max(map(len, rows))
    sys.stdout.write("".join(f"{name:<{width}}  {value}\n" for name, value in rows.items()))
