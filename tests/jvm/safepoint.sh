#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Late safepoints: what the JVM's own log says was late is in the recording, as long as there and for the same operation, with the thread
# that held it up and its method; what it does not say is not. So is each long stop with its parts, and the last one before the end. On every
# JDK and collector; without PerfData, without symbols, among thousands of threads.
#
#   REC_SAFEPOINT_MODES        what threads are late in, see fixtures/SafepointLate.java (default: copy; all: copy stub fill crc alloc counted)
#   REC_SAFEPOINT_COLLECTORS   (default: Serial G1 Z)
#   REC_SAFEPOINT_SECONDS      of each run (default: 2)
# Alone: times safepoints to 2 ms.
. "$(dirname "$0")/lib.sh"
BY_CHANCE=1
CLASSES=$(fixtures SafepointLate.java HandshakeStorm.java) || { fail "safepoint: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1
SECONDS_EACH=${REC_SAFEPOINT_SECONDS:-2}
COLLECTORS=${REC_SAFEPOINT_COLLECTORS:-Serial G1 Z}
MODES=${REC_SAFEPOINT_MODES:-copy}
THRESHOLD_MS=10

# run JAVA NAME MODE JVM-OPTIONS... [-- THREADS]: leaves NAME.jfr, NAME.ttsp and the JVM's own NAME.log
run() {
  local java=$1 name=$2 mode=$3 options=() threads=0
  shift 3
  while [ $# -gt 0 ]; do
    if [ "$1" = -- ]; then threads=$2 && break; fi
    options+=("$1") && shift
  done
  rm -f "$name".{jfr,ttsp,log}
  timeout 100 "$java" -Xmx1400m "${options[@]}" "-agentpath:$AGENT=filename=$name.jfr,safepoint=${THRESHOLD_MS}ms,safepointlog=$name.ttsp" \
    "-Xlog:safepoint:file=$name.log" -cp "$CLASSES" SafepointLate "$mode" "$SECONDS_EACH" "$threads" >"$name.out" 2>"$name.err" ||
    complain "the program ended with $?: $(tail -3 "$name.err")"
}

# The times to safepoint over the threshold, in ns, with their operations, sorted: as the JVM's log has them, and as the recording does.
logged() { sed -nE 's/.*Safepoint "([^"]*)".*Reaching safepoint: +([0-9]+) ns.*/\2 \1/p' "$1.log" | awk -v least=${THRESHOLD_MS}000000 '$1 >= least' | sort -n; }
recorded() { timeout 20 "$JREC" print --json-lines --events rec.TimeToSafepoint "$1.jfr" | grep '"kind":"safepoint"' | spans; }
spans() { sed -nE 's/.*"duration":"PT(([0-9]+)M)?([0-9.]+)S".*"operation":"?([^",]*)"?,.*/\2 \3 \4/p' | awk '{ if (NF == 3) s = $1 * 60 + $2; else s = $1; printf "%.0f %s\n", s * 1e9, $NF }' | sort -n; }

# The same of whole stops.
logged_stops() { sed -nE 's/.*Safepoint "([^"]*)".*Total: +([0-9]+) ns.*/\2 \1/p' "$1.log" | awk -v least=${THRESHOLD_MS}000000 '$1 >= least' | sort -n; }
recorded_stops() { timeout 20 "$JREC" print --json-lines --events rec.SafepointStop "$1.jfr" | spans; }

# How many may be missing: those that followed each other while the watcher did not get a CPU, which the recording counts.
unseen() { timeout 20 "$JREC" print --json-lines --events rec.Counters "$1.jfr" | sed -nE '/safepointsUnseen/s/.*"count":([0-9]+).*/\1/p' | awk '{ n += $1 } END { print n + 0 }'; }

# compare NAME OURS THEIRS: within 2 ms, one for one, and for the same operation where that is known.
compare() {
  local name=$1
  [ -s "$3" ] || complain "the JVM's log has none" || return
  awk -v unseen="$(unseen "$name")" 'NR == FNR { ours[NR] = $1; what[NR] = $2; n = NR; next }
       { for (i = 1; i <= n; ++i) if (!used[i] && ours[i] - $1 <= 2e6 && $1 - ours[i] <= 2e6 && (what[i] == $2 || what[i] == "null")) { used[i] = 1; next }; missed++; print "missed", $0 }
       END { for (i = 1; i <= n; ++i) if (!used[i]) { print "invented", ours[i], what[i]; bad++ }; exit bad > 0 || missed > unseen }' "$2" "$3" >differences ||
    complain "the log and the recording differ: $(head -5 differences)"
}

# The recording does not see what was late before it began, or after it ended.
same_lengths() {
  logged "$1" >theirs
  recorded "$1" >ours
  compare "$1" ours theirs
}

# All parts that the log has, and what they were for. The log has stops before the recording, and after it, too.
same_stops() {
  local name=$1
  logged_stops "$name" >theirs
  recorded_stops "$name" >ours
  compare "$name" ours theirs || return
  timeout 20 "$JREC" print --json-lines --events rec.SafepointStop "$name.jfr" >stops
  ! grep '"operation":null' stops || complain "an operation is not known" || return
  # Of a stop that others followed before the next look no parts are known.
  [ "$(($(grep -cE '"(reaching|atSafepoint)":null' stops) * 4))" -le "$(($(wc -l <stops) + 3))" ] ||
    complain "parts of many are not known: $(head -4 stops)" || return
  # Who asked is known while he asks only: where the watcher got no CPU until the stop was over, it is not.
  [ "$(($(grep -c '"caller":"' stops) * 2 + 1))" -ge "$(wc -l <stops)" ] || complain "most have no caller: $(head -3 stops)" || return
  timeout 20 "$JREC" safepoints "$name.jfr" | grep -E '^Stop [0-9]+: .* at the safepoint ' >/dev/null || complain "jrec safepoints shows no stop"
}

# The worst is always long enough to be asked about: there the thread and both stacks are named.
names_culprit() {
  local name=$1 method=${2:-longCopy}
  timeout 20 "$JREC" safepoints -n 5 "$name.jfr" >report || complain "jrec safepoints ended with $?" || return
  grep -q '"culprit" gave way after' report || complain "no culprit: $(head -20 report)" || return
  grep -qE "^ +[0-9]+ +[0-9.]+ +[0-9.]+  .*$method" report ||
    complain "no method: $(head -20 report)"
}

# late HOME NAME MODE JVM-OPTIONS...: in MODE's own method.
late() {
  local java=$1/bin/java name=$2 mode=$3 method
  shift 3
  case $mode in
    counted) method=longLoop ;;
    crc) method='CRC32.updateBytes' ;;  # native, or a stub in its name
    fill | alloc) method=long${mode^} ;;
    *) method=longCopy ;;
  esac
  run "$java" "$name" "$mode" "$@" && same_lengths "$name" && names_culprit "$name" "$method"
}

