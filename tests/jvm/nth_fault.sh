#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Each system call of the writer fails once, for a while, or from then on: the process lives, and each sample is in the recording, in
# what recovery finds, or counted as lost.
#
#   REC_NTH=all   every call with every fault, and more for a while (some thousands of runs); default: every call with one of them
. "$(dirname "$0")/lib.sh"
. "$ROOT/fixtures/fault_lib.sh"
DRIVER=$BUILD/tests/fault_driver
FAULTS=(errno=ENOSPC errno=EIO errno=EMFILE errno=ENOMEM errno=EROFS errno=EINTR short)
LASTING=(errno=ENOSPC errno=EIO errno=EROFS)
WRITING=pwrite,write,fallocate,ftruncate,copy_file_range,fdatasync,open,mkdir,rename  # what a broken disk refuses
[ -x "$DRIVER" ] || { skipped nth_fault "there is no $DRIVER"; finish; }
CLASSES=$(fixtures JfrEach.java) || { fail "nth_fault: fixtures compile"; finish; }
SHIM=$(fault_shim) || { fail "nth_fault: the shim compiles"; finish; }
cd "$SCRATCH" || exit 1
export DRIVER SHIM JREC ROOT SCRATCH

samples_in() { "$JREC" summary "$1" 2>/dev/null | awk '$1 == "jdk.ExecutionSample" { n = $2 } END { print n + 0 }'; }

# field NAME: of the driver's line.
field() { [[ " $(<out)" =~ [^a-z]$1=([a-z0-9]+) ]] && echo "${BASH_REMATCH[1]}"; }

unreadable() {
  local file
  for file in $(find . -name '*.jfr' -type f); do
    "$JREC" summary "$file" >summary 2>&1 || { echo "jrec cannot read $file: $(tail -1 summary)"; return 0; }
  done
  return 1
}

# What is wrong with the run that has just ended, as one line; nothing if all is well.
judge() {
  local rc=$1 written
  [ "$rc" != 124 ] || { echo "hangs"; return; }
  [ "$rc" = 0 ] || { echo "ends with $rc: $(tail -1 err)"; return; }
  [ $(($(field committed) + $(field lost))) = "$(field emitted)" ] || { echo "emitted is not committed + lost: $(cat out)"; return; }
  unreadable && return
  case $(field start)-$(field stop) in
    failed-none) [ -s err ] || echo "start failed in silence" ;;
    ok-ok)
      written=$(samples_in recording.jfr)
      [ "$written" = "$(field committed)" ] || echo "the recording has $written samples: $(cat out)"
      ;;
    *) unfinished ;;
  esac
}

# A recording that could not be finished: recovery of the spools, and of chunks that no spool leads to, has all, and nothing twice. What
# stop() could make of it is a copy.
unfinished() {
  local left written=0
  [ -s err ] || { echo "stop failed in silence"; return; }
  for left in $(find . -maxdepth 1 -name 'rec-*') recording.jfr.chunks; do
    [ ! -d "$left" ] || "$JREC" recover -o "recovered-$(basename "$left").jfr" "$left" >>recovered 2>&1
  done
  for left in recovered-*.jfr; do [ ! -e "$left" ] || written=$((written + $(samples_in "$left"))); done
  [ -e recovered ] || written=$(samples_in recording.jfr)
  [ "$written" = "$(field committed)" ] || echo "recovery finds $written samples: $(cat out); $(paste -sd' ' recovered)"
}

# one_run NUMBER RULE: a line "ok|BAD|unreached RULE: what, call"
one_run() {
  local dir=$SCRATCH/run-$1 rc=0 wrong
  mkdir "$dir" && cd "$dir" && fault_file control "$2"
  FAULT_FILE=control FAULT_TARGET=main LD_PRELOAD=$SHIM timeout 20 "$DRIVER" "$dir" >out 2>err || rc=$?
  if [ "$(fault_injected control)" = 0 ]; then echo "unreached $2"; else
    wrong=$(judge "$rc")
    if [ -n "$wrong" ]; then echo "BAD $2 at $(fault_last control): $wrong"; else echo "ok $2"; fi
  fi
  case $1 in
    *7) mkdir -p "$SCRATCH/sample" && find . -name '*.jfr' -type f | head -1 | xargs -rI{} cp {} "$SCRATCH/sample/$1.jfr" ;;
  esac
  cd "$SCRATCH" && rm -rf "$dir"
}
export -f samples_in field unreadable judge unfinished one_run fault_file fault_injected fault_last

# The rules of all runs, one a line.
plan() {
  local calls=$1 n fault
  for n in $(seq "$calls"); do
    if [ "${REC_NTH:-}" = all ]; then
      for fault in "${FAULTS[@]}"; do echo "nth=$n count=1 $fault"; done
      for fault in "${LASTING[@]}"; do
        echo "nth=$n count=12 $fault calls=$WRITING"
        echo "nth=$n $fault calls=$WRITING"
      done
    else
      echo "nth=$n count=1 ${FAULTS[n % ${#FAULTS[@]}]}"
      [ $((n % 11)) != 0 ] || echo "nth=$n count=12 ${LASTING[n % ${#LASTING[@]}]} calls=$WRITING"
      [ $((n % 13)) != 0 ] || echo "nth=$n ${LASTING[n % ${#LASTING[@]}]} calls=$WRITING"
    fi
  done
}

calls_of_a_run() {
  mkdir calm && fault_file calm/control
  FAULT_FILE=calm/control FAULT_TARGET=main LD_PRELOAD=$SHIM timeout 20 "$DRIVER" "$PWD/calm" >calm/out 2>&1 || return 1
  fault_calls calm/control
}

all_calls() {
  local calls
  calls=$(calls_of_a_run) || complain "without a fault: $(cat calm/out)" || return
  plan "$calls" | nl -w1 -s' ' | xargs -P "$(nproc)" -I{} bash -c 'one_run "${1%% *}" "${1#* }"' _ {} >verdicts
  grep BAD verdicts
  [ "$(grep -c '^ok' verdicts)" -ge 300 ] || complain "only $(grep -c '^ok' verdicts) injections went well" || return
  ! grep -q BAD verdicts
}

read_by_jdks() {
  local jdk
  [ -n "$(ls sample)" ] || complain "there is nothing to read" || return
  for jdk in $(jdks); do jfr_each "$jdk" summary sample/*.jfr >summary || return; done
}

check "nth_fault: whichever call fails, nothing crashes, hangs or is lost uncounted" all_calls
echo "# nth_fault: $(grep -c '^ok' verdicts) injections went well, $(grep -c '^BAD' verdicts) did not, $(grep -c '^unreached' verdicts) were not reached"
[ -z "${REC_FAULT_LOG:-}" ] || cp verdicts "$REC_FAULT_LOG.nth"
check "nth_fault: what these runs left is read by every JDK" read_by_jdks
finish
