#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A JVM is killed at a random instant; what it left is read as it lies, then recovered: no committed sample may be missing.
#
#   REC_RUNS       kills per load and JDK (default 1; the big run takes 25)
#   REC_KILL_LOG   file that gets one line of figures a run

# The spools of this test are counted: none of others are to lie beside them.
if [ -z "${REC_OWN_SHM:-}" ] && unshare --mount mount -t tmpfs tmpfs /dev/shm 2>/dev/null; then
  REC_OWN_SHM=1 exec unshare --mount bash -c 'mount -t tmpfs tmpfs /dev/shm && exec bash "$0"' "$0"
fi
. "$(dirname "$0")/lib.sh"
CLASSES=$(fixtures KillLoad.java ClassBurst.java Numbered00000000.java Work.java NameCheck.java SpoolCount.java) ||
  { fail "kill: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1
RUNS=${REC_RUNS:-1}
KILL_LOG=${REC_KILL_LOG:-/dev/null}

# Name, what KillLoad runs, options of the agent.
LOADS=("idle idle interval=10ms" "burn burn interval=2ms" "storm storm interval=1ms,maxchunksize=1m,flush-interval=200ms" "10k burn interval=200us"
  "clocks mixed cpu=2ms,wall=10ms,alloc=64k,live=64k,lock=1ms,safepoint=5ms,statistics=500ms,maxchunksize=2m,flush-interval=500ms")

# What SpoolCount counts, too.
SAMPLES='jdk.ExecutionSample|jdk.ObjectAllocationSample|profiler.WallClockSample|jdk.JavaMonitorEnter|jdk.JavaMonitorWait|jdk.ThreadPark|jdk.ThreadSleep|jdk.VirtualThreadPinned|jdk.JavaExceptionThrow'
samples_of() { # of files, by jfr of a JDK; fails when one is refused
  local reader=$1 file sum=0 counted
  shift
  for file in "$@"; do
    counted=$("$reader/bin/jfr" $QUICK summary "$file" 2>readerr | awk -v kinds="^($SAMPLES)$" '$1 ~ kinds { sum += $2; n++ } END { if (n) print sum }') || return
    [ -n "$counted" ] || { complain "$(jdk_name "$reader") refuses $file: $(head -3 readerr)"; return 1; }
    sum=$((sum + counted))
  done
  echo "$sum"
}

wait_for_chunk() {
  local i
  for i in $(seq 300); do
    ls app.jfr.chunks/*.jfr >/dev/null 2>&1 && return 0
    sleep 0.1
  done
  complain "no chunk appeared: $(cat err)"
}

# What a dead process left is read by every JDK, counted, recovered, and counted again.
examine() {
  local jdk=$1 load=$2 run=$3 died_ms=$4 pid=$5 reader in_chunks="" counted spools waiting expected recovered newest age rc
  local chunks=(app.jfr.chunks/*.jfr)
  [ -e "${chunks[0]}" ] || complain "there are no chunks" || return
  for reader in $(jdks); do
    counted=$(samples_of "$reader" "${chunks[@]}") || return
    [ -z "$in_chunks" ] || [ "$in_chunks" = "$counted" ] || complain "the JDKs count $in_chunks and $counted samples" || return
    in_chunks=$counted
  done
  newest=$("$(oldest_jdk)/bin/java" $READER -cp "$CLASSES" NameCheck "${chunks[@]}" | sed -nE 's/.*newest_ms=([0-9]+).*/\1/p')
  age=$((died_ms - newest))
  spools=(/dev/shm/rec-"$pid"-*/epoch-*.spool)
  [ -e "${spools[0]}" ] || complain "there are no spools" || return
  waiting=$("$(oldest_jdk)/bin/java" $READER -cp "$CLASSES" SpoolCount app.jfr.chunks "${spools[@]}") || return
  expected=$((in_chunks + ${waiting#waiting=}))
  "$JREC" recover "$pid" --json >recovered.json 2>recoverr
  rc=$?
  [ $rc = 0 ] || complain "recover ended with $rc: $(cat recoverr)" || return
  for reader in $(jdks); do
    recovered=$(samples_of "$reader" app.jfr) || return
    echo "jdk=$(java_version "$jdk") load=$load run=$run chunks=${#chunks[@]} newest_age_ms=$age in_chunks=$in_chunks" \
      "in_spools=${waiting#waiting=} expected=$expected recovered=$recovered missing=$((expected - recovered))" \
      "reader=$(java_version "$reader")" | tee -a "$KILL_LOG"
    [ "$recovered" = "$expected" ] || complain "$expected samples were committed, $recovered are recovered" || return
  done
  [ ! -e app.jfr.chunks ] && ! ls -d /dev/shm/rec-"$pid"-* >/dev/null 2>&1 || complain "something is left behind"
}

start_jvm() { # jdk options... -- : sets pid
  local jdk=$1 options=$2
  shift 2
  rm -rf app.jfr* app-* hs_err_*
  "$jdk/bin/java" "-agentpath:$AGENT=filename=$SCRATCH/app.jfr,$options" -Xmx256m -XX:-CreateCoredumpOnCrash -cp "$CLASSES" "$@" >out 2>err &
  pid=$!
}

killed() {
  local jdk=$1 name=$2 load=$3 options=$4 run pid died_ms
  for run in $(seq "$RUNS"); do
    start_jvm "$jdk" "$options" KillLoad "$load" 3600
    wait_for_chunk || { kill -9 $pid; return 1; }
    sleep $((RANDOM % 3)).$((RANDOM % 900 + 100))
    died_ms=$(date +%s%3N)
    kill -9 $pid
    wait $pid 2>/dev/null
    examine "$jdk" "$name" "$run" "$died_ms" $pid || return
  done
}

# Ends by itself. The VM may have told the agent, which then finished the recording; or nobody did.
ended() {
  local jdk=$1 how=$2 pid died_ms
  shift 2
  start_jvm "$jdk" interval=2ms "$@" KillLoad burn 2 "$how"
  wait $pid 2>/dev/null
  died_ms=$(date +%s%3N)
  if [ -s app.jfr ]; then
    [ ! -e app.jfr.chunks ] || complain "finished, and chunks are left" || return
    samples_of "$(oldest_jdk)" app.jfr
  else
    examine "$jdk" "$how" 1 "$died_ms" $pid
  fi
}

# Mounts and process ids of its own, the same path and the same filename in each, and one /dev/shm for all.
in_container() { # name script
  unshare --mount --pid --fork --kill-child bash -c 'mount --bind "$0" "$1" && mount -t proc proc /proc && cd "$1" && eval "$2"' \
    "$SCRATCH/$1" "$SCRATCH/data" "$2"
}

# What the container's chunks have, and what its own spools do.
committed_in() { # name
  local chunks=("$1"/app.jfr.chunks/*.jfr) id waiting
  id=$(sed -nE 's/^rec repository ([0-9a-f]+) .*/\1/p' "$1/app.jfr.chunks/.rec-id")
  waiting=$("$(oldest_jdk)/bin/java" $READER -cp "$CLASSES" SpoolCount "$1/app.jfr.chunks" /dev/shm/rec-*-"$id"/epoch-*.spool) || return
  echo $(($(samples_of "$(oldest_jdk)" "${chunks[@]}") + ${waiting#waiting=}))
}

# Two die; one of them starts again, the other is recovered by hand: each gets its own.
shared_memory() {
  local name of_a of_b got_a got_b
  local java="'$(oldest_jdk)/bin/java' '-agentpath:$AGENT=filename=$SCRATCH/data/app.jfr,interval=2ms' -Xmx64m -cp '$CLASSES' KillLoad"
  mkdir -p a b data
  for name in a b; do
    in_container $name "$java burn 60 >out 2>err & pid=\$!
      for i in \$(seq 300); do ls app.jfr.chunks/*.jfr >/dev/null 2>&1 && break; sleep 0.1; done; sleep 1.4; kill -9 \$pid"
  done
  of_a=$(committed_in a) && of_b=$(committed_in b) || return
  in_container b "$java idle 60 >out 2>err & pid=\$!
    for i in \$(seq 300); do grep -q 'recovered what' err && break; sleep 0.1; done; kill -9 \$pid"
  in_container a "'$JREC' recover app.jfr.chunks --json" >recovered.json 2>recoverr || complain "recover: $(cat recoverr)" || return
  got_a=$(samples_of "$(oldest_jdk)" a/app.jfr) && got_b=$(samples_of "$(oldest_jdk)" b/app-recovered-*.jfr) || return
  echo "containers: committed=$of_a,$of_b recovered=$got_a,$got_b" | tee -a "$KILL_LOG"
  [ "$got_a" = "$of_a" ] && [ "$got_b" = "$of_b" ] || complain "$of_a and $of_b were committed, $got_a and $got_b recovered"
}

# What is left on a disk that can take nothing more is recovered to another one: when it is full, and when it is read-only.
no_room() { # JDK COLLECTOR full|ro
  local status
  mkdir -p full && mount -t tmpfs -o size=24m,mode=700 rec-test full || return
  recovered_elsewhere "$@"
  status=$?
  umount full || umount -l full
  return $status
}
recovered_elsewhere() {
  local jdk=$1 pid id waiting expected got dry here left
  "$jdk/bin/java" "-agentpath:$AGENT=filename=$SCRATCH/full/app.jfr,interval=2ms" -Xmx128m "-XX:+Use$2" -XX:-CreateCoredumpOnCrash -cp "$CLASSES" \
    KillLoad burn 3600 >out 2>err &
  pid=$!
  for _ in $(seq 300); do ls full/app.jfr.chunks/*.jfr >/dev/null 2>&1 && break; sleep 0.1; done
  sleep 2.4
  kill -9 $pid
  wait $pid 2>/dev/null
  id=$(sed -nE 's/^rec repository ([0-9a-f]+) .*/\1/p' full/app.jfr.chunks/.rec-id)
  waiting=$("$(oldest_jdk)/bin/java" $READER -cp "$CLASSES" SpoolCount full/app.jfr.chunks /dev/shm/rec-"$pid-$id"/epoch-*.spool) &&
    expected=$(($(samples_of "$(oldest_jdk)" full/app.jfr.chunks/*.jfr) + ${waiting#waiting=})) || return
  if [ "$3" = full ]; then cat /dev/zero >full/ballast 2>/dev/null; else mount -o remount,ro full || return; fi
  "$JREC" recover full/app.jfr.chunks --dry-run >out 2>dry_said
  dry=$?
  "$JREC" recover full/app.jfr.chunks >out 2>here_said
  here=$?
  [ $dry = 4 ] && [ $here = 4 ] && grep -q -- '-o OUT' dry_said && grep -q -- '-o OUT' here_said ||
    complain "no word of another place: $dry $here, $(cat dry_said here_said)" || return
  rm -f out.jfr
  "$JREC" recover full/app.jfr.chunks -o out.jfr >said 2>recoverr || complain "recover: $(cat recoverr)" || return
  got=$(samples_of "$(oldest_jdk)" out.jfr) || return
  left=$(ls -d full/app.jfr.chunks/*.jfr /dev/shm/rec-"$pid-$id"/*.spool 2>/dev/null | wc -l)
  echo "no room: jdk=$(java_version "$jdk") collector=$2 disk=$3 committed=$expected recovered=$got" | tee -a "$KILL_LOG"
  [ "$got" = "$expected" ] || complain "$expected were committed, $got are recovered" || return
  if [ "$3" = full ]; then [ "$left" = 0 ]; else [ "$left" -gt 1 ] && grep -q 'spools stay' said; fi ||
    complain "$left files of chunks and spools are left: $(cat said)"
}

for jdk in $(jdks); do
  for entry in "${LOADS[@]}"; do
    read -r name load options <<<"$entry"
    check "kill: nothing is missing after kill -9, $name, $RUNS times ($(jdk_name "$jdk"))" killed "$jdk" "$name" "$load" "$options"
  done
  check "kill: nothing is missing after Runtime.halt ($(jdk_name "$jdk"))" ended "$jdk" halt
  check "kill: nothing is missing after a crash ($(jdk_name "$jdk"))" ended "$jdk" crash
  check "kill: nothing is missing after ExitOnOutOfMemoryError ($(jdk_name "$jdk"))" ended "$jdk" oom -XX:+ExitOnOutOfMemoryError
done
if [ -n "${REC_OWN_SHM:-}" ]; then
  check "kill: of containers that share /dev/shm each keeps its own" shared_memory
  for jdk in $(jdks); do
    check "kill: a full disk is recovered to another one ($(jdk_name "$jdk"))" no_room "$jdk" G1GC full
    check "kill: a disk that is read-only is recovered to another one ($(jdk_name "$jdk"))" no_room "$jdk" ZGC ro
  done
fi
finish
