#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Trace and span of samples: every sample inside a request has that one's ids and none outside has any, by each clock that takes samples on the
# thread itself; wherever the loader keeps the variable; and that a process without it is left alone.
. "$(dirname "$0")/lib.sh"
BY_CHANCE=1
CLASSES=$(fixtures ContextLoad.java) || { fail "context: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1
INCLUDE=$(oldest_jdk)/include
for model in initial-exec global-dynamic; do
  cc -O1 -shared -fPIC -ftls-model=$model -I"$INCLUDE" -I"$INCLUDE/linux" -o "$SCRATCH/lib$model.so" "$ROOT/fixtures/context_load.c" ||
    { fail "context: the library compiles"; finish; }
done
cc -O1 -shared -fPIC -mtls-dialect=gnu2 -I"$INCLUDE" -I"$INCLUDE/linux" -o "$SCRATCH/libdescriptor.so" "$ROOT/fixtures/context_load.c" ||
  { fail "context: the library compiles"; finish; }

EVENTS=event=cpu,interval=2ms,alloc=4k,exceptions=0,nativemem=4k,lock=0

# Counts of samples of the workers from the first sample of CPU time with a context on, when the library is loaded and known: EVENT PLACE TRACE COUNT a line.
#
# rec.MonitorOwner is of a thread that another one has asked about.
#
#   PLACE  in, out (of a request), - (between)        TRACE  own, none, or other: another thread's
counts() { # FILE MORE
  "$JREC" sql --csv "$1" "
    with sides as (select stack, max(method like '%inside') as within, max(method like '%outside') as without from frames where class = 'ContextLoad' group by 1)
    select event, case when within then 'in' when without then 'out' else '-' end,
      case when trace is null then 'none' when trace = '4bf92f3577b34da6000000000000000' || substr(thread, 8) then 'own' else 'other' end, count(*)
    from samples left join sides using (stack)
    where thread like 'worker-%' and event <> 'rec.MonitorOwner' and time_ns >= (select min(time_ns) from samples where trace is not null and event = 'jdk.ExecutionSample') $2
    group by 1, 2, 3" | tr ',' ' '
}

# Each sample in a request has that one's ids, and none outside has any. At least so many of each event in and out.
all_right() { # FILE LEAST MORE EVENT...: MORE: of the condition
  local file=$1 least=$2 more=$3
  shift 3
  counts "$file" "$more" | awk -v events="$*" -v least="$least" '
    { print; of[$1 " " $2 " " $3] += $4 }
    $3 == "other" || ($2 == "in" && $3 == "none") || ($2 == "out" && $3 == "own") { print "  this is wrong"; wrong = 1 }
    END {
      count = split(events, event, " ")
      for (i = 1; i <= count; i++)
        if (of[event[i] " in own"] < least || of[event[i] " out none"] < least) { print event[i] ": too few"; wrong = 1 }
      exit wrong
    }'
}

# ids NAME JDK LIBRARY HOW
ids() {
  local name=$1 jdk=$2 library=$3 how=$4 spans requests
  [ "$(java_version "$jdk")" -ge 24 ] && JVM="$JVM --enable-native-access=ALL-UNNAMED"
  if [ "$how" = preload ]; then export LD_PRELOAD=$SCRATCH/lib$library.so; fi
  recorded ContextLoad "$name" "$jdk" "$EVENTS" "$SCRATCH/lib$library.so" 1500 3
  local status=$?
  unset LD_PRELOAD
  [ $status = 0 ] && silent "$name" || return
  all_right "$name.jfr" 10 "" jdk.ExecutionSample jdk.ObjectAllocationSample jdk.JavaExceptionThrow profiler.Malloc jdk.ThreadSleep || return
  spans=$(sql "$name.jfr" "select count(distinct span) from samples where trace is not null")
  requests=$(sed -n 's/^requests //p' "$name.out")
  [ "$spans" -ge 10 ] && [ "$spans" -le "$requests" ] || complain "$spans spans of $requests requests"
}

# Attributes are that thread's own, too, from the moment on in which their names were found: some of these recordings are long enough for it.
attributes() { # NAME...
  local name wrong told=0
  for name in "$@"; do
    wrong=$(sql "$name.jfr" "select count(*) from samples where attributes <> 'worker=w' || substr(thread, 8)")
    [ "$wrong" = 0 ] || complain "$("$JREC" sql "$name.jfr" "select event, thread, attributes, count(*) from samples where attributes is not null group by 1, 2, 3")" || return
    told=$((told + $(sql "$name.jfr" "select count(*) from samples where attributes is not null")))
  done
  [ $told -ge 20 ] || complain "$told of all samples have attributes"
}

# filters NAME: what --trace and --span leave is what the table says.
filters() {
  local trace=4bf92f3577b34da60000000000000001 span
  span=$(sql "$1.jfr" "select span from samples where trace = '$trace' and event = 'jdk.ExecutionSample' limit 1")
  [ "$("$JREC" collapsed --trace $trace "$1.jfr" | awk '{ sum += $NF } END { print sum }')" = \
    "$(sql "$1.jfr" "select count(*) from samples where trace = '$trace' and event = 'jdk.ExecutionSample'")" ] || complain "--trace" || return
  [ "$("$JREC" collapsed --span "$span" "$1.jfr" | awk '{ sum += $NF } END { print sum }')" = \
    "$(sql "$1.jfr" "select count(*) from samples where span = '$span' and event = 'jdk.ExecutionSample'")" ] || complain "--span" || return
  ! "$JREC" collapsed --trace '*' "$1.jfr" | grep 'ContextLoad.outside' >/dev/null || complain "--trace '*' has samples outside of requests" || return
  "$JREC" convert --format otlp -o links.otlp "$1.jfr" && LC_ALL=C grep -qaF "$(printf '\x4b\xf9\x2f\x35\x77\xb3\x4d\xa6')" links.otlp || complain "no link in OTLP"
}

shown_by_jfr() { # NAME JDK
  timeout 60 "$2/bin/jfr" $QUICK print --events rec.SampleContext "$1.jfr" >printed 2>&1
  grep -q 'traceId = "4bf92f3577b34da60000000000000002"' printed && grep -q 'spanId = "0000' printed || complain "$(head -20 printed)"
}

# Threads that sleep are looked at by another one, which has to know whose request it is. Of those that run, what nobody has looked at has none.
waiting() { # JDK
  recorded ContextLoad waiting "$1" "event=cpu,interval=2ms,wall=2ms" "$SCRATCH/libglobal-dynamic.so" 1500 3 && silent waiting || return
  "$JREC" collapsed --event wall --state sleeping --trace '*' waiting.jfr >in_requests && ! grep -q 'ContextLoad.outside' in_requests &&
    [ "$(grep -c 'ContextLoad.inside' in_requests)" -ge 1 ] || complain "in requests: $(cat in_requests)" || return
  all_right waiting.jfr 10 "and state = 'STATE_SLEEPING'" profiler.WallClockSample
}

# What a process that is killed has left.
killed() { # JDK
  rm -rf killed.jfr*
  "$1/bin/java" "-agentpath:$AGENT=filename=$PWD/killed.jfr,flush-interval=1h,$EVENTS" -cp "$CLASSES" ContextLoad "$SCRATCH/libinitial-exec.so" 20000 3 >killed.out 2>&1 &
  local pid=$!
  sleep 4
  kill -9 $pid
  wait $pid 2>/dev/null
  "$JREC" recover killed.jfr.chunks >recovered 2>&1 || complain "$(cat recovered)" || return
  local file
  file=$(ls killed*.jfr | head -1)
  "$JREC" verify "$file" >verdict 2>&1 || complain "$(cat verdict)" || return
  all_right "$file" 10 "" jdk.ExecutionSample jdk.ObjectAllocationSample
}

off() { # JDK
  recorded ContextLoad off "$1" "context=off,$EVENTS" "$SCRATCH/libinitial-exec.so" 500 1 && silent off || return
  [ "$(sql off.jfr "select count(*) from samples where trace is not null")" = 0 ] || complain "there are contexts"
}

missing() { # JDK
  timeout 60 "$1/bin/java" "-agentpath:$AGENT=filename=$PWD/missing.jfr,overwrite=true,context=otel" -version 2>missing.err
  [ "$(grep -c 'no library exports otel_thread_ctx_v1' missing.err)" = 1 ] || complain "$(cat missing.err)"
}

for jdk in $(jdks); do
  case $(java_version "$jdk") in 17 | 25) ;; *) continue ;; esac
  jdk_is=$(jdk_name "$jdk")
  JVM=-XX:+UseG1GC check "context: $jdk_is, G1, initial-exec, loaded later" ids ie "$jdk" initial-exec load
  JVM=-XX:+UseZGC check "context: $jdk_is, ZGC, global-dynamic, loaded later" ids gd "$jdk" global-dynamic load
  JVM=-XX:+UseG1GC check "context: $jdk_is, G1, global-dynamic, preloaded" ids pre "$jdk" global-dynamic preload
  JVM=-XX:+UseZGC check "context: $jdk_is, ZGC, descriptors, loaded later" ids desc "$jdk" descriptor load
  check "context: $jdk_is, filters and links" filters ie
  check "context: $jdk_is, attributes" attributes ie gd pre desc
  check "context: $jdk_is, its jfr shows them" shown_by_jfr ie "$jdk"
done
JVM=-XX:+UseZGC check "context: threads that sleep, by the wall clock" waiting "$(oldest_jdk)"
check "context: kill -9" killed "$(oldest_jdk)"
check "context: off" off "$(oldest_jdk)"
check "context: somebody who asks is told that there is none" missing "$(oldest_jdk)"
finish
