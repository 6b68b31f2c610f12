#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Classes come and go by the thousand under every collector: no name is lost, none is wrong. Class and method carry the same number.
. "$(dirname "$0")/lib.sh"
CLASSES=$(fixtures ClassBurst.java NameCheck.java) || { fail "classes: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1

burst() {
  local jdk=$1 gc=$2 kind=$3 clocks=${4:-}
  local unloaded="" seconds
  for seconds in 2 6 18; do  # a loaded machine takes longer to make as many
    rm -f burst.jfr
    timeout 120 "$jdk/bin/java" -Xmx512m -XX:+UnlockExperimentalVMOptions "-XX:+Use${gc}GC" \
      "-agentpath:$AGENT=filename=burst.jfr,interval=1ms,maxchunksize=1m$clocks" -cp "$CLASSES" ClassBurst "$kind" 2 "$seconds" >out 2>err ||
      complain "ClassBurst ends with $?: $(cat err)" || return
    unloaded=$(sed -nE 's/.*unloaded ([0-9]+)/\1/p' out)
    [ "${unloaded:-0}" -le 100 ] || break
  done
  cat out
  [ "${unloaded:-0}" -gt 100 ] || complain "only ${unloaded:-no} classes were unloaded: this run shows nothing" || return
  [ ! -s err ] || complain "not silent: $(cat err)" || return
  "$jdk/bin/java" $READER -cp "$CLASSES" NameCheck burst.jfr >checked || complain "$(cat checked)" || return
  cat checked
  local numbered
  numbered=$(sed -nE 's/.* numbered=([0-9]+).*/\1/p' checked)
  [ "${numbered:-0}" -gt 200 ] || complain "only ${numbered:-no} frames show a numbered class: this run shows nothing"
}

for jdk in $(jdks); do
  for gc in G1 Serial Parallel Z Shenandoah; do
    name="classes: all kinds under $gc ($(jdk_name "$jdk"))"
    if has_gc "$jdk" "$gc"; then check "$name" burst "$jdk" "$gc" all; else skipped "$name" "this JDK lacks it"; fi
  done
  check "classes: all kinds with all clocks ($(jdk_name "$jdk"))" burst "$jdk" G1 all ,cpu=1ms,wall=5ms,alloc=16k,live=64k,lock=100us
  for kind in hidden loader lambda; do check "classes: $kind ($(jdk_name "$jdk"))" burst "$jdk" G1 "$kind"; done
done
finish
