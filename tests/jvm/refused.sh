#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# VMs that rec does not record: one line that says which and why, and the program runs, with its own exit code. Tried with the older JDKs
# that are there, and those of REC_OLD_JAVA (names of java programs); what other VMs are told by is tests/agent/known_vm_test.cpp's.
. "$(dirname "$0")/lib.sh"
cd "$SCRATCH" || exit 1
cat >Small.java <<'END'
class Small { public static void main(String[] args) { System.out.println("ran"); System.exit(7); } }
END
"$(oldest_jdk)/bin/javac" $QUICK --release 8 -Xlint:-options -d . Small.java || { fail "refused: the fixture compiles"; finish; }
WAYS=("-agentpath:$AGENT=")
if [ -e "$BUILD/agent/rec-context.jar" ]; then
  python3 "$ROOT/packaging/maven/rec_jar.py" 0.1.0 "$BUILD/agent/rec-context.jar" rec.jar "linux-x64=$AGENT" && WAYS+=("-javaagent:$PWD/rec.jar=")
fi

runs_on() { # LINE JAVA
  local line=$1 way status
  shift
  rm -f none.jfr
  for way in "${WAYS[@]}"; do
    timeout 60 "$1" "${way}filename=$PWD/none.jfr" -cp . Small >out 2>err
    status=$?
    [ $status = 7 ] && [ "$(cat out)" = ran ] && [ "$(cat err)" = "rec: $line. The application runs unrecorded." ] && [ ! -e none.jfr ] || complain "$way: $status, $(cat out err)" || return
    timeout 60 "$1" "${way}filename=$PWD/none.jfr,onerror=exit" -cp . Small >out 2>err
    status=$?
    [ $status = 1 ] && [ ! -s out ] && [ "$(cat err)" = "rec: $line. The JVM ends (onerror=exit)." ] || complain "$way: $status, $(cat out err)" || return
  done
}

older_jdks() {
  local home
  [ -z "${REC_OLD_JAVA:-}" ] || printf '%s\n' $REC_OLD_JAVA
  for home in $(readlink -f /usr/lib/jvm/*/ | sort -u); do [ ! -x "$home/bin/java" ] || [ "$(java_version "$home")" -ge 17 ] || echo "$home/bin/java"; done
}

older=$(older_jdks)
for java in $older; do
  version=$("$java" -version 2>&1 | sed -nE '1s/.*"(1\.)?([0-9]+).*/\2/p')
  check "refused: Java $version" runs_on "this is Java $version, and rec records 17 and later" "$java"
done
[ -n "$older" ] || skipped "refused: older JDKs" "there are none"
finish
