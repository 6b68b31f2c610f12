# SPDX-License-Identifier: Apache-2.0
"""Every value of a recording as jrec has it, against the JDK's own: against_jfr.py app.jfr app.json (of jfr print --json).

Prints how many events of how many types were alike. Exits with 1 and the first that differ.
"""
import json
import re
import struct
import sys
from collections import defaultdict
from datetime import datetime, timezone

import jrec

NEVER, FOREVER = -(2**63), 2**63 - 1
DEPTH = 5  # frames of a stack, as many as jfr prints


def time_ns(text):
    parts = re.fullmatch(r"(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d)?(\.\d+)?(Z|[-+]\d\d:\d\d)", text)
    if parts is None:
        return NEVER
    minute, second, fraction, zone = parts.groups()
    moment = datetime.fromisoformat(minute + (second or ":00") + (zone if zone != "Z" else "+00:00"))
    whole = int((moment - datetime(1970, 1, 1, tzinfo=timezone.utc)).total_seconds())
    return whole * 10**9 + int(((fraction or ".") + "0" * 9)[1:10])


def span_ns(text):
    hours, minutes, whole, fraction = re.fullmatch(r"PT(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?\d+)(\.\d+)?S)?", text).groups()
    seconds = int(hours or 0) * 3600 + int(minutes or 0) * 60 + int(whole or 0)
    sign = -1 if text.startswith("PT-") else 1
    ns = seconds * 10**9 + sign * int(((fraction or ".") + "0" * 9)[1:10])
    return FOREVER if seconds > 2**53 else NEVER if seconds < -(2**53) else ns


def as_float(number):
    """jfr prints as many digits as tell one float from another."""
    try:
        return struct.unpack("f", struct.pack("f", number))
    except OverflowError:
        return (number,)


def class_name(internal):
    primitive = dict(B="byte", C="char", D="double", F="float", I="int", J="long", S="short", Z="boolean")
    element = internal.lstrip("[")
    depth = len(internal) - len(element)
    if depth:
        element = primitive.get(element, element[1:-1])
    return element.replace("/", ".") + "[]" * depth


def method_name(method):
    return class_name(method["type"]["name"]) + "." + method["name"]


def name_of(value):
    if not isinstance(value, dict):
        return value
    if "javaName" in value:
        return value["javaName"] if value["javaName"] is not None else value["osName"]
    if "descriptor" in value:
        return method_name(value)
    if "hidden" in value or ("classLoader" in value and "modifiers" in value):
        return class_name(value["name"])
    return name_of(next(iter(value.values())))


def theirs(value, kind):
    if value is None:
        return None
    if kind == "time":
        return time_ns(value)
    if kind == "duration":
        return span_ns(value)
    if kind == "unsigned":  # which 17 prints with a sign
        return value & 0xFFFFFFFFFFFFFFFF
    if kind == "real":
        return as_float(float(value))
    if kind == "text":
        return name_of(value)
    if kind == "stack":
        return [(method_name(f["method"]), f["lineNumber"] if f["lineNumber"] > 0 else None, f["type"]) for f in value["frames"]][:DEPTH]
    return value


def ours(value, kind):
    if value is None:
        return None
    if kind == "real":
        return as_float(value)
    if kind == "stack":
        return [(frame.name, frame.line, frame.kind) for frame in value[:DEPTH]]
    return value


def at_path(values, path):
    for step in path.split("."):
        values = None if values is None else values[step]
    return values


def main(recording_path, json_path):
    recording = jrec.open(recording_path, on_damage="raise")
    with open(json_path) as file:
        printed = json.load(file)["recording"]["events"]
    by_type = defaultdict(list)
    for event in printed:
        by_type[event["type"]].append(event["values"])
    counts = recording.counts()
    if counts != {name: len(events) for name, events in by_type.items()}:
        sys.exit("other counts: %s" % counts)
    for name, events in by_type.items():
        fields = [(path, kind) for path, kind in recording.fields(name).items() if kind != "other"]
        wanted = sorted(repr([theirs(at_path(values, path), kind) for path, kind in fields]) for values in events)
        got = sorted(repr([ours(event[path], kind) for path, kind in fields]) for event in recording.events(name))
        if got != wanted:
            differ = next((pair for pair in zip(got, wanted) if pair[0] != pair[1]), (len(got), len(wanted)))
            sys.exit("%s %s\n ours   %s\n theirs %s" % ((name, fields) + differ))
    in_order = defaultdict(list)
    for event in recording.events():
        in_order[event.type].append(dict(event))
    for name in by_type:
        if in_order[name] != [dict(event) for event in recording.events(name)]:
            sys.exit("%s: other events when all types are asked for" % name)
    print("%d events of %d types alike" % (sum(counts.values()), len(counts)))


main(*sys.argv[1:])
