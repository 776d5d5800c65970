"""The signature of an estimator is read by people: names, plain types, defaults."""

import inspect
import pydoc

import pytest

import gramian
from gramian.base.catalogue import ESTIMATORS


def test_help_shows_plain_types():
    line = str(inspect.signature(gramian.KMeans))
    assert line.startswith("(n_clusters: int = 8, *, init: 'k-means++' | 'k-means||' | 'random'")
    assert "random_state: int | RandomState | Generator | None = None" in line
    assert "n_clusters: int = 8" in pydoc.render_doc(gramian.KMeans)


@pytest.mark.parametrize("entry", ESTIMATORS, ids=lambda e: e.name)
def test_no_signature_shows_how_its_rules_are_written(entry):
    text = str(inspect.signature(entry.resolve()))
    assert not any(
        word in text for word in ("Annotated", "Interval(", "<class", "numpy.", "_Nested")
    )
