#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The CPU time of all threads: that the profile's total is the process', and that threads Java does not know are there by name and kind,
# whatever their stacks and signals.
. "$(dirname "$0")/lib.sh"
BY_CHANCE=1
CLASSES=$(fixtures NativeLoad.java Attach.java ClockLoad.java Renamed.java) || { fail "all threads: fixtures compile"; finish; }
cp "$AGENT" "$SCRATCH/librec.so" && AGENT=$SCRATCH/librec.so  # where everybody may read it
INCLUDE=$(oldest_jdk)/include
cc -O1 -shared -fPIC -I"$INCLUDE" -I"$INCLUDE/linux" -o "$SCRATCH/libload.so" "$ROOT/fixtures/native_load.c" -pthread ||
  { fail "all threads: the library compiles"; finish; }
cc -O1 -shared -fPIC -I"$INCLUDE" -I"$INCLUDE/linux" -o "$SCRATCH/libattach.so" "$ROOT/fixtures/attach.c" -pthread ||
  { fail "all threads: the library that attaches compiles"; finish; }
chmod 755 "$SCRATCH" && chmod -R a+rX "$CLASSES" "$AGENT" "$SCRATCH/libload.so"
mkdir -m 777 "$SCRATCH/work" && cd "$SCRATCH/work" || exit 1
PERIOD_MS=4  # no finer than the kernel's tick
MS=240       # of each thread

ms_of() { echo $(($(sql "$1" "select coalesce(sum(weight), 0) from samples where event='jdk.ExecutionSample' and $2") * PERIOD_MS)); }

# near WHAT IS EXPECTED PERCENT: a few samples more or less are chance: each thread's clock begins somewhere in its interval.
near() {
  awk -v what="$1" -v is="$2" -v expected="$3" -v percent="$4" -v few=$((6 * PERIOD_MS)) 'BEGIN {
    printf "%s: %d ms, expected %d\n", what, is, expected
    off = is > expected ? is - expected : expected - is
    exit !(off <= expected * percent / 100 + few) }'
}

# Samples and what is counted as unseen are all of the process' time, and the process says the same of it.
total_is_process() { # FILE
  local process
  process=$(counter "$1" processCpuMs)
  near "samples and unseen" $(($(ms_of "$1" 1) + $(counter "$1" threadUnseen) * PERIOD_MS)) "$process" 2
}

record() { # NAME JDK OPTIONS JVM-OPTIONS...
  local name=$1 jdk=$2 options=$3
  shift 3
  rm -f "$name.jfr"
  timeout 120 ${AS_USER:-} "$jdk/bin/java" "-agentpath:$AGENT=filename=$PWD/$name.jfr,interval=${PERIOD_MS}ms,cstack=none,$options" -Xmx64m "$@" \
    -cp "$CLASSES" NativeLoad "$SCRATCH/libload.so" $MS >"$name.out" 2>"$name.err" || complain "$(cat "$name.out" "$name.err")"
}

every_kind() { # JDK OPTIONS JVM-OPTIONS...
  record every "$@" || return
  local told process
  told=$(counter every.jfr processCpuMs) process=$(sed -n 's/^process=//p' every.out)
  [ "$told" -ge "$((process - 20))" ] && [ "$told" -le "$((process + 400))" ] || complain "the recording tells $told ms, the process $process" || return
  total_is_process every.jfr || return
  local thread deaf
  for thread in plain small altstack; do
    near $thread "$(ms_of every.jfr "thread = '$thread' and top = 'native.[native Thread]'")" $MS 4 || return
  done
  near "in Java" "$(ms_of every.jfr "thread = 'in Java'")" $((MS / 2)) 4 || return
  deaf=$(ms_of every.jfr "thread = 'deaf'")  # its last quarter of a second may not have been read
  [ "$deaf" -gt 20 ] && [ "$deaf" -le $((MS + 10)) ] || complain "deaf: $deaf ms" || return
  [ "$(ms_of every.jfr "top = 'JVM.[GC Thread]'")" -gt 0 ] || complain "no [GC Thread]" || return
  grep -q '^below=0$' every.out || complain "a handler wrote below its alternate stack: $(cat every.out)" || return
  near "small handlers" "$(ms_of every.jfr "thread = 'small handlers' and top like 'rec.NotWalked.mayNotFault%'")" $MS 4 || return
  ! grep -q '^rec:' every.err || complain "said: $(grep '^rec:' every.err)"
}

# What compilers take is most of what a compiler of Java takes.
compiler() { # JDK
  rm -f javac.jfr
  "$1/bin/javac" "-J-agentpath:$AGENT=filename=$PWD/javac.jfr,interval=${PERIOD_MS}ms,cstack=none" -nowarn -d "$PWD/out" "$ROOT"/fixtures/{GapCheck,NameCheck,ThreadChurn,FaultRead}.java \
    >javac.out 2>&1 || complain "$(cat javac.out)" || return
  total_is_process javac.jfr || return
  [ "$(ms_of javac.jfr "top like 'JVM.[C_ Compiler]'")" -gt 100 ] || complain "compilers: $(ms_of javac.jfr "top like 'JVM.[C_ Compiler]'") ms"
}

