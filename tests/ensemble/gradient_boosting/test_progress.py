"""Progress output of boosting."""

from gramian.ensemble.gradient_boosting.progress import Progress


def test_progress_lines_become_less_frequent(capsys):
    progress = Progress(1, 200, 0, out_of_bag=False)
    for number in range(200):
        progress.report(number, 1.0, 0.0)
    lines = capsys.readouterr().out.splitlines()
    assert [int(line.split()[0]) for line in lines[1:]] == [*range(1, 11), *range(20, 101, 10), 200]


def test_nothing_is_printed_without_verbose(capsys):
    Progress(0, 2, 0, out_of_bag=True).report(0, 1.0, 0.0)
    assert capsys.readouterr().out == ""
