# SPDX-License-Identifier: Apache-2.0
"""libjrec.so by ctypes: where it is, and its calls as format/c/jrec.h declares them."""
from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from pathlib import Path

API_VERSION = 1

OK, END, NULL = 0, 1, 2
DAMAGED, SYSTEM, USAGE, NO_FIELD, LIMIT, MEMORY = -1, -2, -3, -4, -5, -6

OTHER, INTEGER, UNSIGNED, BOOLEAN, TIME, SPAN, REAL, TEXT, STACK = range(9)
KIND_NAMES = ("other", "integer", "unsigned", "boolean", "time", "duration", "real", "text", "stack")


class Chunk(ctypes.Structure):
    _fields_ = [("offset", c_uint64), ("size", c_uint64), ("start_ns", c_int64), ("duration_ns", c_int64), ("whole", c_int32), ("unfinished", c_int32)]


class Column(ctypes.Structure):
    _fields_ = [("field", c_void_p), ("as_", c_int), ("values", c_void_p), ("present", c_void_p)]


# Handles are plain pointers. Texts are pointers too, where they may hold a 0 byte and come with a length.
_CALLS = {
    "jrec_api_version": (c_int, []),
    "jrec_open": (c_int, [c_char_p, POINTER(c_void_p)]),
    "jrec_open_bytes": (c_int, [c_char_p, c_size_t, c_char_p, POINTER(c_void_p)]),
    "jrec_close": (None, [c_void_p]),
    "jrec_error": (c_char_p, [c_void_p]),
    "jrec_problem_count": (c_size_t, [c_void_p]),
    "jrec_problem": (c_char_p, [c_void_p, c_size_t, POINTER(c_uint64)]),
    "jrec_next": (c_int, [c_void_p, POINTER(c_void_p)]),
    "jrec_next_chunk": (c_int, [c_void_p]),
    "jrec_chunk_of": (c_int, [c_void_p, POINTER(Chunk)]),
    "jrec_type_named": (c_int, [c_void_p, c_char_p, POINTER(c_void_p)]),
    "jrec_type_name": (c_char_p, [c_void_p]),
    "jrec_select": (c_int, [c_void_p]),
    "jrec_chunk_type": (c_int, [c_void_p, c_size_t, POINTER(c_void_p)]),
    "jrec_type_field": (c_int, [c_void_p, c_size_t, POINTER(c_char_p), POINTER(c_int)]),
    "jrec_bind": (c_int, [c_void_p, c_char_p, POINTER(c_void_p)]),
    "jrec_kind_of": (c_int, [c_void_p, POINTER(c_int)]),
    "jrec_int64": (c_int, [c_void_p, POINTER(c_int64)]),
    "jrec_double": (c_int, [c_void_p, POINTER(c_double)]),
    "jrec_text": (c_int, [c_void_p, POINTER(c_void_p), POINTER(c_size_t)]),
    "jrec_start_time": (c_int, [c_void_p, POINTER(c_int64)]),
    "jrec_duration": (c_int, [c_void_p, POINTER(c_int64)]),
    "jrec_stack": (c_int, [c_void_p, POINTER(c_uint32)]),
    "jrec_stack_size": (c_int, [c_void_p, c_uint32, POINTER(c_size_t), POINTER(c_int32)]),
    "jrec_stack_text": (c_int, [c_void_p, c_uint32, c_int32, POINTER(c_void_p), POINTER(c_size_t)]),
    "jrec_stack_frames": (c_int, [c_void_p, c_uint32, c_size_t, c_size_t, c_void_p, POINTER(c_size_t)]),
    "jrec_rows": (c_int, [c_void_p, POINTER(Column), c_size_t, c_size_t, POINTER(c_size_t)]),
    "jrec_known_text": (c_void_p, [c_void_p, c_uint32, POINTER(c_size_t)]),
}


def _places() -> list[str]:
    """Where the library is looked for, in this order; the last by the system's linker."""
    named = os.environ.get("JREC_LIBRARY")
    if named:
        return [named]
    here = Path(__file__).resolve().parent
    build = Path(os.environ.get("REC_BUILD") or here.parent.parent.parent / "build")
    files = [here / "libjrec.so", build / "format" / "c" / "libjrec.so.1"]
    return [str(file) for file in files if file.exists()] + ["libjrec.so.1"]


def _load() -> ctypes.CDLL:
    places = _places()
    try:
        library = ctypes.CDLL(places[0])
    except OSError as error:
        raise ImportError(
            "jrec has no library: %s. Build it (ninja -C build jrec_c), install again, or name it in JREC_LIBRARY" % error
        ) from None
    for name, (result, arguments) in _CALLS.items():
        call = getattr(library, name, None)
        if call is None:
            raise ImportError("%s has no %s: it is older than this package" % (places[0], name))
        call.restype, call.argtypes = result, arguments
    if library.jrec_api_version() < API_VERSION:
        raise ImportError("%s is of an older API than this package" % places[0])
    return library


calls = _load()
