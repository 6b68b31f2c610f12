#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The CPU time and memory that recording adds to a program, beside JFR and async-profiler. Runs are interleaved: each round runs every
# candidate once, the next round in reverse order; a candidate is compared with "none" of the same round only, and the median of these ratios
# is printed with its range. "control" is "none" once more: ratios within its range mean nothing.
#
#   cost.sh [WORKLOAD...]        default: self, javac compiling this project's fixtures; also loop and switches (Loop.java, Switches.java)
#
#   JAVA_HOME        JDK to measure                                          (default: that of java on the PATH)
#   REC_LIB          librec.so                                               (default: build/agent/librec.so)
#   ASYNC_PROFILER   libasyncProfiler.so; without it, it is left out
#   EMPTY_AGENT      libempty_agent.so: what clocks take whose handler does nothing; without it, it is left out
#   CLOCKS           cpu-clock of rec and of the empty agent                 (default: "auto"; e.g. "timer perf")
#   EVENTS           of async-profiler                                       (default: "cpu"; e.g. "cpu ctimer")
#   CANDIDATES       a pattern: those whose names match                      (default: all)
#   REC_WORKLOADS    folder with a script wl.sh: runs the workload $1 with $JAVA $JAVA_OPTS and succeeds only if its result was right
#   INTERVALS        of CPU time between samples                             (default: "10ms 1ms")
#   ROUNDS           (default: 7)
#
# JFR has its own interval (settings=profile: 10 ms of wall time, at most eight threads) and is there once.
set -euo pipefail
ROOT=$(cd "$(dirname "$0")/.." && pwd)
JAVA_HOME=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")}
REC_LIB=${REC_LIB:-$ROOT/build/agent/librec.so}
INTERVALS=${INTERVALS:-10ms 1ms}
ROUNDS=${ROUNDS:-7}
SCRATCH=$(mktemp -d)
trap 'rm -rf "$SCRATCH"' EXIT
ROWS=$SCRATCH/rows  # workload candidate round cpu_s peak_kib
: >"$ROWS"

# One line a candidate: name, then the options that turn it on.
candidates() {
  echo "none"
  echo "control"
  for interval in $INTERVALS; do
    for clock in ${CLOCKS:-auto}; do
      local options=interval=$interval,cpu-clock=$clock,loglevel=error
      [ -z "${EMPTY_AGENT:-}" ] || echo "empty-$clock-$interval -agentpath:$EMPTY_AGENT=$options"
      echo "rec-$clock-$interval -agentpath:$REC_LIB=filename=$SCRATCH/rec.jfr,$options"
    done
  done
  echo "jfr-profile -XX:StartFlightRecording=filename=$SCRATCH/rec.jfr,settings=profile"
  [ -n "${ASYNC_PROFILER:-}" ] || return 0
  for interval in $INTERVALS; do
    for event in ${EVENTS:-cpu}; do
      echo "async-$event-$interval -agentpath:$ASYNC_PROFILER=start,event=$event,interval=$interval,file=$SCRATCH/rec.jfr"
    done
  done
}

# A workload may start several JVMs, and programs around them. This java notes what each JVM took; the one that took most is the workload.
make_java() {
  mkdir -p "$SCRATCH/bin"
  cat >"$SCRATCH/bin/java" <<END
#!/bin/bash
exec /usr/bin/time -q -a -o "$SCRATCH/jvms" -f "%e %U %S %M" "$JAVA_HOME/bin/java" "\$@"
END
  chmod +x "$SCRATCH/bin/java"
}

