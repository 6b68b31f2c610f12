#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# maxsize and maxage hold while chunk after chunk is written, %n{MAX} keeps its files over restarts and crashes, and onchunk is given
# every chunk once.
#
#   REC_SECONDS   length of the runs under load (default 6)
. "$(dirname "$0")/lib.sh"
BY_CHANCE=1
CLASSES=$(fixtures ClassBurst.java JfrEach.java Work.java) || { fail "retention: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1
SECONDS_OF_LOAD=${REC_SECONDS:-6}
LOAD=interval=500us,flush-interval=200ms

burst() {
  local options=$1
  timeout 300 "$JDK/bin/java" "-agentpath:$AGENT=$LOAD,$options" -cp "$CLASSES" ClassBurst all 1 "$SECONDS_OF_LOAD" >out 2>err ||
    complain "ended with $?: $(cat out err)"
}

# Bytes of the finished chunks of recording $1, and of the largest: "total largest".
finished_bytes() {
  ls -l "$1".chunks/*.jfr 2>/dev/null | sort -k9 | head -n -1 | awk '{ total += $5; if ($5 > top) top = $5 } END { print total + 0, top + 0 }'
}

chunk_count() { "$JDK/bin/jfr" $QUICK summary "$1" | sed -nE 's/^ Chunks: ([0-9]+).*/\1/p'; }
readable() {
  local reader
  for reader in $(jdks); do
    jfr_each "$reader" print "$@" >/dev/null || return
  done
}
samples() { jfr_each "$JDK" summary "$@" | awk '$1 == "jdk.ExecutionSample" { sum += $2 } END { print sum + 0 }'; }

# Many small chunks; the application ends when a few have been dropped, however fast the machine is.
size() {
  JDK=$1
  local limit=$((1 << 20)) total largest most=0 top=0 bytes pid
  rm -rf s.jfr* finished
  "$JDK/bin/java" "-agentpath:$AGENT=filename=s.jfr,maxsize=1m,maxchunkage=1s,interval=100us,cpu-clock=perf,onchunk=echo >>finished" \
    -cp "$CLASSES" ClassBurst all 4 300 >out 2>err &
  pid=$!
  while kill -0 $pid 2>/dev/null; do
    read -r total largest < <(finished_bytes s.jfr)
    [ "$largest" -gt "$top" ] && top=$largest
    [ "$total" -gt "$most" ] && most=$total
    [ "$(cat finished 2>/dev/null | wc -l)" -gt $(($(ls s.jfr.chunks 2>/dev/null | wc -l) + 2)) ] && kill $pid
    sleep 0.1
  done
  wait $pid
  bytes=$(stat -c %s s.jfr) || complain "$(cat err)" || return
  echo "at most $most bytes in finished chunks, $bytes in the recording, largest chunk $top"
  [ "$most" -gt 0 ] || complain "saw no finished chunk" || return
  [ "$most" -le $((limit + top)) ] || complain "$most bytes while recording" || return
  [ "$bytes" -le $((limit + top)) ] || complain "$bytes bytes in the recording" || return
  [ "$(wc -l <finished)" -gt "$(chunk_count s.jfr)" ] || complain "nothing was ever dropped: $(wc -l <finished) chunks in all" || return
  readable s.jfr
}

# With an idle application no chunk fills; time passes all the same.
age() {
  JDK=$1
  local chunks
  rm -f finished
  if [ "$2" = busy ]; then
    burst "filename=a.jfr,maxage=2s,onchunk=echo >>finished" || return
  else
    timeout 60 "$JDK/bin/java" "-agentpath:$AGENT=filename=a.jfr,maxage=2s,onchunk=echo >>finished" -cp "$CLASSES" Work "$SECONDS_OF_LOAD" >out 2>err || complain "$(cat err)" || return
  fi
  chunks=$(chunk_count a.jfr)
  echo "$chunks chunks of $(wc -l <finished) in the recording"
  # Chunks of a second: two that are young enough, the last, and one that was just about to go.
  [ "$(wc -l <finished)" -gt "$chunks" ] || complain "nothing was ever dropped" || return
  readable a.jfr
}

ring_run() { timeout 60 "$JDK/bin/java" "-agentpath:$AGENT=filename=ring/r-%n{3}.jfr" -cp "$CLASSES" Work 0.3 >out 2>err || complain "$(cat err)"; }
ring_files() { ls ring | grep -E '^r-[0-9]+\.jfr$' | tr '\n' ' '; }

ring() {
  JDK=$1
  local pid first
  rm -rf ring && mkdir ring
  ring_run && ring_run || return
  [ "$(ring_files)" = "r-1.jfr r-2.jfr " ] || complain "two runs left $(ls ring)" || return
  # The third is killed; the fourth must neither take its number again nor be kept from going on.
  "$JDK/bin/java" "-agentpath:$AGENT=filename=ring/r-%n{3}.jfr" -cp "$CLASSES" Work 60 >out 2>err &
  pid=$!
  for _ in $(seq 200); do compgen -G 'ring/r-3.jfr.chunks/*.jfr' >/dev/null && break; sleep 0.1; done
  kill -9 $pid
  wait $pid 2>/dev/null
  [ -d ring/r-3.jfr.chunks ] || complain "the third run did not take number 3: $(ls ring)" || return
  first=$(stat -c %i ring/r-1.jfr)
  ring_run || return
  [ "$(stat -c %i ring/r-1.jfr)" != "$first" ] || complain "the first was not replaced: $(ls ring) $(cat err)" || return
  ring_run && ring_run || return
  [ "$(ring_files)" = "r-1.jfr r-2.jfr r-3.jfr " ] || complain "the ring has $(ls ring)" || return
  readable ring/r-1.jfr ring/r-2.jfr ring/r-3.jfr
}

# Two that run at the same time write to two files.
ring_together() {
  JDK=$1
  rm -rf ring && mkdir ring
  "$JDK/bin/java" "-agentpath:$AGENT=filename=ring/r-%n{3}.jfr" -cp "$CLASSES" Work 4 >out1 2>err1 &
  for _ in $(seq 200); do compgen -G 'ring/r-1.jfr.chunks/*.jfr' >/dev/null && break; sleep 0.1; done
  ring_run || return
  wait $!
  [ "$(ring_files)" = "r-1.jfr r-2.jfr " ] || complain "the ring has $(ls ring)"
}

# The copies are the recording: each is read by every JDK, and their samples add up.
hook() {
  JDK=$1
  local sum
  rm -rf copies h.jfr && mkdir copies
  burst "filename=h.jfr,maxchunkage=1s,onchunk=cp -t copies" || return
  [ "$(ls copies | wc -l)" = "$(chunk_count h.jfr)" ] || complain "$(ls copies | wc -l) copies, but $(chunk_count h.jfr) chunks" || return
  sum=$(samples copies/*)
  echo "$sum samples in $(ls copies | wc -l) copies, $(samples h.jfr) in the recording"
  [ "$sum" -gt 0 ] && [ "$sum" = "$(samples h.jfr)" ] || complain "$sum samples in the copies, $(samples h.jfr) in the recording" || return
  readable copies/*
}

failing_hook() {
  JDK=$1
  timeout 60 "$JDK/bin/java" "-agentpath:$AGENT=filename=f.jfr,maxchunkage=1s,onchunk=/nonexistent/upload 2>&-" -cp "$CLASSES" Work 3 7 >out 2>err
  [ $? = 7 ] || complain "another exit code: $(cat err)" || return
  [ "$(grep -c '^rec: ' err)" = 1 ] && grep -q '^rec: onchunk failed' err || complain "not one line: $(cat err)" || return
  readable f.jfr
}

for jdk in $(jdks); do
  check "retention: maxsize holds under load ($(jdk_name "$jdk"))" size "$jdk"
  check "retention: onchunk is given each chunk once, whole ($(jdk_name "$jdk"))" hook "$jdk"
done
oldest=$(oldest_jdk)
check "retention: maxage drops whole chunks under load" age "$oldest" busy
check "retention: maxage drops chunks when none fills" age "$oldest" calm
check "retention: a ring of three goes round over restarts and a crash" ring "$oldest"
check "retention: two of a ring at the same time have two files" ring_together "$oldest"
check "retention: a command that is missing is said once and disturbs nobody" failing_hook "$oldest"
finish
