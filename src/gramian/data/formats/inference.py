"""Inference of the format of a column of strings from its distinct values."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any, cast

from gramian.data.formats.booleans import boolean_words, read_boolean
from gramian.data.formats.dates import (
    DateFormat,
    Order,
    date_format,
    date_reader,
    read_date,
    read_time,
)
from gramian.data.formats.missing import is_weak_mark
from gramian.data.formats.numbers import (
    NumberFormat,
    Plain,
    is_number,
    is_percent,
    number_format,
    number_reader,
    split_number,
)

Format = dict[str, str]  # a dict, so that model files can contain it
TEXT: Format = {"kind": "text"}

_ENOUGH = 0.95  # fraction of rows that must be readable; others become missing
_FEW_VALUES = 20  # up to this many distinct values, all must be readable
_SAMPLE_VALUES = 200  # distinct values to test before all are read
_ISO = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?)?")
_PLAIN_COMMA = re.compile(r"[+-]?\d+(,\d+)?")
_CODE = re.compile(r"\d{4,}")
NOUNS = {"number": "numbers", "date": "dates", "time": "times"}


@dataclass(frozen=True)
class Hints:
    """The decimal mark and the date order of the other columns of the table."""

    decimal: str = ""
    first: Order | None = None


@dataclass(frozen=True)
class InferredFormat:
    """The format of a column, notes about it, and whether a hint could change it."""

    format: Format
    notes: list[str] = field(default_factory=list)
    ambiguous: bool = False
    shows: Hints = Hints()


def reader_of(form: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a parser of strings in a format; the parser returns None for other strings.

    Examples
    --------
    >>> reader_of({"kind": "number", "decimal": ",", "unit": ""})("1.234,5")
    1234.5
    >>> reader_of({"kind": "boolean", "true": "Yes", "false": "No"})("y")
    'Yes'
    """
    if form["kind"] == "number":
        plain = cast("Plain", form.get("plain", ""))
        return number_reader(
            NumberFormat(form.get("decimal", "."), form.get("unit", ""), plain=plain)
        )
    if form["kind"] == "date":
        return date_reader(DateFormat(cast("Order", form.get("first", "month"))))
    if form["kind"] == "time":
        return read_time
    if form["kind"] == "boolean":
        words = {True: form["true"], False: form["false"], None: None}
        return lambda text: words[read_boolean(text)]
    return str.strip


def infer_format(name: str, counts: Counter[str], hints: Hints | None = None) -> InferredFormat:
    """Infer the format of a column.

    Parameters
    ----------
    name
        Name of the column, for the notes.
    counts
        Number of rows of each value, without missing ones.
    hints
        The formats of the other columns, for ambiguous values.

    Examples
    --------
    >>> found = infer_format("price", Counter(["$1,308.70", "$60", "$7.5"]))
    >>> found.format, found.notes
    ({'kind': 'number', 'decimal': '.', 'unit': '$'}, ["'price' is read as numbers: '$1,308.70' is 1308.7"])
    """  # noqa: E501
    hints = hints or Hints()
    known = Counter({t: n for t, n in counts.items() if not is_weak_mark(t)})
    if not known:
        return InferredFormat(TEXT)
    words = boolean_words(known)
    if words is not None:
        return _booleans(name, counts, words)
    if _are_codes(known):
        note = f"{name!r} has codes with leading zeros and is read as categories"
        return InferredFormat(TEXT, [note])
    for infer in (_numbers, _dates, _times):
        found = infer(name, counts, known, hints)
        if found is not None:
            return found
    return InferredFormat(TEXT, _mostly_numbers(name, known))


def looks_like_values(texts: list[str]) -> bool:
    """Return whether nearly all strings look like numbers, dates or times, in any format.

    Examples
    --------
    >>> looks_like_values(["5 kg", "12 cm"]), looks_like_values(["A17", "B3"])
    (True, False)
    """
    some = texts[:_SAMPLE_VALUES]
    return sum(map(_is_value, some)) >= 0.9 * len(some)


def _is_value(text: str) -> bool:
    return (
        is_number(text)
        or read_date(text, "day") is not None
        or read_date(text, "month") is not None
        or read_time(text) is not None
    )


# --- kinds of formats ------------------------------------------------------------------------


