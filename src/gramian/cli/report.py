"""``gramian report``."""


def report() -> None:
    """Not yet."""
