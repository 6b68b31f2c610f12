#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# jrec set: clocks start, change and stop while a recording runs. Each chunk tells what is recorded in it, and the JDK's jfr counts just that.
#
#   REC_CYCLES   how often all clocks come and go in one JVM, its memory, threads and descriptors compared (default 20)
. "$(dirname "$0")/lib.sh"
BY_CHANCE=1
. "$ROOT/fixtures/control_lib.sh"
CYCLES=${REC_CYCLES:-20}
program ViewMix

# What a setting is called, and which events may be there with it only.
EVENTS="Java_Execution_Sample:jdk.ExecutionSample Wall_Clock_Sample:profiler.WallClockSample Object_Allocation_Sample:jdk.ObjectAllocationSample
  Old_Object_Sample:jdk.OldObjectSample Java_Thread_Park:jdk.ThreadPark"

# chunks JDK FILE: chunk_0.jfr, chunk_1.jfr ...; their number.
chunks() {
  rm -rf split && mkdir split && cp "$2" split/chunk.jfr
  (cd split && "$1/bin/jfr" $QUICK disassemble --max-chunks 1 chunk.jfr >/dev/null 2>&1 && rm chunk.jfr)
  ls split | wc -l
}

# count CHUNK EVENT, by the JDK; is_on CHUNK LABEL, by its settings.
count() { awk -v event="$2" '$1 == event { print $2; found = 1 } END { if (!found) print 0 }' "split/$1.summary"; }
is_on() { grep -qE "^${2//_/ } +true" "split/$1.settings"; }

