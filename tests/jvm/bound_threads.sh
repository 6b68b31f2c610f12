#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Virtual threads that are threads of the system themselves (-XX:-VMContinuations): they are told of as platform threads are, by name,
# id and whole stack, whether they begin before the recording or after.
. "$(dirname "$0")/lib.sh"
BY_CHANCE=1
CLASSES=$(fixtures BoundThreads.java) || { fail "bound threads: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1
CLOCKS=cpu,interval=4ms,wall=10ms,alloc=64k,lock=0,exceptions=0
BOUND="-XX:+UnlockExperimentalVMOptions -XX:-VMContinuations"

# What each thread did, and a round or two that the recording begins and ends in; samples by chance.
judge() { # RECORDING OUTPUT
  local name id rounds event
  while read -r name id rounds; do
    count() { sql "$1" "select count(*) from events_$2 where $3 = '$name' ${4:-}"; }
    about() { [ "$2" -ge "$((rounds - 2))" ] && [ "$2" -le "$((rounds + 2))" ] || complain "$2 $1 of $name, $rounds rounds"; }
    about sleeps "$(count "$1" jdk_ThreadSleep eventThread)" && about parks "$(count "$1" jdk_ThreadPark eventThread "and duration > 5000000")" || return
    about exceptions "$(count "$1" jdk_JavaExceptionThrow eventThread "and thrownClass = 'BoundThreads\$Thrown'")" || return
    for event in cpu alloc wall park; do
      "$JREC" collapsed --samples --event $event --thread "$id" "$1" | awk '/BoundThreads.work;BoundThreads.round/ { n += $NF } END { exit n < 5 }' ||
        complain "no $event of $name, id $id, with its stack" || return
    done
  done <"$2"
  [ "$(counter "$1" lockWaitsLost)" = 0 ] && [ "$(counter "$1" exceptionsLost)" = 0 ] || complain "waits or exceptions are lost"
}

from_the_start() {
  JVM=$BOUND recorded BoundThreads start "$1" "$CLOCKS" 2 && silent start && [ "$(wc -l <start.out)" = 2 ] && judge start.jfr start.out
}

begun_before() {
  rm -f gate && mkfifo gate
  timeout -s KILL 120 "$1/bin/java" $BOUND -cp "$CLASSES" BoundThreads 2 wait <gate >late.out 2>late.err &
  local child=$! pid
  exec 5>gate
  for _ in $(seq 300); do grep -q ready late.out && break; sleep 0.1; done
  pid=$(pgrep -P $child)
  "$JREC" start "$pid" -f "$PWD/late.jfr" overwrite=true ${CLOCKS//,/ } >said 2>&1 || complain "$(cat said)" || return
  echo >&5
  wait $child || complain "the program ended with $?: $(cat late.err)" || return
  exec 5>&-
  grep -E '^(virtual|platform) ' late.out >rounds && judge late.jfr rounds
}

for jdk in $(jdks); do
  name=$(jdk_name "$jdk")
  if [ "$(java_version "$jdk")" -lt 21 ]; then
    skipped "bound threads ($name)" "it has no virtual threads"
    continue
  fi
  check "bound threads: those that begin while it records are known ($name)" from_the_start "$jdk"
  check "bound threads: those that had begun before are known ($name)" begun_before "$jdk"
done
finish
