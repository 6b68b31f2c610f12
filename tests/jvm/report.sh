#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The page of a real recording, in Chromium and without network: each clock shows what `jrec collapsed` adds up, a range of time shows its part, a method
# its callers, each panel what it is for, and no script fails. Skipped where there is no Chromium.
. "$(dirname "$0")/lib.sh"
command -v chromium >/dev/null || { skipped "report" "there is no chromium"; finish; }
CLASSES=$(fixtures ViewMix.java) || { fail "report: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1
JDK=$(jdks | tail -1)

record() {
  timeout 60 "$JDK/bin/java" "-agentpath:$AGENT=filename=app.jfr,overwrite=true,cpu=2ms,wall=20ms,alloc=64k,lock=1ms,exceptions,statistics=1s" -cp "$CLASSES" ViewMix 2 >out 2>err ||
    { cat err >&2; return 1; }
  timeout 60 "$JREC" report app.jfr -o page.html
}

# page STATE: what the page shows, as a document. Errors of its scripts go to errors.
page() {
  timeout -s KILL 60 chromium --headless --no-sandbox --disable-gpu --enable-logging=stderr --virtual-time-budget=4000 --dump-dom "file://$PWD/page.html#$1" >dom 2>errors || complain "chromium failed"
  ! grep -E 'Uncaught|Error' errors | grep CONSOLE || complain "the page's script fails"
}

sum() { timeout 60 "$JREC" collapsed app.jfr "$@" | awk '{ sum += $NF } END { printf "%.0f", sum }'; }
total() { grep -o 'data-total="[0-9.]*"' dom | grep -o '[0-9.]*'; }
same() { [ "$2" = "$3" ] || complain "$1: $3 instead of $2"; }

clock() { # CLOCK PANEL
  page "c=$1&p=$2" && same "$1" "$(sum -e "$1")" "$(total)" && grep -q "data-panel=\"$2\"" dom || complain "not the panel $2"
}

# Two halves of the time are the whole.
halves() {
  local first second
  page 't=0-1000' && first=$(total) && page t=1000-99999999 && second=$(total) && [ "$first" -gt 0 ] && same "two halves" "$(sum -e cpu)" $((first + second))
}

sandwich() {
  page 'c=wall&m=ViewMix.contend' || return
  grep -q '<b id="cut-name">ViewMix.contend</b>' dom || complain "no method is chosen"
}

if check "report: a page is made of a recording" record; then
  check "report: samples of CPU time" clock cpu stacks
  check "report: waits for locks, and who had them" clock lock locks
  check "report: a range of time shows its part" halves
  check "report: callers and callees of a method" sandwich
fi
finish