# No event without its setting; with it, at least one where the chunk is long. Prints what each chunk has.
settings_are_true() { # JDK FILE CHUNKS
  local n chunk each label event seen
  n=$(chunks "$1" "$2")
  [ "$n" = "$3" ] || complain "$n chunks, not $3" || return
  for ((chunk = 0; chunk < n; chunk++)); do
    "$1/bin/jfr" $QUICK summary "split/chunk_$chunk.jfr" >"split/$chunk.summary" || return
    "$JREC" view active-settings "split/chunk_$chunk.jfr" >"split/$chunk.settings" || return
    for each in $EVENTS; do
      label=${each%:*} event=${each#*:}
      seen=$(count $chunk "$event")
      echo "chunk $chunk: $seen $event, setting $(is_on $chunk "$label" && echo on || echo off)"
      [ "$seen" = 0 ] || is_on $chunk "$label" || complain "chunk $chunk has $seen $event, and no setting for it" || return
    done
  done
}

# The samples of some chunks, times their period, are the CPU time that the clocks counted. MS is the period.
samples_weigh() { # FILE FIRST LAST MS
  local chunk samples=0 cpu=0
  for ((chunk = $2; chunk <= $3; chunk++)); do
    samples=$((samples + $(count $chunk jdk.ExecutionSample)))
    cpu=$((cpu + $(sql "split/chunk_$chunk.jfr" "select coalesce(sum(count), 0) from events_rec_Counters where cause = 'cpuMs'")))
  done
  echo "chunks $2 to $3: $samples samples of $4 ms, $cpu ms of CPU time"
  [ "$cpu" -gt 200 ] && [ $((samples * $4 * 100)) -gt $((cpu * 70)) ] && [ $((samples * $4 * 100)) -lt $((cpu * 130)) ] ||
    complain "chunks $2 to $3: $samples samples of $4 ms do not make $cpu ms"
}

# What the program ran while the clock stood for another interval: by itself, and not among lost samples.
change_is_told() { # FILE
  local ms unseen
  ms=$(sql "$1" "select coalesce(sum(count), 0) from events_rec_Counters where cause = 'changeUnseenMs'")
  unseen=$(sql "$1" "select coalesce(sum(count), 0) from events_rec_Counters where cause = 'threadUnseen'")
  [ "$ms" -ge 1 ] && [ "$unseen" -le 5 ] || complain "$ms ms while the clock stood, $unseen samples unseen"
}

sets() { # EXPECTED SETTING...
  local expected=$1
  shift
  obeys set "$pid" "$@" && { [ "$(cat out)" = "$expected" ] || complain "set $*: '$(cat out)', not '$expected'"; }
}

one_by_one() {
  launch "$1" || return
  obeys start "$pid" -f live.jfr cpu=20ms overwrite=true && sleep 1.5 || return
  sets "cpu 20ms, wall 20ms" wall=20ms && sleep 1 || return
  sets "cpu 20ms, alloc 64k, live 64k, lock 1ms, wall 20ms" alloc=64k live=64k lock=1ms && sleep 1.5 || return
  sets "cpu 4ms, alloc 1m, live 64k, lock 1ms, wall 20ms" cpu=4ms alloc=1m && sleep 1 || return
  obeys status "$pid" && says 'clocks cpu 4ms \(.*\), alloc 1m, live 64k, lock 1ms, wall 20ms' || return
  sets "cpu 4ms, wall 20ms" alloc=off live=off lock=off && sleep 1 || return
  sets "wall 10ms" cpu=off wall=10ms && sleep 1 || return  # what starts or changes before what stops
  sets "no clock runs" wall=off && sleep 0.5 || return
  sets "cpu 20ms" cpu=20ms && sleep 1 || return
  obeys stop "$pid" && "$JREC" verify live.jfr >verified || complain "verify: $(head -3 verified)" || return
  settings_are_true "$1" live.jfr 9 || return
  for each in 1:jdk.ExecutionSample 1:profiler.WallClockSample 2:jdk.ObjectAllocationSample 2:jdk.ThreadPark 3:jdk.ExecutionSample \
    3:jdk.OldObjectSample 4:profiler.WallClockSample 6:profiler.WallClockSample 8:jdk.ExecutionSample; do
    [ "$(count "${each%:*}" "${each#*:}")" -gt 0 ] || complain "chunk ${each%:*} has no ${each#*:}" || return
  done
  samples_weigh live.jfr 0 2 20 && samples_weigh live.jfr 3 5 4 && change_is_told live.jfr && unharmed
}

by_jcmd() {
  launch "$1" || return
  obeys start "$pid" -f jcmd.jfr overwrite=true || return
  timeout 30 "$1/bin/jcmd" "$pid" JVMTI.agent_load "$AGENT" '"set,wall=50ms,alloc=1m,cpu=off"' >jcmd.out 2>&1
  grep -q 'return code: 0' jcmd.out || complain "set: $(cat jcmd.out)" || return
  obeys status "$pid" && says 'clocks alloc 1m, wall 50ms' || return
  grep -q '^rec: alloc 1m, wall 50ms' app.err || complain "the answer is missing: $(cat app.err)" || return
  obeys stop "$pid" && unharmed
}

# Nothing is changed, and no chunk begun.
refused_as_a_whole() {
  launch "$1" || return
  refuses 5 "the agent is not loaded" set "$pid" wall=50ms || return
  obeys start "$pid" -f refused.jfr overwrite=true || return
  refuses 5 "'wall=1us' is too small" set "$pid" alloc=64k wall=1us || return
  refuses 5 "'duration' stays as it is" set "$pid" wall=50ms duration=5s || return
  refuses 5 "did you mean 'wall'" set "$pid" wal=50ms || return
  refuses 1 "" set "$pid" || return
  obeys status "$pid" && says '1 chunk, .*clocks cpu 10ms \([a-z -]*\),' || return
  obeys stop "$pid" && refuses 5 "there is no recording" set "$pid" wall=50ms && unharmed
}

# One agent at a time can have the VM's samples of allocations: another copy of the library is as good as another profiler.
held_by_another() {
  cp --remove-destination "$AGENT" other.so
  launch "$1" "-agentpath:$PWD/other.so=filename=other.jfr,alloc=1m" || return
  obeys start "$pid" -f held.jfr overwrite=true --agent "$AGENT" || return
  refuses 5 "alloc is not to be had" set "$pid" wall=20ms alloc=64k || return
  obeys status "$pid" && says 'clocks cpu 10ms \([a-z -]*\),' || return
  sets "cpu 10ms, wall 20ms" wall=20ms || return
  timeout 30 "$1/bin/jcmd" "$pid" JVMTI.agent_load "$PWD/other.so" '"set,alloc=off"' >jcmd.out 2>&1
  sets "cpu 10ms, alloc 64k, wall 20ms" alloc=64k && sleep 0.5 && sets "cpu 10ms, wall 20ms" alloc=off || return
  timeout 30 "$1/bin/jcmd" "$pid" JVMTI.agent_load "$PWD/other.so" '"set,alloc=1m"' >jcmd.out 2>&1
  grep -q 'return code: 0' jcmd.out || complain "the other did not get it back: $(cat jcmd.out app.err)" || return
  obeys stop "$pid" && end
}

# Where this VM wants to know of monitors when it starts, it says so; else it obeys.
lock_behind_agentpath() {
  launch "$1" "-agentpath:$AGENT=filename=behind.jfr,overwrite=true" || return
  jrec set "$pid" lock=1ms wall=20ms
  if [ "$rc" = 0 ]; then says '^cpu 10ms, lock 1ms, wall 20ms$' || return; else
    grep -q 'lock is to be named when this JVM starts' err || complain "$(cat err)" || return
    obeys status "$pid" && says 'clocks cpu 10ms \([a-z -]*\),' || return
  fi
  obeys stop "$pid" && end
}

what_is_watched() {
  launch "$1" || return
  obeys start "$pid" -f watched.jfr overwrite=true cpu=off || return
  sets "no clock runs, safepoint 10ms, threaddump 300ms" safepoint=10ms threaddump=300ms && sleep 1.2 || return
  sets "no clock runs, statistics 200ms" safepoint=off threaddump=off statistics=200ms && sleep 1.2 && obeys stop "$pid" || return
  chunks "$1" watched.jfr >/dev/null
  local dumps loads
  dumps=$(sql split/chunk_1.jfr "select count(*) from events_jdk_ThreadDump") loads=$(sql split/chunk_2.jfr "select count(distinct startTime) from events_jdk_JavaThreadStatistics")
  echo "$dumps dumps, $loads looks"
  [ "$dumps" -ge 3 ] && [ "$loads" -ge 4 ] && unharmed
}

cycles() {
  local before after i
  launch "$1" -Xms64m -Xmx64m -XX:+AlwaysPreTouch -XX:+UseSerialGC || return
  obeys start "$pid" -f cycles.jfr overwrite=true maxsize=4m || return
  for i in $(seq "$CYCLES"); do
    obeys set "$pid" wall=20ms alloc=64k live=64k lock=1ms cpu=5ms && obeys set "$pid" wall=off alloc=off live=off lock=off cpu=off || complain "in cycle $i" || return
    [ "$i" != 8 ] || before=$(holdings)
  done
  after=$(holdings)
  echo "# $(jdk_name "$1"): $CYCLES times all clocks on and off; KiB, threads, of rec's, descriptors: $before behind the 8th, $after behind the last" >>figures
  [ "$(cut -d' ' -f3 <<<"$before")" = "$(cut -d' ' -f3 <<<"$after")" ] || complain "threads of rec's: $before, then $after" || return
  obeys stop "$pid" && compare $before $(holdings) && unharmed
}

for jdk in $(jdks); do
  name=$(jdk_name "$jdk")
  verdict "clocks_live: clocks start, change and stop, and each chunk tells what is in it ($name)" one_by_one "$jdk"
  verdict "clocks_live: jcmd JVMTI.agent_load does the same ($name)" by_jcmd "$jdk"
  verdict "clocks_live: wrong settings change nothing ($name)" refused_as_a_whole "$jdk"
  verdict "clocks_live: what another agent has is refused, taken late, and given back ($name)" held_by_another "$jdk"
  verdict "clocks_live: locks behind -agentpath come, or say why not ($name)" lock_behind_agentpath "$jdk"
  verdict "clocks_live: safepoints, thread dumps and statistics, too ($name)" what_is_watched "$jdk"
  verdict "clocks_live: $CYCLES times all clocks on and off leak nothing ($name)" cycles "$jdk"
done
cat figures 2>/dev/null
finish
