"""``pytest -p gramian.accelerate``: run a project's tests with gramian's estimators."""

from typing import Any

from gramian.accelerate.patching import accelerate, undo
from gramian.accelerate.records import report


def pytest_configure() -> None:
    """Accelerate before tests are collected."""
    accelerate()


def pytest_unconfigure() -> None:
    """Restore scikit-learn's own names."""
    undo()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the report, with ``-v``."""
    if terminalreporter.verbosity > 0:
        terminalreporter.write_line(str(report()))
