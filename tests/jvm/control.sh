#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# jrec start, stop, dump, status and list on running JVMs: they obey, refuse with the reason, and are never harmed.
#
#   REC_CYCLES   start/dump/stop cycles in one JVM, its memory, threads and descriptors compared (default 50)
. "$(dirname "$0")/lib.sh"
BY_CHANCE=1
. "$ROOT/fixtures/control_lib.sh"
CYCLES=${REC_CYCLES:-50}
program Work

whole_life() {
  launch "$1" || return
  obeys status "$pid" && says '^not recording' || return
  obeys start "$pid" -f live.jfr --interval 1ms && says "$SCRATCH/live.jfr" || return
  sleep 1.5
  obeys status "$pid" --json && says '"recording":true' && says '"samples":[1-9]' || return
  obeys dump "$pid" -o dumped.jfr && printable dumped.jfr || return
  [ "$(stat -c %a dumped.jfr)" = 600 ] || complain "mode of the dump: $(stat -c %a dumped.jfr)" || return
  obeys status "$MAIN" && says '^recording since' || return
  obeys stop "$MAIN" && readable live.jfr || return
  obeys status "$pid" --json && says '"recording":false' || return
  refuses 5 "there is no recording" dump "$pid" -o none.jfr || return
  obeys start "$pid" -f again.jfr --interval 2ms -O stackdepth=16 -- maxsize=10m 'name=a, "b"' || return
  refuses 5 "" start "$pid" -f third.jfr || return  # it records already
  obeys status "$pid" && says 'again\.jfr' || return
  sleep 1
  obeys stop "$pid" -o elsewhere.jfr && readable elsewhere.jfr || return
  [ ! -e again.jfr ] || complain "again.jfr exists" || return
  leaves_no_answer && unharmed
}

wrong_names() {
  local name
  launch "$1" || return
  obeys start "$pid" -f on.jfr --interval 1ms && ln -sf on.jfr link && rm -f pipe && mkfifo pipe || return
  for name in /proc/nope.jfr /dev/null link pipe; do
    refuses 5 "" dump "$pid" -o "$name" && refuses 5 "the recording goes on" stop "$pid" -o "$name" || return
  done
  [ -z "$(ls -d /dev/null-* link-* pipe-* 2>/dev/null)" ] || complain "made: $(ls -d /dev/null-* link-* pipe-*)" || return
  refuses 1 "standard output" dump "$pid" -o - && refuses 1 "standard output" stop "$pid" -o - || return
  obeys status "$pid" && says '^recording since' && obeys stop "$pid" && readable on.jfr && leaves_no_answer && unharmed
}

# A link stays what it is, and a ring replaces only what is in the ring.
overwrites() {
  local name
  rm -rf own* dumped* stopped* link ring-*.jfr  # those of other checks, too
  for name in dumped stopped; do echo another recording >$name.jfr; done
  launch "$1" || return
  obeys start "$pid" -f 'ring-%n{3}.jfr' --interval 1ms && obeys dump "$pid" -o dumped.jfr && says 'dumped-2\.jfr' && rm dumped-2.jfr && obeys stop "$pid" || return
  obeys start "$pid" -f own.jfr --interval 1ms overwrite=true && sleep 1 && ln -s own.jfr link || return
  refuses 5 "symbolic link" dump "$pid" -o link || return
  obeys dump "$pid" -o dumped.jfr && readable dumped.jfr && obeys stop "$pid" -o stopped.jfr && readable stopped.jfr || return
  [ -z "$(ls -d dumped-* stopped-* own* 2>/dev/null)" ] || complain "made: $(ls -d dumped-* stopped-* own*)" || return
  leaves_no_answer && unharmed
}

wrong_options() {
  launch "$1" || return
  refuses 5 "interval" start "$pid" -f w.jfr --interval 1us || return
  refuses 5 "did you mean 'stackdepth'" start "$pid" -O stackdept=3 || return
  refuses 5 "unknown option 'bare'" start "$pid" bare && refuses 5 "key=value" start "$pid" bare.jfr || return
  refuses 1 "" start "$pid" --intervall 5ms || return
  refuses 1 "-O safepoint=10ms" start "$pid" -o safepoint=10ms || return
  [ ! -e safepoint=10ms ] || complain "safepoint=10ms was written" || return
  refuses 5 "1024 bytes" start "$pid" -O "name=$(printf '%01500d' 0)" || return
  obeys status "$pid" && says '^not recording' || return
  [ ! -e w.jfr ] || complain "w.jfr was written" || return
  obeys start "$pid" -o right.jfr && says "right\.jfr" && obeys stop "$pid" && leaves_no_answer && unharmed
}

