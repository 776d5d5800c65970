"""What the splitters share: how they print."""


class Splitter:
    """Prints as the call that makes it."""

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({given})"
