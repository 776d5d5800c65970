"""Values of options are read, and errors name the flag."""

import pytest

from gramian.cli.options import name_flags, names


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("alpha must be between 0 and 1; got 2.", "--alpha must be between 0 and 1; got 2."),
        ("test_size must be less", "--test must be less"),
        ("groups: there is no column 'x'", "--groups: there is no column 'x'"),
        ("costs and reject need a task", "--costs and --reject need a task"),
        (
            "threshold, costs and reject need a classifier",
            "--threshold, --costs and --reject need a classifier",
        ),
        ("threshold and costs cannot both be set", "--threshold and --costs cannot both be set"),
        ("positive must come with threshold, as", "--positive must come with --threshold, as"),
        ("rows and costs need care", "rows and costs need care"),
        (
            "target must be None for task='clustering'; drop it.",
            "--target must be left out for --task clustering; drop it.",
        ),
        ("'x' is text; use task='classification'.", "'x' is text; use --task classification."),
        ("wine.csv: no such file", "wine.csv: no such file"),
        ("nothing must be said", "nothing must be said"),
    ],
)
def test_messages_of_the_library_get_the_flag(message, expected):
    assert name_flags(message) == expected


def test_names_are_separated_by_commas():
    assert names(" Ridge, Lasso ,,") == ("Ridge", "Lasso")
    assert names(None) is None