# Stubs work without a poll, some called by the interpreter, some with a frame of an unusual kind: each question is answered with a stack.
stub_stacks() {
  local java=$1/bin/java name=$2 mode=$3 questions none
  run "$java" "$name" "$mode" -XX:+UseSerialGC || return
  timeout 20 "$JREC" safepoints -n 1000 "$name.jfr" >report
  questions=$(grep -c '^ *asked .*answered' report) none=$(grep -c 'no stack could be read' report)
  [ "$questions" -gt 0 ] || complain "nobody was asked: $(head -20 report)" || return
  [ $((none * 4)) -le "$questions" ] || complain "$none of $questions questions found no stack: $(grep -m1 -A12 '^Safepoint' report)"
}

control() {
  local java=$1/bin/java name=$2
  run "$java" "$name" polling || return
  [ "$(timeout 20 "$JREC" print --json-lines --events jdk.ActiveSetting "$name.jfr" | grep -c "\"name\":\"threshold\",\"value\":\"$THRESHOLD_MS ms\"")" -ge 3 ] ||
    complain "the threshold is no setting of the recording: $(timeout 20 "$JREC" print --json-lines --events jdk.ActiveSetting "$name.jfr")" || return
  timeout 20 "$JREC" safepoints "$name.jfr" | grep -E "none took $THRESHOLD_MS ms or more to be reached|late by $THRESHOLD_MS ms or more" >/dev/null ||
    complain "the report does not name the threshold: $(timeout 20 "$JREC" safepoints "$name.jfr" | head -3)" || return
  logged "$name" >theirs
  recorded "$name" >ours
  [ "$(wc -l <ours)" -le "$(wc -l <theirs)" ] || complain "late: $(cat ours) where the log says $(cat theirs)"
}

