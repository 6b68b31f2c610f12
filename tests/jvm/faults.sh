#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The matrix of faults (docs/faults.md): whatever the disk, the descriptors, the memory or the clock do, the application ends as it would
# without the agent and waits for nobody, what is on disk is read by every JDK, and recording goes on when the fault is over.
#
#   REC_RUNS=5         runs of each fault with each JDK (default 1)
#   REC_FAULTS="a b"   only these
#   REC_FAULT_LOG=F    a line for each run is appended: fault=eio jdk=17 run=1 verdict=ok gap_ms=12 resume_ms=640 ...
# Alone: times gaps and what comes after them, and runs six at a time itself.
. "$(dirname "$0")/lib.sh"
BY_CHANCE=1
. "$ROOT/fixtures/fault_lib.sh"
CLASSES=$(fixtures Heart.java FaultRead.java) || { fail "faults: fixtures compile"; finish; }
SHIM=$(fault_shim) || { fail "faults: the shim compiles"; finish; }
cd "$SCRATCH" || exit 1
RESUME_LIMIT_MS=${REC_RESUME_LIMIT_MS:-2000}
STALL_MS=10000
JOBS=${REC_FAULT_JOBS:-6}
SECONDS_OF_WORK=5
SPOOLS=/dev/shm
WRITING=write,pwrite,writev,fallocate,ftruncate,copy_file_range
MAKING=$WRITING,open,openat,mkdir,rename,unlink,link

# ---- one run: in a directory of its own, with JDK, and `control` for the shim ---------------------------------------------------------

