"""Types as a reader of a signature wants them: ``int``, ``'auto' | array``."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PlainType:
    """An annotation of a signature that is shown as its words.

    Examples
    --------
    >>> PlainType("int | None")
    int | None
    """

    words: str

    def __repr__(self) -> str:
        return self.words
