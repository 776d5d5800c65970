"""Commands that use the results of the report."""

import re
import shlex

FLAGS = {"test_size": "test", "labels": "target"}  # settings whose flag has another name
_SETTING = re.compile(r"(?<![-\w'])(?:evals|test_size|(?<=set )groups|(?<=name it in )models)\b")
_WITH_VALUE = re.compile(r"(?<![-\w'])(task|groups|time|categorical)=(?:'([^']+)'|\"([^\"]+)\")")


def with_flags(text: str) -> str:
    """Replace names of settings in a study's sentence by the flags of the command.

    Examples
    --------
    >>> with_flags("Raise evals to try them."), with_flags("Use groups='customer id'.")
    ('Raise --evals to try them.', "Use --groups 'customer id'.")
    """
    text = flags_with_values(text)
    return _SETTING.sub(lambda m: f"--{FLAGS.get(m[0], m[0])}", text)


def flags_with_values(text: str) -> str:
    """Replace settings with values in a text by flags of the command."""
    return _WITH_VALUE.sub(lambda m: f"--{m[1]} {shlex.quote(m[2] or m[3])}", text)


def predict_command(threshold: float | str, positive: str) -> str:
    """Return the command line that predicts new rows with a threshold chosen in the report.

    RUN and DATA are placeholders for the run directory and the table of new rows.

    Examples
    --------
    >>> predict_command(0.23, "not paid")
    "gramian predict RUN DATA --threshold 0.23 --positive 'not paid'"
    """
    shown = threshold if isinstance(threshold, str) else f"{threshold:g}"
    words = ["gramian", "predict", "RUN", "DATA", "--threshold", shown]
    # A value that begins with a dash would be read as an option.
    label = [f"--positive={positive}"] if positive.startswith("-") else ["--positive", positive]
    return shlex.join(words + label)
