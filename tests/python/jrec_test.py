# SPDX-License-Identifier: Apache-2.0
"""What jrec promises a program, on a recording of a JVM: jrec_test.py app.jfr. Columns for numpy, pandas and Arrow are tried where those are."""
import os
import sys
import threading
import unittest
import warnings
from datetime import timedelta

import jrec

PATH = sys.argv.pop()
SAMPLE = "jdk.ExecutionSample"


def needs(module):
    try:
        __import__(module)
    except ImportError:
        return unittest.skip("python3 has no " + module)
    return lambda test: test


class Whole(unittest.TestCase):
    def setUp(self):
        self.recording = jrec.open(PATH, on_damage="raise")
        self.samples = self.recording.counts()[SAMPLE]

    def test_events_are_mappings_that_can_be_kept(self):
        events = list(self.recording.events(SAMPLE))
        self.assertEqual(len(events), self.samples)
        first = events[0]
        self.assertEqual(first.type, SAMPLE)
        self.assertEqual(set(first), set(self.recording.fields(SAMPLE)))
        self.assertIsInstance(first["startTime"], int)
        self.assertAlmostEqual(first.start_time.timestamp() * 1e9, first["startTime"], delta=2000)
        self.assertIsNone(first.duration)
        self.assertIsInstance(first["stackTrace"][0].method, str)
        with self.assertRaises(KeyError):
            first["nothing"]

    def test_paths_lead_into_structs_and_constants(self):
        ids = {event["sampledThread.javaThreadId"] for event in self.recording.events(SAMPLE, fields=["sampledThread.javaThreadId"])}
        self.assertTrue(ids)
        self.assertTrue(all(isinstance(number, int) for number in ids))
        self.assertIn("heapSpace.committedSize", self.recording.fields("jdk.GCHeapSummary"))

    def test_a_wrong_name_is_told(self):
        with self.assertRaisesRegex(jrec.NoFieldError, "jdk.ExecutionSample has no field stacktrace; it has startTime, "):
            self.recording.events(SAMPLE).columns("stacktrace")
        with self.assertRaises(OSError) as raised:
            jrec.open("/nowhere/app.jfr")
        self.assertIn("/nowhere/app.jfr: cannot open: No such file", str(raised.exception))
        self.assertEqual(list(self.recording.events("no.Such")), [])
        with self.assertRaises(ValueError):
            self.recording.events().columns()

    def test_a_type_that_is_not_there_has_no_events(self):
        self.assertEqual(self.recording.events("app.Nothing").lists("startTime"), {"startTime": []})
        self.assertEqual(self.recording.collapsed("app.Nothing"), {})
        self.assertEqual(list(self.recording.events("app.Nothing")), [])

    def test_a_name_with_a_zero_is_none(self):
        for name in ("jdk.CPULoad\0zz", "\0"):
            self.assertRaises(ValueError, self.recording.events(name).lists, "startTime")
        self.assertRaises(ValueError, jrec.open, PATH + "\0.evil")

    def test_a_file_that_is_not_there_is_not_found(self):
        self.assertRaises(FileNotFoundError, jrec.open, PATH + ".none")

    def test_columns_are_the_events(self):
        events = list(self.recording.events(SAMPLE))
        table = self.recording.events(SAMPLE).lists()
        self.assertEqual(table, {path: [event[path] for event in events] for path in events[0]})
        self.assertEqual(list(self.recording.events(SAMPLE).lists("state", "startTime")), ["state", "startTime"])

    def test_some_types_come_in_the_order_of_the_file(self):
        names = {SAMPLE, "jdk.CPULoad"}
        events = list(self.recording.events(*names))
        self.assertEqual(len(events), self.recording.events(*names).count())
        self.assertEqual({event.type for event in events}, names)

    def test_stacks_are_counted(self):
        stacks = self.recording.collapsed(SAMPLE)
        self.assertEqual(sum(stacks.values()), sum(1 for event in self.recording.events(SAMPLE) if event["stackTrace"]))
        self.assertTrue(any("Work" in stack for stack in stacks))
        weighed = self.recording.collapsed("jdk.ObjectAllocationSample", weight="weight")
        events = self.recording.events("jdk.ObjectAllocationSample")
        self.assertEqual(sum(weighed.values()), sum(event["weight"] for event in events if event["stackTrace"]))

    def test_chunks_and_types(self):
        chunks = self.recording.chunks()
        self.assertEqual(sum(chunk.size for chunk in chunks), os.path.getsize(PATH))
        self.assertTrue(all(chunk.whole and not chunk.unfinished for chunk in chunks))
        self.assertTrue(set(self.recording.counts()) <= set(self.recording.types()))

    def test_bytes_are_a_recording_too(self):
        with open(PATH, "rb") as file:
            self.assertEqual(jrec.open(file.read()).counts(), self.recording.counts())

    def test_threads_and_iterators_do_not_meet(self):
        found = []
        threads = [threading.Thread(target=lambda: found.append(self.recording.collapsed())) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [self.recording.collapsed()] * 4)
        pairs = zip(self.recording.events(SAMPLE), self.recording.events(SAMPLE))
        self.assertTrue(all(dict(left) == dict(right) for left, right in pairs))

    @needs("numpy")
    def test_numpy(self):
        table = self.recording.events(SAMPLE).columns()
        self.assertEqual(str(table["startTime"].dtype), "datetime64[ns]")
        lists = self.recording.events(SAMPLE).lists()
        self.assertEqual({path: column.tolist() for path, column in table.items()}, lists)

    @needs("pandas")
    def test_pandas(self):
        frame = self.recording.events(SAMPLE).to_pandas("startTime", "sampledThread", "stackTrace")
        self.assertEqual(len(frame), self.samples)
        self.assertEqual(str(frame.startTime.dtype), "datetime64[ns, UTC]")
        stacks = {stack: count for stack, count in frame.stackTrace.value_counts().items() if count}
        self.assertEqual(stacks, dict(self.recording.collapsed(SAMPLE)))

    @needs("pyarrow")
    def test_arrow(self):
        table = self.recording.events("jdk.GCHeapSummary").to_arrow()
        self.assertEqual(str(table.schema.field("startTime").type), "timestamp[ns, tz=UTC]")
        lists = self.recording.events("jdk.GCHeapSummary").lists()
        self.assertEqual(table.column("when").to_pylist(), lists["when"])
        self.assertEqual(table.column("heapUsed").to_pylist(), lists["heapUsed"])
        self.assertEqual(table.column("startTime").cast("int64").to_pylist(), lists["startTime"])

    @needs("pyarrow")
    def test_arrow_has_all_that_lists_have(self):
        plain = {"bool", "int64", "uint64", "double", "dictionary<values=string, indices=int32, ordered=0>"}
        for name in self.recording.counts():
            table, lists = self.recording.events(name).to_arrow(), self.recording.events(name).lists()
            for path, wanted in lists.items():
                column = table.column(path)
                if str(column.type) not in plain:
                    self.assertRegex(str(column.type), r"^(timestamp|duration)\[ns")
                    column = column.cast("int64")
                    wanted = [None if value == -(2**63) else value for value in wanted]  # not set
                wanted = [value.collapsed() if isinstance(value, jrec.Stack) else value for value in wanted]
                self.assertEqual(list(map(repr, column.to_pylist())), list(map(repr, wanted)), (name, path))  # repr: nan is nan


