from collections.abc import Callable
from typing import Any, TypeVar

_Method = TypeVar("_Method", bound=Callable[..., Any])

def with_callbacks(method: _Method) -> _Method: ...
def __getattr__(name: str) -> Any: ...
