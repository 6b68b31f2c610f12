#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Alone: compares lengths with the log to a few milliseconds.
# Collections that a JNI critical section holds up: what the JVM's own log says was held up is in the recording, as long as there, with the
# thread that was inside, its method, and those that waited. On every JDK and collector; where regions are pinned instead there is none.
#
#   REC_CRITICAL_COLLECTORS   (default: Serial Parallel G1 Z)
#   REC_CRITICAL_SECONDS      of each run (default: 2)
. "$(dirname "$0")/lib.sh"
BY_CHANCE=1
CLASSES=$(fixtures CriticalHold.java) || { fail "critical: fixtures compile"; finish; }
INCLUDE=$(oldest_jdk)/include
LIBRARY=$SCRATCH/libcritical.so
cc -O1 -shared -fPIC -I"$INCLUDE" -I"$INCLUDE/linux" -o "$LIBRARY" "$ROOT/fixtures/critical_hold.c" || { fail "critical: the library compiles"; finish; }
cd "$SCRATCH" || exit 1
HELD_MS=60
THRESHOLD_MS=10

# run HOME NAME JVM-OPTIONS... [-- COMMAND...]: leaves NAME.jfr and the JVM's own NAME.log
run() {
  local home=$1 name=$2 options=() other=()
  shift 2
  while [ $# -gt 0 ]; do
    if [ "$1" = -- ]; then shift && other=("$@") && break; fi
    options+=("$1") && shift
  done
  rm -f "$name".{jfr,log}
  timeout 100 "${other[@]}" "$home/bin/java" -Xmx64m "${options[@]}" "-agentpath:$AGENT=filename=$PWD/$name.jfr,safepoint=${THRESHOLD_MS}ms" \
    "-Xlog:gc*=debug:file=$PWD/$name.log:uptimenanos" -cp "$CLASSES" CriticalHold "$LIBRARY" "${REC_CRITICAL_SECONDS:-2}" "$HELD_MS" >"$name.out" 2>"$name.err" ||
    complain "the program ended with $?: $(tail -3 "$name.err")" || return
  timeout 20 "$JREC" print --json-lines --events rec.GcLockerStall "$name.jfr" >stalls &&
    timeout 20 "$JREC" print --json-lines --events rec.GcLockerThread "$name.jfr" >threads
}

# How long each was held up, in ms, in the order of time: by the JVM's log, and by the recording. From 24 on the log has whole ms.
logged() {
  awk -F'[][n]' '/Setting _needs_gc/ { from = $2 } /Performing GC after/ { if (from) printf "%.2f\n", ($2 - from) / 1e6; from = 0 }' "$1.log"
  sed -nE 's/.*Thread blocked to start GC\. Resumed after ([0-9]+)ms.*/\1/p' "$1.log"
}
recorded() { sed -nE 's/.*"startError":"PT([0-9.]+)S","held":"PT([0-9.]+)S".*/\2 \1/p' stalls | awk '{ print $1 * 1e3, $2 * 1e3 }'; }

# Those of the log are there, as long as there, but for what the event itself says of its start, and the first, which may have
# gone on when the watcher had its first look. The log of ZGC has none: there were sections.
same_lengths() {
  logged "$1" | awk -v least=$THRESHOLD_MS '$1 >= least + 6' >theirs
  recorded >ours
  [ -s ours ] || complain "nothing was held up: $(tail -3 "$1.log")" || return
  case $1 in *-Z) return 0 ;; esac
  [ -s theirs ] || complain "the JVM's log has none" || return
  awk 'NR == FNR { ours[NR] = $1; off[NR] = $2 + 6; n = NR; next }
       { for (i = from + 1; i <= n; ++i) if (ours[i] - $1 <= off[i] && $1 - ours[i] <= off[i]) { from = i; next }
         if (FNR == 1 && early == 0) early = 1
         missed++; print "missed", $0 }
       END { exit missed > early }' early="$(grep -c 'it began before the recording' stalls)" ours theirs >differences || complain "the log and the recording differ: $(head -3 differences); $(cat ours)"
}

# The one before the watcher began may have no threads.
names_threads() {
  local inside waiting all
  all=$(wc -l <stalls)
  inside=$(grep '"javaName":"holder"' threads | grep -c '"role":"inside"')
  waiting=$(grep '"role":"waiting"' threads | grep -c '"javaName":"visitor"')
  [ $((inside + 1)) -ge "$all" ] && [ $((waiting + all / 4 + 1)) -ge "$all" ] || complain "of $all stalls $inside have the holder, $waiting the visitor" || return
  ! grep -q '"javaName":"Reference Handler"' threads || complain "the Reference Handler waits for other things" || return
  [ "$(grep '"role":"inside"' threads | grep -c '"name":"hold"')" = "$(grep -c '"role":"inside"' threads)" ] || complain "one that was inside has no stack: $(grep '"role":"inside"' threads | head -1)" || return
  case $1 in *-Z) return 0 ;; esac  # there was room to allocate
  [ "$(grep '"role":"waiting"' threads | grep -c '"javaName":"allocator-')" -ge "$all" ] || complain "hardly an allocating thread waited"
}

held_up() {
  local home=$1 name=$2
  run "$home" "$name" "${@:3}" && same_lengths "$name" && names_threads "$name" || return
  timeout 20 "$JREC" safepoints "$name.jfr" >report
  grep -qE '^[0-9]+ collections held up by JNI critical sections' report && grep -qE '^ +[0-9]+ +[0-9.]+ +[0-9.]+  CriticalHold.hold <- CriticalHold.holdUp' report ||
    complain "jrec safepoints: $(head -20 report)" || return
  timeout 60 "$home/bin/jfr" $QUICK summary "$name.jfr" | grep -E 'jdk.GCLocker +[1-9]' >/dev/null || complain "jfr finds no jdk.GCLocker"
}

# G1 from 22 on, and Shenandoah: pinned regions.
pinned() { run "$@" && { [ ! -s stalls ] || complain "held up where nothing is: $(head -1 stalls)"; }; }

# On a busy machine 4 ms may become more; then the JVM's log says so, too.
short_ones() {
  local HELD_MS
  HELD_MS=4; run "$@" || return
  logged "$2" >theirs
  recorded | awk 'FILENAME == "theirs" { theirs[n++] = $1; next }
    { for (i in theirs) if (theirs[i] - $1 <= $2 + 6 && $1 - theirs[i] <= $2 + 6) next
      print }' theirs - >invented
  [ "$(wc -l <invented)" -le 2 ] || complain "sections of 4 ms held up for longer: $(cat invented); the log has $(sort -n theirs | tail -3)"
}

for home in $(jdks); do
  jdk=$(jdk_name "$home")
  for collector in ${REC_CRITICAL_COLLECTORS:-Serial Parallel G1 Z}; do
    has_gc "$home" "$collector" || continue
    if [ "$collector" = G1 ] && [ "$(java_version "$home")" -ge 22 ]; then
      check "critical: $jdk G1 pins regions, and nothing is held up" pinned "$home" "$jdk-G1" -XX:+UseG1GC
      continue
    fi
    check "critical: $jdk $collector: what was held up is as long as the JVM's log says, with who was inside and who waited" \
      held_up "$home" "$jdk-$collector" "-XX:+Use${collector}GC"
  done
  check "critical: $jdk: short sections are none" short_ones "$home" "$jdk-short" -XX:+UseSerialGC
  if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    chmod 777 "$SCRATCH"
    check "critical: $jdk: as a user who may nothing" held_up "$home" "$jdk-user" -XX:+UseSerialGC -- setpriv --reuid=65534 --regid=65534 --clear-groups
  fi
done
finish
