"""``gramian doctor``."""


def doctor() -> None:
    """Not yet."""
