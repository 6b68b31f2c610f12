# SPDX-License-Identifier: Apache-2.0
"""Events: one by one, or as columns."""
from __future__ import annotations

import ctypes
from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, Optional

from . import _columns as columns
from . import _library as lib
from ._handle import Handle, NoFieldError
from ._library import calls

if TYPE_CHECKING:
    from ._recording import Recording

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


class Event(Mapping):
    """One event: a mapping from paths of fields to values, None where a value is null. It is whole: keep it as long as you like.

    Times are int nanoseconds since the Unix epoch, durations int nanoseconds; threads, classes, methods and enumerations are
    their names; a stack trace is a Stack.
    """

    __slots__ = ("type", "_values")

    def __init__(self, type_: str, values: dict):
        self.type = type_
        self._values = values

    def __getitem__(self, path: str) -> Any:
        return self._values[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    @property
    def start_time(self) -> Optional[datetime]:
        """When it began, in UTC, to the microsecond."""
        ns = self._values.get("startTime")
        return None if ns is None else _EPOCH + timedelta(microseconds=ns // 1000)

    @property
    def duration(self) -> Optional[timedelta]:
        """How long it took; None for events that take no time."""
        ns = self._values.get("duration")
        return None if ns is None else timedelta(microseconds=ns / 1000)

    def __repr__(self) -> str:
        return "<%s %s>" % (self.type, self._values)


class Events:
    """The events of some types, or of all, of a recording: iterate, or ask for columns. Each use reads the file anew."""

    def __init__(self, recording: Recording, names: tuple, paths: tuple):
        self._recording = recording
        self._names = names
        self._paths = paths

    def __iter__(self) -> Iterator[Event]:
        return self._of_one_type() if len(self._names) == 1 else self._in_order()

    def count(self) -> int:
        """How many there are."""
        return sum(count for name, count in self._recording.counts().items() if not self._names or name in self._names)

    # As columns

    def columns(self, *paths: str) -> Dict[str, Any]:
        """A column for each path, or for each field: numpy arrays where numpy is installed, lists where it is not."""
        try:
            import numpy  # noqa: F401
        except ImportError:
            return self.lists(*paths)
        return self._made(paths, columns.as_numpy)

    def lists(self, *paths: str) -> Dict[str, list]:
        """The same, always as lists."""
        return self._made(paths, columns.as_list)

    def to_pandas(self, *paths: str):
        """A pandas.DataFrame. Texts are categories; stacks are texts, the root first, ";" between frames."""
        import pandas

        return pandas.DataFrame(self._made(paths, columns.as_pandas))

    def to_arrow(self, *paths: str):
        """A pyarrow.Table; what the columns are, see to_pandas()."""
        import pyarrow

        return pyarrow.table(self._made(paths, columns.as_arrow))

    def _made(self, paths: tuple, make: Callable) -> dict:
        if len(self._names) != 1:
            raise ValueError("columns are of one event type: events(name).columns()")
        fields = self._fields(self._names[0], paths or self._paths)
        with self._recording._opened() as handle:
            raw, status = columns.gathered(handle, self._names[0], fields)
            made = {path: make(handle, column) for path, column in raw.items()}
            self._recording._finished(handle, status)
        return made

    # One by one

    def _of_one_type(self) -> Iterator[Event]:
        name = self._names[0]
        fields = self._fields(name, self._paths)
        paths = [path for path, _ in fields]
        with self._recording._opened() as handle:
            for status, rows, raw in handle.rows(name, fields):
                parts = [columns.as_list(handle, part._replace(values=part.values[:rows], present=part.present[:rows])) for part in raw]
                for values in zip(*parts) if parts else [()] * rows:
                    yield Event(name, dict(zip(paths, values)))
                if status != lib.OK:
                    self._recording._finished(handle, status)

    def _in_order(self) -> Iterator[Event]:
        with self._recording._opened() as handle:
            for name in self._names:
                handle.checked(calls.jrec_select(handle.type_named(name)))
            readers: Dict[int, tuple] = {}
            type_ = ctypes.c_void_p()
            while True:
                status = handle.next(ctypes.byref(type_))
                if status != lib.OK:
                    break
                known = readers.get(type_.value)
                if known is None:
                    known = readers[type_.value] = self._reader(handle, type_)
                name, fields = known
                yield Event(name, {path: read() for path, read in fields})
            self._recording._finished(handle, status)

    def _reader(self, handle: Handle, type_: ctypes.c_void_p) -> tuple:
        name = calls.jrec_type_name(type_).decode()
        fields = self._fields(name, self._paths, strict=False)
        kept = ctypes.c_void_p(type_.value)
        return name, [(path, _scalar(handle, handle.bind(kept, path), kind)) for path, kind in fields]

    def _fields(self, name: str, paths: tuple, strict: bool = True) -> list:
        known = self._recording._kinds(name, paths)
        missing = [path for path, kind in known.items() if kind is None]
        if missing and strict:
            declared = self._recording.fields(name)
            if declared:
                raise NoFieldError("%s has no field %s; it has %s" % (name, ", ".join(missing), ", ".join(declared)))
            return [(path, lib.INTEGER) for path in known]  # of no events
        return [(path, kind) for path, kind in known.items() if kind is not None and (paths or kind != lib.OTHER)]


def _scalar(handle: Handle, field: ctypes.c_void_p, kind: int) -> Callable[[], Any]:
    """What reads a field of the event that the handle stands at. A value that is damaged is None; the file's end tells it."""
    made = {lib.REAL: (calls.jrec_double, ctypes.c_double()), lib.STACK: (calls.jrec_stack, ctypes.c_uint32())}
    call, value = made.get(kind, (calls.jrec_int64, ctypes.c_int64()))
    of, at = columns.plain_value(handle, kind), ctypes.byref(value)
    if kind != lib.TEXT:
        return lambda: of(value.value) if call(field, at) == lib.OK else None
    text, length = ctypes.c_void_p(), ctypes.c_size_t()
    text_at, length_at = ctypes.byref(text), ctypes.byref(length)

    def read_text() -> Optional[str]:
        if calls.jrec_text(field, text_at, length_at) != lib.OK:
            return None
        return ctypes.string_at(text.value, length.value).decode("utf-8", "replace")

    return read_text
