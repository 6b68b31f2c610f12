#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# How true walks are on aarch64, under emulation (docs/aarch64.md): fixtures are recorded on each JDK, by each collector and compiler, and each
# caller's bytecode is compared with the frame above it (fixtures/ChainCheck.java). A line for each of them:
#
#   JDK, collector, compiler | samples | pairs of frames compared, of these wrong | stacks, of these cut, without a root | walks that broke off
#
#   REC_AARCH64         what scripts/aarch64-jvm brought (default: ~/.cache/rec-aarch64)
#   REC_AARCH64_BUILD   what scripts/agent-aarch64 built (default: build-aarch64/)
#   JAVA_HOME           a JDK for this machine that compiles and judges, 24 or later
#   JDKS, GCS, MODES    (default: "java java21", "Serial G1", "interpreter c1 c2 tiered")
#   SECONDS_EACH        of each program (default: 4)
#   KEEP                a folder that recordings which have something wrong are moved to
set -euo pipefail
ROOT=$(cd "$(dirname "$0")/.." && pwd)
EMULATED=${REC_AARCH64:-$HOME/.cache/rec-aarch64}
AGENT=${REC_AARCH64_BUILD:-$ROOT/build-aarch64}/agent/librec.so
JAVA_HOME=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")}
JREC=${JREC:-$ROOT/build/jrec/jrec}
SECONDS_EACH=${SECONDS_EACH:-4}
SCRATCH=$(mktemp -d)
trap 'rm -rf "$SCRATCH"' EXIT
cd "$SCRATCH"
PROGRAMS=("Work $SECONDS_EACH" "StubMix $SECONDS_EACH" "DeepStacks $SECONDS_EACH 300" "UnevenFrames $SECONDS_EACH")

for program in "${PROGRAMS[@]}"; do "$JAVA_HOME/bin/javac" --release 21 -nowarn -d classes "$ROOT/fixtures/${program%% *}.java"; done
"$JAVA_HOME/bin/javac" -d checker "$ROOT/fixtures/ChainCheck.java"

flags_of() {
  case $1 in
    interpreter) echo -Xint ;;
    c1) echo -XX:TieredStopAtLevel=1 ;;
    c2) echo -XX:-TieredCompilation ;;
    *) ;;
  esac
}
home_of() { sed -nE 's,.*"([^"]*)/bin/java" .*,\1,p' "$EMULATED/$1"; }

record() { # JDK GC MODE
  local program number=0
  rm -f ./*.jfr
  for program in "${PROGRAMS[@]}"; do
    # shellcheck disable=SC2046,SC2086
    timeout -s KILL 150 "$EMULATED/$1" "-agentpath:$AGENT=filename=$((number += 1)).jfr,interval=5ms,cstack=none,stackdepth=1024" "-XX:+Use$2GC" $(flags_of "$3") -Xmx256m \
      -cp classes $program >out 2>&1 || { echo "# $* $program: $? $(tail -3 out)" >&2; continue; }
    ! grep -E '^rec:|warning' out >&2 || true
  done
}

counter() { # CAUSE
  local file sum=0
  for file in *.jfr; do sum=$((sum + $("$JREC" sql "$file" "select coalesce(max(total), 0) from events_rec_Counters where cause = '$1'" | tail -1))); done
  echo "$sum"
}
said() { sed -nE "s/.*\\b$1=([0-9]+).*/\\1/p" checked | head -1; }

judge() { # JDK GC MODE
  "$JAVA_HOME/bin/java" -XX:+UseSerialGC -cp checker ChainCheck "$(home_of "$1")" classes ./*.jfr >checked 2>&1 || true
  echo "| $1, $2, $3 | $(counter samples) | $(said checked), $(said disagree) | $(said stacks), $(said truncated), $(said rootless) | $(counter broken) |"
  [ -n "${KEEP:-}" ] && { [ "$(said disagree)$(said truncated)$(said rootless)" = 000 ] || { mkdir -p "$KEEP/$1-$2-$3" && cp ./*.jfr checked "$KEEP/$1-$2-$3"; }; }
  return 0
}

for jdk in ${JDKS:-java java21}; do
  for gc in ${GCS:-Serial G1}; do
    for mode in ${MODES:-interpreter c1 c2 tiered}; do record "$jdk" "$gc" "$mode" && judge "$jdk" "$gc" "$mode"; done
  done
done
