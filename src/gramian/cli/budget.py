"""The default time limit of a search, by the size of the table."""

# Maximum number of table cells for each time limit in minutes. On two cores a search takes at most
# a fifth of it, so the limit, which makes results depend on the machine, is rarely reached.
_LIMITS = ((100_000, 5), (1_000_000, 10), (10_000_000, 30))
_MOST = 60


def default_budget(rows: int, columns: int) -> float:
    """Return the number of seconds after which no evaluation starts.

    Examples
    --------
    >>> default_budget(500, 12), default_budget(60_000, 50)
    (300.0, 1800.0)
    """
    cells = rows * columns
    return 60.0 * next((minutes for most, minutes in _LIMITS if cells <= most), _MOST)


def budget_line(budget: float, rows: int, columns: int) -> str:
    """Return the line that announces the limit.

    Examples
    --------
    >>> print(budget_line(300.0, 500, 12))
    Time limit of the search: 5 minutes (500 rows, 12 columns); --budget changes it.
    """
    minutes = round(budget / 60)
    size = f"{rows:,} {'row' if rows == 1 else 'rows'}"
    size += f", {columns:,} {'column' if columns == 1 else 'columns'}"
    return f"Time limit of the search: {minutes} minutes ({size}); --budget changes it."
