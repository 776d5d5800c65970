"""Convert the arguments of a call to scikit-learn's function to those of gramian's."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TypeAlias

Function: TypeAlias = Callable[..., object]


class UnsupportedArgumentError(TypeError):
    """gramian's function does not have the argument."""


def convert_arguments(
    theirs: Function, ours: Function, args: Iterable[object], kwargs: Mapping[str, object]
) -> tuple[list[object], dict[str, object]]:
    """Convert the arguments of a call of `theirs` to arguments of `ours`, without `self`.

    Arguments that `ours` does not have are dropped if they are at their default. A shared argument
    may be spelled Y there and y here.
    """
    names, defaults = _parameters(theirs)
    known, _ = _parameters(ours)
    renamed = _renamed_parameters(theirs, ours)
    args = list(args)
    names = [renamed.get(name, name) for name in names]
    defaults = {renamed.get(name, name): value for name, value in defaults.items()}
    kwargs = {renamed.get(name, name): value for name, value in kwargs.items()}
    if names[: len(args)] != known[: len(args)]:
        kwargs = dict(zip(names, args, strict=False)) | kwargs
        args = []
    if "**" in known:
        return args, kwargs
    for name, value in kwargs.items():
        if name not in known and not (name in defaults and value is defaults[name]):
            raise UnsupportedArgumentError(f"gramian's {ours.__name__} has no argument {name}")
    return args, {name: value for name, value in kwargs.items() if name in known}


@cache
def _renamed_parameters(theirs: Function, ours: Function) -> dict[str, str]:
    """Return the parameters whose names differ only in case: scikit-learn's name and ours."""
    names, known = _parameters(theirs)[0], _parameters(ours)[0]
    lowered = {name.lower(): name for name in known if name not in names}
    return {name: lowered[name.lower()] for name in names if name.lower() in lowered}


@cache
def _parameters(function: Function) -> tuple[list[str], dict[str, object]]:
    """Return the names of the parameters, "**" for arbitrary keywords, and the defaults."""
    names: list[str] = []
    defaults: dict[str, object] = {}
    for name, p in inspect.signature(function).parameters.items():
        if name == "self" or p.kind is p.VAR_POSITIONAL:
            continue
        names.append("**" if p.kind is p.VAR_KEYWORD else name)
        defaults[name] = p.default
    return names, defaults