# JFR's own reader, and Azul's layout from file and log alike.
outputs() {
  local home=$1 name=$2
  timeout 60 "$home/bin/jfr" $QUICK summary "$name.jfr" >summary || complain "jfr refuses the recording" || return
  grep -qE 'jdk.SafepointBegin +[1-9]' summary && grep -qE 'rec.LateStack +[1-9]' summary || complain "$(grep -iE 'safep|late' summary)" || return
  timeout 20 "$JREC" safepoints --zing "$name.jfr" >zing || return
  [ "$(grep -c '^Detected TTSP issue: start: [0-9.]* wait: [0-9.]*$' zing)" = "$(grep -c '^Detected TTSP issue: ' "$name.ttsp")" ] ||
    complain "--zing and the agent's log differ in number" || return
  grep -qE '^"culprit" id: [0-9]+ prio: 5 os_prio: '"$(nice)"' sched: SCHED_OTHER allowed_cpus: [0-9a-f]+$' zing &&
    grep -qE '^signal_sent: [0-9.]+ signal_responded: [0-9.]+$' zing && grep -qE '^lock_release: [0-9.]+$' zing ||
    complain "lines of Azul's layout are missing: $(head -20 zing)" || return
  timeout 20 "$JREC" view --width 200 time-to-safepoint late-to-safepoint "$name.jfr" | grep -E 'SafepointLate|arraycopy' >/dev/null ||
    complain "the views are empty"
}

# The VM's own words tell the same.
without_perf_data() {
  local java=$1/bin/java name=$2
  SECONDS_EACH=3 run "$java" "$name" stub -XX:+UseSerialGC -XX:-UsePerfData && names_culprit "$name" && same_lengths "$name" && same_stops "$name" || return
  timeout 20 "$JREC" print --json-lines --events rec.TimeToSafepoint "$name.jfr" | grep -F "\"source\":\"the VM's words\"" >/dev/null ||
    complain "nothing says that the VM's words told"
}

# Neither counters nor words: who waits for whom is seen, and what is not is said.
with_neither() {
  local name=$1
  SECONDS_EACH=4 run "$PWD/stripped/bin/java" "$name" stub -XX:+UseSerialGC -XX:-UsePerfData && names_culprit "$name" || return
  timeout 20 "$JREC" print --json-lines --events rec.TimeToSafepoint "$name.jfr" | grep '"source":"poll words"' >/dev/null ||
    complain "nothing says that poll words told" || return
  [ "$(grep -c '^rec: stops that are not late are not watched' "$name.err")" = 1 ] || complain "what is not watched is not said: $(cat "$name.err")"
}

# A copy of links, but for the library and the launcher that finds it.
without_symbols() {
  local home=$1 name=$2
  cp -rs "$home" stripped && rm -f stripped/lib/server/libjvm.so stripped/bin/java && cp "$(readlink -f "$home/bin/java")" stripped/bin/java &&
    strip -o stripped/lib/server/libjvm.so "$home/lib/server/libjvm.so" || return
  late "$PWD/stripped" "$name" copy -XX:+UseSerialGC || return
  timeout 20 "$JREC" print --json-lines --events rec.TimeToSafepoint "$name.jfr" | grep '"operation":null' >/dev/null ||
    complain "an operation without symbols"
}

# The program ends at once when it was reached.
last_one() {
  local java=$1/bin/java name=$2
  run "$java" "$name" last "-XX:+Use${3}GC" && same_lengths "$name" && same_stops "$name"
}

# Late by a hair: there is hardly time to list the threads, but then nothing says that there were none.
brief() {
  local java=$1/bin/java name=$2
  SECONDS_EACH=4 run "$java" "$name" brief -XX:+UseSerialGC && same_lengths "$name" || return
  timeout 20 "$JREC" print --json-lines --events rec.SafepointStop "$name.jfr" | sed -nE 's/.*"safepointId":([0-9]+),.*"running":([0-9]+).*/\1 \2/p' | awk '$2 > 0 { print $1 }' >ran
  timeout 20 "$JREC" print --json-lines --events rec.TimeToSafepoint "$name.jfr" | grep 'no thread of Java was running' | sed -nE 's/.*"safepointId":([0-9]+),.*/\1/p' >none
  ! grep -qxFf none ran || complain "of $(wc -l <ours) late ones $(grep -cxFf none ran) have no thread, where the JVM says that some ran"
}

