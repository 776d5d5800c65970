"""The base class of the splitters."""


class Splitter:
    """Prints as the call that constructs it."""

    def __repr__(self) -> str:
        arguments = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({arguments})"
