"""``gramian explain``."""


def explain() -> None:
    """Not yet."""