class Damaged(unittest.TestCase):
    def setUp(self):
        with open(PATH, "rb") as file:
            whole = file.read()
        self.cut = whole[: len(whole) - 1000]
        self.twice = whole + b"no chunk" + whole

    def test_what_is_good_comes_first_and_the_end_warns(self):
        recording = jrec.open(self.twice)
        with self.assertWarnsRegex(jrec.DamageWarning, "^<bytes>: at 0x[0-9a-f]+: "):
            events = list(recording.events(SAMPLE))
        self.assertEqual(len(events), 2 * jrec.open(PATH).counts()[SAMPLE])
        self.assertEqual([problem.offset for problem in recording.problems], [os.path.getsize(PATH)])

    def test_a_cut_file_raises_where_that_is_asked_for(self):
        seen = []
        with self.assertRaises(jrec.DamagedError):
            for event in jrec.open(self.cut, on_damage="raise").events():
                seen.append(event)
        self.assertTrue(seen)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertTrue(jrec.open(self.cut, on_damage="ignore").counts())

    def test_what_is_no_recording_is_damaged(self):
        for nothing in (b"", b"no recording at all", bytes(5000)):
            with self.assertRaises(jrec.DamagedError):
                jrec.open(nothing, on_damage="raise").counts()


class Values(unittest.TestCase):
    def test_a_duration_is_one(self):
        for event in jrec.open(PATH).events("jdk.GarbageCollection"):
            self.assertIsInstance(event.duration, timedelta)
            self.assertGreater(event["duration"], 0)

    def test_stacks_collapse(self):
        stack = jrec.Stack((jrec.Frame("a.B", "c", "Inlined", 7, 1), jrec.Frame("", "d;e", "Native", None, None)), False)
        self.assertEqual(stack.collapsed(), "d,e;a.B.c")
        self.assertEqual(stack.collapsed(lines=True), "d,e;a.B.c:7")
        self.assertEqual(str(stack), "a.B.c:7\nd;e")
        self.assertEqual(jrec.Frame("", "", "", None, None).name, "[unknown]")


unittest.main()
