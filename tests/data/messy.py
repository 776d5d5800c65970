"""Forty messy columns as people write them, and the truth: kind and values of the first rows.

Each column is a pattern of strings that is repeated to `ROWS` rows; None is an empty cell.
"""

from datetime import datetime
from typing import Any

ROWS = 60


def day(*parts: int) -> datetime:
    return datetime(*parts)  # type: ignore[arg-type]


# name: (strings, kind, values)
MESSY: dict[str, tuple[list[str | None], str, list[Any]]] = {
    # numbers
    "dollars": (["$1,308.70", "$60.00", "-$7.50"], "numeric", [1308.7, 60, -7.5]),
    "euros": (["1.308,70 €", "60,00 €", "7,5€"], "numeric", [1308.7, 60, 7.5]),
    "pounds": (["£12.5k", "£1.2M", "£900"], "numeric", [12_500, 1.2e6, 900]),
    "coded": (["USD 1,200", "USD 35.5", "USD 7"], "numeric", [1200, 35.5, 7]),
    "thousands": (["60,444", "1,200", "999"], "numeric", [60_444, 1200, 999]),
    "millions": (["1,234,567", "12,000", "5"], "numeric", [1_234_567, 12_000, 5]),
    "spaces": (["1 234 567", "12\u00a0000", "5"], "numeric", [1_234_567, 12_000, 5]),
    "apostrophes": (["1'234.5", "12'000", "5"], "numeric", [1234.5, 12_000, 5]),
    "indian": (["12,34,567", "1,00,000", "500.5"], "numeric", [1_234_567, 100_000, 500.5]),
    "commas": (["3,5", "12,25", "0,125"], "numeric", [3.5, 12.25, 0.125]),
    "points and commas": (["1.234,5", "12,25", "7"], "numeric", [1234.5, 12.25, 7]),
    "percent": (["51%", "7.5 %", "100%"], "numeric", [0.51, 0.075, 1]),
    "kilograms": (["12kg", "3.5 kg", "7 Kg"], "numeric", [12, 3.5, 7]),
    "grams too": (["1.5 kg", "800 g", "2kg"], "numeric", [1.5, 0.8, 2]),
    "speed": (["12 km/h", "50 km/h", "7.5 km/h"], "numeric", [12, 50, 7.5]),
    "degrees": (["21.5°C", "-3°C", "0 °C"], "numeric", [21.5, -3, 0]),
    "ages": (["34 years", "1 year", "52 yrs"], "numeric", [34, 1, 52]),
    "accounting": (["(1,200.00)", "350.00", "(7.25)"], "numeric", [-1200, 350, -7.25]),
    "trailing minus": (["12.5-", "7.25", "3-"], "numeric", [-12.5, 7.25, -3]),
    "unicode minus": (["−12.5", "7.25", "−3"], "numeric", [-12.5, 7.25, -3]),
    "scientific": (["1.5e-3", "2E4", "7"], "numeric", [1.5e-3, 2e4, 7]),
    "detection limit": (["<0.5", "0.75", "> 12"], "numeric", [0.5, 0.75, 12]),
    "ordinals": (["1st", "2nd", "3rd", "14th"], "numeric", [1, 2, 3, 14]),
    "padded": ([" 12", "7.5 ", " 3 "], "numeric", [12, 7.5, 3]),
    "text digits": (["17", "4", "250"], "numeric", [17, 4, 250]),
    # missing values
    "not available": (["17", "N/A", "#N/A", "4"], "numeric", [17, None, None, 4]),
    "dashes": (["17.5", "-", "--", "unknown", "4"], "numeric", [17.5, None, None, None, 4]),
    # dates and times
    "american": (
        ["01/31/2023 00:00", "02/01/2023 13:30", None],
        "date",
        [day(2023, 1, 31), day(2023, 2, 1, 13, 30), None],
    ),
    "european": (["31/01/2023", "01/02/2023"], "date", [day(2023, 1, 31), day(2023, 2, 1)]),
    "german": (["31.1.2023", "01.02.23"], "date", [day(2023, 1, 31), day(2023, 2, 1)]),
    "written": (
        ["January 31, 2023", "Feb 1st 2023", "3 March 2023", "Tue, 4 Apr 2023"],
        "date",
        [day(2023, 1, 31), day(2023, 2, 1), day(2023, 3, 3), day(2023, 4, 4)],
    ),
    "oracle": (["31-JAN-23", "01-Feb-99"], "date", [day(2023, 1, 31), day(1999, 2, 1)]),
    "iso": (
        ["2023-01-31T14:05:00Z", "2023-02-01T00:00:00+02:00"],
        "date",
        [day(2023, 1, 31, 14, 5), day(2023, 1, 31, 22)],
    ),
    "compact": (
        ["20230131", "20230201", "20221224"],
        "date",
        [day(2023, 1, 31), day(2023, 2, 1), day(2022, 12, 24)],
    ),
    "quarters": (["2023-Q1", "Q4 2022"], "date", [day(2023, 1, 1), day(2022, 10, 1)]),
    "clock": (["2:30 PM", "11:15 am", "12:00 AM"], "numeric", [14.5, 11.25, 0]),
    # categories
    "answers": (["Yes", "no", "Yes", "YES", "N", "y", "no"], "categorical",
                ["Yes", "no", "Yes", "Yes", "no", "Yes", "no"]),
    "zip": (["02139", "10001", "90210"], "categorical", ["02139", "10001", "90210"]),
    "units differ": (["5 kg", "3 cm", "7 cm"], "categorical", ["5 kg", "3 cm", "7 cm"]),
    "ranges": (["10-20", "20-30", "30+ or so"], "categorical", ["10-20", "20-30", "30+ or so"]),
}  # fmt: skip
# What a note must say where values are not kept as they are.
QUIET = {"text digits", "padded", "scientific", "iso", "ranges"}


def column(name: str) -> list[str | None]:
    """The strings of a column, `ROWS` of them."""
    strings = MESSY[name][0]
    return (strings * ROWS)[:ROWS]


def truth(name: str) -> list[Any]:
    """The values of a column."""
    values = MESSY[name][2]
    return (values * ROWS)[:ROWS]


def columns() -> dict[str, list[str | None]]:
    """All columns."""
    return {name: column(name) for name in MESSY}
