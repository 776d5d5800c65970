"""Line styles that differ in colour and, for greyscale print, in their dashes."""

from typing import Any

from gramian.plot.canvas import COLOURS

DASHES = ("-", "--", "-.", ":")


def strokes(count: int, *, skip: int = 0) -> list[dict[str, Any]]:
    """Return the colour and dashes of `count` lines, as keyword arguments of ``Axes.plot``.

    The first `skip` colours are not used. Up to 32 lines have different styles.
    """
    return [
        {
            "color": COLOURS[(k + skip) % len(COLOURS)],
            "linestyle": DASHES[(k + (k + skip) // len(COLOURS)) % len(DASHES)],
        }
        for k in range(count)
    ]
