"""Unique names for all columns."""

from collections.abc import Sequence


def unique_names(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return unique names for all columns, and notes on new or changed names.

    Examples
    --------
    >>> unique_names(["size", "", "size"])
    (['size', 'column_2', 'size_2'], ["column 3 is also named 'size'; it is called 'size_2'"])
    """
    made: list[str] = []
    notes = []
    original, used = set(names), set[str]()
    for place, name in enumerate(names, 1):
        new = name or f"column_{place}"
        number = 1
        while new in used or (new != name and new in original):
            number += 1
            new = f"{name or 'column'}_{number}"
        if name and new != name:
            notes.append(f"column {place} is also named {name!r}; it is called {new!r}")
        made.append(new)
        used.add(new)
    return made, notes