def _numbers(
    name: str, counts: Counter[str], known: Counter[str], hints: Hints
) -> InferredFormat | None:
    if not _mostly_passes(known, lambda text: split_number(text) is not None):
        return None
    found = number_format(known, hints.decimal)
    if found is None:
        return _no_common_format(name, known)
    read = number_reader(found)
    if not _reads_enough(known, read):
        numbers = _reads_enough(known, lambda text: text if is_number(text) else None)
        return _no_common_format(name, known) if numbers else None
    if _are_days(known):
        return _dates(name, counts, known, hints)
    notes = []
    example = next(
        (t for t in known if not _is_plain(t, found.decimal) and read(t) is not None), None
    )
    if example is not None:
        unit = f" of {found.unit}" if found.unit and _units(known) > 1 else ""
        note = f"{name!r} is read as numbers{unit}: {example!r} is {_shown(read(example))}"
        if found.ambiguous and hints.decimal:
            note += " (written as in the other columns)"
        elif found.ambiguous:
            note += " (thousands, as no value shows the decimal mark)"
        notes.append(note)
    form = {"kind": "number", "decimal": found.decimal, "unit": found.unit}
    if found.plain:
        form["plain"] = found.plain
        bare = next(t for t in known if read(t) is not None and not is_percent(t))
        notes.append(
            f"{name!r} mixes percentages and plain numbers: {bare!r} is read as "
            f"{100 * read(bare):.10g} %"  # type: ignore[operator]
        )
    shows = "" if found.ambiguous or not any(found.decimal in t for t in known) else found.decimal
    return InferredFormat(
        form,
        notes + _missing_value_notes(name, "numbers", counts, read),
        found.ambiguous,
        Hints(shows),
    )


def _no_common_format(name: str, known: Counter[str]) -> InferredFormat:
    """Return a note that numbers with several units or decimal marks are read as categories."""
    some = _values_of_two_units(known)
    what = f"in several units ({some[0]!r} and {some[1]!r})" if len(some) > 1 else "in two formats"
    return InferredFormat(TEXT, [f"{name!r} has numbers {what} and is read as categories"])


def _mostly_numbers(name: str, known: Counter[str]) -> list[str]:
    """Return a note if most values are plain numbers, but too few for a numeric column."""
    bare = {t for t in known if is_number(t) and not t.strip()[-1:].isalpha()}
    rows = sum(known[t] for t in bare)
    if len(bare) <= _FEW_VALUES or rows < 0.5 * known.total():
        return []
    others = [t for t in known if t not in bare]
    what = f"{known.total() - rows:,} of {known.total():,} values are not numbers"
    return [f"{name!r} is read as categories, since {what}: {_listed(sorted(others))}"]


def _dates(
    name: str, counts: Counter[str], known: Counter[str], hints: Hints
) -> InferredFormat | None:
    if not _mostly_passes(
        known, lambda t: (read_date(t, "day") or read_date(t, "month")) is not None
    ):
        return None
    found = date_format(known, hints.first)
    read = date_reader(found)
    if not _reads_enough(known, read):
        if looks_like_values(list(known)):
            note = f"{name!r} has dates in several formats and is read as categories"
            return InferredFormat(TEXT, [note])
        return None
    notes = []
    swapped = [t for t in known if read_date(t, "day") != read_date(t, "month")]
    messy = [t for t in known if not _ISO.fullmatch(t) and read(t) is not None]
    if messy:
        example = next((t for t in swapped if read(t) is not None), messy[0])
        order = f", {found.first} first" if swapped else ""
        guess = " (a guess: no day is above 12)" if found.ambiguous else ""
        notes.append(
            f"{name!r} is read as dates{order}{guess}: {example!r} is {_shown(read(example))}"
        )
    shows = Hints(first=None if found.ambiguous or not swapped else found.first)
    return InferredFormat(
        {"kind": "date", "first": found.first},
        notes + _missing_value_notes(name, "dates", counts, read),
        found.ambiguous,
        shows,
    )


def _times(name: str, counts: Counter[str], known: Counter[str], _: Hints) -> InferredFormat | None:
    if not _mostly_passes(known, lambda t: read_time(t) is not None) or not _reads_enough(
        known, read_time
    ):
        return None
    example = next(iter(t for t in known if read_time(t) is not None))
    note = f"{name!r} is read as hours: {example!r} is {_shown(read_time(example))}"
    return InferredFormat(
        {"kind": "time"}, [note, *_missing_value_notes(name, "times", counts, read_time)]
    )