# Starts the application recorded, with a rotation each second: launch FILENAME [OPTION,...] [ARGUMENT...]
launch() {
  local filename=$1 options=${2:-}
  shift; [ $# = 0 ] || shift
  FAULT_FILE=control LD_PRELOAD=$SHIM timeout -s KILL 60 "$JDK/bin/java" "-agentpath:$AGENT=filename=$filename,interval=1ms,maxchunkage=1s${options:+,$options}" \
    -cp "$CLASSES" Heart $SECONDS_OF_WORK gap "$@" >out 2>err &
  APP=$!
  FILENAME=$filename
}

# When the first samples are on disk; at most 20 s.
recording() {
  local i
  for i in $(seq 200); do
    [ -n "$(find "$FILENAME.chunks" -name '*.jfr' -size +8k 2>/dev/null)" ] && return 0
    sleep 0.1
  done
  complain "no chunk grew"
}

java_pid() { pgrep -P "$APP" -x java; }

# What lasts from now until the fault is over; the time to the next growth of a file then is resume_ms.
over() {
  local i
  touch over_marker
  "$@"
  for i in $(seq 200); do
    sleep 0.05
    local grown
    grown=$(find "$(dirname "$FILENAME")" -name '*.jfr' -newer over_marker -size +0 -printf '%T@\n' 2>/dev/null | sort -n | head -1)
    [ -z "$grown" ] || { resume_ms=$(echo "$grown $(stat -c %.Y over_marker)" | awk '{ printf "%d", ($1 - $2) * 1000 }'); return 0; }
    kill -0 "$APP" 2>/dev/null || return 0
  done
}

ends() {
  rc=0
  wait "$APP" || rc=$?
}

# For the readers: finished recordings (whole-*) and chunks that were left.
keep() {
  local file n=0
  mkdir -p kept
  for file in $(find . "$@" -name '*.jfr' -type f ! -path './kept/*'); do
    n=$((n + 1))
    case $file in
      *.chunks*/*) cp "$file" "kept/chunk-$n.jfr" ;;
      *) cp "$file" "kept/${partly:-whole}-$n.jfr" ;;
    esac
  done
}

unharmed() {
  [ "$rc" = "$(cat "$SCRATCH/calm-$(jdk_name "$JDK")/rc")" ] || complain "exit code $rc: $(tail -2 err)" || return
  cmp -s out "${plain:-$SCRATCH/calm-$(jdk_name "$JDK")/out}" || complain "stdout differs: $(head -2 out)" || return
  [ "$(cat gap)" -lt $((STALL_MS / 2)) ] || complain "an application thread stood still for $(cat gap) ms"
}

# At risk, the user is told: one to `most` lines, all of them ours. What is said of other processes' leftovers does not count.
# told [LEAST] [MOST]
told() {
  local lines
  lines=$(grep -vc 'of process [0-9]' err)
  ! grep -v '^rec: ' err || complain "stderr has lines that are not ours: $(grep -v '^rec: ' err | head -2)" || return
  [ "$lines" -ge "${1:-1}" ] && [ "$lines" -le "${2:-4}" ] || complain "$lines lines on stderr: $(head -5 err)"
}

injected() { [ "$(fault_injected control)" -gt 0 ] || complain "the fault was never met"; }

finished() { [ -e a.jfr ] || complain "there is no a.jfr: $(ls | tr '\n' ' ')"; }

resumed() {
  [ -n "$resume_ms" ] || complain "nothing was written when the fault was over" || return
  # Where the machine stood still meanwhile, the application's thread did so, too.
  [ "$resume_ms" -le $((RESUME_LIMIT_MS + $(cat gap))) ] || complain "written again after $resume_ms ms, longest gap of a thread $(cat gap) ms"
}

# A fault that begins while recording and ends before the application does: during RULES SECONDS
during() {
  fault_file control
  launch a.jfr
  recording || return
  fault_set control "$1"
  sleep "$2"
  over fault_off control
  ends && keep
  unharmed && injected && told "${least_lines:-1}" && resumed && finished
}

# One that is there from the first call to the last: always RULES
always() {
  fault_file control "$1"
  SECONDS_OF_WORK=2.5
  launch a.jfr
  ends && keep
  unharmed && injected
}

# ---- the faults -------------------------------------------------------------------------------------------------------------------

fault_enospc() { during "errno=ENOSPC calls=$WRITING path=.jfr" 2; }
fault_edquot() { during "errno=EDQUOT calls=$WRITING path=.jfr" 2; }
fault_eio() { during "errno=EIO calls=$WRITING path=.jfr" 2; }
fault_erofs() { during "errno=EROFS calls=$MAKING path=.jfr" 2; }
fault_emfile() { during "errno=EMFILE calls=open,openat,opendir,eventfd" 2; }
# Nothing is at risk yet, so that nothing need be said.
fault_stalled_disk() {
  SECONDS_OF_WORK=14 least_lines=0
  during "sleep_ms=$STALL_MS calls=$WRITING,fdatasync,fsync path=.jfr" 10.5
}

# A file system that has less room than a chunk may take, is really full, and then is not.
fault_full_tmpfs() {
  mkdir disk && mount -t tmpfs -o size=4m,mode=700 rec-test disk || return
  full_tmpfs
  local status=$?
  keep
  umount disk || umount -l disk
  return $status
}
full_tmpfs() {
  fault_file control
  launch disk/a.jfr
  recording || return
  cat /dev/zero >disk/ballast 2>/dev/null
  sleep 2.5
  over rm disk/ballast
  ends
  unharmed && told && resumed && without_filler disk/a.jfr
}
without_filler() {
  local size
  size=$(stat -c %s "$1")
  [ "$size" -lt 4000000 ] || { echo "$1 has $size bytes" && return 1; }
  "$JREC" verify --strict "$1"
}

fault_read_only_at_start() {
  mkdir disk && mount -t tmpfs -o ro,size=1m rec-test disk || return
  fault_file control
  launch disk/a.jfr
  ends
  umount disk || umount -l disk
  unharmed && told 1 1
}

fault_no_permission() { always "errno=EACCES calls=mkdir,open,openat path=a.jfr" && told 1 1; }
fault_no_directory() {
  fault_file control
  launch none/such/a.jfr
  ends && keep
  unharmed && told 0 2
}
fault_no_memory() { always "errno=ENOMEM calls=mmap" && told 1 2; }
fault_no_thread() { always "errno=EAGAIN calls=pthread_create" && told 1 2; }
fault_fsync_fails() { always "errno=EIO calls=fsync,fdatasync" && told 1 5; }
fault_rename_fails() { always "errno=EACCES calls=rename,link" && told; }
fault_short_calls() { always "short calls=write,pwrite,copy_file_range,read,pread path=.jfr" && told 0 0 && finished; }
fault_no_shared_memory() { always "errno=ENOSPC calls=fallocate path=$SPOOLS" && told 0 2; }
fault_full_shared_memory() {
  fault_file control
  launch a.jfr
  recording || return
  fault_set control "errno=ENOSPC calls=fallocate,mkdir,open path=$SPOOLS"
  ends && keep
  unharmed && told 0 2 && finished
}

# No more descriptors than the JVM needs itself.
fault_few_descriptors() {
  fault_file control
  ulimit -n 32
  launch a.jfr
  ends && keep
  unharmed && told 0 2
}
fault_descriptors_used_up() {
  fault_file control
  plain=$SCRATCH/calm-$(jdk_name "$JDK")/out-descriptors
  ulimit -n 256
  launch a.jfr "" descriptors
  ends && keep
  unharmed && told 0 2 && finished
}

# With finished chunks in it, which nobody can bring back.
fault_removed_directory() {
  fault_file control
  launch a.jfr
  recording && sleep 2 || return
  over rm -rf a.jfr.chunks
  ends
  partly=partly keep
  unharmed && told && resumed && finished
}
# The open one is still in the recorder's hands: it is put beside the others again, and nobody need be told.
fault_removed_chunk() {
  fault_file control
  launch a.jfr
  recording && sleep 2 || return
  over rm "$(ls a.jfr.chunks/*.jfr | sort | tail -1)"
  ends
  keep
  unharmed && told 0 2 && resumed && finished
}

# The disk hangs when the application ends: so does not the application.
fault_stall_at_exit() {
  fault_file control
  launch a.jfr
  recording || return
  local begin=$SECONDS
  sleep 2
  fault_set control "sleep_ms=60000 calls=$WRITING,fdatasync,fsync,rename path=.jfr"
  ends
  keep
  [ $((SECONDS - begin)) -lt 40 ] || complain "the application waited for the disk at its end" || return
  unharmed && injected && told
}

clock_jump() {
  fault_file control
  launch a.jfr
  recording || return
  fault_set control "clock_offset_s=$1"
  ends && keep
  unharmed && injected && told 0 1 && finished || return
  "$JREC" summary a.jfr >summary && ! grep -qE 'Duration: (-|3[0-9]{3})' summary || complain "$(grep Duration summary)"
}
fault_clock_back() { clock_jump -3600; }
fault_clock_forward() { clock_jump 3600; }

fault_suspended() {
  fault_file control
  launch a.jfr
  recording || return
  kill -STOP "$(java_pid)"
  sleep 2
  over kill -CONT "$(java_pid)"
  ends && keep
  unharmed && told 0 0 && resumed && finished
}

# ---- the matrix -------------------------------------------------------------------------------------------------------------------

ALL="stall_at_exit stalled_disk enospc edquot eio erofs emfile full_tmpfs read_only_at_start no_permission no_directory no_memory no_thread
  fsync_fails rename_fails short_calls no_shared_memory full_shared_memory few_descriptors descriptors_used_up removed_directory removed_chunk
  clock_back clock_forward suspended"
needs_root() { case $1 in full_tmpfs | read_only_at_start) true ;; *) false ;; esac; }

# What the application does without the agent.
calm() {
  local dir=$SCRATCH/calm-$(jdk_name "$1") rc=0
  mkdir "$dir" && cd "$dir" || return
  timeout 60 "$1/bin/java" -cp "$CLASSES" Heart 0.2 gap >out || rc=$?
  echo $rc >rc
  (ulimit -n 256; timeout 60 "$1/bin/java" -cp "$CLASSES" Heart 0.2 gap2 descriptors >out-descriptors) || true
  [ "$rc" = 3 ] && grep -q primes out && grep -q 'no descriptor' out-descriptors || complain "the application itself fails: rc $rc"
}

one_run() {
  local fault=$1 dir=$SCRATCH/runs/$3-$1-$(jdk_name "$2")
  JDK=$2 resume_ms="" partly="" plain="" least_lines=""
  mkdir -p "$dir" && cd "$dir" || return
  if "fault_$fault" >why 2>&1; then echo ok >verdict; else echo bad >verdict; fi
  echo "fault=$fault jdk=$(java_version "$JDK") run=$3 verdict=$(cat verdict) gap_ms=$(cat gap 2>/dev/null) resume_ms=$resume_ms lines=$(grep -c . err) injected=$(fault_injected control)" >line
}

matrix() {
  local run jdk fault running=0
  for run in $(seq "${REC_RUNS:-1}"); do
    for fault in ${REC_FAULTS:-$ALL}; do
      ! needs_root "$fault" || [ "$(id -u)" = 0 ] || continue
      for jdk in $(jdks); do
        (one_run "$fault" "$jdk" "$run") &
        running=$((running + 1))
        [ "$running" -lt "$JOBS" ] || { wait -n; running=$((running - 1)); }
      done
    done
  done
  wait
}

read_all() {
  local jdk
  for jdk in $(jdks); do
    find runs -path '*/kept/*.jfr' -print0 | xargs -0r timeout 300 "$jdk/bin/java" $READER -cp "$CLASSES" FaultRead >"read-$(jdk_name "$jdk")" 2>&1
  done
}

# What the runs of one fault say together with what the readers say of their files.
verdict() {
  local dir status=0
  for dir in runs/*-"$1-$2"; do
    [ -e "$dir/verdict" ] || complain "it did not end" || return
    [ "$(cat "$dir/verdict")" = ok ] || complain "$dir: $(cat "$dir/why")" || status=1
    ! grep -H "^$dir/.* bad:" read-* || status=1
  done
  return $status
}

for jdk in $(jdks); do (calm "$jdk") || { fail "faults: the application runs alone"; finish; }; done
matrix
read_all
for fault in ${REC_FAULTS:-$ALL}; do
  for jdk in $(jdks); do
    name="faults: $fault ($(jdk_name "$jdk"))"
    if needs_root "$fault" && [ "$(id -u)" != 0 ]; then skipped "$name" "only root can mount"; else check "$name" verdict "$fault" "$(jdk_name "$jdk")"; fi
  done
done
sweep_spools
if [ -n "${REC_FAULT_LOG:-}" ]; then cat runs/*/line >>"$REC_FAULT_LOG"; fi
echo "# faults: longest gap of an application thread $(sed -E 's/.*gap_ms=([0-9]*).*/\1/' runs/*/line | sort -n | tail -1) ms, written again after at most $(sed -E 's/.*resume_ms=([0-9]*).*/\1/' runs/*/line | sort -n | tail -1) ms"
finish
