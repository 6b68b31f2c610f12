# SPDX-License-Identifier: Apache-2.0
"""One opened jrec_file: its statuses become exceptions, its numbers of texts and stacks become objects."""
from __future__ import annotations

import ctypes
from array import array
from typing import Iterator, NamedTuple, Optional

from . import _library as lib
from ._library import calls
from ._stacks import Frame, Stack


class Error(Exception):
    """Base of what this package raises."""


class DamagedError(Error):
    """The file contradicts itself; the text names file, offset and reason. What was good has been handed out before."""


class DamageWarning(UserWarning):
    """Like DamagedError, where a recording was opened with on_damage="warn"."""


class NoFieldError(Error, KeyError):
    """A type has no such field."""

    def __str__(self) -> str:
        return self.args[0]


class Problem(NamedTuple):
    """What is damaged: where in the file, and why."""

    offset: int
    reason: str


class RawColumn(NamedTuple):
    kind: int
    values: array  # int64, double, or numbers of texts and stacks
    present: bytearray


ROOM = 8192  # rows a call

_CODES = {lib.REAL: ("d", 8, lib.REAL), lib.TEXT: ("I", 4, lib.TEXT), lib.STACK: ("I", 4, lib.STACK)}
_INTEGERS = ("q", 8, lib.INTEGER)


class _Frames(dict):
    """Frames by their five numbers, made when they are first asked for."""

    def __init__(self, text):
        super().__init__()
        self._text = text

    def __missing__(self, numbers: tuple) -> Frame:
        type_, method, kind, line, index = numbers
        texts = (self._text(number) or "" for number in (type_, method, kind))
        made = self[numbers] = Frame(*texts, line if line > 0 else None, index if index >= 0 else None)
        return made


def _for_c(text: str) -> bytes:
    """C would take what stands before a zero for all of it."""
    if "\0" in text:
        raise ValueError("embedded null character")
    return text.encode("utf-8", "surrogateescape")


def _system_error(source, text: str) -> OSError:
    """With the number that Python's own open() has, which makes a FileNotFoundError of it."""
    try:
        with open(source, "rb"):
            return OSError(text)
    except OSError as error:
        return OSError(error.errno, text)


