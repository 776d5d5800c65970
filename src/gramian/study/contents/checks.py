"""Issues with the data and the models."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Issue:
    """A data or model issue.

    Attributes
    ----------
    code
        Short name of its kind.
    severity
        ``"note"``, ``"warning"`` or ``"serious"``.
    text, remedy
        What it is, and what to do; the remedy may be empty.
    """

    code: str
    severity: str
    text: str
    remedy: str = ""
