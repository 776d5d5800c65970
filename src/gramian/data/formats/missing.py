"""Strings that mark missing values."""

# Missing in every column, in upper or lower case.
MARKS = frozenset(
    (
        "", "?", "na", "n/a", "#n/a", "n.a.", "<na>", "nan", "-nan", "nat", "null", "(null)",
        "#null!", "#div/0!", "#value!", "#ref!", "#name?", "#num!",
    )
)  # fmt: skip
# Missing in columns of numbers, dates and times; in others they may be categories.
WEAK_MARKS = frozenset(
    (
        "-", "--", "---", "–", "—", ".", "..", "...", "*", "x", "none", "nil", "unknown", "unk",
        "missing", "not available", "not applicable", "n.d.", "nd", "n/d", "k.a.", "tbd", "tba",
        "blank", "empty", "undefined",
    )
)  # fmt: skip


def is_missing(text: str) -> bool:
    """Return whether a string marks a missing value in every column.

    Examples
    --------
    >>> is_missing("N/A"), is_missing("none")
    (True, False)
    """
    return text.strip().lower() in MARKS


def is_weak_mark(text: str) -> bool:
    """Return whether a string marks a missing value among numbers, dates and times.

    Examples
    --------
    >>> is_weak_mark("-"), is_weak_mark("oak")
    (True, False)
    """
    return text.strip().lower() in WEAK_MARKS
