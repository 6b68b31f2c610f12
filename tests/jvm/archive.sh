#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The archive: recordings of each JDK and of the agent come back to the byte and are read by the JDKs' tools; adding to it is all or
# nothing when a call fails or the process is killed; members are inputs of other commands.
. "$(dirname "$0")/lib.sh"
. "$ROOT/fixtures/fault_lib.sh"
CLASSES=$(fixtures Work.java) || { fail "archive: fixtures compile"; finish; }
SHIM=$(fault_shim) || { fail "archive: the shim compiles"; finish; }
cd "$SCRATCH" || exit 1
export SHIM JREC SCRATCH

# By JFR itself, and by the agent: NAME.jfr, NAME-rec.jfr
record() {
  timeout 60 "$1/bin/java" -XX:StartFlightRecording=filename="$2.jfr",settings=profile -cp "$CLASSES" Work 1.5 0 >/dev/null 2>&1
  timeout 60 "$1/bin/java" "-agentpath:$AGENT=maxchunksize=1m,filename=$PWD/$2-rec.jfr" -cp "$CLASSES" Work 1 0 >/dev/null 2>&1
  [ -s "$2.jfr" ] && [ -s "$2-rec.jfr" ] || complain "no recording"
}

# They come back, and the archive is smaller than what zstd makes of them one by one.
round_trip() {
  local file sum=0
  "$JREC" archive add -q all.recz "$@" --label service=test && "$JREC" archive verify all.recz || complain "add or verify says $?" || return
  "$JREC" archive restore -q all.recz --to back || complain "restore says $?" || return
  for file in "$@"; do
    cmp "$file" "back/$file" && "$JREC" archive cat all.recz "$file" | cmp - "$file" || return
    sum=$((sum + $(zstd -qc19 "$file" | wc -c)))
  done
  [ "$("$JREC" archive list --json all.recz | grep -c '"service":"test"')" = $# ] || complain "list has not all members" || return
  [ "$(stat -c %s all.recz)" -lt "$sum" ] || complain "$(stat -c %s all.recz) bytes, zstd makes $sum"
}

# What plain zstd makes of an export.
exported() {
  local file
  "$JREC" archive export -q --zst all.recz --to zst || complain "export says $?" || return
  for file in "$@"; do zstd -qdc "zst/$file.zst" | cmp - "$file" || return; done
}

read_by() { timeout 60 "$1/bin/jfr" $QUICK summary "back/$2" | grep 'Event Type' >/dev/null; }

as_input() {
  local command
  for command in "summary --json" collapsed metadata; do
    diff <("$JREC" $command "$1") <("$JREC" $command "all.recz:$1") >differing || complain "$command differs: $(head -3 differing)" || return
  done
}

# A damaged recording is kept as it is.
damaged() {
  head -c 100000 "$1" >torn.jfr && printf 'no chunk' >>torn.jfr
  "$JREC" archive add -q torn.recz torn.jfr && "$JREC" archive cat torn.recz torn.jfr | cmp - torn.jfr
}

# However little memory there is: it is added and comes back, or an error says so. By one thread, and where no thread is to be had.
little_memory() { # RECORDING
  local kilobytes rc done=0 refused=0
  for kilobytes in $(seq 10000 1000 14000) $(seq 14200 100 16000) $(seq 17000 1000 60000) unlimited; do
    rm -f little.recz
    (ulimit -v "$kilobytes" && ulimit -c 0 && exec "$JREC" archive add -q little.recz "$1" 2>err)
    rc=$?
    case $rc in
      0) "$JREC" archive cat little.recz "$1" | cmp - "$1" || return; done=$((done + 1)) ;;
      4) grep -q '^jrec: there is not enough memory; --jobs 1 takes the least$\|^jrec: Resource temporarily unavailable$\|: cannot map: Cannot allocate memory$' err || complain "$kilobytes kB: $(cat err)" || return; refused=$((refused + 1)) ;;
      127) ;;  # not enough for the program's own libraries
      *) complain "$kilobytes kB: exit code $rc, $(head -3 err)" || return ;;
    esac
  done
  [ $done -gt 0 ] && [ $refused -gt 0 ] || complain "$done added, $refused refused"
}

refusals() {
  local rc
  "$JREC" archive add -q all.recz --name "$1" "$2" 2>err && complain "another file under a name that is taken" && return 1
  grep -q 'another member' err || complain "$(cat err)" || return
  "$JREC" archive list "$1" 2>err && complain "a recording is no archive" && return 1
  "$JREC" archive restore all.recz none 2>err && complain "no such member" && return 1
  "$JREC" archive add all.recz "$1" | grep 'already there' >/dev/null || complain "the same file twice"
}

