"""What nothing in a trace may do: everything that would need a value that is not there."""

from __future__ import annotations

from typing import Any, NoReturn

from .tracing import stop


def said(value: Any) -> str:
    """Return a value in words, or what stands for one."""
    return value.what if isinstance(value, Blocked) else repr(value)


class Blocked:
    """Base of what stands for values: whatever asks for a value ends the trace."""

    what = "something that depends on the data"

    def _value(self, *_: Any, **__: Any) -> NoReturn:
        raise stop(f"the way that the program takes, or a value beside it, depends on {self.what}")

    def _change(self, *_: Any, **__: Any) -> NoReturn:
        raise stop(f"{self.what} is changed in place")

    __bool__ = __int__ = __float__ = __complex__ = __index__ = __len__ = __iter__ = _value
    __contains__ = __hash__ = __reversed__ = __next__ = __format__ = _value
    __repr__ = __str__ = __bytes__ = __reduce__ = __reduce_ex__ = __sizeof__ = _value
    __floor__ = __ceil__ = __trunc__ = __divmod__ = __mod__ = __floordiv__ = _value
    __rmod__ = __rfloordiv__ = __rdivmod__ = __rpow__ = __matmul__ = __rmatmul__ = _value
    __setitem__ = __delitem__ = __iadd__ = __isub__ = __imul__ = __itruediv__ = _change
    __ifloordiv__ = __imod__ = __ipow__ = __iand__ = __ior__ = __ixor__ = _change

    def __eq__(self, other: object) -> Any:
        self._value(other)

    def __ne__(self, other: object) -> Any:
        self._value(other)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise stop(f"{name} of {self.what} is not traced")
