# SPDX-License-Identifier: Apache-2.0
"""Stacks and frames, as they are handed out."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Optional


class Frame:
    """One frame of a stack.

    type: the class; method: its name; kind: "Interpreted", "JIT compiled" ...; line and bytecode_index: None where there is none;
    name: java.lang.Thread.run, or [unknown] when the method is missing. Frames of the same are equal.
    """

    __slots__ = ("type", "method", "kind", "line", "bytecode_index", "name", "_folded")

    def __init__(self, type: str, method: str, kind: str, line: Optional[int], bytecode_index: Optional[int]):
        self.type, self.method, self.kind, self.line, self.bytecode_index = type, method, kind, line, bytecode_index
        self.name = ".".join(part for part in (type, method) if part) or "[unknown]"
        self._folded = self.name.replace(";", ",")

    def _all(self) -> tuple:
        return self.type, self.method, self.kind, self.line, self.bytecode_index

    def __eq__(self, other) -> bool:
        return self is other or (isinstance(other, Frame) and self._all() == other._all())

    def __hash__(self) -> int:
        return hash((self.name, self.line))

    def __str__(self) -> str:
        return self.name if self.line is None else "%s:%d" % (self.name, self.line)

    def __repr__(self) -> str:
        return "<Frame %s>" % self


class Stack(Sequence):
    """The frames of a stack trace, from the one that ran. Two of the same frames are equal."""

    __slots__ = ("frames", "truncated")

    def __init__(self, frames: tuple, truncated: bool):
        self.frames = frames
        self.truncated = truncated

    def __len__(self) -> int:
        return len(self.frames)

    def __getitem__(self, index):
        return self.frames[index]

    def __eq__(self, other) -> bool:
        return isinstance(other, Stack) and (self.frames, self.truncated) == (other.frames, other.truncated)

    def __hash__(self) -> int:
        return hash(self.frames)

    def collapsed(self, lines: bool = False) -> str:
        """The root first, ";" between frames: what flame graphs are made of. "" for a stack without frames."""
        if lines:
            return ";".join(str(frame).replace(";", ",") for frame in reversed(self.frames))
        return ";".join([frame._folded for frame in reversed(self.frames)])

    def __str__(self) -> str:
        return "\n".join(map(str, self.frames))

    def __repr__(self) -> str:
        return "<Stack of %d: %s>" % (len(self), self.frames[0] if self.frames else "")
