#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A recording of any JDK is read by the tools of every JDK.
. "$(dirname "$0")/lib.sh"
CLASSES=$(fixtures Work.java) || { fail "reads: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1

record() {
  timeout 60 "$1/bin/java" "-agentpath:$AGENT=filename=$2,interval=2ms" -cp "$CLASSES" Work 3 >out 2>err || complain "$(cat err)"
}

summary() {
  "$1/bin/jfr" $QUICK summary "$2" >summary || complain "jfr summary fails" || return
  local samples
  samples=$(awk '$1 == "jdk.ExecutionSample" { print $2 }' summary)
  [ "${samples:-0}" -gt 100 ] || complain "jdk.ExecutionSample: ${samples:-none}; $(cat summary)"
}

print() {
  "$1/bin/jfr" $QUICK print --events jdk.ExecutionSample "$2" >printed || complain "jfr print fails" || return
  grep -q 'Work.sortNumbers\|Work.countWords' printed || complain "no sample shows the work: $(head -20 printed)" || return
  ! grep -q 'stackTrace = null' printed || complain "a sample has no stack"
}

everything() { "$1/bin/jfr" $QUICK print "$2" >/dev/null || complain "jfr print of all events fails"; }

threads() {
  "$1/bin/jfr" $QUICK print --events jdk.ExecutionSample "$2" >printed && grep -q '"sorter"' printed && grep -q '"hasher"' printed ||
    complain "samples do not name both threads"
}

# The JVM began after `before` and before its recording did.
begin() { # FILE BEFORE-MS
  local started recorded
  started=$(sql "$1" "select max(jvmStartTime) / 1000000 from events_jdk_JVMInformation") && recorded=$(sql "$1" "select min(startTime) / 1000000 from events_jdk_JVMInformation") || return
  [ "$started" -ge "$(($2 - 20))" ] && [ "$started" -le "$((recorded + 20))" ] || complain "begun at $started; before the launch it was $2, the recording is of $recorded"
}

for jdk in $(jdks); do
  file=$(jdk_name "$jdk").jfr
  before=$(date +%s%3N)
  check "reads: $(jdk_name "$jdk") is recorded" record "$jdk" "$file"
  check "reads: when the JVM began is told ($(jdk_name "$jdk"))" begin "$file" "$before"
  for reader in $(jdks); do
    by="$(jdk_name "$jdk") by $(jdk_name "$reader")"
    check "reads: jfr summary of $by" summary "$reader" "$file"
    check "reads: jfr print of $by shows the work" print "$reader" "$file"
    check "reads: jfr print of $by takes all events" everything "$reader" "$file"
    check "reads: samples name their threads, $by" threads "$reader" "$file"
  done
done
finish