by_jcmd() {
  launch "$1" || return
  timeout 30 "$1/bin/jcmd" "$pid" JVMTI.agent_load "$AGENT" "\"start,interval=1ms,filename=$SCRATCH/jcmd.jfr\"" >jcmd.out 2>&1
  grep -q 'return code: 0' jcmd.out || complain "start: $(cat jcmd.out)" || return
  sleep 1
  timeout 30 "$1/bin/jcmd" "$pid" JVMTI.agent_load "$AGENT" '"stop"' >jcmd.out 2>&1
  grep -q 'return code: 0' jcmd.out || complain "stop: $(cat jcmd.out)" || return
  readable jcmd.jfr && unharmed
}

forbidden() {
  launch "$1" -XX:-EnableDynamicAgentLoading || return
  refuses 5 "ynamic agent loading is not enabled" start "$pid" && refuses 5 "-agentpath" start "$pid" && unharmed
}

# With -Xrs nobody handles SIGQUIT; the socket is there from the start instead. Without the socket nothing may be sent.
reduced_signals() {
  launch "$1" -Xrs || return
  wait_until test -S "/tmp/.java_pid$pid" || complain "no attach socket" || return
  obeys start "$pid" -f rs.jfr && obeys stop "$pid" || return
  rm "/tmp/.java_pid$pid"
  sleep 3  # it is not taken for a JVM that is still starting
  refuses 5 "does not handle SIGQUIT" start "$pid" -f rs2.jfr && unharmed
}

no_attach() {
  launch "$1" -XX:+DisableAttachMechanism || return
  refuses 5 "DisableAttachMechanism" start "$pid" && unharmed || return
  JAVA_TOOL_OPTIONS=-XX:+DisableAttachMechanism launch "$1" || return  # not on the command line
  refuses 5 "DisableAttachMechanism" start "$pid" && unharmed
}

stopped() {
  launch "$1" || return
  kill -STOP "$pid"
  wait_until grep -q '^State:.T' "/proc/$pid/status"
  refuses 5 "it is stopped" start "$pid" || return
  kill -CONT "$pid"
  obeys start "$pid" -f cont.jfr && obeys stop "$pid" && unharmed
}

listed() {
  launch "$1" || return
  jrec list
  [ "$rc" = 0 ] && grep -qE "^ *$pid .* no +$MAIN\$" out || complain "list: $(cat out err)" || return
  obeys start "$pid" -f l.jfr || return
  jrec list
  grep -qE "^ *$pid .* yes +$MAIN\$" out || complain "list: $(cat out)" || return
  obeys stop $pid && jrec list
  grep -qE "^ *$pid .* idle +$MAIN\$" out || complain "list of one that is idle: $(cat out)" || return
  obeys list --json && says "\"pid\":$pid,.*\"main\":\"$MAIN\"" && unharmed
}

ambiguous() {
  local first
  launch "$1" || return
  first=$pid
  launch "$1" || return
  refuses 1 "$first $MAIN" status "$MAIN" && refuses 1 "$pid $MAIN" status "$MAIN" && unharmed
  rc=$?
  pid=$first
  end
  return $rc
}

no_jvm() {
  sleep 600 &
  pid=$!
  refuses 5 "no JVM" start "$pid" || return
  kill -0 "$pid" || complain "the process died" || return
  end
  refuses 5 "there is no process 1999999999" start 1999999999 && refuses 1 "no JVM is called" start NoSuchProgram$$
}

may_be_other_user() { setpriv --reuid=65534 --regid=65534 --clear-groups test -r "$AGENT" -a -r "$NEAR/$MAIN.class" 2>/dev/null; }

other_user() {
  mkdir -p "$NEAR/nobody" && chown 65534 "$NEAR/nobody"
  setpriv --reuid=65534 --regid=65534 --clear-groups "$1/bin/java" -Drests=true -cp "$NEAR" "$MAIN" 600 >app.out 2>app.err &
  pid=$!
  wait_until started || complain "the program did not start: $(cat app.err)" || return
  obeys start "$pid" -f "$NEAR/nobody/nobody.jfr" --interval 1ms && sleep 1 && obeys stop "$pid" || return
  [ "$(stat -c %u "$NEAR/nobody/nobody.jfr")" = 65534 ] || complain "not the user's file" || return
  readable "$NEAR/nobody/nobody.jfr" && leaves_no_answer && unharmed || return
  launch "$1" || return
  setpriv --reuid=65534 --regid=65534 --clear-groups "$NEAR/jrec" start "$pid" >out 2>err
  [ $? = 5 ] && grep -q 'run jrec as that user' err || complain "as another user: $(cat out err)" || return
  unharmed
}

