"""Figures are drawn off screen and closed after every test; showing one is an error."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest


@pytest.fixture(autouse=True)
def canvas(monkeypatch):
    before = dict(mpl.rcParams)
    monkeypatch.setattr(plt, "show", lambda *_, **__: pytest.fail("a figure was shown"))
    yield
    plt.close("all")
    assert dict(mpl.rcParams) == before, "the style was changed for everybody"


@pytest.fixture
def ax():
    return plt.subplots()[1]


def legend_texts(ax):
    """The texts of a legend, from top to bottom."""
    return [text.get_text() for text in ax.get_legend().get_texts()]
