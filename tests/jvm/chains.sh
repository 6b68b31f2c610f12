#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every caller's bytecode calls the frame above it, and stacks reach the thread's root. The load compiles Java code: deep and varied stacks.
. "$(dirname "$0")/lib.sh"
cd "$SCRATCH" || exit 1
NEWEST=$(jdks | tail -1)
MAX_TRUNCATED=0.5  # percent of stacks
MOST_WRONG=1       # of all pairs together, which are half a million to a million

if [ "$(java_version "$NEWEST")" -lt 24 ]; then
  skipped "chains" "ChainCheck needs JDK 24 or later"
  finish
fi
mkdir -p checker
(cd "$ROOT/fixtures" && "$NEWEST/bin/javac" $QUICK -d "$SCRATCH/checker" ChainCheck.java) || { fail "chains: ChainCheck compiles"; finish; }

# javac on this project's own fixtures, over and over: those that each JDK can compile.
sources() { grep -L -e 'Thread\.ofVirtual()' -e 'Executors\.newVirtual' -e 'Thread\.startVirtualThread(' -e 'java\.lang\.classfile' -e '^import rec\.' -e 'java\.lang\.foreign' -e '\.suspend()' "$ROOT"/fixtures/*.java; }
record() {
  rm -rf chains.jfr out && mkdir out
  timeout 120 "$1/bin/java" "-agentpath:$AGENT=filename=chains.jfr,interval=500us,maxchunksize=1m,stackdepth=2048,carrierframes=true" "${@:2}" >log 2>&1 || complain "$(cat log)"
}
compile() { record "$@" --add-modules jdk.compiler -m jdk.compiler/com.sun.tools.javac.Main -nowarn -d out $(sources); }

chains() {
  compile "$@" && judge "$1" ""
}

# A stack thousands of frames deep that grows and shrinks: most of a walk is taken over from the one before.
deep() {
  mkdir -p deep && "$1/bin/javac" -d deep "$ROOT/fixtures/DeepStacks.java" || return
  record "$1" -cp deep DeepStacks 1 900 && judge "$1" deep
}

# Code that works in a part of the stack below its frame, where callers that have returned have left their addresses.
uneven() {
  mkdir -p uneven && "$1/bin/javac" -d uneven "$ROOT/fixtures/UnevenFrames.java" || return
  record "$1" -cp uneven UnevenFrames 5 && judge "$1" uneven
}

# load JDK CLASS ARGUMENTS VM_OPTION... : a fixture, compiled by the JDK that runs it.
load() {
  mkdir -p load && "$1/bin/javac" -d load "$ROOT/fixtures/$2.java" || return
  record "$1" "${@:4}" -cp load "$2" $3 && judge "$1" load
}

# upcalls JDK VM_OPTION... : and each of its native frames, which lie between two stubs, is in the C library.
upcalls() {
  load "$1" Upcalls 4 --enable-native-access=ALL-UNNAMED "${@:2}" || return
  "$JREC" collapsed -e cpu chains.jfr >stacks || return
  awk '/;stubs\.upcall_stub;/ { all += $NF; if (/;stubs\.[^;]*;(libc[^;]*;)+stubs\.upcall_stub;/) good += $NF }
    END { print good + 0, "of", all + 0, "upcalls from the C library"; exit !(all > 100 && good >= all * 0.99) }' stacks
}

# judge JDK CLASSPATH
judge() {
  local agree wrong truncated cut
  "$NEWEST/bin/java" -cp checker ChainCheck "$1" "$2" chains.jfr >checked 2>&1
  cat checked
  agree=$(sed -nE 's/.* agree=([0-9]+).*/\1/p' checked)
  wrong=$(sed -nE 's/.* disagree=([0-9]+).*/\1/p' checked)
  echo "${agree:-0} ${wrong:-0}" >>judged
  [ "${wrong:-0}" = 0 ] || { echo "# $(jdk_name "$1")" && cat checked; } >>wrong
  [ "${agree:-0}" -gt 1000 ] || complain "only ${agree:-no} pairs were compared: this run shows nothing" || return
  truncated=$(sed -nE 's/.* truncated=([0-9]+) .*/\1/p' checked)
  # Where walks take long, as on a loaded machine, rec leaves native frames out for a while, and counts how often.
  cut=$("$JREC" summary --json chains.jfr | sed -nE 's/.*"nativeCut":([0-9]+).*/\1/p')
  awk -v got="$truncated" -v cut="${cut:-0}" -v most="$MAX_TRUNCATED" -v of="$(sed -nE 's/.*stacks=([0-9]+) .*/\1/p' checked)" \
    'BEGIN { exit !(of > 0 && got - cut <= of * most / 100) }' || complain "$truncated stacks are truncated, ${cut:-0} of them by intent" || return
  grep -q 'rootless=0 ' checked || complain "stacks end where no thread starts"
}

few_are_wrong() {
  cat judged wrong
  awk -v most="$MOST_WRONG" '{ pairs += $1; wrong += $2 } END { exit !(pairs > 10000 && wrong <= most) }' judged
}

touch judged wrong
# Collectors whose barriers go on in slow paths; the heap is small, so that they do all the time.
for jdk in $(jdks); do
  check "chains: callers call their callees ($(jdk_name "$jdk"))" chains "$jdk"
  for gc in Z Shenandoah; do
    has_gc "$jdk" $gc || continue
    check "chains: callers call their callees ($(jdk_name "$jdk"), $gc)" chains "$jdk" "-XX:+Use${gc}GC" -Xmx128m
  done
done
for jdk in $(jdks); do check "chains: of a deep stack that grows and shrinks, too ($(jdk_name "$jdk"))" deep "$jdk"; done
for jdk in $(jdks); do check "chains: below and above its frame, too ($(jdk_name "$jdk"))" uneven "$jdk"; done
for jdk in $(jdks); do
  check "chains: in and above the VM's stubs, too ($(jdk_name "$jdk"))" load "$jdk" StubMix 4
  check "chains: which the interpreter calls, too ($(jdk_name "$jdk"))" load "$jdk" StubMix "4 compute" -Xint
  [ "$(java_version "$jdk")" -lt 21 ] && continue
  check "chains: of virtual threads that are short, too ($(jdk_name "$jdk"))" load "$jdk" BriefVirtual 4
  [ "$(java_version "$jdk")" -lt 22 ] && continue
  check "chains: through native code that calls Java, too ($(jdk_name "$jdk"))" upcalls "$jdk"
  check "chains: and where Java is interpreted ($(jdk_name "$jdk"))" upcalls "$jdk" -Xint
done
check "chains: of all pairs of callers and callees at most $MOST_WRONG is wrong" few_are_wrong
sed 's/^/# /' wrong
finish
