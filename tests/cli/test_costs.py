"""Tables of costs are read with or without the names of their classes."""

import pytest

from gramian.base.errors import DataError
from gramian.cli.costs import CostTable, read_costs, show_costs


def test_costs_are_a_table_of_numbers(tmp_path):
    path = tmp_path / "costs.csv"
    path.write_bytes("\ufeff0, 1\n\n5,0\n".encode())  # as a spreadsheet writes it
    assert read_costs(path) == CostTable(((0.0, 1.0), (5.0, 0.0)), None)
    assert read_costs(None) == CostTable(None, None)
    for text in ("0,1\n5", "0,x\n1,0", "", ",a,b\na,0\nb,1\n", ",a\n"):
        path.write_text(text)
        with pytest.raises(DataError, match="costs must be numbers separated by commas"):
            read_costs(path)
    with pytest.raises(DataError, match=r"costs cannot be read \(No such file or directory\)\.$"):
        read_costs(tmp_path / "none.csv")
    path.write_bytes(b"0,1\n\xff,0\n")
    with pytest.raises(DataError, match="costs must be UTF-8 text"):
        read_costs(path)


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_named_costs_are_in_any_order(tmp_path, mark):
    path = tmp_path / "costs.csv"
    path.write_text("decision,yes,no\nno,20,0\nyes,0,1\n".replace(",", mark))
    assert read_costs(path) == CostTable(((0.0, 1.0), (20.0, 0.0)), ("yes", "no"))


def test_names_must_agree(tmp_path):
    path = tmp_path / "costs.csv"
    for text in (",yes,no\nyes,0,1\nnay,1,0\n", ",yes,yes\nyes,0,1\nyes,1,0\n"):
        path.write_text(text)
        with pytest.raises(DataError, match="both must list every class once"):
            read_costs(path)


def test_the_order_of_the_classes_is_shown(capsys):
    show_costs(((0.0, 1.5), (20.0, 0.0)), ["no", "yes"])
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].split() == ["decision", "/", "truth", "no", "yes"]
    assert [line.split() for line in lines[1:]] == [["no", "0", "1.5"], ["yes", "20", "0"]]
