#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Several recordings of one JVM at a time: each has its own file, limits and end, what it asked for is in it, and a JVM that is killed leaves each
# to be recovered.
#
#   REC_CYCLES   how many recordings follow each other, memory, threads and descriptors compared (default 15)
. "$(dirname "$0")/lib.sh"
BY_CHANCE=1
. "$ROOT/fixtures/control_lib.sh"
CYCLES=${REC_CYCLES:-15}
program Work

# By the JDK: how many events of a type, in a file that jrec, too, finds whole.
count() { # JDK FILE EVENT
  "$JREC" verify "$2" >verified || complain "verify $2: $(head -3 verified)" || return
  "$1/bin/jfr" $QUICK summary "$2" | awk -v event="$3" '$1 == event { print $2; found = 1 } END { if (!found) print 0 }'
}
has() { # JDK FILE EVENT...
  local jdk=$1 file=$2 event
  shift 2
  for event in "$@"; do [ "$(count "$jdk" "$file" "$event")" -gt 0 ] || complain "$file has no $event" || return; done
}
# Milliseconds from the first chunk's start to the last one's end.
lasts() { "$JREC" summary "$1" | sed -nE 's/^ Duration: ([0-9]+) s/\1/p'; }

side_by_side() {
  launch "$1" || return
  obeys start "$pid" -f one.jfr overwrite=true && sleep 1 || return
  refuses 5 "a recording is under way (rec to $PWD/one.jfr); another one beside it needs a name" start "$pid" -f two.jfr || return
  refuses 5 "needs a name of its own" start "$pid" -f two.jfr --name rec || return
  obeys start "$pid" -f two.jfr --name two wall=20ms overwrite=true && says 'beside 1 more, clocks cpu 10ms .*, wall 20ms$' || return
  sleep 1
  refuses 5 "say which one (name=): rec to $PWD/one.jfr, two to $PWD/two.jfr" stop "$pid" || return
  refuses 5 "there is no recording called three" dump "$pid" --name three || return
  obeys status "$pid" && says "^2 recordings: rec to $PWD/one.jfr, two to $PWD/two.jfr; clocks" || return
  obeys status "$pid" --json && says '"recordings":2,"name":"rec"' || return
  obeys status "$pid" --name two && says "to $PWD/two.jfr: [1-9][0-9,]* samples" || return
  obeys dump "$pid" --name two -o dumped.jfr && has "$1" dumped.jfr jdk.ExecutionSample profiler.WallClockSample || return
  obeys set "$pid" --name two alloc=64k && says '^cpu 10ms, alloc 64k, wall 20ms$' || return
  obeys start "$pid" -f three.jfr --name three cpu=off duration=1s overwrite=true || return
  obeys stop "$pid" --name rec && says "^recorded $PWD/one.jfr: [1-9]" || return
  obeys status "$pid" && says "two to $PWD/two.jfr, three to $PWD/three.jfr; clocks alloc 64k, wall 20ms" || return
  wait_until test -s three.jfr || complain "three.jfr has no end" || return
  sleep 1
  obeys status "$pid" && says "^recording since .* to $PWD/two.jfr" || return
  obeys stop "$pid" && obeys status "$pid" && says '^not recording' || return
  has "$1" one.jfr jdk.ExecutionSample profiler.WallClockSample && has "$1" two.jfr profiler.WallClockSample jdk.ObjectAllocationSample &&
    has "$1" three.jfr profiler.WallClockSample || return
  [ "$(lasts two.jfr)" -gt "$(lasts three.jfr)" ] || complain "two lasts $(lasts two.jfr) s, three $(lasts three.jfr) s" || return
  [ -z "$(ls -d ./*.chunks* 2>/dev/null)" ] || complain "left: $(ls -d ./*.chunks*)" || return
  [ -z "$(ls -d /dev/shm/rec-$pid-* 2>/dev/null)" ] || complain "left: $(ls -d /dev/shm/rec-$pid-*)" || return
  leaves_no_answer && unharmed
}

# What the clocks have done is that recording's: about a tick a sample, of 10 ms each. They tell of it each 10 s by themselves.
clock_of_its_own() { # FILE SAMPLES
  local ticks cpu_ms
  ticks=$(sql "$1" "select coalesce(sum(count), 0) from events_rec_Counters where cause = 'ticks'")
  cpu_ms=$(sql "$1" "select coalesce(sum(count), 0) from events_rec_Counters where cause = 'cpuMs'")
  [ "$ticks" -ge $(($2 / 2)) ] && [ "$ticks" -le $(($2 * 3 / 2)) ] && [ "$cpu_ms" -ge $(($2 * 5)) ] && [ "$cpu_ms" -le $(($2 * 20)) ] ||
    complain "$1: $2 samples, $ticks ticks, $cpu_ms ms"
}

# What one tells of its samples is what the JDK counts in it.
counts_are_their_own() {
  local told
  launch "$1" || return
  obeys start "$pid" -f early.jfr overwrite=true && sleep 1 || return
  obeys start "$pid" -f late.jfr --name late overwrite=true && sleep 1 || return
  obeys stop "$pid" --name late || return
  told=$(sed -nE 's/.*: ([0-9]+) samples,.*/\1/p' out)
  [ "$told" = "$(count "$1" late.jfr jdk.ExecutionSample)" ] || complain "told $told, has $(count "$1" late.jfr jdk.ExecutionSample)" || return
  clock_of_its_own late.jfr "$told" || return
  obeys stop "$pid" || return
  told=$(sed -nE 's/.*: ([0-9]+) samples,.*/\1/p' out)
  clock_of_its_own early.jfr "$told" || return
  [ "$told" = "$(count "$1" early.jfr jdk.ExecutionSample)" ] && [ "$told" -gt "$(count "$1" late.jfr jdk.ExecutionSample)" ] || complain "told $told" || return
  unharmed
}

