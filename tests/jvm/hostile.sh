#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Programs that make a profiler's life hard: they end with the status and the output that they have without the agent, and what was
# recorded is read by every JDK.
#
#   REC_HOSTILE="fork halt"   only these
# Alone: times the last sample, and runs four at a time itself.
. "$(dirname "$0")/lib.sh"
. "$ROOT/fixtures/fault_lib.sh"
CLASSES=$(fixtures Hostile.java FaultRead.java) || { fail "hostile: fixtures compile"; finish; }
INCLUDE=$(oldest_jdk)/include
HOSTILE=$SCRATCH/libhostile.so
gcc -O2 -shared -fPIC -I"$INCLUDE" -I"$INCLUDE/linux" -o "$HOSTILE" "$ROOT/fixtures/hostile.c" &&
  gcc -O2 -o "$SCRATCH/block_signals" "$ROOT/fixtures/block_signals.c" || { fail "hostile: the library compiles"; finish; }
KEPT=$SCRATCH/kept
mkdir "$KEPT" && cd "$SCRATCH" || exit 1

# run OUT JAVA-OPTION... MODE: OUT and OUT.err, status in rc
run() {
  local out=$1
  shift
  rc=0
  (ulimit -v "$ADDRESS_SPACE" && exec timeout -s KILL 60 ${LAUNCHER:-} "$JDK/bin/java" $(native_access) -Dhostile="$HOSTILE" -cp "$CLASSES" "${@:1:$#-1}" \
    Hostile "${@: -1}") >"$out" 2>"$out.err" || rc=$?
}
ADDRESS_SPACE=unlimited
native_access() { [ "$(java_version "$JDK")" -lt 22 ] || echo --enable-native-access=ALL-UNNAMED; }

# same MODE [JAVA-OPTION...] : with the agent as without; interval and more options of it in AGENT_OPTIONS
same() {
  local mode=$1 plain_rc
  shift
  run plain "$@" "$mode"
  plain_rc=$rc
  run out "$@" "-agentpath:$AGENT=filename=a.jfr,interval=${INTERVAL:-1ms}" "$mode"
  [ "$rc" = "$plain_rc" ] || complain "exit code $rc, without the agent $plain_rc: $(grep -v '^ *$' out out.err | head -5)" || return
  cmp -s out plain || complain "output differs: $(diff plain out | head -5)" || return
  [ "$plain_rc" != 137 ] || complain "the program itself hangs"
}

# kept [FILE...]: they are there. Each JDK's own reader gets them all at the end, and has to find samples in each.
kept() {
  local directory
  directory=$(mktemp -d "$KEPT/$(basename "$PWD")-XXXX") && cp "${@:-a.jfr}" "$directory" || complain "$(head -3 out.err)"
}
recorded() { same "$@" && kept; }
# What that reader says of a.jfr, in the file `read`.
look() { timeout 120 "$JDK/bin/java" $READER -cp "$CLASSES" FaultRead a.jfr >read 2>&1 || complain "$(head -3 read)"; }

