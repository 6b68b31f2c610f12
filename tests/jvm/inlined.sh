#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The time of a loop is its method's, also where C2 has noted a call beside it, as it does of boxes.
. "$(dirname "$0")/lib.sh"
CLASSES=$(fixtures LateInlined.java) || { fail "inlined: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1

# Of the samples of each thread amid its fixture's method, those in the loop, with what is inlined into that.
shares() {
  local name bad=0
  recorded LateInlined late "$1" interval=1ms,cstack=none 500 || return
  for name in key list optional two arrays plain loop sine compare equal breaks longs; do
    "$JREC" collapsed --samples --thread "$name" late.jfr | awk -v name="$name" '
      index($0, "LateInlined." name ";") || index($0, "LateInlined." name " ") { all += $NF; if (/LateInlined.spin/) spins += $NF }
      END { printf "%s: %d of %d\n", name, spins, all; exit !(all >= 100 && spins >= 0.9 * all) }' || bad=1
  done
  is_own own && is_own front || bad=1
  has_both two spin spinOther && has_both arrays spinFirst spinAll || bad=1
  return $bad
}

# A method that has little inlined keeps its own loops.
is_own() { # THREAD
  "$JREC" collapsed --samples --thread "$1" late.jfr | awk -v name="$1" '
    index($0, "LateInlined." name) { all += $NF; if (/LateInlined.short/) short += $NF }
    END { printf "%s: %d of %d\n", name, all - short, all; exit !(all >= 100 && short <= 0.1 * all) }'
}

# Two loops of one method, neither of which takes less than a quarter of the time.
has_both() { # THREAD LOOP LOOP
  "$JREC" collapsed --samples --thread "$1" late.jfr | awk -v name="$1" -v one="LateInlined.$2(;| |_)" -v other="LateInlined.$3(;| |_)" '
    $0 ~ one { ones += $NF }
    $0 ~ other { others += $NF }
    END { printf "%s: %d and %d\n", name, ones, others; exit !(ones >= 0.2 * (ones + others) && others >= 0.2 * (ones + others)) }'
}

# Memory that nobody has touched yet would be the time of who makes a box: up to a tenth on some machines.
TOUCHED="-Xms128m -Xmx128m -XX:+AlwaysPreTouch"
for jdk in $(jdks); do
  JVM=$TOUCHED
  check "inlined: loops have their time, whatever is inlined late behind them ($(jdk_name "$jdk"))" shares "$jdk"
  for gc in Z Parallel; do
    has_gc "$jdk" $gc || continue
    JVM="-XX:+Use${gc}GC $TOUCHED"
    check "inlined: under ${gc}GC, too ($(jdk_name "$jdk"))" shares "$jdk"
  done
done
finish
