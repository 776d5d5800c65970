"""Records of calls: which library ran each, how often, for how long, and reasons for fallbacks."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Lock
from time import perf_counter
from typing import Literal

Where = Literal["gramian", "scikit-learn"]


@dataclass
class Row:
    """All calls of one method in one library."""

    name: str
    method: str
    where: Where
    calls: int = 0
    seconds: float = 0.0
    reasons: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Report:
    """The calls since the start or the last `reset`, the slowest first; prints as a table.

    The seconds of a call include those of the calls it makes: a voting classifier's `fit` includes
    the `fit` of its members.
    """

    rows: tuple[Row, ...]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        if not self.rows:
            return "gramian.accelerate: no calls yet."
        lines = [f"{'':40} {'where':12} {'calls':>8} {'seconds':>9}"]
        for row in self.rows:
            label = f"{row.name}.{row.method}" if row.method else row.name
            lines.append(f"{label:40} {row.where:12} {row.calls:8d} {row.seconds:9.3f}")
            lines += [f"    {count} x {why}" for why, count in row.reasons.most_common()]
        return "\n".join(lines)

    __repr__ = __str__


_rows: dict[tuple[str, str, Where], Row] = {}
_lock = Lock()


@contextmanager
def record_call(name: str, method: str, where: Where, reason: str = "") -> Iterator[None]:
    """Record a call that returns; calls that raise are not counted."""
    start = perf_counter()
    yield
    add(Row(name, method, where, 1, perf_counter() - start, Counter([reason] if reason else [])))


def add(row: Row) -> None:
    """Add calls to the row of the same method and library."""
    with _lock:
        key = row.name, row.method, row.where
        total = _rows.setdefault(key, Row(*key))
        total.calls += row.calls
        total.seconds += row.seconds
        total.reasons += row.reasons


def take_rows() -> list[Row]:
    """Return the rows and clear them."""
    with _lock:
        rows = list(_rows.values())
        _rows.clear()
    return rows


def report() -> Report:
    """Report which library ran each call, how often, for how long, and reasons for fallbacks.

    Returns
    -------
    report
        One row per method and library; ``print`` it for a table.

    Examples
    --------
    >>> import gramian
    >>> from gramian.accelerate import reset
    >>> reset()
    >>> with gramian.accelerate():
    ...     from sklearn.naive_bayes import GaussianNB
    ...     model = GaussianNB().fit([[0.0], [1.0]], [0, 1])
    >>> [(row.name, row.method, row.where, row.calls) for row in gramian.accelerate.report()]
    [('GaussianNB', 'fit', 'gramian', 1)]
    """
    with _lock:
        rows = [replace(row, reasons=Counter(row.reasons)) for row in _rows.values()]
    return Report(tuple(sorted(rows, key=lambda row: -row.seconds)))


def reset() -> None:
    """Clear the recorded calls."""
    take_rows()
