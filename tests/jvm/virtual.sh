#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Virtual threads show whole, under their own names, whatever part of their stacks lies in the heap; with their carriers' frames when asked.
. "$(dirname "$0")/lib.sh"
BY_CHANCE=1
CLASSES=$(fixtures SeenThreads.java VirtualStacks.java Yields.java) || { fail "virtual: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1
NEWEST=$(jdks | tail -1)

# record JDK OPTIONS VM_OPTION... : a recording of threads that wait and compute.
record() {
  rm -rf virtual.jfr
  timeout 60 "$1/bin/java" "-agentpath:$AGENT=filename=virtual.jfr,interval=1ms,stackdepth=2048$2" "${@:3}" -Xmx300m -cp "$CLASSES" \
    VirtualStacks run 1 >log 2>&1 && [ "$(grep -cv '^OK' log)" = 0 ] || complain "$(cat log)"
}
judge() { "$NEWEST/bin/java" $READER -cp "$CLASSES" VirtualStacks judge virtual.jfr >judged || complain "$(cat judged)"; }

# figure NAME LINE: of the line that begins so.
figure() { sed -nE "s/^$2=(.* )?$1=([0-9]+).*/\2/p" judged; }

# most PERCENT: so much of what burns is whole and right; the rest is marked.
most() {
  local all exact
  all=$(sed -nE 's/^burning=([0-9]+).*/\1/p' judged)
  exact=$(figure exact burning)
  [ "${all:-0}" -gt 20 ] && [ $((exact * 100)) -ge $((all * $1)) ] || complain "$exact of $all stacks are whole: $(cat judged)"
}

# Collectors that move what is read leave a part that cannot be proved, by their nature.
whole_under() { record "$1" "" "-XX:+Use$2GC" && judge && most "$3"; }
whole_with() { record "$1" "" "${@:2}" && judge && most 99; }

with_carriers() {
  record "$1" ",carrierframes=true" || return
  "$JREC" collapsed virtual.jfr >stacks || complain "jrec collapsed failed" || return
  local all carried
  all=$(grep -c 'VirtualStacks.enter' stacks)
  carried=$(grep 'VirtualStacks.enter' stacks | grep -c 'ForkJoinWorkerThread.run.*Continuation.enterSpecial')
  [ "$all" -gt 20 ] && [ $((carried * 100)) -ge $((all * 99)) ] || complain "$carried of $all stacks go on with the carrier's frames"
}

# A loop of yields: what was frozen whole is shown whole. While frames are taken back, some may be neither here nor there.
yielding() {
  rm -rf yields.jfr
  timeout 60 "$1/bin/java" "-agentpath:$AGENT=filename=yields.jfr,interval=1ms" -Xmx300m -cp "$CLASSES" Yields 4 3 >log 2>&1 || complain "$(cat log)" || return
  "$1/bin/java" $READER -cp "$CLASSES" Yields judge yields.jfr >judged || complain "$(cat judged)" || return
  local frozen whole
  read -r frozen whole <judged
  [ "$frozen" -gt 20 ] && [ $((whole * 100)) -ge $((frozen * 98)) ] || complain "$whole of $frozen stacks that begin with yield0 are whole"
}

# The class library starts a thread when the class of virtual ones is initialised: that is for the program to bring about.
seen_threads() {
  timeout 60 "$1/bin/java" -Xmx64m -cp "$CLASSES" SeenThreads >without 2>&1 || complain "$(cat without)" || return
  timeout 60 "$1/bin/java" "-agentpath:$AGENT=filename=seen.jfr,cpu=10ms,wall,alloc,live,lock,exceptions,nativemem,safepoint=20ms" -Xmx64m \
    -cp "$CLASSES" SeenThreads >with 2>&1 || complain "$(cat with)" || return
  grep -q '^main$' without && diff without with || complain "Java sees other threads beside the agent"
}

for jdk in $(jdks); do
  name=$(jdk_name "$jdk")
  if [ "$(java_version "$jdk")" -lt 21 ]; then
    skipped "virtual ($name)" "it has no virtual threads"
    continue
  fi
  check "virtual: a program without them has the threads that it has without the agent ($name)" seen_threads "$jdk"
  for gc in G1 Parallel; do check "virtual: stacks are whole under $gc ($name)" whole_under "$jdk" $gc 99; done
  for gc in Shenandoah Z; do
    has_gc "$jdk" $gc && check "virtual: stacks are whole under $gc ($name)" whole_under "$jdk" $gc 90
  done
  check "virtual: interpreted stacks are whole ($name)" whole_with "$jdk" -Xint
  check "virtual: stacks are whole with wide references ($name)" whole_with "$jdk" -XX:-UseCompressedOops
  check "virtual: stacks in a loop of yields are whole ($name)" yielding "$jdk"
  check "virtual: the carrier's frames follow when asked for ($name)" with_carriers "$jdk"
done
finish