test_fork() { recorded fork && [ "$("$JREC" summary a.jfr | grep -c .)" -gt 3 ]; }
test_vfork() { recorded vfork; }
test_processes() { recorded processes; }
test_threads() { recorded threads; }
test_overflow() { INTERVAL=200us recorded overflow; }
test_native_overflow() { INTERVAL=200us recorded nativeOverflow; }
test_blocked() { recorded blocked; }
# In all of the VM's threads, from the first on. They have samples, and none is lost.
test_blocked_at_start() {
  LAUNCHER=$SCRATCH/block_signals INTERVAL=1ms,safepoint=1ms,threaddump=100ms recorded work && look || return
  grep -q " lost=0 " read || complain "lost: $(cat read)"
}
test_exit_from_many() { recorded exitFromMany; }
test_exit_in_hook() { recorded exitInHook; }
test_exit_in_initializer() { recorded exitInInitializer; }
test_exit_uncaught() { recorded exitUncaught; }
test_halt() {
  same halt || return
  if [ -e a.jfr ]; then kept; else kept a.jfr.chunks/*.jfr; fi
}

# A child of fork() does not keep the lock of the dead.
test_fork_outlives() {
  mkfifo in
  timeout -s KILL 60 "$JDK/bin/java" $(native_access) -Dhostile="$HOSTILE" "-agentpath:$AGENT=filename=a.jfr,interval=1ms" -cp "$CLASSES" Hostile forkAndStay <in >out 2>out.err &
  local i pid app=$!
  exec 9>in
  for i in $(seq 100); do grep -q forked out && break; sleep 0.1; done
  sleep 1.5
  pid=$(pgrep -P "$app" -x java | head -1)
  kill -9 "$pid"
  wait "$app"
  local free=no
  flock -n a.jfr.chunks true && free=yes
  exec 9>&-
  [ "$free" = yes ] || complain "the child of a dead process still locks its repository" || return
  kept a.jfr.chunks/*.jfr
}

newest_ms() { sed -nE 's/.*newest_ms=([0-9]+).*/\1/p' read; }
# The recording goes on until the end, which is `now`.
to_the_end() {
  local end
  look || return
  end=$(stat -c %.Y out | awk '{ printf "%d", $1 * 1000 }')
  [ $((end - $(newest_ms))) -lt 2000 ] || complain "the newest sample is $((end - $(newest_ms))) ms old at the end"
}
test_sigprof_before() { recorded sigprofBefore "-agentpath:$HOSTILE=sigprof" && to_the_end; }
test_sigprof_after() { recorded sigprofAfter && to_the_end; }
test_sigsegv_before() { recorded work "-agentpath:$HOSTILE=sigsegv"; }
test_sigsegv_chained() { INTERVAL=200us recorded sigsegvChained && to_the_end; }
# Compiled code is stopped by faults too: beside such a handler only an interpreter lives.
test_sigsegv_lonely() { INTERVAL=200us recorded sigsegvLonely -Xint; }

test_jfr_too() {
  local log=-Xlog:disable
  recorded work $log "-XX:StartFlightRecording=filename=peer.jfr" || return
  timeout 60 "$JDK/bin/jfr" $QUICK summary peer.jfr >summary 2>&1 || complain "the JDK's own recording: $(head -3 summary)"
}
# The VM is told that others have handlers; else it prints its table of them once a handler is not its own.
test_check_jni() { recorded work -Xcheck:jni -XX:+AllowUserSignalHandlers; }
test_mlockall() {
  [ "$(id -u)" = 0 ] || return 0
  recorded work -Xmx64m "-agentpath:$HOSTILE=mlockall"
}

SMALL="-Xmx64m -XX:CompressedClassSpaceSize=16m -XX:ReservedCodeCacheSize=32m -XX:+UseSerialGC"
# Address space for the JVM and some more: recorded with smaller tables. With less: not recorded, one line.
test_small_address_space() { ADDRESS_SPACE=3000000 recorded work $SMALL; }
test_no_address_space() {
  ADDRESS_SPACE=900000 same work $SMALL || return
  if [ -e a.jfr ]; then kept; else grep -q '^rec: ' out.err || complain "not recorded, and silent"; fi
}

ALL="fork fork_outlives vfork processes threads overflow native_overflow blocked blocked_at_start sigprof_before sigprof_after sigsegv_before sigsegv_chained
  sigsegv_lonely exit_from_many exit_in_hook exit_in_initializer exit_uncaught halt jfr_too check_jni mlockall small_address_space
  no_address_space"

# Some at a time, each in a directory of its own; verdicts in order afterwards.
running=0
for name in ${REC_HOSTILE:-$ALL}; do
  for JDK in $(jdks); do
    dir=$SCRATCH/$name-$(jdk_name "$JDK")
    mkdir "$dir"
    (cd "$dir" && begin=$SECONDS && if "test_$name" >why 2>&1; then echo ok; else echo bad; fi >verdict; echo "$name $((SECONDS - begin)) s" >took) &
    running=$((running + 1))
    [ "$running" -lt "${REC_HOSTILE_JOBS:-4}" ] || { wait -n; running=$((running - 1)); }
  done
done
wait
[ -z "${REC_HOSTILE_TIMES:-}" ] || cat "$SCRATCH"/*/took | sort -k2n | tail -8
verdict() { [ "$(cat "$1/verdict")" = ok ] || complain "$(cat "$1/why")"; }
for name in ${REC_HOSTILE:-$ALL}; do
  for JDK in $(jdks); do check "hostile: $name ($(jdk_name "$JDK"))" verdict "$SCRATCH/$name-$(jdk_name "$JDK")"; done
done
read_by_all() {
  find "$KEPT" -name '*.jfr' -print0 | xargs -0r timeout 300 "$1/bin/java" $READER -cp "$CLASSES" FaultRead >read 2>&1 || complain "$(grep -v ' ok ' read | head -5)" || return
  ! grep ' samples=0 ' read
}
for JDK in $(jdks); do check "hostile: $(jdk_name "$JDK") reads them all" read_by_all "$JDK"; done
sweep_spools
finish
