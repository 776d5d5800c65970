"""The contents of the report are plain data."""

import json

import numpy as np

import gramian
from tests.study.tables import mixed


def test_everything_is_json_and_the_model_can_be_saved(classified, tmp_path):
    for part in (classified.result, classified.contents):
        assert json.loads(json.dumps(part, allow_nan=False)) is not None
    copy = gramian.load(gramian.save(classified.model, tmp_path / "model.gram"))
    np.testing.assert_array_equal(copy.predict(mixed()), classified.model.predict(mixed()))
