"""The progress bar of a notebook."""

import sys
from types import SimpleNamespace

import pytest

from gramian.report.progress_bar import bar_html, in_notebook, progress_bar
from gramian.study.progress import Step


@pytest.fixture
def shown(monkeypatch):
    """What a notebook shows."""
    found = []
    display = SimpleNamespace(
        HTML=str,
        display=lambda html, display_id: SimpleNamespace(update=found.append),
    )
    shell = SimpleNamespace(kernel=object())
    notebook = SimpleNamespace(get_ipython=lambda: shell, display=display)
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    return found


def test_the_bar_is_updated_and_removed(shown):
    with progress_bar() as watch:
        watch(Step("tune", 1, 3, "Ridge"))
        watch(Step("compare", 3, 3, "<b>"))
    assert shown == [
        '<progress value="1" max="3"></progress> 1/3 tuning: Ridge',
        '<progress value="3" max="3"></progress> 3/3 comparing: &lt;b&gt;',
        "",
    ]
    assert bar_html(Step("tune", 1, 3, "Ridge")) == shown[0]


def test_the_bar_is_removed_after_an_error(shown):
    with pytest.raises(KeyboardInterrupt), progress_bar():
        raise KeyboardInterrupt
    assert shown == [""]


def test_there_is_none_elsewhere(shown, monkeypatch):
    with progress_bar(show=False) as watch:
        assert watch is None
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: None))
    assert not in_notebook()
    monkeypatch.delitem(sys.modules, "IPython")
    with progress_bar() as watch:
        assert watch is None
