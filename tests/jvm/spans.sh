#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Spans that the application tells of, by rec-context.jar and by rec_context.h: every sample inside one has its trace and name and none outside has any,
# also on virtual threads; each span that was long enough is an event; and without rec nothing happens.
. "$(dirname "$0")/lib.sh"
BY_CHANCE=1
JAR=$BUILD/agent/rec-context.jar
if [ ! -e "$JAR" ]; then
  skipped spans "rec-context.jar was not built"
  exit 0
fi
mkdir -p "$SCRATCH/classes"
(cd "$ROOT/fixtures" && "$(oldest_jdk)/bin/javac" $QUICK -nowarn -cp "$JAR" -d "$SCRATCH/classes" SpanLoad.java ContextLoad.java) ||
  { fail "spans: fixtures compile"; finish; }
CLASSES=$SCRATCH/classes:$JAR
cd "$SCRATCH" || exit 1
INCLUDE=$(oldest_jdk)/include
for source in span_load context_load; do
  cc -O1 -Wall -Wextra -Werror -Wno-cast-function-type -shared -fPIC -I"$INCLUDE" -I"$INCLUDE/linux" -I"$ROOT/agent/include" -o "$SCRATCH/$source.so" "$ROOT/fixtures/$source.c" ||
    { fail "spans: the library compiles"; finish; }
done
for compiler in "gcc -std=c99 -pedantic-errors -x c" "g++ -std=c++11 -pedantic-errors -x c++"; do
  printf '#include <rec_context.h>\nint main(void) { return REC_CONTEXT_VERSION == 1 ? 0 : 1; }\n' | $compiler -Wall -Wextra -Werror "-I$ROOT/agent/include" -c -o header.o - ||
    { fail "spans: the header compiles"; finish; }
done

EVENTS=event=cpu,interval=1ms,alloc=4k,spans=0

# Counts of samples of the workers: EVENT PLACE TRACE NAME COUNT a line.
#
#   PLACE  in, out (of a span), - (between)        TRACE, NAME  own, none, or other: another thread's
counts() { # FILE MORE
  "$JREC" sql --csv "$1" "
    with sides as (select stack, max(method like '%inside') as within, max(method like '%outside') as without from frames where class = 'SpanLoad' group by 1)
    select event, case when within then 'in' when without then 'out' else '-' end,
      case when trace is null then 'none' when trace = '4bf92f3577b34da6000000000000000' || substr(thread, 8) then 'own' else 'other' end,
      case when span_name is null then 'none' when span_name in ('work-' || substr(thread, 8), 'inner') then 'own' else 'other' end, count(*)
    from samples left join sides using (stack) where thread like 'worker-%' $2 group by 1, 2, 3, 4" | tr ',' ' '
}

# all_right FILE LEAST MORE EVENT...: at least so many of each event in and out.
all_right() {
  local file=$1 least=$2 more=$3
  shift 3
  counts "$file" "$more" | awk -v events="$*" -v least="$least" '
    { print; of[$1 " " $2 " " $3 " " $4] += $5 }
    $3 == "other" || $4 == "other" || ($2 == "in" && $3 $4 != "ownown") || ($2 == "out" && $3 $4 != "nonenone") { print "  this is wrong"; wrong = 1 }
    END {
      count = split(events, event, " ")
      for (i = 1; i <= count; i++)
        if (of[event[i] " in own own"] < least || of[event[i] " out none none"] < least) { print event[i] ": too few"; wrong = 1 }
      exit wrong
    }'
}

# All of them, with the labels that they were given; LABELS: of work-2.
written() { # NAME LABELS
  local spans events
  spans=$(sed -n 's/^spans //p' "$1.out")
  events=$(sql "$1.jfr" "select count(*) from events_rec_Span")
  [ "$events" -gt 20 ] && [ "$events" = "$spans" ] && [ "$(counter "$1.jfr" spans)" = "$spans" ] || complain "$events of $spans spans are written" || return
  [ "$(sql "$1.jfr" "select count(*) from events_rec_Span where name = 'work-2' and labels = '$2' and duration > 2000000")" -ge 5 ] ||
    complain "$("$JREC" sql "$1.jfr" "select name, labels, duration from events_rec_Span limit 5")"
}

