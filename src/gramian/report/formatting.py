"""Numbers and names formatted for readers."""

import math
import re
from collections.abc import Iterable
from typing import Any

from gramian.study.findings.p_values import p_text

NONE = "–"


def number(value: Any, digits: int = 4) -> str:
    """Return a number with a few significant digits; other values unchanged.

    Examples
    --------
    >>> number(0.123456), number(1234567.0), number(12), number(None)
    ('0.1235', '1,234,567', '12', '–')
    """
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return NONE
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if isinstance(value, int) or (value == int(value) and abs(value) < 10**digits):
        return f"{int(value):,}".replace("-", "−")
    size = abs(value)
    if 10 ** (digits - 1) <= size < 1e9:
        return f"{value:,.0f}".replace("-", "−")
    return f"{value:.{digits}g}".replace("-", "−", 1) if size >= 1e-3 else _tiny(value)


def _tiny(value: float) -> str:
    mantissa, exponent = f"{value:.2e}".split("e")
    power = "".join("⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".index(c)] for c in str(int(exponent)))
    return f"{mantissa.rstrip('0').rstrip('.').replace('-', '−')}·10{power}"


def decimals(values: Iterable[float | None]) -> int:
    """Return the number of decimals that gives a column about four significant digits.

    Examples
    --------
    >>> decimals([0.97, 1.0]), decimals([5.79, 9.03]), decimals([5793.0])
    (4, 3, 0)
    """
    sizes = [abs(v) for v in values if v is not None and math.isfinite(v)]
    most = max(sizes, default=1.0)
    return 4 if most == 0 else min(8, max(0, 4 - math.ceil(math.log10(most))))


def fixed(value: float | None, places: int) -> str:
    """Return a number with that many decimals, so that columns of numbers are aligned."""
    if value is None or not math.isfinite(value):
        return NONE
    text = f"{value:,.{places}f}"
    return text.replace("-", "−" if text.strip("-0.,") else "")


def percent(proportion: float | None) -> str:
    """Return a proportion as a percentage, with decimals near 0 and 1.

    Examples
    --------
    >>> percent(0.5), percent(0.0012), percent(0.99987)
    ('50%', '0.12%', '99.99%')
    """
    if proportion is None or not math.isfinite(proportion):
        return NONE
    edge = min(abs(proportion), abs(1 - proportion))
    places = 0 if edge >= 0.1 or proportion in (0, 1) else 1 if edge >= 0.01 else 2
    return f"{100 * proportion:.{places}f}%".replace("-", "−")


def p_value(p: float | None, alpha: float = 0.05) -> str:
    """Return a p-value with enough digits to compare it with the level.

    Examples
    --------
    >>> p_value(0.0312), p_value(0.0496), p_value(None)
    ('0.031', '0.0496', '–')
    """
    return NONE if p is None or not math.isfinite(p) else p_text(p, alpha)


def duration(seconds: float | None) -> str:
    """Return a time in a suitable unit.

    Examples
    --------
    >>> duration(0.0032), duration(4.25), duration(312.0)
    ('3.2 ms', '4.2 s', '5 min 12 s')
    """
    if seconds is None or not math.isfinite(seconds):
        return NONE
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    if seconds < 1:
        return f"{seconds * 1e3:.2g} ms" if seconds < 0.1 else f"{seconds * 1e3:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def cut(text: Any, most: int = 40) -> str:
    """Shorten a text to a maximum length."""
    whole = str(text)
    return whole if len(whole) <= most else whole[: most - 1] + "…"


def plural(count: int, one: str, many: str = "") -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> plural(1, "row"), plural(1200, "row"), plural(2, "class", "classes")
    ('1 row', '1,200 rows', '2 classes')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def letter(group: int) -> str:
    """Return the letter of a group: a to z, then a2, b2 and so on."""
    repeat, place = divmod(group, 26)
    return chr(ord("a") + place) + (str(repeat + 1) if repeat else "")


def word_parts(name: str) -> list[str]:
    """Return the parts of a name between which a line may break.

    Examples
    --------
    >>> word_parts("KNeighborsClassifier"), word_parts("balanced_accuracy")
    (['KNeighbors', 'Classifier'], ['balanced_', 'accuracy'])
    """
    return re.split(r"(?<=_)|(?=Classifier$|Regressor$)", name)


def model_name(name: str) -> str:
    """Return a short name of a model, without "Classifier" or "Regressor".

    Examples
    --------
    >>> model_name("HistGradientBoostingClassifier"), model_name("Ridge")
    ('HistGradientBoosting', 'Ridge')
    """
    shortened = name.removesuffix("Classifier").removesuffix("Regressor")
    return cut(shortened or name, 24)