# Several that wait for the same thread, and for safepoints, too: each is there, about as long as the log says. One in ten may differ: who asked may
# be stopped before he sees that it is done.
handshakes() {
  local java=$1/bin/java name=$2
  SECONDS_EACH=4 run "$java" "$name" handshakes -XX:+UseSerialGC "-Xlog:handshake:file=$name.shakes:uptimenanos" || return
  sed -nE 's/^\[([0-9]+)ns\] Handshake "GetStackTrace.*completion time: ([0-9]+) ns.*/\1 \2/p' "$name.shakes" | awk '$2 >= 15e6 { print $1 - $2, $1 }' >theirs
  timeout 20 "$JREC" print --json-lines --events rec.TimeToSafepoint "$name.jfr" | grep '"kind":"handshake"' |
    sed -nE 's/.*"duration":"PT([0-9.]+)S".*"operation":"GetStackTrace.*"uptime":"PT([0-9.]+)S".*/\2 \1/p' | awk '{ print $1 * 1e9, ($1 + $2) * 1e9 }' >ours
  [ "$(wc -l <theirs)" -ge 5 ] || complain "the JVM's log has only $(wc -l <theirs)" || return
  awk 'NR == FNR { from[NR] = $1; to[NR] = $2; n = NR; next }
       { all++; for (i = 1; i <= n; ++i) { a = from[i] > $1 ? from[i] : $1; b = to[i] < $2 ? to[i] : $2; if (b - a > 0.6 * ($2 - $1)) next }; missed++; print "missed", $0 }
       END { exit missed > 1 + all / 10 }' ours theirs >differences ||
    complain "of $(wc -l <theirs) handshakes in the log $(wc -l <differences) are not in the recording, or not as long"
}

# Three threads ask two others, one handshake right after the other: each late one is there by itself, with its own start. Who was asked may be done long
# before who asked sees it: so none is late but in the log unless the log is not much later. Of looks that came too late nothing is known.
handshakes_in_step() {
  local java=$1/bin/java name=$2 gaps
  rm -f "$name".*
  timeout 60 "$java" -Xmx1400m -XX:+UseSerialGC "-agentpath:$AGENT=filename=$name.jfr,safepoint=${THRESHOLD_MS}ms" \
    "-Xlog:handshake:file=$name.shakes:uptimenanos" -cp "$CLASSES" HandshakeStorm 3 2 2 >"$name.out" 2>"$name.err" || complain "the program ended with $?: $(tail -3 "$name.err")" || return
  sed -nE 's/^\[([0-9]+)ns\] Handshake "(GetStackTrace|SuspendThread).*completion time: ([0-9]+) ns.*/\1 \3/p' "$name.shakes" | awk '{ print $1 - $2, $2 }' >theirs
  timeout 20 "$JREC" print --json-lines --events rec.TimeToSafepoint "$name.jfr" | grep '"kind":"handshake"' |
    sed -nE 's/.*"duration":"PT([0-9.]+)S".*"operation":"(GetStackTrace|SuspendThread).*"uptime":"PT([0-9.]+)S".*/\3 \1/p' | awk '{ print $1 * 1e9, $2 * 1e9 }' >ours
  gaps=$(timeout 20 "$JREC" print --json-lines --events rec.Counters "$name.jfr" | sed -nE '/"handshake(Gaps|sUnseen)"/s/.*"count":([0-9]+).*/\1/p' | awk '{ n += $1 } END { print n + 0 }')
  # One for one by their starts, which the log has as much later as it was written late.
  awk -v gaps="$gaps" 'NR == FNR { from[NR] = $1; len[NR] = $2; n = NR; next }
       $2 < 8e6 { next }
       { best = 0; for (i = 1; i <= n; ++i) if (!used[i] && $1 - from[i] < 2e6 && from[i] - $1 < 1e5 && (!best || from[i] > from[best])) best = i
         if ($2 >= 15e6) late++
         if (best) { used[best] = 1; next }
         if ($2 >= 15e6) { missed++; print "missed", $0 } }
       END { for (i = 1; i <= n; ++i) if (!used[i]) { bad++; print "invented", from[i], len[i] }
             if (late < 10) { print "only", late + 0; exit 1 }
             exit bad > 1 + late / 20 || missed > 1 + late / 10 + 3 * gaps }' ours theirs >differences || complain "the log and the recording differ ($gaps gaps): $(head -5 differences)"
}

