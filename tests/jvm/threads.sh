#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Thread dumps without a safepoint: held against jstack's, thread by thread; each state by its name; both kinds of deadlock; nothing in the
# JVM's own log of safepoints. In a recording too, and among threads that come and go.
# Alone: needs threads that run to be on a CPU.
. "$(dirname "$0")/lib.sh"
BY_CHANCE=1
DUMPS=${REC_THREAD_DUMPS:-20}
CLASSES=$(fixtures ThreadShapes.java ThreadChurn.java HeldLocks.java) || { fail "threads: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1
mkfifo input

# launch JAVA OPTIONS... MAIN ARGS...: runs until `end`; sets pid and waits for its "ready".
launch() {
  local java=$1 i
  shift
  [ -n "${pid:-}" ] && kill -9 "$pid" && wait "$pid" 2>/dev/null; exec 8>&-  # a test that failed
  "$java" -Xmx256m -cp "$CLASSES" "$@" <input >app.out 2>app.err &
  pid=$!
  exec 8>input
  for i in $(seq 200); do
    grep -q ready app.out && return
    sleep 0.1
  done
  complain "the program did not start: $(tail -3 app.err)"
}

end() {
  exec 8>&-
  wait "$pid"
  local rc=$?
  pid=
  return $rc
}

# of NAME FILE: the lines of that thread.
of() { awk -v head="\"$1\" " 'index($0, head) == 1 { on = 1 } /^$/ { on = 0 } on' "$2"; }

shows() {
  of "$1" dump >block
  grep -qE "$2" block || complain "$1: no $2 in: $(cat block)"
}

# A thread that runs may be stopped by a safepoint at any moment, by that of a class being prepared for one: not each time.
shows_running() {
  local i
  for i in 1 2 3 4 5 6 7 8; do
    shows shape-running 'ThreadShapes.spin' || return
    of shape-running dump | grep -q 'rec: in Java; on CPU' && return
    timeout 60 "$JREC" threads "$pid" >dump || return
  done
  complain "shape-running never runs: $(of shape-running dump)"
}

# The frames of every thread that does not move are those that the JVM's own tool has.
agrees_with_jstack() {
  local name
  timeout 60 "$1/bin/jstack" "$pid" >theirs || complain "jstack ended with $?" || return
  for name in main "Reference Handler" Finalizer shape-{parked,sleeping,waiting,accepting,locking,blocked} dead-{left,right,up,down}; do
    diff <(of "$name" theirs | grep -P '^\tat ') <(of "$name" dump | grep -P '^\tat ') || complain "$name differs from jstack's" || return
    diff <(of "$name" theirs | sed -n 2p) <(of "$name" dump | sed -n 2p) || complain "the state of $name differs from jstack's" || return
  done
}

shapes() {
  launch "$1/bin/java" ThreadShapes deadlock || return
  timeout 60 "$JREC" threads "$pid" >dump || complain "jrec threads ended with $?" || return
  agrees_with_jstack "$1" &&
    shows shape-parked 'rec: blocked, parked; off CPU' && shows shape-parked 'a java.lang.StringBuilder' &&
    shows shape-accepting 'rec: in native; off CPU' && shows shape-locking 'rec: held by "main"' &&
    shows shape-blocked 'BLOCKED \(on object monitor\)' && shows shape-blocked 'rec: held by "main"' &&
    shows main 'native read\+0x[0-9a-f]+ \(libc' && shows shape-parked 'native pthread_cond_wait' || return
  [ "$(grep -c '^Found one Java-level deadlock' dump)" = 2 ] || complain "not two deadlocks: $(grep -A9 deadlock: dump)" || return
  shows_running || return
  timeout 60 "$JREC" threads --json "$pid" >json && "$JREC" threads -o file.txt "$pid" >line || complain "json or file: $?" || return
  grep -q '"name":"shape-parked"' json && grep -q '^"shape-parked"' file.txt && grep -q 'file.txt$' line || complain "json or file: $(cat line)" || return
  end || complain "the program ended with $?: $(cat app.err)"
}

# Where references have colours, or lead to old copies: which object each thread waits for, and who holds it, is jstack's.
coloured() {
  launch "$1/bin/java" "-XX:+Use$2GC" ThreadShapes deadlock || return
  timeout 60 "$JREC" threads "$pid" >dump && timeout 60 "$1/bin/jstack" "$pid" >theirs || complain "jrec threads or jstack ended with $?" || return
  agrees_with_jstack "$1" && shows shape-locking 'rec: held by "main"' && shows shape-blocked 'rec: held by "main"' || return
  [ "$(grep -c '^Found one Java-level deadlock' dump)" = 2 ] || complain "not two deadlocks: $(grep -A9 deadlock: dump)" || return
  waits() { for name in shape-{parked,locking,blocked} dead-{left,right,up,down}; do of "$name" "$1" | grep -oE '(lock|wait for) +<0x[0-9a-f]+>.*'; done; }
  [ "$(waits dump | wc -l)" -ge 6 ] && diff <(waits theirs) <(waits dump) || complain "other objects than jstack's" || return
  end
}

# Frames, and between them what each has locked, waits for or is waiting to lock, are jstack's: in a dump that walks, and in one after it,
# also when the collector has moved the objects meanwhile. (jstack's comes last: it brings the frames' references up to date.)
held() {
  local name dump lines='^\t(at |- [^r])'
  launch "$1/bin/java" "-XX:+Use$2GC" -Xmx200m HeldLocks || return
  for dump in first second; do
    timeout 60 "$1/bin/jcmd" "$pid" GC.run >/dev/null || complain "jcmd ended with $?" || return
    timeout 60 "$JREC" threads --detail java "$pid" >$dump || complain "jrec threads ended with $?" || return
  done
  timeout 60 "$1/bin/jstack" "$pid" >theirs || complain "jstack ended with $?" || return
  for dump in second; do
    for name in main held-{warm-nested,warm-parked,hot-parked,hot-too,invalid,cold-parked,slept,waited,entered,class,makes,needs}; do
      of "$name" theirs | grep -P "$lines" >expected && diff expected <(of "$name" $dump | grep -P "$lines") || complain "$name differs from jstack's" || return
    done
  done
  [ "$(grep -c -- '- locked' second)" -ge 15 ] || complain "$(grep -c -- '- locked' second) locks" || return
  of held-needs second | grep -q 'in Object.wait()' || complain "held-needs waits: $(of held-needs second)" || return
  end
}

# What the first dump loads has cost a safepoint of JVMTI's; all further ones none.
without_safepoint() {
  local i before
  launch "$1/bin/java" -Xlog:safepoint:file=safepoints.log ThreadShapes || return
  timeout 60 "$JREC" threads "$pid" >dump || return
  before=$(grep -vc 'Safepoint "Cleanup"' safepoints.log)
  for i in $(seq "$DUMPS"); do timeout 60 "$JREC" threads "$pid" >dump || complain "dump $i ended with $?" || return; done
  [ "$(grep -vc 'Safepoint "Cleanup"' safepoints.log)" = "$before" ] || complain "safepoints: $(tail -3 safepoints.log)" || return
  timeout 60 "$1/bin/jstack" "$pid" >/dev/null
  [ "$(grep -vc 'Safepoint "Cleanup"' safepoints.log)" -gt "$before" ] || complain "not even jstack is in the log: this shows nothing" || return
  end
}

in_a_recording() {
  rm -f dumps.jfr
  launch "$1/bin/java" "-agentpath:$AGENT=filename=dumps.jfr,threaddump=200ms" ThreadShapes || return
  sleep 1
  end || complain "the program ended with $?" || return
  timeout 60 "$1/bin/jfr" $QUICK print --events jdk.ThreadDump dumps.jfr >dumps || complain "jfr refuses the recording" || return
  [ "$(grep -c '^jdk.ThreadDump' dumps)" -ge 3 ] || complain "$(grep -c '^jdk.ThreadDump' dumps) dumps" || return
  grep -q 'at ThreadShapes.spin' dumps && grep -q 'at ThreadShapes.park' dumps || complain "no stacks: $(head -30 dumps)"
}

# A dump takes the threads as they are: whoever ends meanwhile is left out, and nobody's frames are mixed.
among_threads_that_come_and_go() {
  local i
  launch "$1/bin/java" ThreadChurn 30 || return
  for i in $(seq "$DUMPS"); do
    timeout 60 "$JREC" threads "$pid" >dump || complain "dump $i ended with $?" || return
    # In any stack d3 stands above d4.
    awk -F'[.(]' '/^"/ { last = -1 } /\tat ThreadChurn\.d[0-9]/ { sub(/^d/, "", $2); if (last >= 0 && $2 != last + 1) { print; exit 1 } last = $2 }' dump ||
      complain "torn: $(grep -B12 -A3 -m1 'ThreadChurn.d' dump)" || return
    [ "$(grep -c '^"churn-' dump)" = 30 ] || complain "$(grep -c '^"churn-' dump) threads" || return
  done
  end
}

for home in $(jdks); do
  jdk=$(jdk_name "$home")
  check "threads: $jdk: a dump says what jstack says, and states, owners, deadlocks and native frames" shapes "$home"
  for gc in Z Shenandoah; do
    if has_gc "$home" $gc; then check "threads: $jdk, $gc: objects, owners and deadlocks are jstack's" coloured "$home" $gc; fi
  done
  for gc in G1 Z; do
    check "threads: $jdk, $gc: monitors that frames hold are jstack's" held "$home" $gc
  done
  check "threads: $jdk: no dump needs a safepoint" without_safepoint "$home"
  check "threads: $jdk: dumps at an interval are events of the recording" in_a_recording "$home"
  check "threads: $jdk: among threads that come and go" among_threads_that_come_and_go "$home"
done
finish
