#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Exceptions: that each is told with its class and where it was thrown, in virtual threads, too; that where many are, weights add up to what was
# thrown; that all are counted; and that all is as before when the recording has ended.
. "$(dirname "$0")/lib.sh"
BY_CHANCE=1
CLASSES=$(fixtures ThrowLoad.java) || { fail "exceptions: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1
INCLUDE=$(oldest_jdk)/include
cc -O2 -shared -fPIC -I"$INCLUDE" -I"$INCLUDE/linux" -o bind_guest.so "$ROOT/fixtures/bind_guest.c" || { fail "exceptions: the guest compiles"; finish; }

# record NAME JDK OPTIONS ARGUMENTS...
record() { recorded ThrowLoad "$@" && silent "$1"; }

by_class() { "$JREC" sql --csv "$1" "select thrownClass || '=' || sum(weight) from events_jdk_JavaExceptionThrow group by thrownClass" | tr -d '"' | tail -n +2; }

# Each, as often as it was; those of the class library and of the VM itself come on top.
each() {
  record each "$1" exceptions=0 8000 || return
  by_class each.jfr | sort >told
  sort each.out >true
  [ -z "$(comm -13 told true)" ] || complain "told: $(cat told) thrown: $(cat true)" || return
  ! grep -q Stackless told || complain "told of what has no stack" || return
  [ "$(counter each.jfr exceptions)" = "$(counter each.jfr exceptionsWritten)" ] && [ "$(counter each.jfr exceptionsLost)" = 0 ]
}

# Who threw it is behind the constructors, as JFR has it: by the JDK's own reader.
sites() {
  local site
  "$1/bin/jfr" print --stack-depth 64 --events JavaExceptionThrow each.jfr >rows || return
  ! grep -q fillInStackTrace rows || complain "fillInStackTrace shows" || return
  [ "$(grep -c 'ThrowLoad.throwMoreFrequent()' rows)" = 8000 ] && [ "$(grep -c 'java.lang.Throwable.<init>' rows)" -ge 8000 ] ||
    complain "sites: $(tail -30 rows)" || return
  "$JREC" view exception-by-site each.jfr >view || return
  for site in throwMoreFrequent throwFrequent throwRare throwGrave; do
    grep -q "ThrowLoad.$site()" view || complain "no $site: $(cat view)" || return
  done
  [ "$(java_version "$1")" -lt 21 ] || [ "$(sql each.jfr "select count(*) from samples where event = 'jdk.JavaExceptionThrow' and thread like '[virtual %'")" = 50 ] ||
    complain "not of a virtual thread"
}

# A quarter of a million in a second or two.
weighted() {
  record weighted "$1" exceptions=400 250000 || return
  by_class weighted.jfr | awk -F= 'NR == FNR { true[$1] = $2; next } { told[$1] = $2; sum += $2 }
    END { for (name in true) whole += true[name]
          many = told["ThrowLoad$MoreFrequent"] / true["ThrowLoad$MoreFrequent"]
          printf "%d of %d, the most frequent %.3f\n", sum, whole, many
          exit !(sum > 0.9 * whole && sum < 1.1 * whole && many > 0.8 && many < 1.2) }' weighted.out - || return
  [ "$(counter weighted.jfr exceptionsWritten)" -lt 10000 ] || complain "$(counter weighted.jfr exceptionsWritten) were written" || return
  local all counted
  all=$(awk -F= '{ n += $2 } END { print n }' weighted.out)
  counted=$(sql weighted.jfr "select max(throwables) - min(throwables) from events_jdk_ExceptionStatistics")
  [ "$counted" -ge "$all" ] && [ "$counted" -le $((all + 100)) ] || complain "$counted are counted, $all were thrown"
}

tools() {
  "$JREC" hot --event exceptions weighted.jfr | grep 'ThrowLoad.MoreFrequent' >/dev/null || complain "jrec hot: $("$JREC" hot --event exceptions weighted.jfr)" || return
  "$JREC" collapsed --event exceptions weighted.jfr | grep 'ThrowLoad.throwMoreFrequent;.*MoreFrequent [0-9]*$' >/dev/null || complain "jrec collapsed does not tell" || return
  "$1/bin/jfr" summary weighted.jfr | grep 'jdk.JavaExceptionThrow' >/dev/null || complain "jfr summary does not tell" || return
  "$1/bin/jfr" view 2>/dev/null | grep exception-by-type >/dev/null || return 0
  "$1/bin/jfr" view exception-by-type weighted.jfr | grep 'MoreFrequent' >/dev/null || complain "jfr view exception-by-type does not tell" || return
  "$1/bin/jfr" view exception-by-site weighted.jfr | grep 'throwMoreFrequent' >/dev/null || complain "jfr view exception-by-site does not tell" || return
  "$1/bin/jfr" view exception-count weighted.jfr | grep 'Thrown: [1-9]' >/dev/null || complain "jfr view exception-count does not tell"
}

# Loaded into a running JVM, stopped before it throws, and started again until the JVM ends.
at_run_time() {
  rm -f gate && mkfifo gate
  timeout -s KILL 120 "$1/bin/java" -cp "$CLASSES" ThrowLoad 4000 wait <gate >late.out 2>late.err &
  local pid child=$! i
  exec 5>gate
  for i in $(seq 300); do grep -q ready late.out && break; sleep 0.1; done
  pid=$(pgrep -P $child)
  for i in 1 2; do
    "$JREC" start "$pid" -f "$PWD/late.jfr" overwrite=true exceptions=0 >said 2>&1 || complain "$(cat said)" || return
    [ "$i" = 2 ] || "$JREC" stop "$pid" >said 2>&1 || complain "$(cat said)" || return
  done
  echo >&5
  wait $child || complain "the program ended with $?: $(cat late.err)" || return
  exec 5>&-
  ! grep -q warning late.out || complain "said: $(cat late.out)" || return
  by_class late.jfr | grep -q '^ThrowLoad$MoreFrequent=4000$' || complain "told: $(by_class late.jfr)"
}

# Of a program that throws all the time: what its hooks meet before a recording takes it, or behind its end, is no loss.
meanwhile() {
  timeout -s KILL 120 "$1/bin/java" -cp "$CLASSES" ThrowLoad 100000000 >meanwhile.out 2>&1 &
  local pid child=$! i
  for i in $(seq 300); do pid=$(pgrep -P $child) && "$JREC" list | grep "^ *$pid .*ThrowLoad" >/dev/null && break; sleep 0.1; done
  for i in 1 2 3; do
    "$JREC" start "$pid" -f "$PWD/meanwhile$i.jfr" overwrite=true exceptions=20000 alloc=256k >said 2>&1 || complain "$(cat said)" || return
    sleep 0.3
    "$JREC" stop "$pid" >said 2>&1 || complain "$(cat said)" || return
  done
  pkill -KILL -P $child
  wait $child 2>/dev/null
  for i in 1 2 3; do
    [ "$(counter meanwhile$i.jfr exceptions)" -gt 1000 ] && [ "$(counter meanwhile$i.jfr exceptionsLost)" = 0 ] &&
      [ "$(counter meanwhile$i.jfr allocationsLost)" = 0 ] || complain "$("$JREC" view losses meanwhile$i.jfr)" || return
  done
}

for jdk in $(jdks); do
  name=$(jdk_name "$jdk")
  check "exceptions: each is told, as often as it was thrown ($name)" each "$jdk"
  check "exceptions: with where it was thrown ($name)" sites "$jdk"
  check "exceptions: where many are, weights add up, and all are counted ($name)" weighted "$jdk"
  check "exceptions: in every tool ($name)" tools "$jdk"
  check "exceptions: started and stopped at run time ($name)" at_run_time "$jdk"
  check "exceptions: none is lost because a recording starts or stops meanwhile ($name)" meanwhile "$jdk"
  JVM=-agentpath:$SCRATCH/bind_guest.so
  check "exceptions: beside an agent that stands in front of whatever is bound ($name)" each "$jdk"
  JVM=-XX:+UseZGC
  has_gc "$jdk" Z && check "exceptions: under ZGC, too ($name)" each "$jdk"
  JVM=
done
finish
