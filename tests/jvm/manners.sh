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
  "$JREC" --help >/dev/full 2>/dev/null
  [ $? = 4 ] || complain "full disk: not 4"
}

completes() {
  "$JREC" completion bash >completion || return 1
  bash -n completion || return 1
  # As the shell would ask: jrec ver<TAB>, jrec summary --j<TAB>
  local answer
  answer=$(bash -c '. ./completion; COMP_WORDS=(jrec ver); COMP_CWORD=1; _jrec; echo "${COMPREPLY[*]}"
    COMP_WORDS=(jrec summary --js); COMP_CWORD=2; _jrec; echo "${COMPREPLY[*]}"')
  [ "$answer" = $'verify\n--json' ] || complain "completed: $answer"
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

check manners-interrupted-with-130 interrupted
check manners-exit-codes codes
check manners-bash-completion completes
check manners-manual has_manual
finish