# The socket of a dead process with the same number, which is known before the JVM starts.
deaf() {
  mkdir -p "$NEAR/nobody" && chown 65534 "$NEAR/nobody" && rm -f "$NEAR/go"
  setpriv --reuid=65534 --regid=65534 --clear-groups bash -c 'until [ -e "$0/go" ]; do sleep 0.1; done; exec "$@"' "$NEAR" \
    "$1/bin/java" -Drests=true -cp "$NEAR" "$MAIN" 600 >app.out 2>app.err &
  pid=$!
  rm -f "/tmp/.java_pid$pid"
  python3 -c "import socket; socket.socket(socket.AF_UNIX).bind('/tmp/.java_pid$pid')" && touch -d 1990-01-01 "/tmp/.java_pid$pid" &&
    touch "$NEAR/go" || complain "no socket" || return
  wait_until started || complain "the program did not start: $(cat app.err)" || return
  jrec start "$pid" -f "$NEAR/nobody/deaf.jfr"
  end
  [ "$rc" = 5 ] && grep -q "\\.java_pid$pid of an older process, which belongs to user 0, is in its way" err ||
    complain "exit code $rc: $(cat err)"
}

# A JVM that is process 1 of its own pid namespace, with a /tmp of its own.
may_unshare() { unshare -m -p -f mount -t tmpfs none /mnt 2>/dev/null; }

contained() {
  local outer=0
  unshare -m -p -f --mount-proc bash -c 'mount -t tmpfs none /tmp && cd /tmp && exec "$@"' - \
    "$1/bin/java" -Drests=true -cp "$NEAR" "$MAIN" 600 >app.out 2>app.err &
  outer=$!
  wait_until child_of $outer || complain "no process in the namespace: $(cat app.err)" || return
  wait_until started || complain "the program did not start: $(cat app.err)" || return
  contained_life
  rc=$?
  kill -9 "$pid"
  pid=$outer
  end
  return $rc
}
child_of() { pid=$(pgrep -P "$1" java) && [ -n "$pid" ]; }

