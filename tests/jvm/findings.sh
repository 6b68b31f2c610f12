#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Rules find in recordings of the JDK and of rec what a program was made to do wrong, and nothing of it in one that sleeps.
. "$(dirname "$0")/lib.sh"
CLASSES=$(fixtures FindingsLoad.java) || { fail "findings: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1
SECONDS_EACH=${REC_FINDINGS_SECONDS:-7}

of_the_jdk() {
  local jdk=$1 name=$2 program=$3
  timeout -s KILL 60 "$jdk/bin/java" "-XX:StartFlightRecording=settings=profile,filename=$name.jfr,jdk.ThreadDump#period=2s,jdk.ExecutionSample#period=2ms" -Xmx256m -XX:+UseG1GC -cp "$CLASSES" \
    FindingsLoad "$program" "$SECONDS_EACH" >"$name.log" 2>&1
  "$JREC" findings --json "$name.jfr" >"$name.json" || complain "findings ended with $?: $(tail -5 "$name.log")"
}

# The JDK samples when its sampler gets a processor: where others have them, a longer run has as many samples.
enough_of_the_jdk() {
  local seconds
  for seconds in "$SECONDS_EACH" $((SECONDS_EACH * 2)) $((SECONDS_EACH * 4)); do
    SECONDS_EACH=$seconds of_the_jdk "$@" || return
    grep '"why":"samples of CPU time' "$2.json" >/dev/null || return 0
    echo "# $2: $seconds s are too few for as many samples as the rules need"
  done
  complain "$2: too few samples"
}

of_rec() {
  local jdk=$1 name=$2 program=$3
  JVM="-Xmx256m -XX:+UseG1GC" TIME_LIMIT=60 recorded FindingsLoad "$name" "$jdk" \
    cpu,interval=5ms,alloc,lock=10ms,exceptions,threaddump=2s,statistics=1s "$program" "$SECONDS_EACH" &&
    "$JREC" findings --json "$name.jfr" >"$name.json" || complain "findings ended with $?"
}

# rule NAME RULE [WORDS]: it was found, and its title or text has the words.
rule() { grep "\"rule\":\"$2\",\"severity\"" "$1.json" | grep -- "${3:-.}" >/dev/null || complain "$1: no $2 $3: $(cat "$1.json")"; }
no_rule() { ! grep "\"rule\":\"$2\",\"severity\"" "$1.json" || complain "$1: $2 was found"; }

found_by_the_jdk() {
  rule "$1" regex-compile FindingsLoad.parse && rule "$1" boxing java.lang.Integer && rule "$1" locks contender &&
    rule "$1" system-gc && rule "$1" exceptions && rule "$1" deadlock dead-left
}
found_by_rec() {
  rule "$1" regex-compile FindingsLoad.parse && rule "$1" boxing java.lang.Integer && rule "$1" locks contender &&
    rule "$1" exceptions FindingsLoad.check && rule "$1" deadlock dead-left
}
not_found() {
  local each
  for each in regex-compile boxing locks system-gc exceptions deadlock gc-pauses heap-rising code-cache lost-events thread-churn thread-leak; do
    no_rule "$1" $each || return
  done
}

fails_builds() {
  "$JREC" findings --fail-on serious "$1.jfr" >/dev/null
  [ $? = 6 ] || complain "--fail-on serious did not end with 6"
  "$JREC" findings --markdown "$1.jfr" | grep '^\* \*\*serious: ' >/dev/null || complain "no Markdown"
}

for jdk in $(jdks); do
  name=$(jdk_name "$jdk")
  BY_CHANCE=yes check "jvm: a JDK's recording is written for findings ($name)" enough_of_the_jdk "$jdk" "jfr-$name" bad
  check "jvm: findings of a JDK's recording are what the program does wrong ($name)" found_by_the_jdk "jfr-$name"
done
jdk=$(oldest_jdk)
check "jvm: rec's recording is written for findings" of_rec "$jdk" rec bad
check "jvm: findings of rec's recording are what the program does wrong" found_by_rec rec
check "jvm: a program that does none of it has none of these findings" eval 'of_the_jdk "$jdk" good good && not_found good'
check "jvm: findings fail a build that asks for it" fails_builds rec
finish
