#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# jrec behaves as a shell expects: exit codes, no half-written files, completions that bash accepts, a manual that man can show.
. "$(dirname "$0")/lib.sh"
cd "$SCRATCH" || exit 1

interrupted() {
  local code
  mkfifo slow
  sleep 20 >slow &
  timeout --preserve-status -s INT 1 "$JREC" print - -o out.txt <slow
  code=$?
  kill %1
  [ $code = 130 ] || complain "exit code $code" || return 1
  [ -z "$(ls out.txt* 2>/dev/null)" ] || complain "left $(ls out.txt*)"
}

codes() {
  local code=0
  "$JREC" summary 2>/dev/null
  [ $? = 1 ] || complain "no file: not 1" || return 1
  echo text >text.jfr
  "$JREC" summary text.jfr 2>err
  [ $? = 3 ] && grep -q 'text.jfr: at 0x0' err || complain "no recording: $(cat err)" || return 1
  cp "$ROOT/tests/golden/archive_v3.recz" own.recz
  for command in "report own.recz" "flame own.recz" "collapsed own.recz" "convert own.recz --format speedscope"; do
    "$JREC" $command -o own.recz 2>err
    [ $? = 4 ] && cmp -s own.recz "$ROOT/tests/golden/archive_v3.recz" || complain "$command writes over its input" || return 1
  done
  "$JREC" --help >/dev/full 2>/dev/null
  [ $? = 4 ] || complain "full disk: not 4"
}

completes() {
  local answer shell
  "$JREC" completion bash >completion || return 1
  bash -n completion || return 1
  cp "$ROOT/tests/golden/archive_v3.recz" ./kept.recz
  # As the shell would ask: jrec ver<TAB>, jrec summary --j<TAB>, ... It makes words of what stands around a colon.
  answer=$(bash -c '. ./completion; ask() { COMP_WORDS=("$1" "${@:2}"); COMP_CWORD=$(($# - 1)); _jrec; echo "${COMPREPLY[*]}"; }
    ask "$1" ver; ask "$1" summary --js; ask "$1" archive ver; ask "$1" hot --event alloc; ask "$1" view kep; ask "$1" hot kept.recz : t
    ask "$1" print kept.recz --events jdk.Ex; ask "$1" hot --color a' x "$JREC")
  [ "$answer" = "$(printf '%s\n' verify --json verify alloc kept.recz 'two.jfr torn.jfr text.txt' jdk.ExecutionSample 'auto always')" ] || complain "completed: $answer" || return
  for shell in zsh fish; do
    "$JREC" completion $shell >completion.$shell || return 1
    ! command -v $shell >/dev/null || $shell -n completion.$shell || return 1
  done
}

has_manual() {
  "$JREC" manual >jrec.1 || return 1
  if command -v groff >/dev/null; then
    groff -man -Tutf8 -ww jrec.1 2>warnings | grep -q 'The chunks of a recording as several recordings' || return 1
    [ ! -s warnings ] || complain "$(head -3 warnings)"
  else
    grep -q '^\.SS disassemble' jrec.1
  fi
}

# at_terminal LINES COMMAND: what a terminal of 80 columns shows of it, whatever it ends with.
at_terminal() { TERM=xterm script -qc "stty rows $1 cols 80; $2" /dev/null </dev/null | tr -d '\r'; }

# Long texts by the pager, short ones and those of --no-pager without it; colours as they are asked for.
has_terminal() {
  local bold=$'\x1b[1m' pager="sed 's/^/paged: /'" help="'$JREC' --help" hot="'$JREC' hot '$ROOT/tests/golden/archive_v3.recz'"
  command -v script >/dev/null || complain "no script(1) to make a terminal" || return
  [ "$(at_terminal 10 "PAGER=\"$pager\" $help" | grep -vc '^paged: ')" = 0 ] || complain "not paged" || return
  [ "$(at_terminal 10 "PAGER=\"$pager\" $hot --no-pager" | grep -c '^paged: ')" = 0 ] || complain "paged for all that" || return
  [ "$(at_terminal 500 "PAGER=\"$pager\" $help" | grep -c '^paged: ')" = 0 ] || complain "paged, though it fits" || return
  at_terminal 10 "PAGER=/none $help" | grep 'Record a JVM' >/dev/null || complain "nothing without a pager" || return
  at_terminal 99 "$hot" | grep -F "$bold" >/dev/null || complain "no colours" || return
  ! at_terminal 99 "NO_COLOR=1 $hot" | grep -F "$bold" || complain "colours all the same" || return
  ! "$JREC" hot "$ROOT/tests/golden/archive_v3.recz" 2>/dev/null | grep -F "$bold" || complain "colours in a pipe"
}

# The screen of top is cut where the terminal ends, and none of its lines goes on in the next one.
fits_terminal() {
  local member screen
  member=$("$JREC" archive list "$ROOT/tests/golden/archive_v3.recz" | awk 'NR == 2 { print $NF }')
  "$JREC" archive cat "$ROOT/tests/golden/archive_v3.recz" "$member" >top.jfr
  screen=$(at_terminal 6 "'$JREC' top top.jfr -n 1 -d 0.05") || return
  screen=${screen#*$'\x1b[H'} # from the first screen on
  [[ $screen == *$'\x1b[?7h'* ]] || complain "lines are wrapped, or stay cut behind it: $screen" || return
  screen=${screen%%$'\x1b[J'*}
  [ "$(grep -c '' <<<"$screen")" = 6 ] && grep samples: <<<"$screen" >/dev/null || complain "not six lines: $screen"
}

# What runs these tests ends well when all of them pass, and only then; and says how many.
counts() {
  local said script='set -euo pipefail; . "$1/scripts/steps.sh"; step a echo "ok one"; step b echo "$2 two" >/dev/null; summary'
  said=$(bash -c "$script" x "$ROOT" ok) && [ "$(tail -1 <<<"$said")" = "2 passed, 0 failed" ] || complain "all passed: $said" || return
  ! said=$(bash -c "$script" x "$ROOT" FAIL) && [ "$(tail -2 <<<"$said")" = $'# FAIL two\n1 passed, 1 failed' ] || complain "one failed: $said"
}

check manners-counts counts
check manners-interrupted-with-130 interrupted
check manners-exit-codes codes
check manners-bash-completion completes
check manners-manual has_manual
check manners-terminal has_terminal
check manners-small-terminal fits_terminal
finish
