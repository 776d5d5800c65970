from collections.abc import Callable
from typing import Any, TypeVar

_Method = TypeVar("_Method", bound=Callable[..., Any])

def available_if(check: Callable[[Any], object]) -> Callable[[_Method], _Method]: ...
def __getattr__(name: str) -> Any: ...
