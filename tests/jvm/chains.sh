#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every caller's bytecode calls the frame above it, and stacks reach the thread's root. The load compiles Java code: deep and varied stacks.
. "$(dirname "$0")/lib.sh"
cd "$SCRATCH" || exit 1
NEWEST=$(jdks | tail -1)
MAX_TRUNCATED=0.5  # percent of stacks

if [ "$(java_version "$NEWEST")" -lt 24 ]; then
  skipped "chains" "ChainCheck needs JDK 24 or later"
  finish
fi
mkdir -p checker
(cd "$ROOT/fixtures" && "$NEWEST/bin/javac" $QUICK -d "$SCRATCH/checker" ChainCheck.java) || { fail "chains: ChainCheck compiles"; finish; }

# javac on this project's own fixtures, over and over: JDK 17 can compile all but ChainCheck.
sources() { ls "$ROOT"/fixtures/*.java | grep -v ChainCheck; }
record() {
  rm -rf chains.jfr out && mkdir out
  timeout 120 "$1/bin/java" "-agentpath:$AGENT=filename=chains.jfr,interval=500us,maxchunksize=1m" "${@:2}" >log 2>&1 || complain "$(cat log)"
}
compile() { record "$1" --add-modules jdk.compiler -m jdk.compiler/com.sun.tools.javac.Main -nowarn -d out $(sources); }

chains() {
  compile "$1" || return
  "$NEWEST/bin/java" -cp checker ChainCheck "$1" "" chains.jfr >checked || complain "$(cat checked)" || return
  cat checked
  local agree truncated
  agree=$(sed -nE 's/.* agree=([0-9]+).*/\1/p' checked)
  [ "${agree:-0}" -gt 1000 ] || complain "only ${agree:-no} pairs were compared: this run shows nothing" || return
  truncated=$(sed -nE 's/.* truncated=[0-9]+ \(([0-9.]+)%.*/\1/p' checked)
  awk -v got="$truncated" -v most="$MAX_TRUNCATED" 'BEGIN { exit !(got <= most) }' || complain "$truncated % of the stacks are truncated" || return
  grep -q 'rootless=0 ' checked || complain "stacks end where no thread starts"
}

for jdk in $(jdks); do check "chains: callers call their callees ($(jdk_name "$jdk"))" chains "$jdk"; done
finish
