import numpy as np
import pytest

from gramian.base.errors import DataError
from gramian.data import read_arff, read_label_names
from gramian.data.mulan import match_labels

ARFF = [
    "@relation songs",
    "@attribute tempo numeric",
    "@attribute calm {0,1}",
    r"@attribute dise\~no {1,0}",
    "@attribute sad numeric",
    "@data",
    "120,0,1,1",
    "80,1,0,0",
]


@pytest.fixture
def xml(tmp_path):
    def write(text):
        path = tmp_path / "songs.xml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def labels(*names):
    inside = "".join(f'<label name="{name}"></label>' for name in names)
    return f'<labels xmlns="http://mulan.sourceforge.net/labels">{inside}</labels>'


def test_labels_are_read_in_the_order_of_the_file(xml):
    path = xml(labels("sad", r"dise\~no", "calm"))
    table = read_arff(ARFF, labels=path)
    assert table.label_names == ("sad", "dise~no", "calm")
    assert table.feature_names == ["tempo"]
    np.testing.assert_array_equal(table.label_matrix(), [[1, 1, 0], [0, 0, 1]])
    np.testing.assert_array_equal(table.matrix(table.feature_names), [[120], [80]])


def test_labels_inside_others_count_too(xml):
    path = xml('<labels><label name="sad"><label name="calm"/></label></labels>')
    assert read_label_names(path) == ["sad", "calm"]


def test_names_may_be_given_as_they_are():
    assert read_arff(ARFF, labels=["calm", "sad"]).label_names == ("calm", "sad")
    assert read_arff(ARFF).label_names == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<labels>", "not an XML file of labels"),
        ("<labels></labels>", "no labels"),
        ("<labels><label/></labels>", "without a name"),
        (labels("sad", "sad"), "'sad' is listed twice"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><labels/>', "DOCTYPE"),
    ],
)
def test_a_bad_file_is_named(xml, text, message):
    with pytest.raises(DataError, match=message):
        read_label_names(xml(text))


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(DataError, match="cannot be read"):
        read_label_names(tmp_path / "none.xml")


def test_a_file_that_contradicts_the_table_is_named(xml):
    with pytest.raises(DataError, match="no column for the label 'clam'"):
        read_arff(ARFF, labels=xml(labels("clam")))
    with pytest.raises(DataError, match="'tempo' must be 0 or 1 in every row"):
        read_arff(ARFF, labels=xml(labels("calm", "tempo")))
    missing = [*ARFF[:-1], "80,?,0,0"]
    with pytest.raises(DataError, match="'calm' must be 0 or 1"):
        read_arff(missing, labels=xml(labels("calm")))
    with pytest.raises(DataError, match=r"'calm' must be 0 or 1 .* got a missing value in row"):
        read_arff(missing, labels=xml(labels("calm")))
    with pytest.raises(
        DataError, match=r"no column for the label 'zzz'\. Each label must be a column"
    ):
        match_labels("songs.xml", ["zzz"], ["a"])


@pytest.mark.parametrize(
    ("kind", "value", "shown"),
    [("numeric", "2.5", "2.5"), ("{off,on}", "on", "'on'"), ("string", "x", "'x'")],
)
def test_the_value_that_is_no_label_is_shown(xml, kind, value, shown):
    table = ["@relation t", f"@attribute a {kind}", "@data", value, value]
    with pytest.raises(DataError, match=f"got {shown} in row 0. Correct the table"):
        read_arff(table, labels=xml(labels("a")))


def test_missing_and_repeated_names_are_reported():
    with pytest.raises(DataError, match="at least one column"):
        read_arff(ARFF, labels=[])
    with pytest.raises(DataError, match="the column 'calm' twice"):
        read_arff(ARFF, labels=["calm", "calm"])
    with pytest.raises(DataError, match="the column 'a~b' twice"):  # an escape that ARFF drops
        match_labels("songs.xml", ["a~b", r"a\~b"], ["a~b"])


def test_the_sets_of_mulan(data_folder):
    shapes = {"emotions": (391, 72, 6), "yeast": (1500, 103, 14)}
    for name, (rows, features, n_labels) in shapes.items():
        table = read_arff(data_folder / f"{name}-train.arff.gz", labels=data_folder / f"{name}.xml")
        assert table.matrix(table.feature_names).shape == (rows, features)
        assert table.label_matrix().shape == (rows, n_labels)


def test_labels_with_backslashes_and_sparse_rows(data_folder):
    table = read_arff(data_folder / "delicious-test.arff.gz", labels=data_folder / "delicious.xml")
    assert table.label_matrix().shape == (3185, 983)
    assert "TAG_dise~no" in table.label_names