# In the mode "handshakeVm" the thread is in the VM.
handshake() {
  local java=$1/bin/java name=$2
  run "$java" "$name" "$3" -XX:+UseSerialGC || return
  timeout 20 "$JREC" print --json-lines --events rec.TimeToSafepoint "$name.jfr" | grep '"kind":"handshake"' >shakes
  grep -qE '"operation":"[A-Z]' shakes || complain "no handshake with its name: $(head -1 shakes)" || return
  timeout 20 "$JREC" safepoints "$name.jfr" >report
  grep -q '^Handshake ' report && grep -q '"culprit" gave way after' report && grep -q 'SafepointLate.longCopy' report ||
    complain "no handshake: $(head -20 report)"
}

# A group of our own, with a fifth of a CPU. Only where this may be made.
GROUP=/sys/fs/cgroup/cpu/rec-test-$$
make_group() { mkdir "$GROUP" 2>/dev/null && echo 20000 2>/dev/null >"$GROUP/cpu.cfs_quota_us"; }
cleanup_group() { [ ! -d "$GROUP" ] || rmdir "$GROUP"; }

# Two compute, as one is throttled on its way to a poll in few of its stops only.
throttled() {
  local name=$2
  (echo "$BASHPID" >"$GROUP/tasks" && SECONDS_EACH=5 run "$1/bin/java" "$name" polling -XX:+UseSerialGC -- 1) || return
  timeout 20 "$JREC" safepoints -n 1000 "$name.jfr" >report
  grep -q '^Safepoint ' report || complain "nothing was late" || return
  grep -q 'had used up its quota of CPU for [0-9.]* ms' report || complain "nothing says that there was a quota: $(head -30 report)"
}

wrong_options() {
  local java=$1/bin/java
  timeout 30 "$java" "-agentpath:$AGENT=filename=wrong.jfr,safepointbacktraces=10ms:5ms" -version 2>&1 | grep -q 'times that do not rise' ||
    complain "falling times are taken" || return
  timeout 30 "$java" "-agentpath:$AGENT=filename=wrong.jfr,safepoint=10" -version 2>&1 | grep -q '^rec: .*is not a time' ||
    complain "a time without a unit is taken"
}

for home in $(jdks); do
  jdk=$(jdk_name "$home")
  for collector in $COLLECTORS; do
    has_gc "$home" "$collector" || continue
    for mode in $MODES; do
      case $mode-$collector in counted-G1 | fill-G1) continue ;; esac  # these loops poll
      check "safepoint: $jdk $collector $mode: late ones are as long as the JVM's log says, the thread and its method are named" \
        late "$home" "$jdk-$collector" "$mode" "-XX:+Use${collector}GC"
      [ "$mode" != copy ] ||
        check "safepoint: $jdk $collector: long stops are those of the JVM's log, with their parts, their operation and who asked" same_stops "$jdk-$collector"
    done
    check "safepoint: $jdk $collector: the last one before the end is not missing" last_one "$home" "$jdk-last" "$collector"
  done
  check "safepoint: $jdk: the report, Azul's layout, the views, and jfr" outputs "$home" "$jdk-Serial"
  for mode in crc fillBytes; do
    check "safepoint: $jdk: a thread in a stub ($mode) has a stack" stub_stacks "$home" "$jdk-stub-$mode" "$mode"
  done
  check "safepoint: $jdk: nobody is late who polls" control "$home" "$jdk-control"
  check "safepoint: $jdk: without PerfData the VM's words tell the same" without_perf_data "$home" "$jdk-words"
  check "safepoint: $jdk: among threads that come and go" late "$home" "$jdk-many" copy -XX:+UseSerialGC -- "${REC_SAFEPOINT_THREADS:-300}"
  check "safepoint: $jdk: who is late by a hair is listed" brief "$home" "$jdk-brief"
  check "safepoint: $jdk: handshakes that follow each other in step are told one by one" handshakes_in_step "$home" "$jdk-step"
  [ "$(java_version "$home")" -ge 19 ] || continue
  check "safepoint: $jdk: handshakes behind others, and beyond safepoints, are as long as the JVM's log says" handshakes "$home" "$jdk-handshakes"
  for mode in handshake handshakeVm; do
    check "safepoint: $jdk: a handshake that waits for a thread ($mode) has its name, the thread and its method" handshake "$home" "$jdk-handshake" "$mode"
  done
done
check "safepoint: without symbols in libjvm" without_symbols "$(oldest_jdk)" stripped-run
check "safepoint: without symbols and without PerfData poll words tell, and what they do not" with_neither stripped-words
if make_group; then check "safepoint: a quota of CPU that was used up is told" throttled "$(oldest_jdk)" throttled; fi
cleanup_group
check "safepoint: wrong options" wrong_options "$(oldest_jdk)"
finish
