# SPDX-License-Identifier: Apache-2.0
# Sourced by scripts/test: steps that may run at the same time. What a step says is shown in one piece when it ends, with the time that it
# took, waiting and on processors; its verdicts are counted for the last line.
#
# A step is a command that prints "ok NAME", "FAIL NAME" or "skipped NAME: why", a line a test. One that stands for many C++ cases says
# "ok NAME (485 cases)" or "FAIL NAME (2 of 485 cases)".
STEPS=$(mktemp -d)
TIMEFORMAT='%U %S'
trap 'rm -rf "$STEPS"' EXIT

# step NAME COMMAND...
step() {
  local name=$1 log rc=0 begin=$SECONDS
  shift
  log=$(mktemp "$STEPS/XXXXXX.log")
  { time "$@" >"$log" 2>&1 || rc=$?; } 2>"$log.cpu"
  if ! grep -q '^FAIL ' "$log" && { [ "$rc" != 0 ] || ! grep -qE '^(ok|skipped) ' "$log"; }; then
    echo "FAIL $name: ended with $rc and no verdict" >>"$log"
  fi
  count_verdicts <"$log" >"${log%.log}.count"
  {
    flock 9
    cat "$log"
    echo "# $name: $((SECONDS - begin)) s, $(cpu_seconds "$log.cpu") s of CPU"
  } 9>"$STEPS/shown"
}

# Of what bash's "time" wrote.
cpu_seconds() { awk '{ printf "%.0f", $1 + $2 }' "$1"; }

# Reads what a step said; prints "passed failed skipped again".
count_verdicts() {
  sed -nE -e 's/^ok .* \(([0-9]+) cases\)$/\1 0 0/p; t' -e 's/^FAIL .* \(([0-9]+) of ([0-9]+) cases\)$/\2 \1 0/p; t' \
    -e 's/^ok .*/1 0 0/p; s/^FAIL .*/1 1 0/p; s/^skipped .*/0 0 1/p; s/^# tried again: .*/0 0 0 1/p' |
    awk '{ all += $1; bad += $2; left += $3; again += $4 } END { print all - bad, bad + 0, left + 0, again + 0 }'
}

# Prints what failed once more with what it said, so that it stands together where a log is cut, and "N passed, N failed[, N skipped]
# [, N tried again]"; fails when anything failed, or nothing ran.
summary() {
  find "$STEPS" -name '*.log' -exec awk -v most=12 '/^FAIL /{ left = most; print "# " $0; next } /^    / && left-- > 0 { print; next } { left = 0 }' {} +
  cat "$STEPS"/*.count 2>/dev/null | awk '{ passed += $1; failed += $2; skipped += $3; again += $4 }
    END {
      printf "%d passed, %d failed", passed, failed
      if (skipped) printf ", %d skipped", skipped
      if (again) printf ", %d tried again", again
      print ""
      exit failed > 0 || passed == 0
    }'
}

# side_by_side N: runs the command of each line that it reads, N of them at a time.
side_by_side() {
  local most=$1 line
  (
    while IFS= read -r line; do
      [ "$(jobs -pr | wc -l)" -lt "$most" ] || wait -n || true
      $line </dev/null &
    done
    wait
  )
}
