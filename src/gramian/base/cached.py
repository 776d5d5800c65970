"""A cached property that several threads and Ctrl-C can use safely.

Python 3.11's `functools.cached_property` takes a lock that all instances share. An interrupt
between taking and releasing it would leave the lock taken, and other threads would wait forever.
Here, as in Python 3.12, there is no lock: two threads may compute the same value twice.
"""

import functools
from typing import Any, TypeVar, overload

_T = TypeVar("_T")


class cached_property(functools.cached_property[_T]):  # noqa: N801 - a decorator, named as functools'
    """Compute an attribute on first access and keep it in the instance.

    Examples
    --------
    >>> class Circle:
    ...     radius = 2.0
    ...
    ...     @cached_property
    ...     def area(self):
    ...         print("computed")
    ...         return 3.0 * self.radius**2
    >>> circle = Circle()
    >>> circle.area, circle.area
    computed
    (12.0, 12.0)
    """

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> "cached_property[_T]": ...
    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> _T: ...
    def __get__(self, instance: Any, owner: type[Any] | None = None) -> Any:
        """Return the value; after the first access the instance's own dictionary has it."""
        if instance is None:
            return self
        value = instance.__dict__[self.attrname] = self.func(instance)
        return value
