#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The black box: a process that the kernel kills for its control group's limit leaves a recording that tells what grew, and the limit.
# Needs root, and a group of version 1 that can be made.
. "$(dirname "$0")/lib.sh"
BY_CHANCE=1
CLASSES=$(fixtures MemoryHog.java) || { fail "oom: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1
GROUP=/sys/fs/cgroup/memory/rec-oom-$$
LIMIT=$((300 << 20))

make_group() { mkdir "$GROUP" 2>/dev/null && echo $LIMIT >"$GROUP/memory.limit_in_bytes" 2>/dev/null; }
remove_group() { rmdir "$GROUP" 2>/dev/null; }

# in_group COMMAND...: no swap, where the kernel counts it.
in_group() {
  echo $LIMIT >"$GROUP/memory.memsw.limit_in_bytes" 2>/dev/null
  bash -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$GROUP" "$@"
}

# killed JDK GC KIND NAME [SECONDS]: "What grew most" is NAME. A kernel may search for pages of files to drop, for minutes, instead of killing: then we
# do, as whoever runs the container would.
killed() {
  local jdk=$1 gc=$2 kind=$3 name=$4 rc
  rm -rf app.jfr app.jfr.chunks
  in_group timeout -s KILL "${5:-60}" "$jdk/bin/java" "-agentpath:$AGENT=filename=$PWD/app.jfr,overwrite=true" "-XX:+Use${gc}GC" -Xms16m -Xmx800m \
    -cp "$CLASSES" MemoryHog "$kind" 2000 >out 2>&1
  rc=$?
  [ $rc = 137 ] || complain "was not killed but ended with $rc: $(tail -3 out)" || return
  [ ! -e app.jfr ] || complain "there is a recording already" || return
  "$JREC" recover app.jfr.chunks >recovered 2>&1 || complain "recover: $(cat recovered)" || return
  "$JREC" view oom app.jfr >told || complain "view: $(cat told)" || return
  grep -q "^What grew most: $name, by" told || complain "$(cat told)" || return
  grep -q 'limit of 300.0 MB' told || complain "no limit: $(cat told)" || return
  grep -q 'did not end by itself' told || complain "no end: $(cat told)" || return
  python3 - <<'PY' || complain "$(cat told)"
import re
share = float(re.search(r"At the last note ([0-9.]+)%", open("told").read()).group(1))
assert share > 70, share
PY
}

# Killed for nothing: it says that the limit was not near.
no_reason() {
  rm -rf app.jfr app.jfr.chunks
  "$1/bin/java" "-agentpath:$AGENT=filename=$PWD/app.jfr,overwrite=true" -cp "$CLASSES" MemoryHog native 200 >/dev/null 2>&1 &
  sleep 4
  kill -9 $!
  wait $! 2>/dev/null
  "$JREC" recover app.jfr.chunks >/dev/null 2>&1
  "$JREC" view oom app.jfr >told || return
  grep -qE 'no memory limit|not near the limit|no control group' told || complain "$(cat told)" || return
  grep -q 'What grew most: native memory' told || complain "$(cat told)"
}

none() {
  "$1/bin/java" "-agentpath:$AGENT=filename=$PWD/none.jfr,overwrite=true,blackbox=off" -cp "$CLASSES" MemoryHog native 2 >/dev/null 2>&1
  "$JREC" view oom none.jfr | grep '^No events' >/dev/null || complain "$("$JREC" view oom none.jfr)"
}

for jdk in $(jdks); do
  name=$(jdk_name "$jdk")
  if make_group; then
    for gc in G1 Z; do
      check "oom: $name $gc: native memory" killed "$jdk" $gc native "native memory"
      check "oom: $name $gc: the Java heap" killed "$jdk" $gc heap "Java heap"
    done
    check "oom: $name: stacks of threads" killed "$jdk" G1 stacks "thread stacks" 20
  else
    skipped "oom: $name" "no control group with a memory limit can be made here"
  fi
  remove_group
  check "oom: $name: killed far from a limit" no_reason "$jdk"
  check "oom: $name: left out" none "$jdk"
done
finish
