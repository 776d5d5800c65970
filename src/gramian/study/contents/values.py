"""Types of plain values, those that JSON has too."""

from collections.abc import Sequence

Scalar = str | int | float | bool | None
Value = Scalar | Sequence[Scalar] | Sequence[Sequence[Scalar]]
