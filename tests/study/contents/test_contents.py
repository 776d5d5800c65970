"""Contents are read back as they were written, by kind of task."""

import json

import pytest

from gramian.base.errors import DataError
from gramian.study.contents import (
    ClusterContents,
    Contents,
    LabelContents,
    SupervisedContents,
)


def test_contents_are_read_back_as_they_were_written(every):
    for contents in every:
        written = json.dumps(contents.to_json(), allow_nan=False)
        assert Contents.from_json(json.loads(written)) == contents


def test_the_task_says_which_kind_is_read(every):
    kinds = [type(Contents.from_json(contents.to_json())) for contents in every]
    assert kinds == [SupervisedContents] * 4 + [ClusterContents, LabelContents]


@pytest.mark.parametrize("value", [[], {}, {"format": 2}, "text", None])
def test_other_formats_are_refused(value):
    with pytest.raises(DataError, match="object of format 1"):
        Contents.from_json(value)


def test_an_error_names_the_field(classes):
    value = classes.to_json()
    value["run"]["data"]["rows"] = "many"
    with pytest.raises(
        DataError, match=r"report\.run\.data\.rows must be a whole number; got 'many'"
    ):
        Contents.from_json(value)
    with pytest.raises(DataError, match=r"report\.run: the field is missing"):
        Contents.from_json({"format": 1})


def test_the_main_metric_and_the_classes(classes, numbers):
    assert classes.main_metric.name == classes.run.metric
    assert classes.classes == ("no", "yes")
    assert numbers.classes == ()
