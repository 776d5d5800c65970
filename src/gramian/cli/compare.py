"""``gramian compare``."""


def compare() -> None:
    """Not yet."""