# The one with the limit drops its old chunks, the other keeps all.
limits_of_each() {
  local i
  launch "$1" || return
  obeys start "$pid" -f all.jfr overwrite=true && obeys start "$pid" -f young.jfr --name young maxage=1s overwrite=true || return
  sleep 5
  [ "$(ls young.jfr.chunks/*.jfr | wc -l)" -lt "$(ls all.jfr.chunks/*.jfr | wc -l)" ] || complain "young: $(ls young.jfr.chunks), all: $(ls all.jfr.chunks)" || return
  obeys stop "$pid" --name young && obeys stop "$pid" || return
  [ "$(lasts young.jfr)" -lt "$(lasts all.jfr)" ] || complain "young lasts $(lasts young.jfr) s, all $(lasts all.jfr) s" || return
  has "$1" young.jfr jdk.ExecutionSample && has "$1" all.jfr jdk.ExecutionSample && unharmed
}

# The JVM ends by itself: all are whole.
end_with_jvm() {
  "$1/bin/java" "-agentpath:$AGENT=filename=first.jfr,overwrite=true" -cp "$NEAR" "$MAIN" 4 >app.out 2>app.err &
  pid=$!
  wait_until started || complain "no start" || return
  obeys start "$pid" -f second.jfr --name second alloc=64k overwrite=true || return
  wait "$pid" || complain "exit code $?: $(cat app.err)" || return
  has "$1" first.jfr jdk.ExecutionSample jdk.Shutdown && has "$1" second.jfr jdk.ExecutionSample jdk.ObjectAllocationSample jdk.Shutdown
}

# The first has ended already when the JVM is killed: the spools belong to the oldest that is left.
killed() {
  local file
  rm -rf ./*.jfr ./*.chunks*
  launch "$1" || return
  obeys start "$pid" -f gone.jfr && obeys start "$pid" -f home.jfr --name home && obeys start "$pid" -f other.jfr --name other || return
  sleep 1
  obeys stop "$pid" --name rec && sleep 2.5 || return
  end
  for file in other home; do
    "$JREC" recover "$file.jfr.chunks" -o "$file.jfr" >recovered 2>&1 || complain "recover $file: $(cat recovered)" || return
    has "$1" "$file.jfr" jdk.ExecutionSample || return
    [ "$(lasts "$file.jfr")" -ge 2 ] || complain "$file.jfr lasts $(lasts "$file.jfr") s: $(cat recovered)" || return
  done
  has "$1" gone.jfr jdk.ExecutionSample || return
  [ "$(count "$1" home.jfr jdk.ExecutionSample)" -ge "$(count "$1" other.jfr jdk.ExecutionSample)" ] || complain "the spools were not the oldest's" || return
  [ -z "$(ls -d /dev/shm/rec-$pid-* 2>/dev/null)" ] || complain "spools are left: $(ls -d /dev/shm/rec-$pid-*)"
}

# Others that come and go leave nothing behind.
cycles() {
  local before after i
  launch "$1" -Xms64m -Xmx64m -XX:+AlwaysPreTouch -XX:+UseSerialGC || return
  obeys start "$pid" -f stays0.jfr --name stays0 overwrite=true || return
  for i in $(seq "$CYCLES"); do  # the oldest goes, and the home moves on
    obeys start "$pid" -f "stays$((i % 2)).jfr" --name "stays$i" overwrite=true && obeys stop "$pid" --name "stays$((i - 1))" || complain "in cycle $i" || return
    [ "$i" != 4 ] || before=$(holdings)
  done
  after=$(holdings)
  echo "# $(jdk_name "$1"): $CYCLES recordings, one after the other and overlapping; KiB, threads, of rec's, descriptors: $before, then $after" >>figures
  [ "$(cut -d' ' -f3 <<<"$before")" = "$(cut -d' ' -f3 <<<"$after")" ] || complain "threads of rec's: $before, then $after" || return
  obeys stop "$pid" && compare $before $(holdings) || return
  [ -z "$(ls -d ./stays*.chunks* /dev/shm/rec-$pid-* 2>/dev/null)" ] || complain "left: $(ls -d ./stays*.chunks* /dev/shm/rec-$pid-*)" || return
  has "$1" "stays$((CYCLES % 2)).jfr" jdk.ExecutionSample && unharmed
}

for jdk in $(jdks); do
  name=$(jdk_name "$jdk")
  verdict "recordings: one begins and ends beside another, by their names ($name)" side_by_side "$jdk"
  verdict "recordings: each counts its own samples ($name)" counts_are_their_own "$jdk"
  verdict "recordings: each keeps as much as its own limits say ($name)" limits_of_each "$jdk"
  verdict "recordings: all are whole when the JVM ends ($name)" end_with_jvm "$jdk"
  verdict "recordings: each can be recovered from a JVM that was killed ($name)" killed "$jdk"
  verdict "recordings: $CYCLES that follow and overlap each other leak nothing ($name)" cycles "$jdk"
done
cat figures 2>/dev/null
finish
