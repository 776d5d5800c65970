"""``gramian models``."""


def models() -> None:
    """Not yet."""
