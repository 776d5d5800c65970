"""Lines that differ in colour and, for print in grey, in their dashes."""

from typing import Any

from gramian.plot.canvas import COLOURS

DASHES = ("-", "--", "-.", ":")


def strokes(count: int, *, skip: int = 0) -> list[dict[str, Any]]:
    """Return the colour and dashes of that many lines, as keywords of ``Axes.plot``.

    The first `skip` colours are left to others. No two of 32 lines are alike.
    """
    return [
        {
            "color": COLOURS[(k + skip) % len(COLOURS)],
            "linestyle": DASHES[(k + (k + skip) // len(COLOURS)) % len(DASHES)],
        }
        for k in range(count)
    ]
