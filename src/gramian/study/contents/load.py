"""How to use the model."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Load:
    """Lines of Python code, and a command, that use the model."""

    python: str
    command: str
