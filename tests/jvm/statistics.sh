#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Statistics: that loads, allocations, threads, classes, heap, memory and control group are as the JVM and the system say; that the JDK's
# tools show them as JFR's own; that collections are told with collector and cause; that they outlive kill -9, and live without PerfData; that they can be left out.
. "$(dirname "$0")/lib.sh"
BY_CHANCE=1
CLASSES=$(fixtures StatisticsLoad.java) || { fail "statistics: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1
EVENTS='jdk.(ThreadCPULoad|ThreadAllocationStatistics|JavaThreadStatistics|ClassLoadingStatistics|GCHeapSummary|PhysicalMemory|SwapSpace|ResidentSetSize|NativeLibrary|ThreadContextSwitchRate|Container[A-Za-z]+)'

record() { # NAME JDK OPTIONS [JVM OPTIONS...] : NAME.jfr, NAME.out, NAME.err
  local name=$1 jdk=$2 options=$3
  shift 3
  timeout 120 "$jdk/bin/java" "-agentpath:$AGENT=filename=$PWD/$name.jfr,overwrite=true,$options" "$@" -Xmx300m -cp "$CLASSES" \
    StatisticsLoad "${SECONDS_EACH:-6}" >"$name.out" 2>"$name.err" || complain "$(cat "$name.err")"
}

written() { "$JREC" summary "$1" | awk '$2 > 0 { print $1 }' | grep -cE "^$EVENTS\$"; }

# truth JDK GC: by the reader of the JDK.
truth() {
  local jdk=$1 name=run
  record $name "$jdk" statistics=1s "-XX:+Use$2GC" || return
  [ ! -s $name.err ] || complain "said: $(cat $name.err)" || return
  "$jdk/bin/jfr" $QUICK print --json --events 'ThreadCPULoad,ThreadAllocationStatistics,JavaThreadStatistics,ClassLoadingStatistics,GCHeapSummary,PhysicalMemory,SwapSpace,ResidentSetSize,NativeLibrary,ThreadContextSwitchRate,Container*' \
    $name.jfr >rows.json || return
  python3 - "$2" "$(java_version "$jdk")" <<'PY'
import json, os, sys
from datetime import datetime
collector, version = sys.argv[1], int(sys.argv[2])
true = {k: int(v) for k, v in (line.split("=") for line in open("run.out") if "=" in line)}
events = {}
for e in json.load(open("rows.json"))["recording"]["events"]: events.setdefault(e["type"].removeprefix("jdk."), []).append(e["values"])
def near(what, told, real, part, least=0):
    assert abs(told - real) <= max(part * real, least), f"{what}: told {told}, in truth {real}"
def time(e):  # nine digits of a second are more than Python reads
    at = e["startTime"]; dot = at.find(".")
    return datetime.fromisoformat(at[:dot]).timestamp() + float(at[dot:dot + 10].rstrip("Z+-")) if dot > 0 else datetime.fromisoformat(at[:19]).timestamp()
burner = [e for e in events["ThreadCPULoad"] if e["eventThread"]["javaName"] == "burner"]
assert len(burner) >= 3, len(burner)
processors = os.cpu_count()
course = [(int(at) / 1e3, int(ns) / 1e9) for at, ns in (line.split() for line in open("run.out") if len(line.split()) == 2)]
def by_then(at):  # between two of the program's own looks
    for (t0, u0), (t1, u1) in zip(course, course[1:]):
        if t0 <= at <= t1: return u0 + (u1 - u0) * (at - t0) / (t1 - t0)
inside = [e for e in sorted(burner, key=time) if by_then(time(e)) is not None]
assert len(inside) >= 2, (len(inside), course[:1], time(burner[0]))
used = sum((e["user"] + e["system"]) * processors * (time(e) - time(b)) for b, e in zip(inside, inside[1:]))
near("load of the burner", used, by_then(time(inside[-1])) - by_then(time(inside[0])), 0.1, 0.05)
assert sum(e["user"] for e in burner) > 5 * sum(e["system"] for e in burner), "a burner of user time is told as the system's"
assert not any(e["eventThread"]["javaName"] and e["eventThread"]["javaName"].startswith("idle") for e in events["ThreadCPULoad"][len(events["ThreadCPULoad"]) // 2:]), "idle threads have a load"
told = [e["allocated"] for e in events["ThreadAllocationStatistics"] if e["thread"]["javaName"] == "allocator"]
near("allocated", max(told), true["allocated"], 0.01)
assert max(told) > 200 << 20
last = events["JavaThreadStatistics"][-1]
for key, name in (("threads", "activeCount"), ("daemons", "daemonCount"), ("started", "accumulatedCount"), ("peak", "peakCount")):
    near(name, last[name], true[key], 0, 2)
near("classes", events["ClassLoadingStatistics"][-1]["loadedClassCount"], true["loaded"], 0.1)
near("resident", events["ResidentSetSize"][-1]["size"], true["resident"], 0.1)
assert events["ResidentSetSize"][-1]["peak"] >= events["ResidentSetSize"][-1]["size"] * 0.99
near("memory of the machine", events["PhysicalMemory"][-1]["totalSize"], os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"), 0.01)
assert 0 < events["PhysicalMemory"][-1]["usedSize"] < events["PhysicalMemory"][-1]["totalSize"]
assert all(e["switchRate"] > 0 for e in events["ThreadContextSwitchRate"])
names = [e["name"] for e in events["NativeLibrary"]]
for library in ("libjvm.so", "librec.so", "libc.so.6", "bin/java"): assert any(n.endswith(library) for n in names), (library, names)
maps = max(e["topAddress"] - e["baseAddress"] for e in events["NativeLibrary"] if e["name"].endswith("libjvm.so"))
assert maps > 10 << 20, maps
if collector == "Z" and version >= 24: assert "GCHeapSummary" not in events
else:
    after = [e["heapUsed"] for e in events["GCHeapSummary"] if e["when"] == "After GC"]
    assert len(after) == sum(e["when"] == "Before GC" for e in events["GCHeapSummary"])
    near("heap", after[-1], true["heap"], 0.25, 8 << 20)
if os.path.exists("/sys/fs/cgroup/memory/memory.usage_in_bytes") or os.path.exists("/sys/fs/cgroup/memory.current"):
    assert events["ContainerMemoryUsage"][-1]["memoryUsage"] > 0
    assert events["ContainerConfiguration"][-1]["effectiveCpuCount"] >= 1
PY
}

# Collectors and causes are those of the JVM's own log: each pause of those that stop the program, the kinds of pauses of concurrent ones.
causes() { # JDK GC
  SECONDS_EACH=1 record caused "$1" statistics=off "-XX:+Use$2GC" -Xlog:gc:file=gc.log || return
  "$1/bin/jfr" $QUICK print --json --events GarbageCollection caused.jfr >rows.json || return
  python3 - "$2" <<'PY'
import json, re, sys
from collections import Counter
NAMES = {"Serial": ("DefNew", "SerialOld"), "Parallel": ("ParallelScavenge", "ParallelOld"), "G1": ("G1New", "G1Full")}
collector, log = sys.argv[1], open("gc.log").read()
told = Counter((e["values"]["name"], e["values"]["cause"]) for e in json.load(open("rows.json"))["recording"]["events"])
if collector in NAMES:
    young, full = NAMES[collector]
    pauses = re.findall(r"Pause (Young|Full) (?:\(\w[\w ]*\) )?\(([^)]+(?:\(\))?)\) \d", log)
    true = Counter((young if kind == "Young" else full, cause) for kind, cause in pauses)
    true["G1Old", "N/A"] = len(re.findall("Pause (?:Remark|Cleanup) \\d", log))
    del true["ParallelScavenge", "System.gc()"]  # a part of the full one
    assert told == +true, (told, +true)
    assert told[full, "System.gc()"] == 1 and sum(n for (name, cause), n in told.items() if name == young) > 0, told
else:
    true = {cause for cause in re.findall(r"(?:Garbage|Minor|Major) Collection \(([^)]+(?:\(\))?)\) \d", log)}
    assert {cause for name, cause in told} <= true and "System.gc()" in {cause for name, cause in told}, (told, true)
    assert all(name in ("Z", "ZGC Minor", "ZGC Major") for name, cause in told), told
PY
}

# The tables of `jfr view` are ours, where the JDK has them.
views() { # JDK
  "$1/bin/jfr" $QUICK help view >/dev/null 2>&1 || return 0
  local view
  for view in thread-cpu-load thread-allocation thread-count native-libraries container-memory-usage container-configuration; do
    "$1/bin/jfr" $QUICK view --width 200 $view run.jfr >judged || complain "jfr view $view ended with $?" || return
    grep -q '[0-9]' judged && ! grep -qi 'no events' judged || complain "jfr view $view: $(cat judged)" || return
  done
  "$JREC" view gc run.jfr | grep -E '[0-9] [kM]B +[0-9.]+ [kM]B' >/dev/null || complain "no heap in gc: $("$JREC" view gc run.jfr)" || return
  "$1/bin/jfr" $QUICK view --width 200 thread-cpu-load run.jfr | grep burner >/dev/null || complain "no burner in thread-cpu-load"
}

without_counters() { # JDK
  SECONDS_EACH=1 record bare "$1" statistics=500ms,loglevel=info -XX:-UsePerfData || return
  [ "$(grep -c 'keeps no counters' bare.err)" = 1 ] || complain "not said once: $(cat bare.err)" || return
  "$JREC" summary bare.jfr >summary
  awk '$1 ~ /JavaThreadStatistics|ClassLoadingStatistics/ && $2 > 0 { exit 1 }' summary || complain "figures of no counters" || return
  [ "$(written bare.jfr)" -ge 7 ] || complain "$(cat summary)"
}

off() { # JDK
  SECONDS_EACH=1 record off "$1" statistics=off || return
  [ "$(written off.jfr)" = 0 ] || complain "$("$JREC" summary off.jfr)"
}

is_on() { "$JREC" view active-settings --json "$1" | grep -q "\"eventType\":\"$2\",\"enabled\":\"true\""; } # FILE LABEL

# What a chunk says that it records, whether or not it has happened.
settings() { # JDK
  local label
  SECONDS_EACH=1 record said "$1" statistics=500ms || return
  for label in "Garbage Collection" "Java Thread Start" "CPU Load" "Resident Set Size" "Java Thread Statistics" "Thread CPU Load"; do
    is_on said.jfr "$label" || complain "$label is not said to be recorded" || return
  done
  ! is_on bare.jfr "Java Thread Statistics" || complain "figures of no counters are said to be recorded" || return
  ! is_on off.jfr "Resident Set Size" || complain "statistics that are off are said to be recorded" || return
  is_on off.jfr "Garbage Collection" || complain "collections are not said to be recorded without statistics"
}

# What was committed outlives the process.
killed() { # JDK
  "$1/bin/java" "-agentpath:$AGENT=filename=$PWD/killed.jfr,overwrite=true,statistics=500ms,flush-interval=1h" -cp "$CLASSES" StatisticsLoad 60 \
    >/dev/null 2>killed.err &
  local pid=$!
  sleep 4
  kill -9 $pid
  wait $pid 2>/dev/null
  "$JREC" recover killed.jfr.chunks >recovered 2>&1 || complain "$(cat recovered)" || return
  [ "$("$JREC" summary killed.jfr | awk '$1 == "jdk.ResidentSetSize" { print $2 }')" -ge 4 ] || complain "$("$JREC" summary killed.jfr)"
}

for jdk in $(jdks); do
  name=$(jdk_name "$jdk")
  for gc in G1 Z Parallel Serial; do
    has_gc "$jdk" $gc || continue
    check "statistics: $name $gc: as the JVM and the system say" truth "$jdk" $gc
    check "statistics: $name $gc: collections have their names and causes" causes "$jdk" $gc
  done
  check "statistics: $name: the JDK's views show them" views "$jdk"
  check "statistics: $name: without the JVM's counters" without_counters "$jdk"
  check "statistics: $name: left out" off "$jdk"
  check "statistics: $name: chunks say what they record" settings "$jdk"
  check "statistics: $name: they outlive kill -9" killed "$jdk"
done
finish
