"""A progress bar in a notebook."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from time import monotonic
from typing import Any

from gramian.study.progress import Step, Watch

_STAGES = {"tune": "tuning", "compare": "comparing", "explain": "explaining"}
_INTERVAL = 0.1  # seconds between two updates


def in_notebook() -> bool:
    """Whether the code runs in a notebook, which can show HTML."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and getattr(shell, "kernel", None) is not None


@contextmanager
def progress_bar(show: bool | None = None) -> Iterator[Watch | None]:
    """Show a bar in the output of the cell, and remove it at the end.

    Parameters
    ----------
    show
        Whether to show it; None shows it in notebooks.
    """
    if show is False or not in_notebook():
        yield None
        return
    display: Any = sys.modules["IPython"].display
    handle = display.display(display.HTML(""), display_id=True)
    last = 0.0

    def watch(step: Step) -> None:
        nonlocal last
        if monotonic() - last >= _INTERVAL or step.done == step.total:
            handle.update(display.HTML(bar_html(step)))
            last = monotonic()

    try:
        yield watch
    finally:
        handle.update(display.HTML(""))


def bar_html(step: Step) -> str:
    """Return the bar at a step.

    Examples
    --------
    >>> bar_html(Step("tune", 3, 10, "Ridge"))
    '<progress value="3" max="10"></progress> 3/10 tuning: Ridge'
    """
    text = escape(f"{_STAGES[step.stage]}: {step.text}")
    bar = f'<progress value="{step.done}" max="{step.total}"></progress>'
    return f"{bar} {step.done}/{step.total} {text}"
