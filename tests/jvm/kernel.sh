#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Frames of the kernel: on top of those that called it, where perf may see it; one frame where its symbols are hidden; and a word where it may not.
. "$(dirname "$0")/lib.sh"
BY_CHANCE=1
CLASSES=$(fixtures ClockLoad.java) || { fail "kernel: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1
MAY_SEE=$([ "$(id -u)" = 0 ] && [ -r /proc/sys/kernel/perf_event_paranoid ] && echo yes)
[ -n "$MAY_SEE" ] || { skipped kernel "only root's perf sees the kernel"; finish; }

# reads NAME JDK OPTIONS: large reads of /dev/zero, and computing; AS is who runs it.
reads() {
  timeout 120 ${AS:-} "$2/bin/java" "-agentpath:$AGENT=filename=$PWD/$1.jfr,overwrite=true,$3" -Xmx64m -cp "$CLASSES" ClockLoad kernel 1.5 >"$1.out" 2>"$1.err" ||
    complain "$(cat "$1.err")" || return
  "$JREC" collapsed --thread main "$1.jfr" >stacks
}

# Of main's samples in the system call, so many in a hundred end in the kernel: those before and behind it are few.
in_kernel() {
  awk '/ClockLoad.kernel;.*;libc.so.6.*read[; ]/ { all += $NF; if (/;kernel\.[^;]* [0-9]+$/) found += $NF } END { printf "%d\n", all < 20 ? -1 : 100 * found / all }' stacks
}

# What called the kernel is below its frames.
shown() { # JDK OPTIONS
  reads shown "$1" "cstack=kernel,$2" || return
  [ ! -s shown.err ] || complain "said: $(cat shown.err)" || return
  [ "$(in_kernel)" -ge 90 ] || complain "of the samples in read, $(in_kernel) % are in the kernel: $(head -3 stacks | cut -c1-300)" || return
  grep -qE 'ClockLoad.kernel;.*RandomAccessFile.readBytes[^;]*;libjava.so[^ ]*;libc.so.6.*;kernel\..*vfs_read.*;kernel\.' stacks || complain "no read: $(grep -m3 kernel stacks)" || return
  "$1/bin/jfr" print --events jdk.ExecutionSample --stack-depth 64 shown.jfr | grep 'kernel\.vfs_read' >/dev/null || complain "jfr shows none" || return
  "$JREC" verify shown.jfr >verified || complain "$(cat verified)"
}

# Root without the right to see symbols.
nameless() {
  AS="setpriv --bounding-set=-syslog --inh-caps=-syslog" reads nameless "$1" cstack=kernel || return
  grep -q ';kernel\.\[no symbols\] ' stacks || complain "$(cat nameless.err; head -3 stacks | cut -c1-300)" || return
  ! grep -E ';kernel\.[^;]*;kernel\.|;kernel\.[^[]' stacks || complain "more than one frame"
}

# An ordinary user's perf does not see the kernel, timers never do: said once, and all else is there.
said() { # JDK OPTIONS WORDS
  chmod 755 "$SCRATCH" && rm -rf said && mkdir -m 777 said && cd said || return
  reads said "$1" "cstack=kernel,$2" && grep -q "$3" said.err && [ "$(wc -l <said.err)" = 1 ] && grep -q 'ClockLoad.kernel;.*libc.so.6' stacks && ! grep ';kernel\.' stacks
  local rc=$?
  [ $rc = 0 ] || cat said.err
  cd .. && return $rc
}

for jdk in $(jdks); do
  name=$(jdk_name "$jdk")
  check "kernel: what is in the kernel has its frames, and those that called it ($name)" shown "$jdk" interval=5ms
  check "kernel: without its symbols one frame stands for it ($name)" nameless "$jdk"
done
jdk=$(oldest_jdk)
check "kernel: so it is at a fine interval" shown "$jdk" interval=1ms
check "kernel: timers do not see it" said "$jdk" cpu-clock=timer "timers do not see it"
if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 2 ]; then
  AS="setpriv --reuid=65534 --regid=65534 --clear-groups" check "kernel: nor does who has no rights" said "$jdk" cpu-clock=perf "perf_event_open may not see the kernel"
fi
finish
