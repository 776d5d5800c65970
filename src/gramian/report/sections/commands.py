"""Commands that use what the report shows."""

import shlex


def predict_command(threshold: float | str, positive: str) -> str:
    """Return the command line that predicts new rows with a threshold chosen in the report.

    RUN and DATA stand for the run directory and the table of new rows.

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
