# SPDX-License-Identifier: Apache-2.0
"""Columns of an event type: as lists, as numpy arrays, for pandas and for Arrow."""
from __future__ import annotations

from array import array
from typing import Any, Callable

from . import _library as lib
from ._handle import Handle, RawColumn

NEVER = -(2**63)  # a time or duration that was not set
_CODED = (lib.TEXT, lib.STACK)


def gathered(handle: Handle, name: str, fields: list[tuple]) -> tuple:
    """All rows of a type: RawColumns by path, and the status at the end."""
    whole = {path: RawColumn(kind, array("d" if kind == lib.REAL else "I" if kind in _CODED else "q"), bytearray()) for path, kind in fields}
    status = lib.END
    for status, rows, raw in handle.rows(name, fields):
        for (path, _), part in zip(fields, raw):
            whole[path].values.extend(part.values[:rows])
            whole[path].present.extend(part.present[:rows])
    return whole, status


def plain_value(handle: Handle, kind: int) -> Callable[[Any], Any]:
    """What makes a Python value of a number out of a column."""
    if kind == lib.TEXT:
        return handle.text
    if kind == lib.STACK:
        return handle.stack
    if kind == lib.BOOLEAN:
        return bool
    if kind == lib.UNSIGNED:
        return lambda number: number & 0xFFFFFFFFFFFFFFFF
    return lambda number: number


def as_list(handle: Handle, column: RawColumn) -> list:
    of = plain_value(handle, column.kind)
    if column.kind in _CODED:
        return list(map(of, column.values))
    return [of(value) if there else None for value, there in zip(column.values, column.present)]


def as_numpy(handle: Handle, column: RawColumn):
    """datetime64[ns], timedelta64[ns], int64, uint64, bool and float64; object for texts and stacks. Integers that are missing make a
    column of objects with None; missing times are NaT, missing reals NaN."""
    import numpy

    if column.kind in _CODED:
        return _looked_up(handle, column)
    values = numpy.frombuffer(column.values, dtype=column.values.typecode) if len(column.values) else numpy.empty(0, column.values.typecode)
    missing = ~numpy.frombuffer(bytes(column.present), dtype=bool)
    if column.kind in (lib.TIME, lib.SPAN):
        values = numpy.where(missing, NEVER, values)  # NaT has the same bits
        return values.view("datetime64[ns]" if column.kind == lib.TIME else "timedelta64[ns]")
    if column.kind == lib.REAL:
        return numpy.where(missing, numpy.nan, values)
    values = values.view("uint64") if column.kind == lib.UNSIGNED else values.astype(bool) if column.kind == lib.BOOLEAN else values.copy()
    if missing.any():
        values = values.astype(object)
        values[missing] = None
    return values


def _codes(column: RawColumn) -> tuple:
    """Codes from 0 on, -1 for none, and the numbers that they stand for."""
    import numpy

    numbers = numpy.frombuffer(column.values, dtype=column.values.typecode) if len(column.values) else numpy.empty(0, "uint32")
    known, codes = numpy.unique(numbers, return_inverse=True)
    codes = codes.reshape(-1).astype("int32")
    if len(known) and known[0] == 0:
        known, codes = known[1:], codes - 1
    return codes, known.tolist()


def _looked_up(handle: Handle, column: RawColumn):
    import numpy

    codes, numbers = _codes(column)
    table = numpy.empty(len(numbers) + 1, dtype=object)  # the last is that of -1
    for i, meaning in enumerate(map(plain_value(handle, column.kind), numbers)):
        table[i] = meaning
    return table[codes]


def _meanings(handle: Handle, kind: int, numbers: list) -> tuple:
    """For tables: which text each number is, and the texts. Stacks are collapsed texts, and different ones may be one text."""
    if kind == lib.TEXT:
        return range(len(numbers)), list(map(handle.text, numbers))
    places: dict = {}
    into = [places.setdefault(handle.collapsed(number), len(places)) for number in numbers]
    return into, list(places)


def _texts_of(handle: Handle, column: RawColumn) -> tuple:
    """Codes from 0 on, -1 for none, and the texts that they stand for."""
    import numpy

    codes, numbers = _codes(column)
    into, texts = _meanings(handle, column.kind, numbers)
    return numpy.array([*into, -1], dtype="int32")[codes], texts


def as_pandas(handle: Handle, column: RawColumn):
    """Texts and stacks as categories; integers and booleans that may be missing as pandas' own types for that; times in UTC."""
    import numpy
    import pandas

    if column.kind in _CODED:
        return pandas.Categorical.from_codes(*_texts_of(handle, column))
    if column.kind == lib.TIME:
        return pandas.DatetimeIndex(as_numpy(handle, column)).tz_localize("UTC")
    missing = ~numpy.frombuffer(bytes(column.present), dtype=bool)
    if not missing.any() or column.kind in (lib.SPAN, lib.REAL):
        return as_numpy(handle, column)
    values = as_numpy(handle, column._replace(present=bytearray(b"\1" * len(column.present))))
    of = {"i": pandas.arrays.IntegerArray, "u": pandas.arrays.IntegerArray, "b": pandas.arrays.BooleanArray}
    return of[values.dtype.kind](values, missing)


def as_arrow(handle: Handle, column: RawColumn):
    """Texts and stacks as dictionaries, times as timestamp[ns, UTC], durations as duration[ns]. numpy is not needed, as pyarrow needs none."""
    import pyarrow
    from pyarrow import compute

    def of(kind, values):
        return pyarrow.Array.from_buffers(kind, len(values), [None, pyarrow.py_buffer(values)])

    def where(present, values):
        return compute.if_else(present, values, pyarrow.scalar(None, values.type))

    if column.kind in _CODED:
        numbers = of(pyarrow.uint32(), column.values)
        coded = where(compute.not_equal(numbers, 0), numbers).dictionary_encode()
        into, meanings = _meanings(handle, column.kind, coded.dictionary.to_pylist())
        indices = pyarrow.array(into, pyarrow.int32()).take(coded.indices)
        return pyarrow.DictionaryArray.from_arrays(indices, pyarrow.array(meanings, pyarrow.string()))
    kinds = {lib.TIME: pyarrow.timestamp("ns", "UTC"), lib.SPAN: pyarrow.duration("ns"), lib.REAL: pyarrow.float64(), lib.UNSIGNED: pyarrow.uint64()}
    values = of(kinds.get(column.kind, pyarrow.int64()), column.values)
    present = of(pyarrow.uint8(), column.present).cast(pyarrow.bool_())
    if column.kind in (lib.TIME, lib.SPAN):
        present = compute.and_(present, compute.not_equal(of(pyarrow.int64(), column.values), NEVER))
    return where(present, values.cast(pyarrow.bool_()) if column.kind == lib.BOOLEAN else values)
