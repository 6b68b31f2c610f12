#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Native frames of stacks that are no samples of CPU time: of threads that stand still, read from outside; of late threads; of thread dumps,
# which a debugger's frames are held against.
. "$(dirname "$0")/lib.sh"
BY_CHANCE=1
CLASSES=$(fixtures WallLoad.java SafepointLate.java ThreadShapes.java) || { fail "outside: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1

START="^libc.so.6.(clone3?|__clone3?);libc.so.6.(start_thread|__pthread_start)?"
VM="(;libjvm.so[^;]*|;stubs[^;]*)+"  # frames of the VM
JAVA="$START$VM;java.lang.Thread.run|$START$VM;WallLoad.Worker.run"

# most NAME THREAD METHOD PATTERN: of the thread's stacks with the method most of the time is like this. One that is met when it has been woken,
# and waits for a CPU, does not show what it stood in.
most() {
  "$JREC" collapsed --event wall --thread "$2" "$1.jfr" | grep -E "$3" >stacks
  awk -v pattern="$4" -v what="$2 $3" '
    { count = $NF; all += count; if ($0 ~ pattern) good += count; else if (!other) other = $0 }
    END {
      printf "%s: %d of %d\n", what, good, all
      if (other) print "other: " other
      exit !(all >= 20 && good >= 0.7 * all)
    }' stacks
}

# Who stands still shows what it stands in, how Java came there, and how the thread began. Once WallLoad.blocked is compiled, a stub
# stands between it and the VM: it stays interpreted.
wall() { # JDK VM-OPTIONS...
  JVM="-Xmx128m -XX:CompileCommand=quiet -XX:CompileCommand=exclude,WallLoad::blocked $2" recorded WallLoad wall "$1" wall=20ms 5 || return
  most wall mixed 'WallLoad.parked;' "$START$VM;.*Unsafe.park;libjvm.so.Unsafe_Park;libjvm.so.Parker::park;libc.so.6.[^;]*cond_(timed)?wait" || return
  most wall slow 'WallLoad.sleepy;' "$START$VM;.*Thread.sleep(Nanos)?0?;libjvm.so.JVM_Sleep[^;]*$VM;libc.so.6.[^;]*cond_(timed)?wait" || return
  most wall mixed 'WallLoad.waiting;' "$START$VM;.*Object.wait0?;libjvm.so.JVM_MonitorWait$VM;libc.so.6.[^;]*cond_(timed)?wait" || return
  most wall blocked 'WallLoad.blocked' "$START$VM;.*WallLoad.blocked;libjvm.so.[^;]*monitorenter[^;]*$VM;libc.so.6.[^;]*cond_(timed)?wait" || return
  most wall reader 'FileInputStream.readBytes' "$START$VM;.*FileInputStream.readBytes0?;(libjava.so[^;]*;)+libc.so.6.(__)?read(;libc.so.6.__(internal_)?syscall_cancel(_arch)?)* " || return
  "$1/bin/jfr" $QUICK print --events profiler.WallClockSample --stack-depth 40 wall.jfr | grep 'Parker::park' >/dev/null || complain "jfr shows no native frames"
}

hidden() {
  JVM=-Xmx128m recorded WallLoad hidden "$1" wall=20ms,safepoint=5ms,cstack=none 2 || return
  "$JREC" print --stack-depth 64 --events profiler.WallClockSample,rec.LateStack,rec.LateToSafepoint hidden.jfr >stacks && [ -s stacks ] && ! grep -m1 -E 'libjvm.so|libc.so' stacks || complain "native frames are shown"
}

# A thread that zeroes a new array is late inside the VM: the function is named above Java's frames, and what started the thread below them. On a machine that others use the reason may be that it had no CPU.
late() { # JDK VM-OPTIONS...
  JVM="-Xmx1400m $2" recorded SafepointLate late "$1" "safepoint=10ms,safepointlog=$PWD/late.ttsp" alloc 3 || return
  "$JREC" print --json --stack-depth 64 --events rec.LateStack,rec.LateToSafepoint late.jfr >late.json || return
  "$JREC" safepoints -n 100 late.jfr >report
  grep -q 'libjvm.so\.' report && grep -q 'SafepointLate.longAlloc' report || complain "no native frames: $(grep -m1 -A20 '^Safepoint' report)" || return
  grep -qE '^ +[0-9]+ +[0-9.]+ +[0-9.]+  SafepointLate.longAlloc.*(VM code|waiting for a CPU)' report || complain "the method is not told: $(grep -m1 -A5 'method <-' report)" || return
  grep -q '"type": *"C++"' late.json || complain "no frames of native code in the events" || return
  grep -qE '^[0-9]+ - libjvm.so\.[A-Za-z_]' late.ttsp && grep -qE '^[0-9]+ - SafepointLate.longAlloc' late.ttsp || complain "the log has no native frames: $(head -30 late.ttsp)" || return
  timeout 20 "$JREC" view --width 200 late-to-safepoint late.jfr | grep 'SafepointLate' >/dev/null || complain "the view tells of native code"
}

# Each frame that a dump shows of a thread which does not move is one of the debugger's, from the innermost on, and none is left out down to
# Java or the thread's start. The debugger tells the pc of all frames but the innermost, and of those that are inlined.
as_a_debugger() { # JDK VM-OPTIONS...
  local pid i
  rm -f input && mkfifo input
  "$1/bin/java" -Xmx128m $2 -cp "$CLASSES" ThreadShapes <input >app.out 2>app.err &
  pid=$!
  exec 8>input
  for i in $(seq 200); do grep -q ready app.out && break || sleep 0.1; done
  timeout 60 "$JREC" threads "$pid" >/dev/null  # what the agent's own threads do has settled
  timeout 60 "$JREC" threads --json "$pid" >dump.json
  timeout 100 gdb -nx -iex 'set auto-load off' -batch -p "$pid" -ex 'set print frame-arguments none' -ex 'set backtrace past-main on' -ex 'set backtrace past-entry on' -ex 'thread apply all bt 24' >gdb.out 2>gdb.err
  exec 8>&-
  wait "$pid"
  python3 - <<'END' >compared || complain "$(tail -12 compared; tail -3 gdb.err)" || return
import json, re, sys
theirs, pcs = {}, []
for line in open("gdb.out", errors="replace"):
    if head := re.match(r"Thread .*LWP (\d+)", line):
        pcs = theirs.setdefault(int(head[1]), [])
    elif frame := re.match(r"#\d+ +(0x[0-9a-f]+)", line):
        pcs.append(int(frame[1], 16))
threads = frames = differ = lost = 0
for thread in json.load(open("dump.json"))["threads"]:
    ours = [int(frame["pc"], 16) for frame in thread["nativeStack"]][1:]
    if not ours or thread["osThreadId"] not in theirs: continue
    threads += 1
    frames += len(ours)
    if 0 in ours: lost += 1; print("not unwound:", thread["name"], thread["nativeStack"])
    # One after another; but the debugger also tells of a function of the C library that has only jumped on.
    known = theirs[thread["osThreadId"]]
    places = [known.index(pc) if pc in known else -1 for pc in ours if pc]
    steps = [after - before for before, after in zip(places, places[1:])]
    if -1 in places or any(step < 1 for step in steps) or sum(steps) > len(steps) + 1:
        differ += 1
        print("differs:", thread["name"], thread["nativeStack"], [hex(pc) for pc in known])
    start = thread["nativeStack"][-1]["function"] or ""
    if not thread["java"] and thread["name"] != "java" and "clone" not in start: lost += 1; print("ends early:", thread["name"], thread["nativeStack"])
print(threads, "threads,", frames, "frames,", differ, "differ,", lost, "end early")
sys.exit(not (threads >= 12 and frames >= 60 and differ <= 1 and lost == 0))
END
  tail -1 compared
  ! grep -q '"frame":42949' dump.json || complain "a monitor of no frame: $(grep -o '.\{60\}"frame":42949.\{60\}' dump.json)"
}

# Where the files of threads are root's, the frames between Java's and below them are there still.
ordinary() { # JDK
  [ "$(id -u)" = 0 ] || { recorded WallLoad user "$1" wall=20ms 3 && most user mixed 'WallLoad.parked;' "$START$VM;"; return; }
  mkdir -p user && chmod 777 user && chmod 755 "$SCRATCH" && chmod -R a+rX "$CLASSES"
  (cd user && timeout 60 setpriv --reuid=65534 --regid=65534 --clear-groups "$1/bin/java" "-agentpath:$AGENT=filename=$PWD/user.jfr,wall=20ms" -Xmx128m -cp "$CLASSES" WallLoad 3 >user.out 2>user.err) ||
    complain "$(cat user/user.err)" || return
  most user/user mixed 'WallLoad.parked;' "$START$VM;.*Unsafe.park;libjvm.so.Unsafe_Park;libjvm.so.Parker::park;libc.so.6.[^;]*cond_(timed)?wait"
}

for jdk in $(jdks); do
  name=$(jdk_name "$jdk")
  for gc in G1 Z; do
    has_gc "$jdk" $gc || continue
    check "outside: who stands still shows what in, between Java's frames and below them ($name, $gc)" wall "$jdk" -XX:+Use${gc}GC
  done
  check "outside: a thread that is late inside the VM shows where ($name)" late "$jdk" -XX:+UseSerialGC
  if command -v gdb >/dev/null && command -v python3 >/dev/null; then check "outside: native frames of dumps are a debugger's ($name)" as_a_debugger "$jdk" -XX:+UseSerialGC; fi
done
check "outside: of an ordinary user, too" ordinary "$(oldest_jdk)"
check "outside: cstack=none hides them all" hidden "$(oldest_jdk)"
finish
