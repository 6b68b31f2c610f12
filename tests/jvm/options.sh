#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A wrong option, or a place where nothing can be written, costs one line on stderr and nothing else.
. "$(dirname "$0")/lib.sh"
CLASSES=$(fixtures Work.java) || { fail "options: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1

# run JDK OPTIONS: out, err and rc of the application with status 3 of its own.
run() {
  timeout 60 "$1/bin/java" ${2+"-agentpath:$AGENT=$2"} -cp "$CLASSES" Work 0.3 3 >out 2>err
  rc=$?
}

same_as_without() {
  run "$1"
  local plain_out plain_rc=$rc
  plain_out=$(cat out)
  run "$1" "$2"
  [ "$rc" = "$plain_rc" ] || complain "exit code $rc, without the agent $plain_rc" || return
  [ "$(cat out)" = "$plain_out" ] || complain "stdout differs: $(cat out)" || return
}

one_line() { [ "$(wc -l <err)" = 1 ] || complain "expected one line on stderr, got: $(cat err)"; }
says() { grep -qF -- "$1" err || complain "stderr lacks '$1': $(cat err)"; }
leaves_nothing() { [ -z "$(find . -name '*.jfr*')" ] || complain "left behind: $(find . -name '*.jfr*')"; }

unknown_key() {
  same_as_without "$1" "filenmae=a.jfr" && one_line && says "did you mean 'filename'?" && says "runs unrecorded" && leaves_nothing
}
bad_value() { same_as_without "$1" "filename=a.jfr,interval=1us" && one_line && says "the smallest is 50us" && leaves_nothing; }

ends_on_error() {
  run "$1" "filenmae=a.jfr,onerror=exit"
  [ "$rc" != 0 ] && [ "$rc" != 3 ] || complain "exit code $rc" || return
  ! grep -q sorted out || complain "the application ran: $(cat out)" || return  # the JVM itself says on stdout that it ends
  says "did you mean 'filename'?"
}

unwritable() { same_as_without "$1" "filename=/proc/none/a.jfr" && one_line && says "rec: " && says "/proc/none"; }

unwritable_exits() {
  run "$1" "filename=/proc/none/a.jfr,onerror=exit"
  [ "$rc" != 0 ] && [ "$rc" != 3 ] || complain "exit code $rc"
}

help() {
  timeout 60 "$1/bin/java" "-agentpath:$AGENT=help" -cp "$CLASSES" Work 0 >out 2>err
  grep -q 'maxchunksize' out err && leaves_nothing || complain "help does not name maxchunksize: $(cat out err)"
}

# What a user may have meant otherwise is recorded, and said in a line.
doubtful() { # JDK OPTIONS WORDS
  same_as_without "$1" "overwrite=true,$2" && one_line && says "$3" || return
  find . -name '*.jfr' | grep -q . || complain "nothing is recorded"
  rm -f ./*.jfr
}
doubts() {
  doubtful "$1" "filename=a.jfr,interval=1ms,alloc" "interval has no effect: other clocks are named, and cpu is not" &&
    doubtful "$1" "filename=a.jfr,cpu-clock=timer,wall" "cpu-clock has no effect" &&
    doubtful "$1" "filename=a-%{REC_NO_SUCH}.jfr" "%{REC_NO_SUCH} in the file's name is left out" &&
    doubtful "$1" "filename=a-%z.jfr" "%z in the file's name stands for nothing and stays" || return
  same_as_without "$1" "overwrite=true,filename=a.jfr,interval=1ms,cpu,alloc" && [ ! -s err ] || complain "not silent: $(cat err)" || return
  "$JREC" sql a.jfr "select value from events_jdk_ActiveSetting where name = 'period'" >period
  grep -q '^1 ms' period || complain "interval=1ms,cpu has $(cat period)"
  rm -f a.jfr
}

quiet() {
  rm -rf q && mkdir q
  same_as_without "$1" "filename=q/a.jfr" || return
  [ ! -s err ] || complain "not silent: $(cat err)" || return
  [ "$(stat -c %a q/a.jfr)" = 600 ] || complain "mode of the recording: $(stat -c %a q/a.jfr)" || return
  [ "$(ls q)" = a.jfr ] || complain "left behind: $(ls q)" || return
  rm -rf q
}

for jdk in $(jdks); do
  name=$(jdk_name "$jdk")
  check "options: an unknown key names the nearest and the application runs ($name)" unknown_key "$jdk"
  check "options: a value out of limits names the limit ($name)" bad_value "$jdk"
  check "options: onerror=exit ends the JVM ($name)" ends_on_error "$jdk"
  check "options: a directory that cannot be made costs one line ($name)" unwritable "$jdk"
  check "options: with onerror=exit it ends the JVM ($name)" unwritable_exits "$jdk"
  check "options: help is printed and nothing recorded ($name)" help "$jdk"
  check "options: what has no effect is said, and a bare cpu keeps the interval ($name)" doubts "$jdk"
  check "options: a good run is silent and leaves one private file ($name)" quiet "$jdk"
done
finish
