"""Numbers as people write them: signs, separators, currencies, percent, units.

One number alone, such as 1,234, does not show whether the comma is a decimal mark. It is determined
for a whole column: the decimal mark that is valid for more of its values.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from gramian.data.formats.units import (
    CURRENCY,
    factor,
    multiplier,
    same_name,
    split_currency,
)

Plain = Literal["", "proportion", "percent"]

_PLAIN = str.maketrans(
    {"\u00a0": " ", "\u202f": " ", "\u2009": " ", "−": "-", "‐": "-", "’": "'", "´": "'"}
)
_UNIT_LETTER = r"A-Za-zÀ-ÖØ-öø-ÿµμΩł°%‰$€£¥₹₩₽₺₫₪฿₴₦₱₿¢\"″"
_NUMBER = re.compile(
    r"(?P<open>\()?\s*"
    r"(?:[<>≤≥~≈]=?|ca\.)?\s*"
    r"(?P<sign>[-+])?\s*"
    rf"(?P<prefix>{CURRENCY})?\s*"
    r"(?P<inner>[-+])?\s*"
    r"(?P<body>\d[\d.,' _]*|[.,]\d+)"
    r"(?P<exponent>[eE][-+]?\d{1,3})?"
    rf"\s*(?P<suffix>[{_UNIT_LETTER}][{_UNIT_LETTER}²³/.^ ]{{0,13}}[23]?)?"
    r"\s*(?P<minus>-)?\+?\s*(?P<close>\))?"
)
# A number with a decimal point and one with a decimal comma; thousands in threes, or as in India.
_BODY = {
    ".": re.compile(
        r"(?:\d+|[1-9]\d{0,2}([,' _])\d{3}(?:\1\d{3})*|[1-9]\d?(?:,\d\d)+,\d{3})?(?:\.\d*)?"
    ),
    ",": re.compile(r"(?:\d+|[1-9]\d{0,2}([.' _])\d{3}(?:\1\d{3})*)?(?:,\d*)?"),
}
_GROUPS = {".": str.maketrans("", "", ",' _"), ",": str.maketrans(",", ".", ".' _")}


@dataclass(frozen=True)
class NumberFormat:
    """The format of the numbers of a column.

    Attributes
    ----------
    decimal
        ``"."`` or ``","``.
    unit
        Empty, a currency, ``"%"``, or the unit that values are converted to.
    ambiguous
        Whether the other decimal mark would be valid as well, and give other numbers.
    plain
        Meaning of numbers without a percent sign among percentages: ``"proportion"`` (0.23 is
        23 %), ``"percent"`` (23 is 23 %), or empty if they cannot be read.
    """

    decimal: str
    unit: str
    ambiguous: bool = False
    plain: Plain = ""


@dataclass(frozen=True)
class WrittenNumber:
    """The parts of one written number."""

    body: str
    exponent: str
    negative: bool
    currency: str
    unit: str


def split_number(text: str) -> WrittenNumber | None:
    """Return the parts of a written number, or None if the text is not a number.

    Examples
    --------
    >>> split_number("-$1,308.70")
    WrittenNumber(body='1,308.70', exponent='', negative=True, currency='$', unit='')
    >>> split_number("A17") is None
    True
    """
    found = _NUMBER.fullmatch(text.translate(_PLAIN).strip().lstrip("'"))
    if found is None or bool(found["open"]) != bool(found["close"]):
        return None
    currency, rest = split_currency(found["prefix"] or "")
    unit = found["suffix"] or ""
    if unit:
        other, unit = split_currency(unit)
        if other and currency and other != currency:
            return None
        currency = currency or other
    minus = [found["sign"], found["inner"], found["minus"]].count("-")
    negative = (minus + bool(found["open"])) % 2 == 1
    return WrittenNumber(
        found["body"].strip(), found["exponent"] or "", negative, currency, (rest + unit).strip()
    )


def is_number(text: str) -> bool:
    """Return whether a string is a number in some format.

    Examples
    --------
    >>> is_number("1.234,5 kg"), is_number("0221 851984")
    (True, False)
    """
    parts = split_number(text)
    return parts is not None and any(_has_digits(parts.body, mark) for mark in _BODY)


def is_percent(text: str) -> bool:
    """Return whether a string is a number with a sign or word for percent.

    Examples
    --------
    >>> is_percent("51 %"), is_percent("7 pct"), is_percent("0.5")
    (True, True, False)
    """
    parts = split_number(text)
    return parts is not None and bool(parts.unit) and factor(parts.unit, "%") is not None


def number_reader(form: NumberFormat) -> Callable[[str], float | int | None]:
    """Return a parser of numbers in a format; the parser returns None for other strings.

    Examples
    --------
    >>> read = number_reader(NumberFormat(",", "€"))
    >>> read("1.308,70 €"), read("-5"), read("$ 5"), read("12 kg")
    (1308.7, -5, None, None)
    """

    def read(text: str) -> float | int | None:
        parts = split_number(text)
        if parts is None or not _has_digits(parts.body, form.decimal):
            return None
        scale = _scale(parts, form)
        if scale is None:
            return None
        digits = parts.body.translate(_GROUPS[form.decimal])
        if scale == 1 and digits.isdecimal() and not parts.exponent:
            whole = int(digits)
            return -whole if parts.negative else whole
        value = float(digits + parts.exponent)
        # Dividing by a whole number rounds once: 7 % is 0.07.
        value = value / round(1 / scale) if scale < 1 and _is_whole(1 / scale) else value * scale
        return -value if parts.negative else value

    return read


def number_format(counts: Counter[str], hint: str = "") -> NumberFormat | None:
    """Return the format of most values, or None if their units do not agree.

    Parameters
    ----------
    counts
        Number of rows of each value.
    hint
        The decimal mark of the other columns, for values that are valid with both marks.

    Examples
    --------
    >>> number_format(Counter(["60,444", "1,200"]))
    NumberFormat(decimal='.', unit='', ambiguous=True, plain='')
    >>> number_format(Counter(["60,444", "1,2"]))
    NumberFormat(decimal=',', unit='', ambiguous=False, plain='')
    """
    written = {text: parts for text in counts if (parts := split_number(text)) is not None}
    if not written:
        return None
    rows = {
        mark: sum(counts[t] for t, parts in written.items() if _has_digits(parts.body, mark))
        for mark in (".", ",")
    }
    equal = rows["."] == rows[","]
    decimal = (hint or ".") if equal else max(rows, key=rows.__getitem__)
    marked = equal and any(mark in parts.body for parts in written.values() for mark in ".,")
    plain = _plain_percentages(written, decimal)
    if plain:
        return NumberFormat(decimal, "%", marked, plain)
    unit = _common_unit({text: (parts, counts[text]) for text, parts in written.items()})
    return None if unit is None else NumberFormat(decimal, unit, marked)


def _plain_percentages(written: Mapping[str, WrittenNumber], decimal: str) -> Plain:
    """Return the meaning of numbers without a percent sign; empty unless there are both kinds.

    They are proportions if none exceeds 1, and percentages if all except 0 do.
    """
    signed = [parts for parts in written.values() if parts.unit]
    bare = {text: parts for text, parts in written.items() if not parts.unit}
    alike = all(factor(parts.unit, "%") is not None for parts in signed)
    if not (signed and bare and alike) or any(parts.currency for parts in written.values()):
        return ""
    read = number_reader(NumberFormat(decimal, ""))
    sizes = [abs(value) for text in bare if (value := read(text)) is not None]
    if all(size <= 1 for size in sizes):
        return "proportion"
    return "percent" if all(size == 0 or size >= 1 for size in sizes) else ""


def decimal_of(formats: Iterable[NumberFormat], counts: Iterable[Counter[str]]) -> str:
    """Return the decimal mark of the unambiguous columns; empty if they do not agree."""
    shown = {
        form.decimal
        for form, values in zip(formats, counts, strict=True)
        if not form.ambiguous and any(form.decimal in text for text in values)
    }
    return shown.pop() if len(shown) == 1 else ""


def _has_digits(body: str, decimal: str) -> bool:
    return _BODY[decimal].fullmatch(body) is not None


def _scale(parts: WrittenNumber, form: NumberFormat) -> float | None:
    """Return the factor from the unit of a written number to the unit of the format."""
    unit = form.unit
    if same_name(unit) == "%":
        if form.plain and not parts.unit and not parts.currency:
            return 1.0 if form.plain == "proportion" else 0.01
        share = factor(parts.unit, "%") if parts.unit and not parts.currency else None
        return None if share is None else 0.01
    if parts.currency and parts.currency != unit:
        return None
    if not parts.unit:
        return 1.0
    if unit in ("", parts.currency):
        return 1e6 if parts.unit == "m" else multiplier(parts.unit)
    return factor(parts.unit, unit)


def _common_unit(written: dict[str, tuple[WrittenNumber, int]]) -> str | None:
    """Return the unit of a column; None if its values have incompatible units."""
    currencies: Counter[str] = Counter()
    units: Counter[str] = Counter()
    for parts, rows in written.values():
        currencies[parts.currency] += rows
        units[parts.unit] += rows
    total = currencies.total()
    currency, _ = currencies.most_common(1)[0]
    money = total - currencies[""]
    if money and not currency:  # a few signs among plain numbers
        currency = max((c for c in currencies if c), key=currencies.__getitem__)
    if money and currencies[currency] < 0.95 * money:
        return None
    named = Counter({unit: rows for unit, rows in units.items() if unit})
    if not named:
        return currency
    words = [unit for unit in named if multiplier(unit) is not None]
    if (words or currency) and all(unit == "m" or unit in words for unit in named):
        return currency
    if currency:
        return None
    best = named.most_common(1)[0][0]
    alike = sum(rows for unit, rows in named.items() if factor(unit, best) is not None)
    if named.total() <= 0.05 * total:  # a few units among plain numbers
        return ""
    return best if alike >= 0.95 * named.total() and alike >= 0.5 * total else None


def _is_whole(value: float) -> bool:
    return abs(value - round(value)) < 1e-9 * value
