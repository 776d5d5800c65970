"""The confusion matrix with its proportions, rare classes joined."""

import numpy as np

from gramian.report.sections.confusion import confusion


def test_recall_is_of_the_rows_and_precision_of_the_columns():
    found = confusion([[3, 1], [2, 4]], ["no", "yes"], 9)
    assert [row["recall"] for row in found["rows"]] == ["75%", "67%"]
    assert found["precision"] == ["60%", "80%"]
    assert [cell["share"] for cell in found["rows"][0]["cells"]] == ["75%", "25%"]
    assert [cell["right"] for cell in found["rows"][1]["cells"]] == [False, True]
    assert not found["has_rejected"]
    assert found["joined"] == 0


def test_shades_follow_the_proportion():
    (row, _) = confusion([[8, 2, 0], [0, 1, 0], [0, 0, 0]], list("abc"), 9)["rows"][:2]
    assert [cell["shade"] for cell in row["cells"]] == [5, 2, 0]


def test_rejected_rows_count_against_the_recall():
    found = confusion([[3, 1], [0, 4]], ["no", "yes"], 9, [4, 0])
    assert found["has_rejected"]
    assert found["rows"][0]["rejected"] == 4
    assert [row["recall"] for row in found["rows"]] == ["38%", "100%"]


def test_a_class_without_rows_or_predictions_has_a_dash():
    found = confusion([[3, 0], [0, 0]], ["no", "yes"], 9)
    assert found["rows"][1]["recall"] == "–"
    assert found["precision"][1] == "–"


def test_the_rarest_classes_are_joined():
    table = np.diag([9, 2, 7, 1, 8])
    table[1, 3] = 1  # between two that are joined: right, as far as the table shows
    table[0, 3] = 4
    found = confusion(table.tolist(), list("abcde"), 4, [1, 2, 3, 4, 5])
    assert found["labels"] == ["a", "c", "e", "2 others"]
    counts = [[cell["count"] for cell in row["cells"]] for row in found["rows"]]
    assert counts == [[9, 0, 0, 4], [0, 7, 0, 0], [0, 0, 8, 0], [0, 0, 0, 4]]
    assert [row["rejected"] for row in found["rows"]] == [1, 3, 5, 6]
    assert found["joined"] == 2
