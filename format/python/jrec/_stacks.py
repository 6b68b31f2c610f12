# SPDX-License-Identifier: Apache-2.0
"""Stacks and frames, as they are handed out."""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Optional


class Frame(NamedTuple):
    """One frame of a stack. type: the class, method: its name, kind: "Interpreted", "JIT compiled" ...; line: None where there is none."""

    type: str
    method: str
    kind: str
    line: Optional[int]
    bytecode_index: Optional[int]

    @property
    def name(self) -> str:
        """java.lang.Thread.run; [unknown] when the method is missing."""
        return ".".join(part for part in (self.type, self.method) if part) or "[unknown]"

    def __str__(self) -> str:
        return self.name if self.line is None else "%s:%d" % (self.name, self.line)


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
        return ";".join((str(frame) if lines else frame.name).replace(";", ",") for frame in reversed(self.frames))

    def __str__(self) -> str:
        return "\n".join(map(str, self.frames))

    def __repr__(self) -> str:
        return "<Stack of %d: %s>" % (len(self), self.frames[0] if self.frames else "")
