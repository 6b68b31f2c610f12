#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The wall clock: that each thread has all of its life, in the methods and states where it spent it; that nobody who sleeps is woken; that
# short threads have their share; and that the time of CPU samples beside it stays its own.
. "$(dirname "$0")/lib.sh"
BY_CHANCE=1
CLASSES=$(fixtures WallLoad.java YieldLoad.java) || { fail "wall: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1

record() { # JDK OPTIONS ARGUMENTS... : wall.jfr, wall.out, wall.err
  local jdk=$1 options=$2
  shift 2
  timeout 120 ${BEFORE:-} "$jdk/bin/java" "-agentpath:$AGENT=filename=$PWD/wall.jfr,overwrite=true,$options" ${JVM:-} -cp "$CLASSES" WallLoad "$@" \
    >wall.out 2>wall.err || complain "$(cat wall.err)"
}

# printed FILE DEPTH: the samples, by the reader JUDGE. Where it is not the JDK's own it is ours, whose text is the same (print.sh) in a tenth of the time.
printed() { "${JUDGE:-$JREC}" print --stack-depth "$2" --events profiler.WallClockSample "$1"; }

# The time by thread, method of the fixture, and whether it ran.
told() {
  printed wall.jfr 20 | awk '
    function seconds(text,  n, part, at, sum) {
      n = split(text, part, " ")
      for (at = 1; at < n; at += 2) sum += part[at] * (part[at + 1] == "s" ? 1 : part[at + 1] == "ms" ? 1e-3 : part[at + 1] == "us" ? 1e-6 : part[at + 1] == "ns" ? 1e-9 : part[at + 1] == "m" ? 60 : 3600)
      return sum }
    /^profiler/ { thread = state = method = ""; span = 0 }
    /sampledThread = / { split($0, q, "\""); thread = q[2]; sub(/-[0-9]+$/, "", thread) }
    / state = / { gsub(/"/, ""); state = $3 }
    /timeSpan = / { sub(/.*timeSpan = /, ""); span = seconds($0) }
    /(WallLoad|FileInputStream)\.(compute|sleepy|parked|waiting|blocked|readBytes)\(/ { match($0, /(compute|sleepy|parked|waiting|blocked|readBytes)\(/); method = substr($0, RSTART, RLENGTH - 1) }
    /^}/ { print thread, method == "" ? "none" : method, state, span }' >told
}

# Within a tenth of a thread's life, and its sum within a hundredth: on a loaded machine, since what waits for a CPU counts, too.
truth() { # JDK [SECONDS [THREAD: whose parts are not looked at]]
  record "$1" wall=10ms "${2:-10}" && told || return
  awk -v but="${3:-nobody}" 'BEGIN { where["RUNNABLE"] = "compute"; where["SLEEPING"] = "sleepy"; where["PARKED"] = "parked"; where["IN_OBJECT_WAIT"] = "waiting"
               where["BLOCKED_ON_MONITOR_ENTER"] = "blocked"; where["NATIVE"] = "readBytes" }
    NR == FNR { got[$1, $2] += $4; life[$1] += $4; next }
    $1 == "truth" { true[$2, where[$3]] = $4 / 1e9; thread[$2, where[$3]] = $2; next }
    $1 == "life" { whole[$2] = $3 / 1e9; next }
    END { for (name in whole) { lives++
            printf "%s lives %.3f s, told %.3f\n", name, whole[name], life[name]
            most = name == "short" ? 0.2 : 0.02
            if (life[name] < (1 - most) * whole[name] || life[name] > (1 + most) * whole[name]) bad = 1 }
          for (key in true) { parts++
            printf "%s %.3f s, told %.3f\n", key, true[key], got[key]
            off = got[key] - true[key]; if (off < 0) off = -off
            if (off > 0.1 * whole[thread[key]] && thread[key] != but) bad = 1 }
          exit bad || lives != 8 || parts < 12 }' told wall.out
}

# On one processor, which two others want as well: most of what a thread has is waiting for it. But for the one whose work ends by the clock
# before its own has ticked (docs/wall.md).
crowded() {
  local others=() rc=0
  for _ in 1 2; do taskset -c 0 sh -c 'while :; do :; done' & others+=($!); done
  BEFORE="taskset -c 0" truth "$1" 7 mixed || rc=$?
  kill "${others[@]}"
  return $rc
}

# Who yields waits for a processor there, and not where its clock ticks next. Within a tenth of its life, as above.
yields() { # JDK
  recorded YieldLoad yields "$1" wall=10ms 5 4 || return
  "$JREC" collapsed -e wall --thread yielder yields.jfr | awk '
    FILENAME != "-" { true = $2 / ($2 + $4); next }
    { all += $NF; if (/YieldLoad\.yielding;/) got += $NF; if (/YieldLoad\.working/) worked += $NF }
    END { printf "yields for %.3f of its time, told %.3f and %.3f at work\n", true, got / all, worked / all
          off = got / all - true; exit !(all > 300 && true > 0 && off < 0.1 && off > -0.1) }' yields.out -
}

# Of the recording before. Who computes in native code does not sleep while others have its processor.
computes_in_native_code() {
  "$JREC" sql --csv yields.jfr "select sum(weight), sum(case when state = 'STATE_RUNNABLE' then weight else 0 end)
    from samples where event = 'profiler.WallClockSample' and thread = 'deflater'" | awk -F, '
    NR == 2 { printf "%d of %d runnable\n", $2, $1; good = $1 > 300 && $2 > 0.95 * $1 } END { exit !good }'
}

states() { # who stands where has the state of it
  awk '{ all[$2] += $4; by[$2, $3] += $4 }
    END { split("sleepy SLEEPING parked PARKED waiting IN_OBJECT_WAIT blocked BLOCKED_ON_MONITOR_ENTER compute RUNNABLE readBytes SLEEPING", want, " ")
          for (i = 1; i < 12; i += 2) { share = all[want[i]] == 0 ? 0 : by[want[i], "STATE_" want[i + 1]] / all[want[i]]
            printf "%s: %.3f of its time %s\n", want[i], share, want[i + 1]
            if (share < 0.7) bad = 1 }
          exit bad }' told
}

# Threads that only park, in one place: how often did they come to a CPU in a while? A loaded machine may need more of it.
nobody_is_woken() {
  local before="" after=none
  look "$1" 12
  [ "${before% *}" = 300 ] || look "$1" 45
  [ "${before#* }" = "${after#* }" ] && [ "${before% *}" = 300 ] || complain "300 threads came to a CPU before: $before, after: $after" || return
  told
  awk '$1 == "idle" { sum += $4; if ($2 == "parked") good += $4 } END { printf "idle %.1f s, parked %.1f\n", sum, good; exit !(sum > 1500 && good > 0.98 * sum) }' told
}
look() { # JDK SECONDS: before, after
  local job pid="" tries=0
  record "$1" wall=10ms "$2" 300 calm &
  job=$!
  until [ -n "$pid" ] && [ "$(grep -lx 'idle-.*' /proc/"$pid"/task/*/comm 2>/dev/null | wc -l)" = 300 ] || [ $((tries++)) = 200 ]; do
    sleep 0.1
    pid=$(pgrep -f "filename=$PWD/wall.jfr.* WallLoad $2 300 calm" | tail -1)
  done
  # Until all of them have come to rest, which takes a loaded machine a while.
  for tries in 1 2 3; do
    sleep 1
    before=$(switches "$pid")
    sleep 2
    after=$(switches "$pid")
    [ "$before" != "$after" ] || break
  done
  wait "$job"
}
switches() { # PID: how many threads, and how often they had a CPU
  local each
  for each in /proc/"$1"/task/*; do case $(cat "$each/comm" 2>/dev/null) in idle-*) cut -d' ' -f3 "$each/schedstat" 2>/dev/null ;; esac; done | awk '{ sum += $1; n++ } END { print n + 0, sum + 0 }'
}

# Who only sleeps has all of its time in a dump, too.
dumped() {
  record "$1" wall=20ms 9 3 calm &
  local job=$! pid="" tries
  for tries in $(seq 100); do
    pid=$(pgrep -f "filename=$PWD/wall.jfr.* WallLoad 9 3 calm" | tail -1)
    [ -n "$pid" ] && [ "$(grep -lx 'idle-.*' /proc/"$pid"/task/*/comm 2>/dev/null | wc -l)" = 3 ] && break
    sleep 0.1
  done
  sleep 4
  rm -f dumped.jfr
  "$JREC" dump "$pid" -o "$PWD/dumped.jfr" >said 2>&1 || complain "$(cat said)"
  wait "$job" && mv dumped.jfr wall.jfr && told || return
  awk '$1 == "idle" { sum += $4 } END { printf "idle %.1f s\n", sum; exit !(sum > 9) }' told
}

# In short chunks: who stands still when one ends keeps the stack.
beside_cpu_time() {
  record "$1" cpu=10ms,wall=20ms,maxchunkage=1s 5 || return
  [ "$(sql wall.jfr "select sum(stackTrace is null) * 200 > count(*) from events_profiler_WallClockSample")" = 0 ] ||
    complain "spans without a stack: $(sql wall.jfr "select sum(stackTrace is null) || ' of ' || count(*) from events_profiler_WallClockSample")" || return
  [ "$(sql wall.jfr "select count(*) from samples where event = 'jdk.ExecutionSample' and thread = 'busy'")" -gt 50 ] || complain "no samples of CPU time" || return
  local wall cpu
  wall=$("$JREC" collapsed --event wall wall.jfr | awk '{ sum += $NF } END { print sum + 0 }')
  cpu=$("$JREC" collapsed --event cpu wall.jfr | awk '{ sum += $NF } END { print sum + 0 }')
  # More than ten threads for 5 s, each 20 ms; two CPUs' time each 10 ms at the most is a part of it.
  [ "$wall" -gt 2000 ] && [ "$(sql wall.jfr "select sum(samples) from events_profiler_WallClockSample")" = "$wall" ] ||
    complain "wall $wall, of $(sql wall.jfr "select sum(samples) from events_profiler_WallClockSample"); cpu $cpu"
}

# Virtual threads that no carrier runs, with garbage beside: sums by method within a sixth of what the threads measured, which is five times
# the error of chance. Each waits in one of the fixture's methods, or for a carrier.
unmounted() { # JDK FIXTURE METHODS OPTIONS...
  local jdk=$1 fixture=$2 methods=$3
  shift 3
  "$jdk/bin/javac" $QUICK -nowarn -d . "$ROOT/fixtures/$fixture.java" || complain "the fixture does not compile" || return
  timeout 120 "$jdk/bin/java" "-agentpath:$AGENT=filename=$PWD/virtual.jfr,overwrite=true,wall=50ms" "$@" -Xmx200m -cp . "$fixture" 6 300 collect \
    >virtual.out 2>virtual.err || complain "$(cat virtual.err)" || return
  printed virtual.jfr 64 | awk -v methods="$methods" '
    BEGIN { frame = "\\.(" methods ")\\(" }
    /^profiler/ { virtual = 0; state = method = "none" }
    /sampledThread = .*virtual/ { virtual = 1 }
    / state = / { gsub(/"/, ""); state = $3 }
    $0 ~ frame { match($0, frame); method = substr($0, RSTART + 1, RLENGTH - 2) }
    / samples = / { samples = $3 }
    /^}/ && virtual { print method, state, samples * 0.05 }' >told
  awk 'NR == FNR && $1 == "none" && $2 == "STATE_RUNNABLE" { next }
    NR == FNR { got[$1] += $3; if ($1 == "sleepLong" ? $2 == "STATE_SLEEPING" : $2 ~ /PARKED|MONITOR|OBJECT_WAIT/) parked += $3; sum += $3; next }
    { printf "%s %.1f s, told %.1f\n", $1, $2, got[$1]; kinds++; off = got[$1] / $2 - 1; if (off < 0) off = -off; if (off > 1 / 6) bad = 1 }
    END { printf "without a method of ours %.2f s of %.1f s, parked %.1f s\n", got["none"], sum, parked
          exit bad || kinds < 4 || got["none"] > 0.02 * sum || parked < 0.9 * sum }' told virtual.out
}

# Virtual threads that switch all the time, seen most often while they read: each has a method of its own.
switching() {
  local counts reading others
  "$1/bin/javac" $QUICK -nowarn -d . "$ROOT/fixtures/VirtualSwitch.java" || complain "the fixture does not compile" || return
  timeout 120 "$1/bin/java" "-agentpath:$AGENT=filename=$PWD/switch.jfr,overwrite=true,wall=2ms,cpu=off" -cp . VirtualSwitch 8 >out 2>err ||
    complain "$(cat err)" || return
  counts=$(sql switch.jfr "select count(*) || ':' || sum(f.method <> 'VirtualSwitch.of' || substr(s.thread, 2)) from samples s
    join frames f on f.stack = s.stack and f.method like 'VirtualSwitch.of_'")
  IFS=: read -r reading others <<<"$counts"
  [ "$reading" -gt 500 ] && [ "$others" = 0 ] || complain "of $reading samples of reading $others have the name of another thread"
}

# Who names itself has the name from there on, and not from the next chunk on: of 2.4 s the last 2.
names_itself() {
  "$1/bin/javac" $QUICK -nowarn -d . "$ROOT/fixtures/NamesItself.java" || complain "the fixture does not compile" || return
  timeout 60 "$1/bin/java" "-agentpath:$AGENT=filename=$PWD/named.jfr,overwrite=true,wall=50ms" -cp . NamesItself >named.out 2>named.err ||
    complain "$(cat named.err)" || return
  local named unnamed
  named=$(sql named.jfr "select coalesce(sum(weight), 0) from samples where thread like 'named %'")
  unnamed=$(sql named.jfr "select coalesce(sum(weight), 0) from samples where thread like '[virtual %'")
  [ "$named" -gt 0 ] && [ "$((3 * unnamed))" -lt "$named" ] || complain "named $named, without a name $unnamed"
}

for jdk in $(jdks); do
  name=$(jdk_name "$jdk")
  JUDGE=$jdk/bin/jfr
  check "wall: each thread has its life, where it spent it ($name)" truth "$jdk"
  JUDGE=
  check "wall: and in the states that the VM knows ($name)" states "$jdk"
  if has_gc "$jdk" Z; then
    JVM=-XX:+UseZGC
    check "wall: under ZGC, too ($name)" truth "$jdk"
    JVM=
  fi
  check "wall: and on a processor that it has a third of ($name)" crowded "$jdk"
  check "wall: who yields waits where it yields ($name)" yields "$jdk"
  check "wall: and who computes in native code is runnable ($name)" computes_in_native_code
  check "wall: nobody who sleeps is woken ($name)" nobody_is_woken "$jdk"
  check "wall: a dump has sleeps that go on ($name)" dumped "$jdk"
  check "wall: beside CPU time ($name)" beside_cpu_time "$jdk"
  [ "$(java_version "$jdk")" -ge 21 ] || continue
  waits="VirtualWall parkLong|sleepLong|lockLong|parkShort|enterLong|waitLong" scopes="ScopeWall ofPlatform|ofVirtual|ofForked|ofBrief|scope"
  JUDGE=$jdk/bin/jfr
  check "wall: virtual threads that wait are told, by where they wait ($name)" unmounted "$jdk" $waits -XX:+UseG1GC
  JUDGE=
  check "wall: who names itself has the name from there on ($name)" names_itself "$jdk"
  check "wall: nobody has another one's stack where virtual threads switch all the time ($name)" switching "$jdk"
  check "wall: and those of scopes, whoever owns them ($name)" unmounted "$jdk" $scopes -XX:+UseG1GC --enable-preview
  check "wall: and those of scopes whose owners are in no set ($name)" unmounted "$jdk" $scopes -XX:+UseG1GC --enable-preview -Djdk.trackAllThreads=false
  if has_gc "$jdk" Z; then
    check "wall: under ZGC, too, while it moves their stacks ($name)" unmounted "$jdk" $waits -XX:+UseZGC
    check "wall: and those of scopes ($name)" unmounted "$jdk" $scopes -XX:+UseZGC --enable-preview
  fi
done
finish
