"""The answer of every method is that of `fit`, whatever the chunks and parts."""

import numpy as np
import pytest
from sklearn.base import clone

from gramian.base.errors import DataError
from tests.scale.methods import (
    METHODS,
    ONLINE,
    WEIGHTED,
    ListParts,
    assert_agree,
    name_of,
    pieces,
    weights,
)

pytestmark = pytest.mark.numeric


@pytest.mark.parametrize("method", METHODS, ids=name_of)
def test_chunks_give_the_answer_in_memory(method):
    model, X, y, names = method
    whole = clone(model).fit(X, y)
    for count in (1, 2, 3):
        fitted = clone(model).fit_chunks(pieces(X, y, parts=count))
        assert_agree(fitted, whole, names)


@pytest.mark.parametrize("method", METHODS, ids=name_of)
def test_parts_give_the_answer_in_memory(method):
    model, X, y, names = method
    whole = clone(model).fit(X, y)
    for count in (1, 2, 3):
        if count > 1 and isinstance(model, ONLINE):
            continue
        fitted = clone(model).fit_chunks(ListParts(pieces(X, y, parts=count)))
        assert_agree(fitted, whole, names)


@pytest.mark.parametrize("at", [[0, 0, 7], [1, 1499], [2, 5, 13, 101, 1009]], ids=str)
@pytest.mark.parametrize("method", METHODS, ids=name_of)
def test_odd_cuts_give_the_answer_in_memory(method, at):
    model, X, y, names = method
    whole = clone(model).fit(X, y)
    targets = [None] * (len(at) + 1) if y is None else np.split(y, at)
    cut = [(*pair, None) for pair in zip(np.split(X, at), targets, strict=True)]
    assert_agree(clone(model).fit_chunks(cut), whole, names)
    if not isinstance(model, ONLINE):
        assert_agree(clone(model).fit_chunks(ListParts(cut)), whole, names)


@pytest.mark.parametrize("method", WEIGHTED, ids=name_of)
def test_weights_count_alike(method):
    model, X, y, names = method
    whole = clone(model).fit(X, y, sample_weight=weights)
    for source in (pieces(X, y, weights), ListParts(pieces(X, y, weights))):
        if isinstance(source, ListParts) and isinstance(model, ONLINE):
            continue
        assert_agree(clone(model).fit_chunks(source), whole, names)


@pytest.mark.parametrize("method", METHODS, ids=name_of)
def test_single_precision_and_an_empty_part(method):
    model, X, y, names = method
    small = X.astype(np.float32)
    parts = pieces(small, y)
    none = (small[:0], None if y is None else y[:0], None)
    fitted = clone(model).fit_chunks([parts[0], none, *parts[1:]])
    assert_agree(clone(model).fit_chunks(parts), fitted, names, rtol=0)
    if not isinstance(model, ONLINE):
        again = clone(model).fit_chunks(ListParts([parts[0], none, *parts[1:]]))
        assert_agree(again, fitted, names, rtol=2e-3)


@pytest.mark.parametrize("method", METHODS, ids=name_of)
def test_a_value_that_is_not_finite_is_named_with_its_chunk(method):
    model, X, y, _ = method
    damaged = X.copy()
    damaged[-1, 0] = np.inf
    for source in (pieces(damaged, y), ListParts(pieces(damaged, y))):
        with pytest.raises(DataError, match=r"contains inf.*This is chunk 2"):
            clone(model).fit_chunks(source)


@pytest.mark.parametrize("method", METHODS, ids=name_of)
def test_only_sums_travel(method):
    model, X, y, _ = method
    if isinstance(model, ONLINE):
        pytest.skip("a state of d numbers travels from part to part")
    parts = ListParts(
        pieces(
            np.tile(X, (20, 1)),
            None if y is None else np.repeat([y], 20, 0).reshape(20 * len(y), *np.shape(y)[1:]),
        )
    )
    clone(model).fit_chunks(parts)
    rows = sum(c[0].nbytes for c in parts.chunks)
    most = max(_size(part) for found in parts.sent for part in found)
    assert most < rows / 4  # of 30,000 rows; a sample has 10,000 / 3 of each part


def _size(value):
    if isinstance(value, tuple | list):
        return sum(_size(part) for part in value)
    if hasattr(value, "__dict__"):
        return sum(_size(part) for part in vars(value).values())
    return int(np.asarray(value).nbytes) if isinstance(value, np.ndarray) else 8