# at_most WHAT IS EXPECTED PERCENT
at_most() { awk -v what="$1" -v is="$2" -v expected="$3" -v percent="$4" -v few=$((6 * PERIOD_MS)) 'BEGIN {
  printf "%s: %d ms, at most %d expected\n", what, is, expected
  exit !(is <= expected * (1 + percent / 100) + few) }'; }

at_least() { echo "$1: $2 ms, at least $3 expected"; [ "$2" -ge "$3" ]; }

# Threads that come to Java again and again are counted from then on, each time, and never twice. On a busy machine timers see less of short
# threads (docs/clocks.md).
attached() { # JDK CLOCK
  rm -f attached.jfr
  timeout 120 "$1/bin/java" "-agentpath:$AGENT=filename=$PWD/attached.jfr,interval=${PERIOD_MS}ms,cstack=none,cpu-clock=$2" -Xmx64m \
    -cp "$CLASSES" Attach "$SCRATCH/libattach.so" 100 4 100 >attached.out 2>attached.err || complain "$(cat attached.out attached.err)" || return
  local in_java told
  in_java=$(ms_of attached.jfr "top = 'Attach.call' and thread <> 'main'") told=$(sed -n 's/^java=//p' attached.out)
  total_is_process attached.jfr || return
  # What they do outside is known from the second time on that they leave: three quarters of 400 ms.
  at_least "outside of Java" "$(ms_of attached.jfr "top = 'native.[native Thread]'")" 150 || return
  if [ "$2" = timer ]; then
    at_most "in Java" "$in_java" "$told" 25 && at_most "clocks" "$(counter attached.jfr cpuMs)" "$(counter attached.jfr processCpuMs)" 2
  else
    near "in Java" "$in_java" "$told" 25
  fi
}

# Threads that are over before a clock of theirs could tick: they show too few samples, and the rest is counted.
brief() { # JDK CLOCK
  rm -f brief.jfr
  timeout 120 "$1/bin/java" "-agentpath:$AGENT=filename=$PWD/brief.jfr,interval=${PERIOD_MS}ms,cstack=none,cpu-clock=$2" -Xmx64m \
    -cp "$CLASSES" ClockLoad short 1 0.15 >brief.out 2>brief.err || complain "$(cat brief.out brief.err)" || return
  total_is_process brief.jfr && near "long" "$(ms_of brief.jfr "thread = 'long'")" 500 4
}

# A sample has the name that its thread bore then: by the JDK's own jfr.
renamed() { # JDK JVM-OPTIONS
  local jdk=$1 name least
  shift
  rm -f renamed.jfr
  timeout 120 "$jdk/bin/java" "-agentpath:$AGENT=filename=$PWD/renamed.jfr,interval=${PERIOD_MS}ms,cstack=none,maxchunkage=1s" -Xmx96m "$@" \
    -cp "$CLASSES" Renamed >renamed.out 2>&1 || complain "$(cat renamed.out)" || return
  "$jdk/bin/jfr" $QUICK -J-Dfile.encoding=UTF-8 -J-Dstdout.encoding=UTF-8 print --events jdk.ExecutionSample renamed.jfr | grep -A6 sampledThread >renamed.txt
  for name in "renamed at once" early "später – 名前" "request 0" "request 1" "alone 0" "alone 1" "alone 2" nobody; do
    least=10
    [ "$name" != nobody ] || least=0
    echo "$name: $(grep -c "sampledThread = \"$name\"" renamed.txt) samples"
    [ "$(grep -c "sampledThread = \"$name\"" renamed.txt)" -ge $least ] || return
  done
  # A tick of the kernel may come between the thread's begin and its new name.
  [ "$(grep -c 'sampledThread = "nobody"' renamed.txt)" -le 6 ]
}

only_java() { # JDK
  record java "$1" sampledthreads=java || return
  [ "$(ms_of java.jfr "top like 'JVM.[%' or top like 'native.[%' or top like 'rec.[%'")" = 0 ] || complain "threads of others are there" || return
  [ "$(counter java.jfr threadUnseen)" = 0 ] || complain "what others run counts as unseen"
}

as_nobody() {
  AS_USER="setpriv --reuid=65534 --regid=65534 --clear-groups" every_kind "$@"
}

for jdk in $(jdks); do
  name=$(jdk_name "$jdk")
  check "all threads: the total is the process' CPU time, by name and kind ($name)" every_kind "$jdk" overwrite=true
  check "all threads: compilers show ($name)" compiler "$jdk"
  check "all threads: those that attach themselves, by timers ($name)" attached "$jdk" timer
  check "all threads: those that attach themselves, by perf ($name)" attached "$jdk" perf
  check "all threads: those that are over at once, by timers ($name)" brief "$jdk" timer
  check "all threads: those that are over at once, by perf ($name)" brief "$jdk" perf
  check "all threads: by the names they had then, under G1 ($name)" renamed "$jdk" -XX:+UseG1GC
  check "all threads: by the names they had then, under ZGC ($name)" renamed "$jdk" -XX:+UseZGC
  check "all threads: Java's alone, if that is asked for ($name)" only_java "$jdk"
  if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    check "all threads: without rights, and with ZGC, too ($name)" as_nobody "$jdk" overwrite=true -XX:+UseZGC
  fi
done
finish
