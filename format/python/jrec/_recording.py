# SPDX-License-Identifier: Apache-2.0
"""A recording, which is a path and what is known of it: each reading opens the file for itself."""
from __future__ import annotations

import ctypes
import os
import sys
import warnings
from collections import Counter
from datetime import datetime, timedelta, timezone
from typing import Dict, List, NamedTuple, Optional, Union

from . import _library as lib
from ._events import Events
from ._handle import DamagedError, DamageWarning, Handle, Problem
from ._library import calls


class Chunk(NamedTuple):
    """A chunk: where it is in the file, and what its header says."""

    offset: int
    size: int
    start_ns: int
    duration_ns: int
    whole: bool
    unfinished: bool

    @property
    def start_time(self) -> datetime:
        return datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(microseconds=self.start_ns // 1000)


def open(source: Union[str, "os.PathLike[str]", bytes] = "-", on_damage: str = "warn") -> "Recording":  # noqa: A001
    """Opens a recording: a path, its bytes, or "-" for standard input.

    on_damage: what happens when a file that is damaged has been read to its end, and what is good of it been handed out: "warn"
    (DamageWarning), "raise" (DamagedError) or "ignore". Recording.problems tells in each case. OSError when it cannot be read.
    """
    return Recording(source, on_damage)


class Recording:
    """Events of a recording. May be used by several threads, and by several iterators at once: each reading is its own."""

    def __init__(self, source: Union[str, "os.PathLike[str]", bytes], on_damage: str = "warn"):
        if on_damage not in ("warn", "raise", "ignore"):
            raise ValueError('on_damage is "warn", "raise" or "ignore"')
        self._source = sys.stdin.buffer.read() if source == "-" else source if isinstance(source, bytes) else os.fspath(source)
        self._on_damage = on_damage
        self._fields: Dict[str, Dict[str, int]] = {}
        self.problems: List[Problem] = []  # what the reading that ended last has met
        self._opened().close()  # says at once that there is no such file

    def __enter__(self) -> "Recording":
        return self

    def __exit__(self, *failure: object) -> None:
        """Nothing is held open between two readings."""

    def events(self, *names: str, fields: tuple = ()) -> Events:
        """The events of these types, of all when none is named, in the order of the file.

        fields: paths that are wanted ("sampledThread.javaThreadId"); without them all that are numbers, texts or stacks.
        """
        return Events(self, names, (fields,) if isinstance(fields, str) else tuple(fields))

    def counts(self) -> Dict[str, int]:
        """How many events there are of each type that has any."""
        counted: Counter = Counter()
        with self._opened() as handle:
            type_, status = ctypes.c_void_p(), lib.OK
            at = ctypes.byref(type_)
            while status == lib.OK:
                status = handle.next(at)
                if status == lib.OK:
                    counted[type_.value] += 1
            named = {calls.jrec_type_name(number).decode(): count for number, count in counted.items()}
            self._finished(handle, status)
        return dict(sorted(named.items()))

    def collapsed(self, name: str = "jdk.ExecutionSample", weight: Optional[str] = None, field: str = "stackTrace", lines: bool = False) -> "Counter[str]":
        """Stacks, the root first, with ";" between frames, and how many events had each: what flame graphs are made of.

        weight: the path of a number to add up in place of events ("weight" of jdk.ObjectAllocationSample).
        """
        paths = (field,) if weight is None else (field, weight)
        kinds = list(Events(self, (name,), ())._fields(name, paths))
        holds_stacks = kinds[0][1] == lib.STACK or not self._declares(name, field)
        counted: Counter = Counter()
        with self._opened() as handle:
            status = lib.END
            for status, rows, raw in handle.rows(name, kinds):
                if not holds_stacks:
                    continue
                if weight is None:
                    counted.update(raw[0].values[:rows])
                    continue
                for stack, amount in zip(raw[0].values[:rows], raw[1].values[:rows]):
                    counted[stack] += amount
            named: Counter = Counter()
            for number, amount in counted.items():
                stack = handle.collapsed(number, lines) if number else ""
                if stack:
                    named[stack] += amount
            self._finished(handle, status)
        if not holds_stacks and not self.problems:  # else the damage is told, and changed what the field is
            raise ValueError("%s of %s holds no stacks" % (field, name))
        return named

    def _declares(self, name: str, field: str) -> bool:
        return field in self.fields(name)

    def types(self) -> List[str]:
        """The event types that the recording declares, whether it has such events or not."""
        names: Dict[str, None] = {}
        with self._opened() as handle:
            while handle.next_chunk() == lib.OK:
                names.update(dict.fromkeys(handle.types_here()))
        return sorted(names)

    def fields(self, name: str) -> Dict[str, str]:
        """The fields of a type and what they are: integer, unsigned, boolean, time, duration, real, text, stack; other: arrays and
        structs without a name, whose fields have paths of their own."""
        return {path: lib.KIND_NAMES[kind] for path, kind in self._kinds(name, ()).items() if kind is not None}

    def chunks(self) -> List[Chunk]:
        """The chunks of the file, in its order."""
        out = []
        with self._opened() as handle:
            while handle.next_chunk() == lib.OK:
                at = handle.chunk()
                out.append(Chunk(at.offset, at.size, at.start_ns, at.duration_ns, bool(at.whole), bool(at.unfinished)))
        return out

    def __repr__(self) -> str:
        return "<Recording %s>" % ("of %d bytes" % len(self._source) if isinstance(self._source, bytes) else self._source)

    def _opened(self) -> Handle:
        return Handle(self._source)

    def _kinds(self, name: str, paths: tuple) -> Dict[str, Optional[int]]:
        """Of these paths, or all fields, as the first chunk has them that has them; None for those that none has."""
        if not paths and name in self._fields:
            return self._fields[name]
        found: Dict[str, Optional[int]] = dict.fromkeys(paths)
        with self._opened() as handle:
            type_ = handle.type_named(name)
            bound = {path: handle.bind(type_, path) for path in paths}
            while None in found.values() or not paths:
                if handle.next_chunk() != lib.OK:
                    break
                here = {path: handle.kind_of(field) for path, field in bound.items()} if paths else dict(handle.fields_here(type_))
                for path, kind in here.items():
                    if found.get(path) is None:
                        found[path] = kind
        if not paths:
            self._fields[name] = found
        return found

    def _finished(self, handle: Handle, status: int) -> None:
        """At the end of a reading."""
        self.problems = handle.problems()
        if status != lib.DAMAGED or self._on_damage == "ignore":
            return
        if self._on_damage == "raise":
            raise DamagedError(handle.error())
        warnings.warn(DamageWarning(handle.error()), stacklevel=3)
