# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests with a JVM. It finds the agent and the JDKs, compiles fixtures into a scratch directory, and gives verdicts.
#
#   REC_BUILD   build directory that holds agent/librec.so and jrec/jrec (default: build/)
#
# A test is a function whose status is the verdict: check NAME function args...
set -uo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
BUILD=${REC_BUILD:-$ROOT/build}
AGENT=$BUILD/agent/librec.so
JREC=$BUILD/jrec/jrec
SCRATCH=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$SCRATCH"' EXIT
FAILED=0

# For the JDK's tools, which run for a second: they need no second compiler, and no threads that collect.
QUICK="-J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC"
READER="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # for our own readers of recordings

# One home a line, oldest first, links counted once: those that have javac and jfr.
jdks() {
  local home
  for home in $(readlink -f /usr/lib/jvm/*/ | sort -u); do
    [ -x "$home/bin/javac" ] && [ -x "$home/bin/jfr" ] && echo "$(java_version "$home") $home"
  done | sort -n | cut -d' ' -f2
}

# 17, 25. A JDK says so in a file too, which takes no JVM to read.
java_version() {
  local version
  version=$(sed -nE 's/^JAVA_VERSION="([0-9]+).*/\1/p' "$1/release" 2>/dev/null)
  if [ -n "$version" ]; then echo "$version"; else "$1/bin/java" -version 2>&1 | sed -nE '1s/.*"([0-9]+).*/\1/p'; fi
}

oldest_jdk() { jdks | head -1; }

# A name for verdicts: jdk17
jdk_name() { echo "jdk$(java_version "$1")"; }

# Compiles fixtures for the oldest JDK, so that all can run them. Prints the class path.
fixtures() {
  local out=$SCRATCH/classes
  mkdir -p "$out"
  (cd "$ROOT/fixtures" && "$(oldest_jdk)/bin/javac" $QUICK -nowarn -d "$out" "$@") >&2 || return 1
  echo "$out"
}

# jfr_each JDK COMMAND FILE... : the JDK's own jfr for one file after another, in one JVM. Needs JfrEach.java among the fixtures in CLASSES.
# Fails when it refuses a file, or says anything on stderr.
jfr_each() {
  local jdk=$1
  shift
  timeout 300 "$jdk/bin/java" $READER --add-opens jdk.jfr/jdk.jfr.internal.tool=ALL-UNNAMED -cp "$CLASSES" JfrEach "$@" \
    2>readerr && [ ! -s readerr ] || complain "$(jdk_name "$jdk") refuses a file: $(head -5 readerr)"
}

has_gc() { "$1/bin/java" -XX:+UnlockExperimentalVMOptions "-XX:+Use$2GC" -version >/dev/null 2>&1; }

ok() { echo "ok $1"; }
fail() {
  echo "FAIL $1"
  FAILED=1
}
skipped() { echo "skipped $1: $2"; }

# check NAME command... : the command's status is the verdict, and its own; what it says is shown when it fails.
#
#   BY_CHANCE   what is judged is time on a machine that others use, too: a check that fails is made once more, which is
#               shown and counted. What is wrong fails twice.
check() {
  local name=$1 log=$SCRATCH/check.log
  shift
  if "$@" >"$log" 2>&1; then ok "$name" && return; fi
  if [ -n "${BY_CHANCE:-}" ]; then
    echo "# tried again: $name" && indented "$log"
    if "$@" >"$log" 2>&1; then ok "$name" && return; fi
  fi
  fail "$name" && indented "$log"
  return 1
}
indented() { sed 's/^/    /' "$1" | tail -30; }

# Says what is wrong and fails: complain "expected one line, got 3"
complain() {
  echo "$*" >&2
  return 1
}

# recorded FIXTURE NAME JDK OPTIONS ARGUMENTS...: NAME.jfr, NAME.out, NAME.err of a fixture in CLASSES.
#
#   JVM          more options of the VM
#   TIME_LIMIT   in seconds (default 120)
recorded() {
  local fixture=$1 name=$2 jdk=$3 options=$4
  shift 4
  timeout -s KILL "${TIME_LIMIT:-120}" "$jdk/bin/java" "-agentpath:$AGENT=filename=$PWD/$name.jfr,overwrite=true,$options" ${JVM:-} -cp "$CLASSES" "$fixture" "$@" \
    >"$name.out" 2>"$name.err" || complain "$(cat "$name.err")"
}

# silent NAME: neither the agent nor the JVM had anything to say.
silent() { [ ! -s "$1.err" ] && ! grep -q warning "$1.out" || complain "said: $(cat "$1.err" "$1.out")"; }

# sql RECORDING QUERY: what the one row of one column is. counter RECORDING CAUSE: of rec.Counters, at the end.
sql() { "$JREC" sql "$1" "$2" | tail -1 | tr -d ' '; }
counter() { sql "$1" "select coalesce(max(total), 0) from events_rec_Counters where cause = '$2'"; }

finish() { exit $FAILED; }

if [ ! -e "$AGENT" ]; then
  skipped "$(basename "$0" .sh)" "there is no $AGENT"
  exit 0
fi
if [ -z "$(jdks)" ]; then
  skipped "$(basename "$0" .sh)" "there is no JDK under /usr/lib/jvm"
  exit 0
fi
