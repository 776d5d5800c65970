"""Dates and times as people write them.

One date alone, such as 01/02/2023, does not show whether the day or the month comes first. It is
determined for a whole column: by dates with a day above 12, else by the other columns of the table,
else by the separator (the day comes first with points); else the month comes first.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

Order = Literal["day", "month"]  # the first part of 01/02/2023

_MONTHS = (
    ("jan", "january", "januar", "janvier", "janv", "enero", "ene", "jaenner"),
    ("feb", "february", "februar", "fevrier", "fevr", "febrero"),
    ("mar", "march", "marz", "maerz", "mrz", "mars", "marzo"),
    ("apr", "april", "avril", "avr", "abril", "abr"),
    ("may", "mai", "mayo"),
    ("jun", "june", "juni", "juin", "junio"),
    ("jul", "july", "juli", "juillet", "juil", "julio"),
    ("aug", "august", "aout", "agosto", "ago"),
    ("sep", "sept", "september", "septembre", "septiembre"),
    ("oct", "october", "oktober", "okt", "octobre", "octubre"),
    ("nov", "november", "novembre", "noviembre"),
    ("dec", "december", "dezember", "dez", "decembre", "diciembre", "dic"),
)
_MONTH = {name: month for month, names in enumerate(_MONTHS, 1) for name in names}

_CLOCK = (
    r"(?P<hour>\d{1,2})(?::(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,](?P<part>\d{1,9}))?)?)?"
    r"\s*(?P<half>[ap]\.?m\.?)?(?:\s*(?:uhr|hrs?|h)\b)?"
)
_TIME = re.compile(_CLOCK, re.IGNORECASE)
_ZONE = r"(?P<zone>z|utc|gmt|[+-]\d{2}:?\d{2})?"
_TAIL = re.compile(rf"(?:[t,\s]\s*(?:at\s+)?{_CLOCK}\s*{_ZONE})?", re.IGNORECASE)
_NUMERIC = re.compile(r"(\d{1,4})([/.\-])\s?(\d{1,2})\2\s?(\d{4}|\d{2}|\d)(?!\d)")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})(?!\d)")
_YEAR_MONTH = re.compile(r"(\d{4})[-/](\d{2})")
_MONTH_YEAR = re.compile(r"(\d{1,2})[/.](\d{4})")
_QUARTER = re.compile(r"(?:(\d{4})[\s-]?q([1-4])|q([1-4])[\s/-]?(\d{4}))", re.IGNORECASE)
_WEEKDAY = re.compile(r"[^\W\d_]{2,10}\.?,?\s+(?=\S*\d|[^\W\d_]+\.?\s+\d)")
_WORD = r"([^\W\d_]{3,12})\.?"
_WRITTEN = (
    (re.compile(rf"(\d{{1,2}})(?:st|nd|rd|th|\.)?[\s-]*(?:de\s+|of\s+)?{_WORD}[\s,-]*(?:de\s+)?'?(\d{{4}}|\d{{2}})(?!\d)", re.I), (3, 2, 1)),  # noqa: E501
    (re.compile(rf"{_WORD}[\s-]*(\d{{1,2}})(?:st|nd|rd|th)?[\s,-]+'?(\d{{4}}|\d{{2}})(?!\d)", re.I), (3, 1, 2)),  # noqa: E501
    (re.compile(rf"(\d{{4}})[\s,-]*{_WORD}[\s,-]*(\d{{1,2}})(?:st|nd|rd|th)?(?!\d)", re.I), (1, 2, 3)),  # noqa: E501
)  # fmt: skip
_MONTH_WORD = re.compile(rf"{_WORD}[\s,-]*(\d{{4}})", re.IGNORECASE)


@dataclass(frozen=True)
class DateFormat:
    """The format of the dates of a column: day or month first, and whether that is a guess."""

    first: Order
    ambiguous: bool = False


@dataclass
class _Orders:
    """Numbers of dates such as 13/01/2023, 01/13/2023, 01/02/2023, and of those with points."""

    day: int = 0
    month: int = 0
    either: int = 0
    points: int = 0

    @classmethod
    def of(cls, counts: Counter[str]) -> "_Orders":
        """Count the dates of a column."""
        found = cls()
        for text, rows in counts.items():
            parts = _NUMERIC.match(text.strip())
            if parts is None or len(parts[1]) > 2:
                continue
            one, two = int(parts[1]), int(parts[3])
            found.day += rows * (one > 12)
            found.month += rows * (two > 12)
            found.either += rows * (one <= 12 and two <= 12 and one != two)
            found.points += rows * (parts[2] == ".")
        return found


def read_date(text: str, first: Order = "month") -> datetime | None:
    """Parse a date, in UTC if it has a time zone; None if the text is not a date.

    Examples
    --------
    >>> print(read_date("01/02/2023", "day"), read_date("Jan 2nd, 2023 3:05 PM"))
    2023-02-01 00:00:00 2023-01-02 15:05:00
    >>> read_date("13/13/2023") is None
    True
    """
    text = text.strip()
    try:
        return _read_date(text, first)
    except (ValueError, OverflowError):  # no such day or hour
        return None


def read_time(text: str) -> float | None:
    """Parse a time of day or a duration, in hours; None if the text is neither.

    Examples
    --------
    >>> read_time("2:30 pm"), read_time("26:15:00"), read_time("oak")
    (14.5, 26.25, None)
    """
    found = _TIME.fullmatch(text.strip())
    if found is None or (found["minute"] is None and found["half"] is None):
        return None
    return _hours(found)


def date_format(counts: Counter[str], hint: Order | None = None) -> DateFormat:
    """Return whether day or month comes first in dates such as 01/02/2023, from all of them.

    Parameters
    ----------
    counts
        Number of rows of each value.
    hint
        The order in the other columns.

    Examples
    --------
    >>> date_format(Counter(["01/02/2023", "31/01/2023"]))
    DateFormat(first='day', ambiguous=False)
    >>> date_format(Counter(["01/02/2023", "02/01/2023"]))
    DateFormat(first='month', ambiguous=True)
    """
    found = _Orders.of(counts)
    if found.day != found.month:
        return DateFormat("day" if found.day > found.month else "month")
    if hint is not None:
        return DateFormat(hint)
    return DateFormat("day" if found.points else "month", found.either > 0)


def has_other_order(counts: Counter[str], first: Order) -> bool:
    """Return whether dates have the other order than `first`.

    No date may be valid only with `first`, and at least a fifth of those whose order matters must
    be valid only with the other order (on average three in five are).

    Examples
    --------
    >>> has_other_order(Counter(["01/02/2023", "02/13/2023"]), "day")
    True
    >>> has_other_order(Counter(["01/02/2023", "13/02/2023", "02/13/2023"]), "day")
    False
    """
    found = _Orders.of(counts)
    own, other = (found.day, found.month) if first == "day" else (found.month, found.day)
    return own == 0 and other > 0 and other >= 0.2 * (other + found.either)


def date_reader(form: DateFormat) -> Callable[[str], datetime | None]:
    """Return a parser of dates in a format."""
    return lambda text: read_date(text, form.first)


def _read_date(text: str, first: Order) -> datetime | None:
    if found := _YEAR_MONTH.fullmatch(text):
        return _year(found[1], datetime(int(found[1]), int(found[2]), 1))
    if found := _MONTH_YEAR.fullmatch(text):
        return _year(found[2], datetime(int(found[2]), int(found[1]), 1))
    if found := _QUARTER.fullmatch(text):
        year, quarter = found[1] or found[4], found[2] or found[3]
        return _year(year, datetime(int(year), 3 * int(quarter) - 2, 1))
    if found := _NUMERIC.match(text):
        return _with_time(_numeric(found, first), text[found.end() :])
    if found := _COMPACT.match(text):
        day = datetime(int(found[1]), int(found[2]), int(found[3]))
        return _with_time(_year(found[1], day), text[found.end() :])
    return _written(unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode())


def _numeric(found: re.Match[str], first: Order) -> datetime | None:
    one, two, three = found[1], found[3], found[4]
    if len(one) == 4:
        return datetime(int(one), int(two), int(three))
    if len(one) == 3 or len(three) == 1:
        return None
    day, month = (one, two) if first == "day" else (two, one)
    return datetime(_century(three), int(month), int(day))


def _written(text: str) -> datetime | None:
    if found := _MONTH_WORD.fullmatch(text):
        month = _MONTH.get(found[1].lower())
        return None if month is None else _year(found[2], datetime(int(found[2]), month, 1))
    for start in (text, _WEEKDAY.sub("", text, count=1)):
        for form, (year, month, day) in _WRITTEN:
            found = form.match(start)
            if found is not None and (number := _MONTH.get(found[month].lower())):
                date = datetime(_century(found[year]), number, int(found[day]))
                return _with_time(date, start[found.end() :])
    return None


def _with_time(date: datetime | None, tail: str) -> datetime | None:
    found = _TAIL.fullmatch(tail.strip(" ") and tail)
    if date is None or found is None:
        return None
    if found["hour"] is None:
        return date
    if found["minute"] is None and found["half"] is None:
        return None
    hours = _hours(found)
    if hours is None or hours > 24:
        return None
    moment = date + timedelta(microseconds=round(hours * 3.6e9))
    return moment - _offset(found["zone"])


def _offset(zone: str | None) -> timedelta:
    if zone is None or zone[0] not in "+-":
        return timedelta()
    digits = zone[1:].replace(":", "")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return -offset if zone[0] == "-" else offset


def _hours(found: re.Match[str]) -> float | None:
    hours, minutes, seconds = int(found["hour"]), int(found["minute"] or 0), _seconds(found)
    if minutes > 59 or seconds >= 60:
        return None
    if found["half"]:
        if not 1 <= hours <= 12:
            return None
        hours = hours % 12 + (12 if found["half"][0] in "pP" else 0)
    return hours + minutes / 60 + seconds / 3600


def _seconds(found: re.Match[str]) -> float:
    return float(f"{found['second'] or 0}.{found['part'] or 0}")


def _century(year: str) -> int:
    """Return a year with its century; two digits mean 1969 to 2068, as in POSIX."""
    number = int(year)
    return number if len(year) > 2 else number + (1900 if number > 68 else 2000)


def _year(year: str, date: datetime) -> datetime | None:
    """Return the date if its year is plausible: four digits may be any number."""
    return date if 1700 <= int(year) <= 2200 else None