def _booleans(name: str, counts: Counter[str], words: tuple[str, str]) -> InferredFormat:
    form = {"kind": "boolean", "true": words[0], "false": words[1]}
    notes = []
    for word, value in zip(words, (True, False), strict=True):
        others = sorted({t.strip() for t in counts if read_boolean(t) is value} - {word})
        if others:
            notes.append(f"{name!r}: {_listed(others)} read as {word!r}")
    return InferredFormat(
        form, notes + _missing_value_notes(name, "yes or no", counts, reader_of(form))
    )


# --- properties of values ----------------------------------------------------------------------


def _mostly_passes(known: Counter[str], test: Callable[[str], bool]) -> bool:
    some = list(islice(known, _SAMPLE_VALUES))
    return sum(map(test, some)) >= 0.8 * len(some)


def _reads_enough(known: Counter[str], read: Callable[[str], Any]) -> bool:
    rows = sum(n for text, n in known.items() if read(text) is not None)
    needed = _ENOUGH if len(known) > _FEW_VALUES else 1.0
    return rows >= needed * known.total()


def _are_codes(known: Counter[str]) -> bool:
    """Return whether values are repeated digit codes of one width, some with leading zeros."""
    widths = {len(text) for text in known}
    return (
        len(widths) == 1
        and any(text.startswith("0") for text in known)
        and all(_CODE.fullmatch(text) for text in known)
        and len(known) <= 0.9 * known.total()
    )


def _are_days(known: Counter[str]) -> bool:
    """Return whether all values are days as eight digits, such as 20230131."""
    return len(known) > 2 and all(is_day(text) for text in known)


def is_day(text: str) -> bool:
    """Return whether a string is a day of 1900 to 2099 as eight digits.

    Examples
    --------
    >>> is_day("20230131"), is_day("20231301")
    (True, False)
    """
    return len(text) == 8 and text[:2] in ("19", "20") and read_date(text) is not None


def _is_plain(text: str, decimal: str) -> bool:
    if decimal == ",":
        return _PLAIN_COMMA.fullmatch(text) is not None
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text


def _units(known: Counter[str]) -> int:
    return len({parts.unit for t in known if (parts := split_number(t)) and parts.unit})


def _values_of_two_units(known: Counter[str]) -> list[str]:
    """Return two values of different units."""
    seen: dict[str, str] = {}
    for text in known:
        parts = split_number(text)
        if parts is not None:
            seen.setdefault(parts.currency + parts.unit, text)
    return list(seen.values())[:2]


def _missing_value_notes(
    name: str, what: str, counts: Counter[str], read: Callable[[str], Any]
) -> list[str]:
    """Return notes about values that become missing."""
    unread = {t: n for t, n in counts.items() if read(t) is None}
    marks = sorted(t for t in unread if is_weak_mark(t))
    others = sorted(t for t in unread if not is_weak_mark(t))
    notes = []
    if marks:
        rows = sum(unread[t] for t in marks)
        notes.append(f"{_listed(marks)} in {name!r} treated as missing ({_rows(rows)})")
    if others:
        notes.append(unread_note(name, what, {t: unread[t] for t in others}))
    return notes


def unread_note(name: str, what: str, unread: Mapping[str, int]) -> str:
    """Return a note with the number of unreadable values and some examples.

    Examples
    --------
    >>> unread_note("price", "numbers", {"cheap": 2})
    "2 values of 'price' are not numbers and are treated as missing: 'cheap'"
    """
    rows = sum(unread.values())
    one = "value" if rows == 1 else "values"
    verbs = ("is", "is") if rows == 1 else ("are", "are")
    noun = what.removesuffix("s") if rows == 1 else what
    article = "a " if rows == 1 else ""
    return (
        f"{rows} {one} of {name!r} {verbs[0]} not {article}{noun} and {verbs[1]} treated as "
        f"missing: {_listed(sorted(unread))}"
    )


def _rows(rows: int) -> str:
    return "1 value" if rows == 1 else f"{rows} values"


def _listed(texts: list[str]) -> str:
    shown = ", ".join(repr(t if len(t) <= 30 else f"{t[:27]}...") for t in texts[:3])
    return shown + (", ..." if len(texts) > 3 else "")


def _shown(value: Any) -> str:
    if isinstance(value, datetime):
        midnight = not (value.hour or value.minute or value.second or value.microsecond)
        return str(value.date()) if midnight else str(value)
    return f"{value:.10g}"
