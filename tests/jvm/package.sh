#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The reader, installed, serves another project: it is found, the example in the documentation builds against it, and reads recordings of both JDKs.
. "$(dirname "$0")/lib.sh"
CLASSES=$(fixtures Work.java) || { fail "package: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1

installed() {
  cmake --install "$BUILD" --component library --prefix "$SCRATCH/prefix" >/dev/null &&
    cmake -S "$ROOT/tests/consumer" -B consumer -DCMAKE_PREFIX_PATH="$SCRATCH/prefix" -DCMAKE_BUILD_TYPE=Release >/dev/null &&
    cmake --build consumer >/dev/null
}

documented() {
  tail -n +2 "$ROOT/tests/consumer/main.cpp" | while IFS= read -r line; do
    grep -qxF -- "$line" "$ROOT/docs/library.md" || complain "docs/library.md lacks: $line" || return 1
  done
  [ "$(tail -n +2 "$ROOT/tests/consumer/main.cpp" | wc -l)" -lt 30 ] || complain "the example has grown to 30 lines"
}

reads() {
  local jdk=$1 wanted
  "$jdk/bin/java" -XX:StartFlightRecording=filename=work.jfr,settings=profile -cp "$CLASSES" Work 3 >/dev/null 2>&1
  consumer/consumer work.jfr >lines || return 1
  wanted=$("$jdk/bin/jfr" $QUICK summary work.jfr | awk '$1 == "jdk.ExecutionSample" { print $2 }')
  [ "$wanted" -gt 0 ] && [ "$(wc -l <lines)" = "$wanted" ] || complain "$(wc -l <lines) lines, $wanted samples"
  grep -qE ' (sorter|hasher)$' lines || complain "no sample of the program's threads"
}

check package-is-found-and-built-against installed
check package-example-is-the-documented-one documented
for jdk in $(jdks); do check "package-$(jdk_name "$jdk")-reads" reads "$jdk"; done
finish