self() {
  "$JAVA" -Xmx1g ${JAVA_OPTS:-} --add-modules jdk.compiler -m jdk.compiler/com.sun.tools.javac.Main -nowarn -d "$SCRATCH/out" \
    $(grep -L -e '^import rec\.' -e 'java\.lang\.classfile' "$ROOT"/fixtures/*.java)
}

run() {
  export JAVA=$SCRATCH/bin/java JAVA_OPTS=$2
  case $1 in
    self) self ;;
    switches) "$JAVA" ${JAVA_OPTS:-} -Xmx64m -cp "$SCRATCH/classes" Switches ;;
    loop) "$JAVA" ${JAVA_OPTS:-} -Xmx64m -cp "$SCRATCH/classes" Loop ;;
    *) "${REC_WORKLOADS:?a folder with wl.sh}/wl.sh" "$1" ;;
  esac
}

# measure WORKLOAD ROUND NAME OPTIONS
measure() {
  rm -rf "$SCRATCH"/rec.jfr* "$SCRATCH/jvms"
  if ! run "$1" "${4:-}" >"$SCRATCH/log" 2>&1; then
    echo "$1 with $3 failed: $(tail -3 "$SCRATCH/log")" >&2
    return
  fi
  if [ -n "${4:-}" ] && [ "${3#empty}" = "$3" ] && [ ! -s "$SCRATCH/rec.jfr" ]; then
    echo "$1 with $3 left no recording" >&2
    return
  fi
  sort -k2,2n "$SCRATCH/jvms" | awk -v who="$1 $3 $2" 'END { print who, $2 + $3, $4 }' >>"$ROWS"
}

summary() {
  awk '
    function sorted(n,  i, j, t) { for (i = 2; i <= n; i++) for (j = i; j > 1 && v[j] < v[j-1]; j--) { t = v[j]; v[j] = v[j-1]; v[j-1] = t } }
    function spread(n) { sorted(n); return sprintf("%.3f [%.3f..%.3f]", n % 2 ? v[(n+1)/2] : (v[n/2] + v[n/2+1]) / 2, v[1], v[n]) }
    function median(n) { sorted(n); return n % 2 ? v[(n+1)/2] : (v[n/2] + v[n/2+1]) / 2 }
    { cpu[$1,$2,$3] = $4; rss[$1,$2,$3] = $5; if (!(($1,$2) in seen)) { seen[$1,$2]; order[++count] = $1 " " $2 }; if ($3 > rounds) rounds = $3 }
    END {
      printf "%-14s %-14s %2s %8s  %-24s %s\n", "workload", "candidate", "n", "cpu_s", "cpu ratio [range]", "peak RSS added, MiB"
      for (i = 1; i <= count; i++) {
        split(order[i], of, " "); w = of[1]; c = of[2]; n = 0
        for (r = 1; r <= rounds; r++) if ((w,c,r) in cpu && (w,"none",r) in cpu) { rounds_of[++n] = r }
        if (n == 0) continue
        for (k = 1; k <= n; k++) v[k] = cpu[w,c,rounds_of[k]]
        seconds = median(n)
        for (k = 1; k <= n; k++) v[k] = cpu[w,c,rounds_of[k]] / cpu[w,"none",rounds_of[k]]
        ratio = spread(n)
        for (k = 1; k <= n; k++) v[k] = (rss[w,c,rounds_of[k]] - rss[w,"none",rounds_of[k]]) / 1024
        printf "%-14s %-14s %2d %8.2f  %-24s %.0f\n", w, c, n, seconds, ratio, median(n)
      }
    }' "$ROWS"
}

make_java
"$JAVA_HOME/bin/javac" -nowarn -d "$SCRATCH/classes" "$ROOT/bench/Switches.java" "$ROOT/bench/Loop.java"
candidates | grep -E "^none|${CANDIDATES:-.}" >"$SCRATCH/candidates"
for workload in "${@:-self}"; do
  run "$workload" "" >"$SCRATCH/log" 2>&1 || { echo "$workload fails by itself: $(tail -3 "$SCRATCH/log")" >&2; exit 1; }
  for ((round = 1; round <= ROUNDS; round++)); do
    order=cat
    [ $((round % 2)) = 1 ] || order=tac
    while read -r name options; do measure "$workload" "$round" "$name" "$options" </dev/null; done < <($order "$SCRATCH/candidates")
  done
done
summary
