"""Names of columns."""

from gramian.data.names import unique_names


def test_every_column_has_a_name_of_its_own():
    names, notes = unique_names(["a", "a", "", "a_2", "a"])
    assert names == ["a", "a_3", "column_3", "a_2", "a_4"]
    assert notes == [
        "column 2 is also named 'a'; it is called 'a_3'",
        "column 5 is also named 'a'; it is called 'a_4'",
    ]
