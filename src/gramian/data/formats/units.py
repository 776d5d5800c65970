"""Currencies, units and multipliers of written numbers."""

import re

_SIGNS = "$€£¥₹₩₽₺₫₪฿₴₦₱₿¢"
_CODES = (
    "USD EUR GBP JPY CNY CHF SEK NOK DKK CAD AUD NZD INR BRL MXN PLN CZK HUF RUB TRY ZAR KRW SGD "
    "HKD ILS THB"
)
CURRENCY = (
    rf"(?:(?:US|CA|AU|NZ|HK|[A-Z])?[{_SIGNS}]|(?:{_CODES.replace(' ', '|')})(?![A-Za-z])"
    r"|(?:Rs\.?|Fr\.|kr\.?|zł|Kč)(?![A-Za-z]))"
)
_CURRENCY = re.compile(CURRENCY)
_SAME_CURRENCY = {
    "USD": "$", "US$": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "CNY": "¥", "INR": "₹", "Rs": "₹",
    "KRW": "₩", "RUB": "₽", "TRY": "₺", "ILS": "₪", "THB": "฿", "CAD": "CA$", "C$": "CA$",
    "AUD": "AU$", "A$": "AU$", "NZD": "NZ$", "HKD": "HK$", "PLN": "zł", "CZK": "Kč", "Fr": "CHF",
    "BRL": "R$",
}  # fmt: skip

_MULTIPLIERS = {
    "k": 1e3, "K": 1e3, "thousand": 1e3, "tsd": 1e3, "M": 1e6, "MM": 1e6, "mn": 1e6, "mio": 1e6,
    "Mio": 1e6, "mln": 1e6, "million": 1e6, "B": 1e9, "bn": 1e9, "mrd": 1e9, "Mrd": 1e9,
    "billion": 1e9, "T": 1e12, "trillion": 1e12,
}  # fmt: skip
# Names of units, and the factor of each to the first unit of its line.
_FAMILIES = (
    {"%": 1.0, "percent": 1.0, "pct": 1.0, "per cent": 1.0},
    {"kg": 1.0, "kgs": 1.0, "g": 1e-3, "gr": 1e-3, "mg": 1e-6, "t": 1e3, "kilogram": 1.0,
     "gram": 1e-3, "ton": 1e3, "tonne": 1e3},
    {"lb": 1.0, "lbs": 1.0, "pound": 1.0, "oz": 1 / 16, "ounce": 1 / 16},
    {"m": 1.0, "km": 1e3, "cm": 1e-2, "mm": 1e-3, "µm": 1e-6, "um": 1e-6, "nm": 1e-9,
     "meter": 1.0, "metre": 1.0, "kilometer": 1e3, "kilometre": 1e3},
    {"ft": 1.0, "feet": 1.0, "foot": 1.0, "in": 1 / 12, "inch": 1 / 12, "inche": 1 / 12,
     "yd": 3.0, "yard": 3.0, "mi": 5280.0, "mile": 5280.0},
    {"l": 1.0, "ltr": 1.0, "liter": 1.0, "litre": 1.0, "dl": 0.1, "cl": 1e-2, "ml": 1e-3,
     "cc": 1e-3},
    {"h": 1.0, "hr": 1.0, "hour": 1.0, "min": 1 / 60, "minute": 1 / 60, "mins": 1 / 60,
     "s": 1 / 3600, "sec": 1 / 3600, "second": 1 / 3600, "ms": 1 / 3.6e6, "d": 24.0, "day": 24.0,
     "week": 168.0, "wk": 168.0},
    {"year": 1.0, "yr": 1.0, "y": 1.0, "yo": 1.0, "years old": 1.0, "month": 1 / 12, "mo": 1 / 12},
    {"b": 1.0, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "kib": 2.0**10, "mib": 2.0**20,
     "gib": 2.0**30, "byte": 1.0},
    {"m²": 1.0, "m2": 1.0, "sqm": 1.0, "qm": 1.0, "ha": 1e4, "km²": 1e6, "km2": 1e6},
    {"sqft": 1.0, "sq ft": 1.0, "ft²": 1.0, "ft2": 1.0},
    {"km/h": 1.0, "kmh": 1.0, "kph": 1.0, "m/s": 3.6},
    {"st": 1.0, "nd": 1.0, "rd": 1.0, "th": 1.0},
)  # fmt: skip
_SIZES = {name: (line, size) for line, row in enumerate(_FAMILIES) for name, size in row.items()}


def split_currency(text: str) -> tuple[str, str]:
    """Return the currency in the text around a number, and the rest of the text.

    Examples
    --------
    >>> split_currency("M USD"), split_currency("kg")
    (('$', 'M'), ('', 'kg'))
    """
    found = _CURRENCY.search(text)
    if found is None:
        return "", text.strip()
    name = found[0].rstrip(".")
    rest = (text[: found.start()] + text[found.end() :]).strip()
    return _SAME_CURRENCY.get(name, name), rest


def multiplier(word: str) -> float | None:
    """Return the number that a word such as k or million means."""
    return _MULTIPLIERS.get(word, _MULTIPLIERS.get(word.lower() if len(word) > 2 else word))


def same_name(unit: str) -> str:
    """Return the unit without case, dots and plural.

    Examples
    --------
    >>> same_name("Yrs."), same_name("kg")
    ('yr', 'kg')
    """
    name = unit.strip().rstrip(".").lower().replace("μ", "µ")
    if name in _SIZES:
        return name
    return name[:-1] if len(name) > 2 and name.endswith("s") else name


def factor(unit: str, wanted: str) -> float | None:
    """Return the factor from `unit` to `wanted`; None if they cannot be converted.

    Examples
    --------
    >>> factor("g", "kg"), factor("Kg", "kg"), factor("kg", "cm")
    (0.001, 1.0, None)
    """
    unit_name, asked = same_name(unit), same_name(wanted)
    if unit_name == asked:
        return 1.0
    line, size = _SIZES.get(unit_name, (-1, 1.0))
    other, whole = _SIZES.get(asked, (-2, 1.0))
    return size / whole if line == other else None