class Handle:
    """Used by one thread at a time, and closed at the end of a with statement."""

    def __init__(self, source):
        self._file = ctypes.c_void_p()
        self._source = source  # keeps bytes alive
        self._texts: dict = {0: None}
        self._stacks: dict = {0: None}
        self._frames = _Frames(self.text)
        if isinstance(source, bytes):
            status = calls.jrec_open_bytes(source, len(source), b"<bytes>", ctypes.byref(self._file))
        else:
            status = calls.jrec_open(_for_c(source), ctypes.byref(self._file))
        if status != lib.OK:
            text = self.error()
            self.close()
            raise _system_error(source, text) if status == lib.SYSTEM else Error(text)

    def __enter__(self) -> "Handle":
        return self

    def __exit__(self, *unused) -> None:
        self.close()

    def close(self) -> None:
        file, self._file = self._file, ctypes.c_void_p()
        calls.jrec_close(file)

    def error(self) -> str:
        return calls.jrec_error(self._file).decode("utf-8", "replace")

    def problems(self) -> list[Problem]:
        out, offset = [], ctypes.c_uint64()
        while True:
            reason = calls.jrec_problem(self._file, len(out), ctypes.byref(offset))
            if reason is None:
                return out
            out.append(Problem(offset.value, reason.decode("utf-8", "replace")))

    def checked(self, status: int) -> int:
        """OK, END and NULL; the rest raises."""
        if status >= 0:
            return status
        if status == lib.MEMORY:
            raise MemoryError(self.error())
        kinds = {lib.DAMAGED: DamagedError, lib.NO_FIELD: NoFieldError, lib.SYSTEM: OSError}
        raise kinds.get(status, Error)(self.error())

    # Types and fields

    def type_named(self, name: str) -> ctypes.c_void_p:
        found = ctypes.c_void_p()
        self.checked(calls.jrec_type_named(self._file, _for_c(name), ctypes.byref(found)))
        return found

    def bind(self, type_: ctypes.c_void_p, path: str) -> ctypes.c_void_p:
        found = ctypes.c_void_p()
        self.checked(calls.jrec_bind(type_, _for_c(path), ctypes.byref(found)))
        return found

    def kind_of(self, field: ctypes.c_void_p) -> Optional[int]:
        """None: this chunk has no such field."""
        kind = ctypes.c_int()
        status = calls.jrec_kind_of(field, ctypes.byref(kind))
        return None if status == lib.NO_FIELD or self.checked(status) != lib.OK else kind.value

    def fields_here(self, type_: ctypes.c_void_p) -> Iterator[tuple]:
        path, kind, index = ctypes.c_char_p(), ctypes.c_int(), 0
        while self.checked(calls.jrec_type_field(type_, index, ctypes.byref(path), ctypes.byref(kind))) == lib.OK:
            yield path.value.decode(), kind.value
            index += 1

    def types_here(self) -> Iterator[str]:
        type_, index = ctypes.c_void_p(), 0
        while self.checked(calls.jrec_chunk_type(self._file, index, ctypes.byref(type_))) == lib.OK:
            yield calls.jrec_type_name(type_).decode()
            index += 1

    # Where it stands. next_chunk() and next() tell the status: OK, END or DAMAGED.

    def next_chunk(self) -> int:
        return self._ended(calls.jrec_next_chunk(self._file))

    def chunk(self) -> lib.Chunk:
        chunk = lib.Chunk()
        self.checked(calls.jrec_chunk_of(self._file, ctypes.byref(chunk)))
        return chunk

    def next(self, type_) -> int:
        return self._ended(calls.jrec_next(self._file, type_))

    def _ended(self, status: int) -> int:
        return status if status == lib.DAMAGED else self.checked(status)

    # Values

    def text(self, number: int) -> Optional[str]:
        known = self._texts.get(number, self)
        if known is not self:
            return known
        length = ctypes.c_size_t()
        at = calls.jrec_known_text(self._file, number, ctypes.byref(length))
        text = ctypes.string_at(at, length.value).decode("utf-8", "replace")
        return self._texts.setdefault(number, text)

    def stack(self, number: int) -> Optional[Stack]:
        known = self._stacks.get(number, self)
        if known is not self:
            return known
        truncated, count = ctypes.c_int32(), ctypes.c_size_t()
        self.checked(calls.jrec_stack_size(self._file, number, ctypes.byref(count), ctypes.byref(truncated)))
        numbers = array("i", bytes(count.value * 20))  # five of them a frame
        self.checked(calls.jrec_stack_frames(self._file, number, 0, count.value, numbers.buffer_info()[0], ctypes.byref(count)))
        each = iter(numbers)
        frames = tuple(map(self._frames.__getitem__, zip(each, each, each, each, each)))
        return self._stacks.setdefault(number, Stack(frames, bool(truncated.value)))

    def collapsed(self, number: int, lines: bool = False) -> str:
        """Stack.collapsed() of a number, without a Stack."""
        text, length = ctypes.c_void_p(), ctypes.c_size_t()
        self.checked(calls.jrec_stack_text(self._file, number, lines, ctypes.byref(text), ctypes.byref(length)))
        return ctypes.string_at(text.value, length.value).decode("utf-8", "replace")

    def rows(self, name: str, fields: list[tuple]) -> Iterator[tuple]:
        """Of (path, kind): RawColumns of at most ROOM rows, and the status when there are no more."""
        type_ = self.type_named(name)
        columns = (lib.Column * max(len(fields), 1))()
        raw, keep = [], []
        for column, (path, kind) in zip(columns, fields):
            code, size, as_ = _CODES.get(kind, _INTEGERS)
            made = RawColumn(kind, array(code, bytes(ROOM * size)), bytearray(ROOM))
            buffers = [(ctypes.c_char * len(memory)).from_buffer(memory) for memory in (memoryview(made.values).cast("B"), made.present)]
            column.field, column.as_ = self.bind(type_, path), as_
            column.values, column.present = (ctypes.addressof(buffer) for buffer in buffers)
            raw.append(made)
            keep.append(buffers)
        rows, status = ctypes.c_size_t(), lib.OK
        while status == lib.OK:
            status = self._ended(calls.jrec_rows(type_, columns, len(fields), ROOM, ctypes.byref(rows)))
            if rows.value or status != lib.OK:
                yield status, rows.value, raw