# run HOW NAME JDK MORE LIBRARY...
run() {
  local how=$1 name=$2 jdk=$3 more=$4
  shift 4
  [ "$(java_version "$jdk")" -ge 24 ] && [ $# -gt 0 ] && JVM="$JVM --enable-native-access=ALL-UNNAMED"
  recorded SpanLoad "$name" "$jdk" "$EVENTS$more" "$how" "${MILLIS:-700}" "${THREADS:-4}" "$@" && silent "$name" && ! grep -q '^off' "$name.out" || complain "$(cat "$name.out")"
}

by_java() { run "$1" "$2" "$3" "" && all_right "$2.jfr" 10 "" jdk.ExecutionSample jdk.ObjectAllocationSample && written "$2" worker=2,kind=load; }
# Each of them has tried a name that nobody had given, first.
by_calls() {
  run "${2:-native}" calls "$1" "" "$SCRATCH/span_load.so" && all_right calls.jfr 10 "" jdk.ExecutionSample jdk.ObjectAllocationSample && written calls worker=2 || return
  [ "$(counter calls.jfr spanNamesRefused)" = "$(sed -n 's/^spans //p' calls.out)" ] || complain "$(counter calls.jfr spanNamesRefused) names were refused: $(cat calls.out)"
}

# Each span without a name of its own is counted, and not each name.
many_names() { # JDK
  recorded SpanLoad names "$1" event=cpu,spans=0 names 5000 100 && silent names || return
  [ "$(counter names.jfr spanNamesRefused)" = $((5000 - 4095 + 100)) ] || complain "$(counter names.jfr spanNamesRefused) were counted" || return
  [ "$(sql names.jfr "select count(*) from events_rec_Span where name = '[other]'")" = $((5000 - 4095 + 100)) ] || complain "spans: $(sql names.jfr "select count(*) from events_rec_Span where name = '[other]'")"
}

# More of them than there are places: the collector finds that they are gone.
ended() { # JDK
  recorded SpanLoad ended "$1" event=cpu ended 100 0 && silent ended || return
  [ "$(counter ended.jfr contextsRefused)" = 0 ] || complain "$(counter ended.jfr contextsRefused) contexts were refused"
}

# Those that wait while no carrier runs them, too.
virtual_waits() { # JDK
  recorded SpanLoad waits "$1" "event=cpu,wall=5ms,lock=0" virtual 3000 8 && silent waits || return
  all_right waits.jfr 5 "and (state is null or state <> 'STATE_RUNNABLE')" profiler.WallClockSample jdk.ThreadSleep
}

# A tracer's ids come first, and the name is the span's. That library is found within a second.
beside_a_tracer() {
  MILLIS=2200 THREADS=3 run traced traced "$1" "" "$SCRATCH/context_load.so" || return
  all_right traced.jfr 10 "and time_ns >= (select min(time_ns) from samples where trace is not null and span_name is not null)" jdk.ExecutionSample || return
  [ "$(sql traced.jfr "select count(distinct span) from samples where span_name like 'work-%' and span like '00000000%'")" -ge 5 ] ||
    complain "$("$JREC" sql traced.jfr "select distinct span, span_name from samples where span_name is not null limit 9")"
}

# What the options leave is what the tables say.
filters() {
  [ "$("$JREC" collapsed --span 'work-1' "$1.jfr" | awk '{ sum += $NF } END { print sum }')" = \
    "$(sql "$1.jfr" "select count(*) from samples where span_name = 'work-1' and event = 'jdk.ExecutionSample'")" ] || complain "--span" || return
  ! "$JREC" collapsed --span 'work-*,inner' "$1.jfr" | grep 'SpanLoad.outside' >/dev/null || complain "--span has samples outside of spans" || return
  "$JREC" convert --format pprof -o spans.pprof "$1.jfr" && zcat -f spans.pprof >plain || complain "pprof" || return
  for word in trace_id span_id span_name work-3; do grep -qa "$word" plain || complain "pprof has no $word" || return; done
  "$JREC" convert --format otlp -o spans.otlp "$1.jfr" && grep -qa span.name spans.otlp && grep -qa work-3 spans.otlp || complain "no name in OTLP"
}

shown_by_jfr() { # NAME JDK
  timeout 60 "$2/bin/jfr" $QUICK print --events rec.Span,rec.SampleContext "$1.jfr" >printed 2>&1
  grep -q 'labels = "worker=2,kind=load"' printed && grep -q 'name = "work-2"' printed && grep -q 'spanName = "work-2"' printed || complain "$(head -20 printed)"
}

# The class is there first, and calls nothing; rec comes, and goes, and comes again.
attached() { # JDK
  local pid
  rm -rf first.jfr* second.jfr*
  "$1/bin/java" -XX:+EnableDynamicAgentLoading -cp "$CLASSES" SpanLoad java 9000 3 >attached.out 2>&1 &
  pid=$!
  sleep 0.8
  for file in first second; do
    "$JREC" start "$pid" -f "$PWD/$file.jfr" --agent "$AGENT" -O ${EVENTS//,/ -O } >said 2>&1 || complain "$(cat said)" || return
    sleep 0.8
    "$JREC" stop "$pid" >said 2>&1 || complain "$(cat said)" || return
  done
  kill $pid
  wait $pid 2>/dev/null
  for file in first second; do
    # A span that was opened before rec was there is none: from each thread's first one on.
    all_right $file.jfr 10 "and time_ns >= (select min(time_ns) from samples first where first.thread = samples.thread and span_name like 'work-%')" jdk.ExecutionSample || return
    [ "$(sql $file.jfr "select count(*) from events_rec_Span")" -ge 20 ] || complain "no spans in $file" || return
  done
}

threshold() { # JDK
  recorded SpanLoad short "$1" "event=cpu,interval=2ms,spans=1h" java 500 2 && silent short || return
  [ "$(sql short.jfr "select count(*) from events_rec_Span")" = 0 ] || complain "some are written" || return
  [ "$(counter short.jfr spansShort)" = "$(sed -n 's/^spans //p' short.out)" ] && [ "$(counter short.jfr spansShortUs)" -gt 1000 ] ||
    complain "$(counter short.jfr spansShort) short ones, $(cat short.out)"
}

alone() { # JDK
  timeout 60 "$1/bin/java" -cp "$CLASSES" SpanLoad java 300 2 >alone.out 2>&1
  grep -q '^spans [1-9]' alone.out && grep -q '^off' alone.out && [ "$(wc -l <alone.out)" = 2 ] || complain "$(cat alone.out)"
}

for jdk in $(jdks); do
  version=$(java_version "$jdk")
  case $version in 17 | 21 | 25) ;; *) continue ;; esac
  jdk_is=$(jdk_name "$jdk")
  JVM=-XX:+UseG1GC check "spans: $jdk_is, G1, by Java" by_java java plain "$jdk"
  JVM=-XX:+UseZGC check "spans: $jdk_is, ZGC, by calls" by_calls "$jdk"
  JVM=-XX:+UseG1GC check "spans: $jdk_is, beside a tracer" beside_a_tracer "$jdk"
  check "spans: $jdk_is, its jfr shows them" shown_by_jfr plain "$jdk"
  check "spans: $jdk_is, without rec nothing happens" alone "$jdk"
  check "spans: $jdk_is, rec comes later" attached "$jdk"
  [ "$version" -ge 21 ] || continue
  for gc in G1 Z; do JVM="-XX:+Use${gc}GC -Djdk.virtualThreadScheduler.parallelism=2" check "spans: $jdk_is, $gc, virtual threads" by_java virtual virtual "$jdk"; done
  JVM="-XX:+UseZGC -Djdk.virtualThreadScheduler.parallelism=2" check "spans: $jdk_is, virtual threads, by calls" by_calls "$jdk" native-virtual
  JVM="-XX:+UnlockExperimentalVMOptions -XX:-VMContinuations" check "spans: $jdk_is, virtual threads without continuations" by_java virtual virtual "$jdk"
  JVM="-XX:+UseG1GC -Djdk.virtualThreadScheduler.parallelism=2" check "spans: $jdk_is, virtual threads that wait" virtual_waits "$jdk"
  for gc in G1 Z; do JVM="-XX:+Use${gc}GC -Xmx256m" check "spans: $jdk_is, $gc, virtual threads that end with a context" ended "$jdk"; done
done
check "spans: more names than there is room for" many_names "$(oldest_jdk)"
check "spans: filters, pprof, OTLP" filters plain
check "spans: shorter ones are counted" threshold "$(oldest_jdk)"
finish
