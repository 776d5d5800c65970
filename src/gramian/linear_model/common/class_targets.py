"""The classes of linear classifiers: their outputs, and the check that there are two."""

from gramian.base.errors import DataError
from gramian.base.inputs.targets import Classes
from gramian.base.types import Floats


def class_outputs(classes: Classes) -> list[int]:
    """Return the positive class of each output: the second of two, else each class in order."""
    return [1] if len(classes) == 2 else list(range(len(classes)))


def check_classes(owner: str, classes: Classes, mass: Floats) -> None:
    """Raise unless at least two classes have positive weight."""
    if (mass > 0).sum() < 2:
        found = ", ".join(map(repr, classes[mass > 0].tolist()))
        raise DataError(
            f"{owner}: y must contain at least 2 classes with positive weight; got "
            f"1 class only: {found}. Add rows of another class."
        )
