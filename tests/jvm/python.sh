#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The reader for Python: the wheel is made without a network, holds the library, and reads every value of a JDK's recording as the JDK does.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || { skipped python "there is no python3"; exit 0; }
[ -e "$BUILD/format/c/libjrec.so.1" ] || { skipped python "there is no $BUILD/format/c/libjrec.so.1"; exit 0; }
CLASSES=$(fixtures Work.java) || { fail "python: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1
unset PYTHONPATH JREC_LIBRARY
export REC_BUILD=$BUILD

# By what pip calls, and by pip, where there is one.
makes_a_wheel() {
  (cd "$ROOT/format/python" && PYTHONDONTWRITEBYTECODE=1 python3 -c 'import sys, wheel_backend; print(wheel_backend.build_wheel(sys.argv[1]))' "$SCRATCH") >name || return 1
  python3 -m zipfile -e "$(cat name)" site && cmp site/jrec/libjrec.so "$BUILD/format/c/libjrec.so.1"
}
pip_installs() {
  python3 -m pip install -q --no-index --no-deps --disable-pip-version-check --root-user-action=ignore --target piped "$ROOT/format/python" &&
    diff -r -x __pycache__ site/jrec piped/jrec
}

record() {
  timeout 60 "$1/bin/java" -XX:StartFlightRecording=filename="$(jdk_name "$1").jfr",settings=profile -cp "$CLASSES" Work 1 >/dev/null 2>&1
  [ -s "$(jdk_name "$1").jfr" ]
}
values_are_the_jdks() {
  local name
  name=$(jdk_name "$1")
  "$1/bin/jfr" $QUICK print --json "$name.jfr" >"$name.json" && PYTHONPATH=site python3 "$ROOT/tests/python/against_jfr.py" "$name.jfr" "$name.json" >alike &&
    grep -E '^[0-9]{4,} events of [0-9]{2,} types alike' alike || complain "$(cat alike)"
}
counts_are_the_jdks() {
  local name
  name=$(jdk_name "$1")
  "$1/bin/jfr" $QUICK summary "$name.jfr" | awk '$1 ~ /^jdk\./ && $2 > 0 && $1 !~ /^jdk\.(Metadata|Check[Pp]oint)$/ { print $1, $2 }' | sort >wanted
  PYTHONPATH=site python3 -c 'import jrec, sys; [print(*row) for row in jrec.open(sys.argv[1]).counts().items()]' "$name.jfr" | sort | diff wanted - && [ -s wanted ]
}
stacks_are_ours() {
  "$JREC" collapsed "$1" | sort >wanted
  PYTHONPATH=site python3 -c 'import jrec, sys; [print(*row) for row in jrec.open(sys.argv[1]).collapsed().items()]' "$1" | sort | diff wanted - && [ -s wanted ]
}
keeps_its_promises() { PYTHONPATH=site python3 "$ROOT/tests/python/jrec_test.py" "$1"; }

runs_the_documented_example() {
  tail -n +2 "$ROOT/format/python/example.py" | while IFS= read -r line; do
    grep -qxF -- "$line" "$ROOT/docs/python.md" || complain "docs/python.md lacks: $line" || return 1
  done || return 1
  PYTHONPATH=site python3 "$ROOT/format/python/example.py" "$1" >out && grep -E '^[0-9]+ samples of [0-9]+ threads$' out &&
    [ "$(grep -cE '^ +[0-9]+  [^ ]+$' out)" = 5 ] && grep -x '  Work.runUntil' out || complain "$(cat out)"
}

# A library that is not there is said in a line that tells what to do.
tells_of_no_library() {
  ! JREC_LIBRARY=/nowhere/libjrec.so PYTHONPATH=site python3 -c 'import jrec' 2>err && tail -1 err | grep 'ImportError: jrec has no library: /nowhere/libjrec.so.*JREC_LIBRARY'
}

check python-wheel-is-made-without-a-network makes_a_wheel
if python3 -m pip --version >/dev/null 2>&1; then check python-pip-installs-it pip_installs; else skipped python-pip-installs-it "python3 has no pip"; fi
check python-tells-of-no-library tells_of_no_library
for jdk in $(jdks); do
  name=$(jdk_name "$jdk")
  check "python-$name-recorded" record "$jdk" || continue
  check "python-$name-has-the-jdks-counts" counts_are_the_jdks "$jdk"
  check "python-$name-has-the-jdks-values" values_are_the_jdks "$jdk"
  check "python-$name-has-our-stacks" stacks_are_ours "$name.jfr"
done
check python-keeps-its-promises keeps_its_promises "$name.jfr"
check python-runs-the-documented-example runs_the_documented_example "$name.jfr"
finish
