#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The reader, installed, serves other projects, in C++ and in C: it is found, the examples in the documentation build against it, and read recordings of both JDKs.
. "$(dirname "$0")/lib.sh"
CLASSES=$(fixtures Work.java) || { fail "package: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1

installed() {
  cmake --install "$BUILD" --component library --prefix "$SCRATCH/prefix" >/dev/null &&
    cmake -S "$ROOT/tests/consumer" -B consumer -DCMAKE_PREFIX_PATH="$SCRATCH/prefix" -DCMAKE_BUILD_TYPE=Release >/dev/null &&
    cmake --build consumer >/dev/null
}

documented() {
  tail -n +2 "$1" | while IFS= read -r line; do
    grep -qxF -- "$line" "$ROOT/docs/library.md" || complain "docs/library.md lacks: $line" || return 1
  done || return 1
  [ "$(tail -n +2 "$1" | wc -l)" -lt 30 ] || complain "the example has grown to 30 lines"
}

# The compiler alone, as somebody without CMake has it; strict, and with warnings as errors.
built_by_pkg_config() {
  local flags
  flags=$(PKG_CONFIG_PATH=$(dirname "$(find prefix -name jrec.pc)") pkg-config --cflags --libs jrec) &&
    cc -std=c99 -Wall -Wextra -Wpedantic -Werror -o by_pkg_config "$ROOT/tests/consumer/main.c" $flags
}

# libjrec.so is a guest: it needs libc alone, and shows the calls of its header alone.
library_is_a_good_guest() {
  local library shown declared
  library=$(find prefix -name libjrec.so)
  ! readelf -dW "$library" | sed -nE 's/.*\(NEEDED\).*\[(.*)\]/\1/p' | grep -vE '^(libc|ld-linux-x86-64)\.so\.[0-9]$' || complain "needs more than libc" || return
  shown=$(nm -D --defined-only "$library" | awk '$2 == "T" { sub("@.*", "", $3); print $3 }' | sort)
  declared=$(sed -nE 's/^JREC_C(ALL|HECKED) .*[ *](jrec_[a-z0-9_]+)\(.*/\2/p' prefix/include/jrec.h | sort)
  [ "$(wc -l <<<"$declared")" -gt 20 ] && [ "$shown" = "$declared" ] || complain "shows: $(diff <(echo "$declared") <(echo "$shown"))"
}


reads() {
  local jdk=$1 wanted
  "$jdk/bin/java" -XX:StartFlightRecording=filename=work.jfr,settings=profile -cp "$CLASSES" Work 3 >/dev/null 2>&1
  consumer/consumer work.jfr >lines || return 1
  wanted=$("$jdk/bin/jfr" $QUICK summary work.jfr | awk '$1 == "jdk.ExecutionSample" { print $2 }')
  [ "$wanted" -gt 0 ] && [ "$(wc -l <lines)" = "$wanted" ] || complain "$(wc -l <lines) lines, $wanted samples"
  grep -qE ' (sorter|hasher)$' lines || complain "no sample of the program's threads"
  consumer/consumer_c work.jfr | diff lines - || complain "C and C++ differ"
  head -c $(($(stat -c %s work.jfr) - 100)) work.jfr >cut.jfr
  ! consumer/consumer_c cut.jfr >/dev/null 2>err && grep '^cut.jfr: at 0x[0-9a-f]*: ' err || complain "a cut file: $(cat err)"
}

check package-is-found-and-built-against installed
check package-example-is-the-documented-one documented "$ROOT/tests/consumer/main.cpp"
check package-example-in-c-is-the-documented-one documented "$ROOT/tests/consumer/main.c"
check package-library-for-c-is-a-good-guest library_is_a_good_guest
if command -v pkg-config >/dev/null; then check package-is-found-by-pkg-config built_by_pkg_config; else skipped package-is-found-by-pkg-config "there is no pkg-config"; fi
for jdk in $(jdks); do check "package-$(jdk_name "$jdk")-reads" reads "$jdk"; done
finish