# one_fault NUMBER RULE: adds under a fault. What was there stays, what is added is whole or not there, and the next can add.
one_fault() {
  local dir=$SCRATCH/fault-$1 rc=0
  mkdir "$dir" && cp before.recz "$dir/a.recz" && fault_file "$dir/control" "$2"
  FAULT_FILE=$dir/control FAULT_TARGET=main LD_PRELOAD=$SHIM timeout 20 "$JREC" archive add -q "$dir/a.recz" more.jfr 2>"$dir/err" || rc=$?
  if [ "$rc" = 124 ] || { [ "$rc" != 0 ] && [ ! -s "$dir/err" ]; }; then echo "BAD $2: ends with $rc: $(head -1 "$dir/err")"; fi
  "$JREC" archive cat "$dir/a.recz" one.jfr 2>/dev/null | cmp -s - one.jfr || echo "BAD $2: the first member is gone"
  [ "$rc" != 0 ] || "$JREC" archive cat "$dir/a.recz" more.jfr 2>/dev/null | cmp -s - more.jfr || echo "BAD $2: added, and not there"
  "$JREC" archive add -q "$dir/a.recz" last.jfr 2>"$dir/err" && "$JREC" archive verify "$dir/a.recz" >/dev/null 2>>"$dir/err" || echo "BAD $2: then $(head -1 "$dir/err")"
  [ "$(fault_injected "$dir/control")" = 0 ] && echo unreached
  rm -rf "$dir"
}
export -f one_fault fault_file fault_injected

faults() {
  local n=0 rules=()
  cp "$1" one.jfr && cp "$2" more.jfr && cp "$3" last.jfr && "$JREC" archive add -q before.recz one.jfr || return
  for n in $(seq 40); do
    rules+=("nth=$n count=1 errno=EIO" "nth=$n errno=ENOSPC calls=pwrite,write,ftruncate,fdatasync" "nth=$n count=1 short")
  done
  n=0
  for rule in "${rules[@]}"; do printf '%s\0%s\0' $((n++)) "$rule"; done | xargs -0 -n2 -P"$(nproc)" bash -c 'one_fault "$@"' _ >verdicts
  ! grep -q BAD verdicts || complain "$(grep BAD verdicts | head -5)" || return
  [ "$(grep -c unreached verdicts)" -lt $((${#rules[@]} / 2)) ] || complain "only $((${#rules[@]} - $(grep -c unreached verdicts))) faults were met"
}

# What was there before is whole; bytes that were never committed are told of with status 2.
first_is_whole() {
  local rc=0
  "$JREC" archive cat "$1" one.jfr >cat.jfr 2>cat.err || rc=$?
  cmp cat.jfr one.jfr || return
  [ "$rc" = 0 ] || { [ "$rc" = 2 ] && grep -q 'never committed' cat.err; } || complain "cat says $rc: $(cat cat.err)"
}

# Killed at some instant while it adds, spread over the time that it takes: both files or none.
killed() {
  local n rc begin took
  cp before.recz k.recz
  begin=$(date +%s%N)
  "$JREC" archive add -q k.recz more.jfr last.jfr || complain "add says $?" || return
  took=$(($(date +%s%N) - begin))
  for n in $(seq 1 25); do
    cp before.recz k.recz
    "$JREC" archive add -q k.recz more.jfr last.jfr 2>/dev/null &
    sleep "$(awk -v took="$took" -v n="$n" 'BEGIN { printf "%.4f", took / 1e9 * n / 22 }')"
    kill -KILL $! 2>/dev/null
    wait $! 2>/dev/null  # it is gone, with its lock: timeout(1) kills itself, too, and does not wait
    first_is_whole k.recz || complain "killed after $n of 22 parts: the first member is gone" || return
    rc=$("$JREC" archive list --json k.recz 2>/dev/null | grep -c '"name"')
    [ "$rc" = 1 ] || [ "$rc" = 3 ] || complain "$((rc - 1)) of 2 files were added" || return
    "$JREC" archive add -q k.recz last.jfr && "$JREC" archive verify k.recz >/dev/null && "$JREC" archive cat k.recz last.jfr | cmp - last.jfr ||
      complain "after a kill at $n of 22 parts the next add says $?" || return
  done
}

ALL=()
for home in $(jdks); do
  name=$(jdk_name "$home")
  check "archive: $name records" record "$home" "$name"
  ALL+=("$name.jfr" "$name-rec.jfr")
done
check "archive: recordings come back to the byte" round_trip "${ALL[@]}"
for home in $(jdks); do
  name=$(jdk_name "$home")
  for file in "$name.jfr" "$name-rec.jfr"; do
    check "archive: $file as it came back is read by $name" read_by "$home" "$file"
    check "archive: $file in the archive is an input" as_input "$file"
  done
done
check "archive: zstd restores what was exported" exported "${ALL[@]}"
check "archive: a damaged recording" damaged "${ALL[0]}"
check "archive: what is refused" refusals "${ALL[0]}" "${ALL[1]}"
check "archive: calls that fail" faults "${ALL[1]}" "${ALL[0]}" "${ALL[@]: -1}"
check "archive: with little memory" little_memory "${ALL[0]}"
check "archive: killed while it adds" killed
finish
