"""``gramian report`` end to end."""

from tests.cli.command import call


def test_report_is_made_again(finished, here, capsys):
    done = call(capsys, "report", str(finished / "run"), "--out", "again.html")
    assert done.out == "again.html\n"
    assert (here / "again.html").read_text() == (finished / "run" / "report.html").read_text()
