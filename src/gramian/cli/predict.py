"""``gramian predict``."""


def predict() -> None:
    """Not yet."""
