"""The page is one file that needs nothing else."""

import re

import pytest

from gramian import study
from tests.study.tables import mixed, prices

pytest.importorskip("jinja2")

from gramian.report import render


@pytest.mark.parametrize(
    ("frame", "target"), [(mixed(), "bought"), (prices(), "price"), (prices(), None)]
)
def test_the_page_is_small_and_asks_for_nothing(frame, target):
    page = render(study.run(frame, target, evals=2).contents)
    assert page.startswith("<!doctype html>")
    assert len(page.encode()) < 2_000_000
    assert not re.search(r"""(src|href)=["'](https?:)?//""", page)
