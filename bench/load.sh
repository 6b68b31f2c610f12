#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What loading the agent costs, with few and with 100,000 classes: of an attach to the running JVM, the time, the JVM's CPU time and the growth of
# its memory; of a start with the agent, the CPU time until all classes are loaded, beside that without it. Medians.
#
#   JAVA_HOME   JDK to measure                               (default: that of java on the PATH)
#   REC_LIB     librec.so                                    (default: build/agent/librec.so)
#   CLASSES     numbers of generated classes                 (default: "0 100000")
#   ROUNDS      runs of each, medians are printed            (default: 5)
set -euo pipefail
ROOT=$(cd "$(dirname "$0")/.." && pwd)
JAVA_HOME=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")}
REC_LIB=${REC_LIB:-$ROOT/build/agent/librec.so}
CLASSES=${CLASSES:-0 100000}
ROUNDS=${ROUNDS:-5}
SCRATCH=$(mktemp -d)
JVM=
trap '[ -z "$JVM" ] || kill "$JVM" 2>/dev/null; rm -rf "$SCRATCH"' EXIT
"$JAVA_HOME/bin/javac" -d "$SCRATCH" "$ROOT/bench/ManyClasses.java"

rss_kib() { awk '/^VmRSS/ { print $2 }' "/proc/$1/status"; }
cpu_ms() { awk -v tick="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print int(($12 + $13) * 1000 / tick) }' "/proc/$1/stat"; }
now_ms() { date +%s%3N; }
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# start CLASSES OPTIONS... : the JVM's pid in JVM, its classes loaded.
start() {
  rm -f "$SCRATCH/ready"
  "$JAVA_HOME/bin/java" -Xmx2g "${@:2}" -cp "$SCRATCH" ManyClasses "$1" "$SCRATCH/ready" >"$SCRATCH/out" 2>&1 &
  JVM=$!
  while [ ! -e "$SCRATCH/ready" ]; do kill -0 "$JVM" 2>/dev/null || { cat "$SCRATCH/out" >&2; exit 1; }; sleep 0.1; done
}
stop() { kill "$JVM" 2>/dev/null; wait "$JVM" 2>/dev/null || true; JVM=; }

# command: what jcmd itself costs, measured with a command that does nothing.
attach() {
  local began kib cpu
  start "$1"
  "$JAVA_HOME/bin/jcmd" "$JVM" VM.version >/dev/null  # the first attach starts a thread
  began=$(now_ms)
  "$JAVA_HOME/bin/jcmd" "$JVM" VM.version >/dev/null
  echo $(($(now_ms) - began)) >>"$SCRATCH/command.$1"
  kib=$(rss_kib "$JVM") cpu=$(cpu_ms "$JVM")
  began=$(now_ms)
  # The inner quotes are for jcmd, which would split at "=".
  "$JAVA_HOME/bin/jcmd" "$JVM" JVMTI.agent_load "$REC_LIB" "\"filename=$SCRATCH/a.jfr\"" >"$SCRATCH/answer"
  echo $(($(now_ms) - began)) >>"$SCRATCH/attach.$1"
  echo $(($(cpu_ms "$JVM") - cpu)) >>"$SCRATCH/cpu.$1"
  sleep 1
  echo $(($(rss_kib "$JVM") - kib)) >>"$SCRATCH/memory.$1"
  compgen -G "$SCRATCH/a.jfr*" >/dev/null || { echo "the agent did not start recording: $(cat "$SCRATCH/answer" "$SCRATCH/out")" >&2; exit 1; }
  stop
  rm -rf "$SCRATCH"/a.jfr*
}

# CPU time until the last class is loaded: launch NAME CLASSES OPTIONS...
launch() {
  start "${@:2}"
  cpu_ms "$JVM" >>"$SCRATCH/$1.$2"
  stop
  rm -rf "$SCRATCH"/a.jfr*
}

for ((round = 1; round <= ROUNDS; round++)); do
  for count in $CLASSES; do
    attach "$count"
    launch plain "$count"
    launch agent "$count" "-agentpath:$REC_LIB=filename=$SCRATCH/a.jfr"
  done
done
for count in $CLASSES; do
  echo "classes=$count attach_ms=$(median <"$SCRATCH/attach.$count") empty_command_ms=$(median <"$SCRATCH/command.$count")" \
    "attach_cpu_ms=$(median <"$SCRATCH/cpu.$count") attach_rss_kib=$(median <"$SCRATCH/memory.$count")" \
    "start_cpu_ms=$(median <"$SCRATCH/plain.$count") start_with_agent_cpu_ms=$(median <"$SCRATCH/agent.$count") n=$ROUNDS"
done
