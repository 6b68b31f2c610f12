# SPDX-License-Identifier: Apache-2.0
"""Reads JFR recordings, of the JDK, of async-profiler and of rec.

    import jrec

    recording = jrec.open("app.jfr")
    for pause in recording.events("jdk.GCPhasePause"):
        print(pause.start_time, pause["duration"], pause["name"])
    table = recording.events("jdk.ExecutionSample").to_pandas("startTime", "sampledThread", "stackTrace")
    for stack, samples in recording.collapsed("jdk.ExecutionSample").most_common(10):
        print(samples, stack)

Nothing but libjrec.so is needed; numpy, pandas and pyarrow are used where they are installed. What is damaged of a file is told
(DamageWarning), and what is good of it is handed out.
"""
from ._events import Event, Events
from ._handle import DamagedError, DamageWarning, Error, NoFieldError, Problem
from ._recording import Chunk, Recording, open
from ._stacks import Frame, Stack

__all__ = ["Chunk", "DamageWarning", "DamagedError", "Error", "Event", "Events", "Frame", "NoFieldError", "Problem", "Recording", "Stack", "open"]