# In the mount namespace of jrec, with another root directory.
chrooted() {
  export -f $(compgen -A function)
  SCRATCH=$SCRATCH NEAR=$NEAR JREC=$JREC MAIN=$MAIN unshare -m bash -c 'in_jail "$1"' - "$1"
}
in_jail() {
  local jail=$SCRATCH/jail part outer
  mkdir -p "$jail" && mount -t tmpfs none "$jail" || return
  mkdir -p "$jail"/{usr,etc,proc,dev/shm,tmp,app}
  for part in usr etc proc dev dev/shm; do mount --rbind "/$part" "$jail/$part" || return; done
  for part in lib lib64 bin; do ln -s "usr/$part" "$jail/$part"; done
  cp "$NEAR"/*.class "$jail/app/"
  chroot "$jail" /bin/sh -c 'cd /tmp && exec "$@"' - "$1/bin/java" -Drests=true -cp /app "$MAIN" 600 >app.out 2>app.err &
  pid=$!
  wait_until started || complain "the program did not start: $(cat app.err)" || return
  contained_life "$pid"
  local code=$?
  end
  return $code
}

# contained_life: the pid inside.
contained_life() {
  local root=/proc/$pid/root
  local tmp=$root/tmp
  obeys start "$pid" -f inner.jfr --interval 1ms && says "$root" || return
  sleep 1
  obeys status "$pid" --json && says "\"pid\":$pid" && says '"recording":true' || return
  refuses 5 "" start "$pid" -f third.jfr || return  # the library is found again
  rm -f fetched.jfr
  obeys dump "$pid" -o fetched.jfr && says 'fetched\.jfr' && readable fetched.jfr || return
  [ "$(stat -c %a fetched.jfr)" = 600 ] || complain "mode of the fetched file: $(stat -c %a fetched.jfr)" || return
  refuses 5 "the recording goes on" stop "$pid" -o /proc/nope.jfr || return
  obeys stop "$pid" && readable "$tmp/inner.jfr" || return
  obeys start "$pid" -f second.jfr --interval 1ms && sleep 1 && obeys stop "$pid" -o stopped.jfr && readable stopped.jfr || return
  leaves_no_answer "$tmp" "${1:-1}" || return
  # The library's copy is all that may be left.
  [ "$(ls -d "$tmp"/rec-* | wc -l)" -le 1 ] || complain "left: $(ls -d "$tmp"/rec-*)" || return
  [ ! -s app.out ] || complain "the program said: $(head -5 app.out)"
}

cycles() {
  local before after i
  launch "$1" -Xms64m -Xmx64m -XX:+AlwaysPreTouch -XX:+UseSerialGC || return
  for i in $(seq "$CYCLES"); do
    obeys start "$pid" -f cycle.jfr --interval 1ms && obeys dump "$pid" -o dump.jfr && obeys stop "$pid" || complain "in cycle $i" || return
    [ "$i" != 10 ] || before=$(holdings)
  done
  after=$(holdings)
  echo "# $(jdk_name "$1"): $CYCLES cycles; KiB, threads, of rec's, descriptors: $before behind the 10th, $after behind the last" | tee -a figures
  compare $before $after || return
  [ -z "$(grep -E 'rec-.*spool|cycle' /proc/$pid/maps)" ] || complain "still mapped: $(grep -E 'spool|cycle' /proc/$pid/maps)" || return
  [ -z "$(ls -d /dev/shm/rec-$pid-* 2>/dev/null)" ] || complain "left: $(ls -d /dev/shm/rec-$pid-*)" || return
  unharmed
}

# What malloc gave and free did not get, of rec and of the VM; the interpreter alone, since compilers come and go.
keeps_no_memory() {
  local kept
  gcc -O2 -w "-I$1/include" "-I$1/include/linux" -o attach_cycles "$ROOT/fixtures/attach_cycles.c" || return
  timeout 100 ./attach_cycles "$1/lib/server/libjvm.so" "$AGENT" 60 "$SCRATCH/kept.jfr" -Xint -Xmx64m -XX:+UseSerialGC >kept 2>/dev/null || complain "$(cat kept)" || return
  kept=$(sed -nE 's/^kept (-?[0-9]+) bytes a cycle$/\1/p' kept)
  echo "# $(jdk_name "$1"): $(cat kept)" >>figures
  [ "${kept:-9999}" -le 100 ] || complain "$(cat kept)"
}

cp "$JREC" "$NEAR/jrec" && chmod 755 "$NEAR/jrec"
for jdk in $(jdks); do
  name=$(jdk_name "$jdk")
  verdict "control: start, status, dump, stop, and start again ($name)" whole_life "$jdk"
  verdict "control: wrong options are told and change nothing ($name)" wrong_options "$jdk"
  verdict "control: a name at which no recording can stand is refused, and the recording goes on ($name)" wrong_names "$jdk"
  verdict "control: with overwrite=true a dump and a stop replace another recording ($name)" overwrites "$jdk"
  verdict "control: jcmd JVMTI.agent_load does the same ($name)" by_jcmd "$jdk"
  verdict "control: a JVM that forbids dynamic agents is quoted ($name)" forbidden "$jdk"
  verdict "control: a JVM with -Xrs survives ($name)" reduced_signals "$jdk"
  verdict "control: a JVM with DisableAttachMechanism is left alone ($name)" no_attach "$jdk"
  verdict "control: a stopped JVM is not waited for ($name)" stopped "$jdk"
  verdict "control: list shows the program and whether the agent is loaded ($name)" listed "$jdk"
  verdict "control: a name that means two programs names both ($name)" ambiguous "$jdk"
  verdict "control: $CYCLES cycles leak nothing ($name)" cycles "$jdk"
  verdict "control: a recording that has ended keeps no memory ($name)" keeps_no_memory "$jdk"
  if may_be_other_user; then
    verdict "control: root reaches another user's JVM, others do not ($name)" other_user "$jdk"
    verdict "control: what keeps a JVM from listening is named ($name)" deaf "$jdk"
  else skipped "control: another user ($name)" "not permitted"
  fi
  if may_unshare; then
    verdict "control: a JVM in its own mount and pid namespace ($name)" contained "$jdk"
    verdict "control: a JVM in a plain chroot ($name)" chrooted "$jdk"
  else skipped "control: a namespace ($name)" "not permitted"; fi
done
verdict "control: a process that is no JVM survives" no_jvm
cat figures 2>/dev/null
finish
