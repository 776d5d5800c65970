"""The arguments of a call, as gramian's function takes them."""

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any


class NotServed(TypeError):  # noqa: N818 - reads as what is the case
    """gramian's function has no such argument."""


def fitting_arguments(
    theirs: Callable[..., Any], ours: Callable[..., Any], args: Any, kwargs: Any
) -> tuple[Any, dict[str, Any]]:
    """Return the arguments by which our method is called as theirs was, without the object.

    Arguments that ours does not know are left out if they have their default. One that both have
    may be written Y there and y here.
    """
    names, defaults = _parameters(theirs)
    known, _ = _parameters(ours)
    spelled = _spelled(theirs, ours)
    args = list(args)
    names = [spelled.get(name, name) for name in names]
    defaults = {spelled.get(name, name): value for name, value in defaults.items()}
    kwargs = {spelled.get(name, name): value for name, value in kwargs.items()}
    if names[: len(args)] != known[: len(args)]:
        kwargs = dict(zip(names, args, strict=False)) | kwargs
        args = []
    if "**" in known:
        return args, kwargs
    for name, value in kwargs.items():
        if name not in known and not (name in defaults and value is defaults[name]):
            raise NotServed(f"gramian's {ours.__name__} has no argument {name}")
    return args, {name: value for name, value in kwargs.items() if name in known}


@cache
def _spelled(theirs: Callable[..., Any], ours: Callable[..., Any]) -> dict[str, str]:
    """Return the parameters that differ in capitals only: their name, and ours."""
    names, known = _parameters(theirs)[0], _parameters(ours)[0]
    lowered = {name.lower(): name for name in known if name not in names}
    return {name: lowered[name.lower()] for name in names if name.lower() in lowered}


@cache
def _parameters(function: Callable[..., Any]) -> tuple[list[str], dict[str, Any]]:
    """Return the names of the parameters but self, "**" for any, and the defaults."""
    names: list[str] = []
    defaults: dict[str, Any] = {}
    for name, p in inspect.signature(function).parameters.items():
        if name == "self" or p.kind is p.VAR_POSITIONAL:
            continue
        names.append("**" if p.kind is p.VAR_KEYWORD else name)
        defaults[name] = p.default
    return names, defaults
