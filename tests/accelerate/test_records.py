"""The report counts calls that returned, by method and library, with the reasons."""

import pytest

from gramian.accelerate.records import add, record_call, report, reset, take_rows


@pytest.fixture(autouse=True)
def _empty():
    reset()
    yield
    reset()


def test_calls_are_counted_and_reasons_kept():
    for _ in range(3):
        with record_call("KMeans", "fit", "gramian"):
            pass
    with record_call("KMeans", "fit", "scikit-learn", "no such metric"):
        pass
    rows = {(row.method, row.where): row for row in report()}
    assert rows["fit", "gramian"].calls == 3
    assert rows["fit", "scikit-learn"].reasons == {"no such metric": 1}
    text = str(report())
    assert "KMeans.fit" in text
    assert "1 x no such metric" in text


def test_a_call_that_raises_is_not_counted():
    with pytest.raises(ZeroDivisionError), record_call("KMeans", "fit", "gramian"):
        raise ZeroDivisionError
    assert len(report()) == 0
    assert "no calls yet" in str(report())


def test_rows_taken_elsewhere_can_be_added():
    with record_call("PCA", "fit", "gramian"):
        pass
    rows = take_rows()
    assert len(report()) == 0
    for row in [*rows, *rows]:
        add(row)
    assert [(row.name, row.calls) for row in report()] == [("PCA", 2)]


def test_a_report_does_not_change():
    with record_call("Ridge", "fit", "gramian"):
        pass
    before = report()
    with record_call("Ridge", "fit", "gramian", "a reason"):
        pass
    assert [row.calls for row in before] == [1]
    assert not before.rows[0].reasons
    assert [row.calls for row in report()] == [2]
