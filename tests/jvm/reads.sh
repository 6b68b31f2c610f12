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

for jdk in $(jdks); do
  file=$(jdk_name "$jdk").jfr
  check "reads: $(jdk_name "$jdk") is recorded" record "$jdk" "$file"
  for reader in $(jdks); do
    by="$(jdk_name "$jdk") by $(jdk_name "$reader")"
    check "reads: jfr summary of $by" summary "$reader" "$file"
    check "reads: jfr print of $by shows the work" print "$reader" "$file"
    check "reads: jfr print of $by takes all events" everything "$reader" "$file"
    check "reads: samples name their threads, $by" threads "$reader" "$file"
  done
done
finish
