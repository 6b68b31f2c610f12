#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Sampled allocations: that their weights are what was allocated, by class, from 16 bytes to 16 MB, in platform and virtual threads, and in
# short ones, with their stacks; that every tool shows them; and that one agent at a time has them.
. "$(dirname "$0")/lib.sh"
BY_CHANCE=1
CLASSES=$(fixtures AllocLoad.java AllocThreads.java AllocMixed.java) || { fail "alloc: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1

# record NAME JDK OPTIONS ARGUMENTS...
record() { JVM="${JVM:-} -Xmx400m" recorded AllocLoad "$@"; }

# Some 4,000 samples of each small kind: 8 % is five times what chance does. The sum has 25,000.
weights() { # JDK [virtual]
  record weights "$1" alloc=16k 64 ${2:-} || return
  [ "$(counter weights.jfr allocationsLost)" = 0 ] || complain "$(counter weights.jfr allocationsLost) were lost" || return
  "$JREC" sql --csv weights.jfr "select objectClass, sum(weight) from events_jdk_ObjectAllocationSample group by 1" >sums || return
  awk -F= 'NR == FNR { if (NF == 2) true[$1] = $2; next }
    { at = match($0, /,[0-9]+$/); name = substr($0, 1, at - 1); gsub(/"/, "", name); told[name] = substr($0, at + 1) }
    END { for (name in true) {
            ratio = told[name] / true[name]; sum += told[name]; whole += true[name]; kinds++
            printf "%s: %.3f of %d\n", name, ratio, true[name]
            if (ratio < 0.92 || ratio > 1.08) bad = 1 }
          printf "all: %.4f\n", sum / whole
          exit bad || kinds != 10 || sum / whole < 0.98 || sum / whole > 1.02 }' weights.out sums
}

# The method that allocates, its callers, and the thread; of virtual ones it is the virtual thread.
stacks() { # JDK THREAD-CONDITION
  local all good
  all=$(sql weights.jfr "select count(*) from samples where $2")
  good=$(sql weights.jfr "select count(*) from samples where $2 and (top like 'AllocLoad.lambda\$main%' or top like 'AllocLoad\$\$Lambda%.make')")
  awk -v good="$good" -v all="$all" 'BEGIN { printf "%d of %d are where they were allocated\n", good, all; exit !(all > 10000 && good > 0.95 * all) }'
}

# Threads of 200 kB, sampled each 256 KiB, and their creator: some 3,800 samples of each, and 8 % is five times what chance does. By the VM's
# own draws, which are the same for all threads that lie at the same place, one of the two is 7 to 130 % off.
short_threads() { # JDK
  recorded AllocThreads threads "$1" alloc=256k 5000 200 && of_both_kinds threads
}

# Large arrays beside small objects, 3,200 samples and more of each. By the VM's own points, on 17 and 21, a third of what the large ones have is told
# as the small ones'.
large_and_small() { # JDK
  JVM="${JVM:-} -Xmx400m" recorded AllocMixed mixed "$1" alloc 1600 && of_both_kinds mixed
}

of_both_kinds() { # NAME
  [ "$(counter "$1.jfr" allocationsLost)" = 0 ] || complain "$(counter "$1.jfr" allocationsLost) were lost" || return
  "$JREC" sql --csv "$1.jfr" "select objectClass, sum(weight) from events_jdk_ObjectAllocationSample group by 1" >sums || return
  awk -F'[=,]' 'NR == FNR { true[$1] = $2; next }
    { gsub(/"/, "", $1); told[$1] = $2 }
    END { for (name in true) {
            ratio = told[name] / true[name]; kinds++
            printf "%s: %.3f of %d\n", name, ratio, true[name]
            if (ratio < 0.92 || ratio > 1.08) bad = 1 }
          exit bad || kinds != 2 }' "$1.out" sums
}

both_clocks() {
  record both "$1" cpu=4ms,alloc 64 || return
  [ "$(sql both.jfr "select count(*) from samples where event = 'jdk.ExecutionSample'")" -gt 5 ] || complain "no CPU samples" || return
  [ "$(sql both.jfr "select count(*) from samples where event = 'jdk.ObjectAllocationSample'")" -gt 100 ] || complain "no allocations" || return
  "$JREC" hot --event alloc both.jfr | grep 'double\[\]' >/dev/null || complain "jrec hot: $("$JREC" hot --event alloc both.jfr | head -5)" || return
  "$1/bin/jfr" summary both.jfr | grep jdk.ObjectAllocationSample >/dev/null || complain "jfr summary does not tell" || return
  "$1/bin/jfr" print --events ObjectAllocationSample both.jfr | grep 'objectClass = double\[\]' >/dev/null || complain "jfr print does not tell" || return
  if "$1/bin/jfr" view 2>/dev/null | grep allocation-by-class >/dev/null; then
    "$1/bin/jfr" view allocation-by-class both.jfr | grep 'double\[\]' >/dev/null || complain "jfr view does not tell"
  fi
}

# The second one says so in a line, and records what else it was asked for.
one_agent_at_a_time() {
  cp "$AGENT" second.so
  timeout 120 "$1/bin/java" "-agentpath:$AGENT=filename=$PWD/first.jfr,overwrite=true,alloc=64k" \
    "-agentpath:$PWD/second.so=filename=$PWD/second.jfr,overwrite=true,cpu=4ms,alloc=64k" -Xmx400m -cp "$CLASSES" AllocLoad 32 >out 2>err || complain "$(cat err)" || return
  [ "$(grep -c '^rec: ' err)" = 1 ] && grep -q '^rec: alloc .*another agent' err || complain "said: $(cat err)" || return
  [ "$(sql first.jfr "select count(*) from samples where event = 'jdk.ObjectAllocationSample'")" -gt 100 ] || complain "the first has none" || return
  [ "$(sql second.jfr "select count(*) from samples")" -gt 5 ] || complain "the second has no samples"
}

for jdk in $(jdks); do
  name=$(jdk_name "$jdk")
  check "alloc: weights are what was allocated, by class ($name)" weights "$jdk"
  check "alloc: with the stacks of who allocated it ($name)" stacks "$jdk" "thread = 'main'"
  if [ "$(java_version "$jdk")" -ge 21 ]; then
    check "alloc: in virtual threads, too ($name)" weights "$jdk" virtual
    check "alloc: and with their stacks ($name)" stacks "$jdk" "thread like '[virtual %'"
  fi
  JVM=-XX:+UseZGC
  has_gc "$jdk" Z && check "alloc: under ZGC, too ($name)" weights "$jdk"
  JVM=
  for gc in G1 Parallel; do
    JVM=-XX:+Use${gc}GC
    check "alloc: weights are what short threads and their creator have allocated ($name, $gc)" short_threads "$jdk"
    check "alloc: weights are what large arrays and small objects beside them have allocated ($name, $gc)" large_and_small "$jdk"
  done
  JVM=
  check "alloc: beside CPU time, and in every tool ($name)" both_clocks "$jdk"
  check "alloc: one agent at a time has it ($name)" one_agent_at_a_time "$jdk"
done
finish
