#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What starting a recording in a JVM with many libraries costs, beside async-profiler: time of the load, time to the first sample, the longest pause
# of a thread that reads the clock, also without its waits for a CPU, memory, and the size of the recording a second later. Candidates in turn, medians of all rounds.
#
#   JAVA_HOME        JDK                                      (default: that of java on the PATH)
#   REC_LIB, JREC    librec.so and jrec                       (default: those of build/)
#   ASYNC_PROFILER   libasyncProfiler.so; without it, it is left out
#   LIBRARIES        how many, of 200 functions each          (default: 300)
#   ROUNDS           (default: 9)
set -euo pipefail
ROOT=$(cd "$(dirname "$0")/.." && pwd)
JAVA_HOME=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")}
REC_LIB=${REC_LIB:-$ROOT/build/agent/librec.so} JREC=${JREC:-$ROOT/build/jrec/jrec}
LIBRARIES=${LIBRARIES:-300}
SCRATCH=$(mktemp -d)
trap 'rm -rf "$SCRATCH"' EXIT
cd "$SCRATCH"
"$JAVA_HOME/bin/javac" -d . "$ROOT/bench/Libraries.java"
for i in $(seq 200); do echo "int function_$i(int x) { return x * $i; }"; done >functions.c
cc -c -O1 -g -fPIC functions.c
for i in $(seq 0 $((LIBRARIES - 1))); do ld -shared --eh-frame-hdr --build-id="0x$(printf '%040x' "$i")" -o "liba$i.so" functions.o; done

# run NAME AGENT OPTIONS: a line of Libraries.java, the time to the first sample, and the size of the recording.
run() {
  rm -f rec.jfr
  local said first=0
  said=$("$JAVA_HOME/bin/java" -Xmx64m -XX:+IgnoreUnrecognizedVMOptions -XX:+EnableDynamicAgentLoading -cp . Libraries "$PWD" "$LIBRARIES" "$2" "$3" 2>said.err | grep startMs) || { cat said.err >&2; return; }
  local began=${said##*began=}
  if [ -s rec.jfr ]; then first=$("$JREC" sql --csv rec.jfr "select min(time_ns) from samples where event = 'jdk.ExecutionSample'" 2>/dev/null | tail -1); fi
  echo "$1 ${said%began=*} firstNs=$first beganUs=$began bytes=$(stat -c %s rec.jfr 2>/dev/null || echo 0)" >>rows
}

for _ in $(seq "${ROUNDS:-9}"); do
  run control - -
  run rec "$REC_LIB" "filename=$SCRATCH/rec.jfr,interval=1ms,loglevel=error"
  run rec-java "$REC_LIB" "filename=$SCRATCH/rec.jfr,interval=1ms,cstack=none,loglevel=error"
  [ -z "${ASYNC_PROFILER:-}" ] || run async-profiler "$ASYNC_PROFILER" "start,event=cpu,interval=1ms,jfr,file=$SCRATCH/rec.jfr"
done
cp rows "${ROWS:-/dev/null}"
awk '
  { for (i = 2; i <= NF; i++) { split($i, pair, "="); value[pair[1]] = pair[2] }
    n[$1]++; add($1, "start ms", value["startMs"]); add($1, "pause us", value["pauseUs"]); add($1, "held us", value["heldUs"]); add($1, "memory KiB", value["rssAfterKb"] - value["rssKb"])
    if (value["firstNs"] > 0) add($1, "first sample ms", value["firstNs"] / 1e6 - value["beganUs"] / 1e3)
    add($1, "recording KB", value["bytes"] / 1000) }
  function add(who, what, x) { rows[who, what] = rows[who, what] " " x; whos[who]; whats[what] }
  END { for (who in whos) { printf "%s:", who; for (what in whats) printf "  %s %s", what, middle(rows[who, what]); print "" } }
  function middle(list, a, count, i, j, t) {
    count = split(list, a, " ")
    for (i = 2; i <= count; i++) for (j = i; j > 1 && a[j - 1] + 0 > a[j] + 0; j--) { t = a[j]; a[j] = a[j - 1]; a[j - 1] = t }
    return count == 0 ? "-" : a[int((count + 1) / 2)] " (" a[1] " to " a[count] ")"
  }' rows
