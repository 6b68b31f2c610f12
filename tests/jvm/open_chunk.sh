#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The open chunk is a finished JFR file at every instant: copied at random moments, and left behind by kill -9, both JDKs read it.
. "$(dirname "$0")/lib.sh"
BY_CHANCE=1
CLASSES=$(fixtures ClassBurst.java JfrEach.java NameCheck.java Work.java) || { fail "open_chunk: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1
COPIES=${REC_COPIES:-20}
OLDEST_NEWEST_MS=2000  # flush interval of a second, and a busy machine's share

newest_chunk() { ls "$1".chunks/*.jfr 2>/dev/null | sort | tail -1; }

# Waits until the first chunk is there: at most 20 s.
wait_for_chunk() {
  local i
  for i in $(seq 200); do
    [ -n "$(newest_chunk "$1")" ] && return 0
    sleep 0.1
  done
  complain "no chunk appeared beside $1"
}

copies() {
  local jdk=$1 pid i chunk reader with_samples
  rm -rf copy-*.jfr live.jfr live.jfr.chunks
  # A short flush interval gives a copy more to tear.
  "$jdk/bin/java" "-agentpath:$AGENT=filename=live.jfr,interval=1ms,maxchunksize=1m,flush-interval=20ms" \
    -cp "$CLASSES" ClassBurst all 1 600 >out 2>err &
  pid=$!
  wait_for_chunk live.jfr || { kill -9 $pid; cat err >&2; return 1; }
  for i in $(seq "$COPIES"); do
    sleep 0.$((RANDOM % 900 + 100))
    chunk=$(newest_chunk live.jfr)
    # A chunk may be closed and dropped between the two: the next one is as good.
    cp "$chunk" "copy-$i.jfr" 2>/dev/null || cp "$(newest_chunk live.jfr)" "copy-$i.jfr" || complain "nothing to copy" || { kill -9 $pid; return 1; }
  done
  kill -9 $pid
  wait $pid 2>/dev/null
  for reader in $(jdks); do
    jfr_each "$reader" print $(seq -f copy-%g.jfr "$COPIES") >printed || return
  done
  # A chunk that has just begun holds none yet: most do.
  with_samples=$(awk '/^# copy-/ { counted = 0 } /jdk.ExecutionSample/ && !counted { counted = 1; ++n } END { print n + 0 }' printed)
  [ "$with_samples" -gt $((COPIES / 2)) ] || complain "only $with_samples of $COPIES copies hold a sample"
}

killed() {
  local jdk=$1 pid killed_ms newest_ms reader
  rm -rf dead.jfr dead.jfr.chunks
  "$jdk/bin/java" "-agentpath:$AGENT=filename=dead.jfr,interval=2ms" -cp "$CLASSES" Work 600 >out 2>err &
  pid=$!
  wait_for_chunk dead.jfr || { kill -9 $pid; cat err >&2; return 1; }
  sleep 3.$((RANDOM % 10))
  killed_ms=$(date +%s%3N)
  kill -9 $pid
  wait $pid 2>/dev/null
  for reader in $(jdks); do
    jfr_each "$reader" summary dead.jfr.chunks/*.jfr >/dev/null && jfr_each "$reader" print dead.jfr.chunks/*.jfr >/dev/null || return
    "$reader/bin/java" $READER -cp "$CLASSES" NameCheck dead.jfr.chunks/*.jfr >checked || complain "$(cat checked)" || return
    cat checked
    newest_ms=$(sed -nE 's/.*newest_ms=([0-9]+).*/\1/p' checked)
    [ $((killed_ms - newest_ms)) -le $OLDEST_NEWEST_MS ] || complain "the newest event is $((killed_ms - newest_ms)) ms old" || return
  done
}

for jdk in $(jdks); do
  check "open_chunk: $COPIES copies at random instants are read by every JDK ($(jdk_name "$jdk"))" copies "$jdk"
  check "open_chunk: after kill -9 the chunks are read as they lie ($(jdk_name "$jdk"))" killed "$jdk"
done
finish
