#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A recording of a real program in every format: the sums are those of collapsed, threads and times are there, and the tools that are
# installed (go tool pprof, protoc's text, Chromium) read the same.
. "$(dirname "$0")/lib.sh"
CLASSES=$(fixtures Work.java Waiting.java) || { fail "convert: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1

record() { timeout 60 "$1/bin/java" "-agentpath:$AGENT=filename=$2,overwrite=true,interval=1ms" -cp "$CLASSES" Work 2 >out 2>err || { cat err >&2; return 1; }; }

collapsed_sum() { awk '{ sum += $NF } END { printf "%.0f", sum }' "$1"; }

same() { [ "$2" = "$3" ] || complain "$1: $3 instead of $2"; }

sums() {
  local sum
  "$JREC" collapsed app.jfr >app.ref || return
  sum=$(collapsed_sum app.ref)
  [ "$sum" -gt 100 ] || complain "only $sum samples" || return
  "$JREC" convert app.jfr -o app.collapsed && cmp app.ref app.collapsed || return
  "$JREC" convert app.jfr -o app.csv || return
  same csv "$sum" "$(awk -F, 'NR > 1 { sum += $4 } END { printf "%.0f", sum }' app.csv)" || return
  # 1 ms of CPU time a weight
  same "csv, ns" "$((sum * 1000000))" "$(awk -F, 'NR > 1 { sum += $5 } END { printf "%.0f", sum }' app.csv)" || return
  grep -q ',sorter,[1-9]' app.csv || complain "no thread sorter with an id in the CSV" || return
  "$JREC" convert app.jfr -o app.trace.json || return
  same chrome "$sum" "$(grep -o '"args":{"weight":[0-9]*' app.trace.json | awk -F: '{ sum += $3 } END { printf "%.0f", sum }')" || return
  same "chrome, ends" "$(grep -c '"ph":"B"' app.trace.json)" "$(grep -c '"ph":"E"' app.trace.json)" || return
  "$JREC" convert app.jfr -o app.speedscope.json.gz || return
  gunzip -t app.speedscope.json.gz
}

go_pprof() {
  "$JREC" convert app.jfr -o app.pb.gz || return
  timeout 400 go tool pprof -raw -sample_index=samples app.pb.gz >raw 2>/dev/null || complain "go tool pprof fails" || return
  same pprof "$(collapsed_sum app.ref)" "$(awk '/^Samples:/ { on = 1; next } /^Locations/ { on = 0 } on && $1 ~ /^[0-9]+$/ { sum += $1 } END { printf "%.0f", sum }' raw)"
}

# The VM's library has the mapping, build id and addresses that its file tells.
places_in_pprof() { # JDK
  local jvm=$1/lib/server/libjvm.so id begin
  id=$(readelf -n "$jvm" 2>/dev/null | sed -n 's/.*Build ID: //p')
  begin=$(readelf -lW "$jvm" | awk '$1 == "LOAD" && / R E / { print $3; exit }')
  grep -E "^[0-9]+: 0x[0-9a-f]+/0x[0-9a-f]+/0x[0-9a-f]+ $jvm $id" raw >mapping || complain "no mapping of $jvm $id: $(sed -n '/^Mappings/,$p' raw)" || return
  [ "$(($(sed -E 's/^[0-9]+: ([^/]*).*/\1/' mapping)))" = "$((begin))" ] || complain "$begin: $(cat mapping)" || return
  awk -v of="M=$(sed 's/:.*//' mapping)" '$3 == of && $4 ~ /^libjvm/ { named++ } END { exit !(named > 3) }' raw || complain "its functions have no addresses"
}

# What the page itself says that it shows, after its script has run without network.
page_total() {
  timeout 60 chromium --headless --no-sandbox --disable-gpu --virtual-time-budget=5000 --dump-dom "file://$PWD/$1" 2>/dev/null |
    grep -o 'data-total="[0-9]*"' | grep -o '[0-9]*'
}

pages() {
  "$JREC" flame app.jfr -o flame.html && "$JREC" heatmap app.jfr -o heat.html && "$JREC" flame --diff app.jfr app.jfr -o diff.html || return
  local page
  for page in flame heat diff; do same "$page.html" "$(collapsed_sum app.ref)" "$(page_total $page.html)" || return; done
}

# Waiting and allocating, recorded by the JDK itself.
record_waiting() {
  timeout 60 "$1/bin/java" -XX:StartFlightRecording:filename=jdk.jfr,settings=profile -cp "$CLASSES" Waiting 3 >out 2>&1 || { cat out >&2; return 1; }
}

# events_of JDK TYPE... : how many events of these types the JDK's own tool counts
events_of() {
  local jdk=$1
  shift
  timeout 60 "$jdk/bin/jfr" $QUICK summary jdk.jfr | awk -v types=" $* " 'index(types, " " $1 " ") { sum += $2 } END { print sum + 0 }'
}

kind_counts() {
  local jdk=$1 kind=$2 expected
  shift 2
  expected=$(events_of "$jdk" "$@")
  [ "$expected" -gt 0 ] || complain "the recording has none of $*" || return
  "$JREC" collapsed jdk.jfr -e "$kind" --samples >kind.ref || return
  same "$kind" "$expected" "$(collapsed_sum kind.ref)"
}

# All formats weigh alike; classes are on top of what is allocated.
kind_weighs() {
  local total
  "$JREC" collapsed jdk.jfr -e "$1" --total >kind.ref && "$JREC" convert jdk.jfr -e "$1" -o kind.csv && "$JREC" convert jdk.jfr -e "$1" -f collapsed >kind.collapsed || return
  cmp kind.ref kind.collapsed || return
  total=$(collapsed_sum kind.ref)
  same "$1, csv" "$total" "$(awk -F, 'NR > 1 { sum += $4 } END { printf "%.0f", sum }' kind.csv)" || return
  [ "$1" != alloc ] || grep -q 'Waiting.allocate;byte\[\] ' kind.ref || complain "no byte[] under Waiting.allocate" || return
  [ "$1" != lock ] || grep -q 'Waiting.holdTheMonitorUnderALongEnoughName;java.lang.Object ' kind.ref || complain "no monitor of Object under its method"
}

# A method whose name would end the page's data and run a script, as long as the name that it replaces.
evil_page() {
  LC_ALL=C sed 's|holdTheMonitorUnderALongEnoughName|</script><script>alert(1)</script>|g' jdk.jfr >evil.jfr
  "$JREC" flame evil.jfr -e lock -o evil.html || return
  grep -q '\\u003c/script' evil.html || complain "the name is not in the page" || return
  same "script elements" 2 "$(grep -o '<script' evil.html | wc -l)" || return
  command -v chromium >/dev/null || return 0
  "$JREC" collapsed evil.jfr -e lock >kind.ref && same "total of the evil page" "$(collapsed_sum kind.ref)" "$(page_total evil.html)"
}

itself() {
  "$JREC" diff app.jfr app.jfr -n 1000 >differences || return
  grep -Eq '[+-](0\.0[1-9]|0\.[1-9]|[1-9])' differences && complain "$(head -5 differences)" && return 1
  return 0
}

for jdk in $(jdks); do
  name=$(jdk_name "$jdk")
  check "convert: a program runs with the agent ($name)" record "$jdk" app.jfr
  check "convert: every format has the samples of collapsed ($name)" sums
  check "convert: a recording does not differ from itself ($name)" itself
  if command -v go >/dev/null; then
    check "convert: go tool pprof counts the same ($name)" go_pprof
    check "convert: go tool pprof sees where the VM's functions lie ($name)" places_in_pprof "$jdk"
  fi
  check "convert: the JDK records a program that waits and allocates ($name)" record_waiting "$jdk"
  check "convert: locks are monitors and parking, as many as jfr counts ($name)" kind_counts "$jdk" lock jdk.JavaMonitorEnter jdk.ThreadPark
  check "convert: wall is Java and native samples where there is no wall clock, as many as jfr counts ($name)" kind_counts "$jdk" wall jdk.ExecutionSample jdk.NativeMethodSample
  check "convert: allocations weigh the same in every format, by class ($name)" kind_weighs alloc
  check "convert: locks weigh the same in every format, by class ($name)" kind_weighs lock
  check "convert: a name that looks like a script stays inert ($name)" evil_page
  if command -v chromium >/dev/null; then check "convert: the pages show as many samples in Chromium ($name)" pages; fi
done
finish
