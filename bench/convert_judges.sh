#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What others make of collapsed, convert, flame and heatmap, for each recording: bench/convert_judges.sh FILE.jfr ...
#
#   JREC       the program (default: build/jrec/jrec)
#   JFRCONV    async-profiler's jfr-converter.jar; without it collapsed is not compared
#   OTLP_PROTO a checkout of opentelemetry-proto 1.11.0; without it OTLP is not decoded
#   EVENTS     which kinds (default: cpu wall alloc lock)
#   KEEP       a directory to keep everything in, npm's packages too
#
# Needs go, node, npm, protoc and chromium. A line a judgement; FAIL where somebody disagrees.
set -uo pipefail
ROOT=$(cd "$(dirname "$0")/.." && pwd)
JREC=${JREC:-$ROOT/build/jrec/jrec}
JAVA=${JAVA_HOME:+$JAVA_HOME/bin/}java
[ $# -gt 0 ] || { sed -n '3,11s/^# \{0,1\}//p' "$0"; exit 1; }
WORK=${KEEP:-$(mktemp -d)}
[ -n "${KEEP:-}" ] || trap 'rm -rf "$WORK"' EXIT
mkdir -p "$WORK/npm"
[ -d "$WORK/npm/node_modules/ajv" ] || npm install --prefix "$WORK/npm" --no-audit --no-fund --ignore-scripts ajv@8 puppeteer-core@25 speedscope@1.25 >/dev/null
export NODE_PATH=$WORK/npm/node_modules
FAILED=0

sum() { awk '{ sum += $NF } END { printf "%.0f", sum }'; }
verdict() {
  if [ "$2" = "$3" ]; then echo "ok $1: $2"; else echo "FAIL $1: $3 instead of $2"; FAILED=1; fi
}

# Lines of equal stacks added up.
merged() { awk '{ weight = $NF; sub(/ [0-9]+$/, ""); sums[$0] += weight } END { for (stack in sums) printf "%s %.0f\n", stack, sums[stack] }' | LC_ALL=C sort; }
# jfrconv's names without the mark of what ran a frame, for which it needs two passes: marks may touch.
theirs() { sed -E 's/_\[[0-9a-z]\](;| [0-9]+$)/\1/g; s/_\[[0-9a-z]\](;| [0-9]+$)/\1/g' "$1" | merged; }
# jrec's without the library of native frames and without what jfrconv drops.
ours() { grep -v '^\[no stack\]' "$1" | sed -E 's/(^|;)[^;:]*\.so(\.[0-9]+)*\./\1/g; s/\[unknown\]/unknown/g' | merged; }

# Locks: jfrconv rounds a sum and jrec each event, so they may differ by a nanosecond an event.
jfrconv() {
  local file=$1 kind=$2 what=$3 mine theirs_sum least
  timeout 120 "$JAVA" -jar "$JFRCONV" "--$kind" --total --dot -o collapsed "$file" theirs >/dev/null 2>&1 || { echo "-- $what, jfrconv cannot read it"; return; }
  [ -s theirs ] || { echo "-- $what, jfrconv finds nothing"; return; }
  mine=$(grep -v '^\[no stack\]' ref | sum) theirs_sum=$(sum <theirs)
  if [ "$kind" = lock ]; then
    least=$("$JREC" collapsed "$file" -e lock --samples 2>/dev/null | sum)
    [ $((theirs_sum - mine)) -ge 0 ] && [ $((theirs_sum - mine)) -le "$least" ] && mine=$theirs_sum
  fi
  verdict "$what, jfrconv's sum" "$theirs_sum" "$mine"
  echo "-- $what, stacks that differ from jfrconv's: $(LC_ALL=C comm -13 <(ours ref) <(theirs theirs) | wc -l) of $(theirs theirs | wc -l)"
}

otlp() {
  protoc --decode=opentelemetry.proto.profiles.v1development.ProfilesData -I "$OTLP_PROTO" opentelemetry/proto/profiles/v1development/profiles.proto <a.otlp >otlp.txt 2>/dev/null
  verdict "$1, OTLP" "$2" "$(grep -E '^ +values:' otlp.txt | sum)"
  verdict "$1, OTLP, fields that its schema does not know" 0 "$(grep -cE '^ *[0-9]+[:{ ]' otlp.txt)"
}

judge() {
  local file=$1 kind=$2 what format total
  what="$(basename "$file") $kind"
  "$JREC" collapsed "$file" -e "$kind" >ref 2>/dev/null
  total=$(sum <ref)
  [ "$total" != 0 ] || return
  [ -z "${JFRCONV:-}" ] || jfrconv "$file" "$kind" "$what"
  for format in a.pb.gz a.otlp a.speedscope.json a.firefox.json a.trace.json a.csv; do "$JREC" convert "$file" -e "$kind" -o $format 2>/dev/null; done
  go tool pprof -raw a.pb.gz >raw 2>/dev/null
  verdict "$what, go tool pprof" "$total" "$(pprof_sum "$kind")"
  [ -z "${OTLP_PROTO:-}" ] || otlp "$what" "$total"
  node "$ROOT/bench/convert_judges/speedscope.cjs" a.speedscope.json || FAILED=1
  verdict "$what, Firefox" "$total" "$(node -e 'const p = JSON.parse(require("fs").readFileSync("a.firefox.json")); let n = 0; for (const t of p.threads) for (const w of t.samples.weight) n += t.samples.weightType === "tracing-ms" ? Math.round(w * 1e6) : w; console.log(n)')"
  verdict "$what, Chrome trace" "$total" "$(node -e 'const p = JSON.parse(require("fs").readFileSync("a.trace.json")); let n = 0; for (const e of p.traceEvents) if (e.ph === "E" && e.args) n += e.args.weight; console.log(n)')"
  for format in flame heatmap; do
    "$JREC" $format "$file" -e "$kind" -o $format.html 2>/dev/null
    node "$ROOT/bench/convert_judges/page.cjs" $format.html "$total" ${KEEP:+"$KEEP/$(basename "$file" .jfr)-$kind-$format.png"} || FAILED=1
  done
}

# Samples are the first value in pprof, bytes and nanoseconds of waiting the second.
pprof_sum() {
  awk '/^Samples:/ { on = 1; next } /^Locations/ { on = 0 }
       on && /^ +[0-9]+ +[0-9]+:|^ +[0-9]+:/ { sub(/:.*/, ""); sum += (column == 2 && NF > 1) ? $2 : $1 } END { printf "%.0f", sum }' \
    "column=$(case $1 in alloc | lock) echo 2 ;; *) echo 1 ;; esac)" raw
}

for file in "$@"; do
  file=$(realpath "$file")
  for kind in ${EVENTS:-cpu wall alloc lock}; do (cd "$WORK" && judge "$file" "$kind"; exit $FAILED) || FAILED=1; done
done
exit $FAILED
