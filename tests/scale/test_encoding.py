"""Frames become arrays: kinds of columns, and what does not fit."""

import numpy as np
import pandas as pd
import pytest

from gramian.base.errors import DataError
from gramian.scale.encoding import Encoder, categories_in, column_kinds

FRAME = pd.DataFrame({"a": [1, 2], "b": [True, False], "c": ["x", None], "y": ["no", "yes"]})


def test_kinds_and_categories():
    assert column_kinds(FRAME) == {"a": "number", "b": "number", "c": "text", "y": "text"}
    assert categories_in(FRAME, ["c"]) == {"c": {"x"}}


def test_a_frame_becomes_numbers_and_labels():
    encoder = Encoder(["a", "b", "c"], "y", None, np.float64, "one-hot", {"c": ["x", "z"]})
    X, y, weights = encoder(FRAME)
    assert X.tolist() == [[1.0, 1.0, 1.0, 0.0], [2.0, 0.0, 0.0, 0.0]]
    assert y.tolist() == ["no", "yes"]
    assert weights is None


def test_columns_that_do_not_fit_are_named():
    encoder = Encoder(["a", "c"], None, None, np.float64, "codes", {})
    with pytest.raises(DataError, match=r"'c' has numbers in the first chunk and .* in chunk 2"):
        encoder(FRAME, "chunk 2")
    with pytest.raises(DataError, match="column 'c' of the first chunk is missing in chunk 3"):
        encoder(FRAME[["a"]], "chunk 3")
