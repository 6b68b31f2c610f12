#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# jrec sql beside jfr and jrec summary: the same counts, for each JDK, in files and in an archive; and all ready queries run. And jrec export,
# killed and not.
. "$(dirname "$0")/lib.sh"
CLASSES=$(fixtures Work.java) || { fail "sql: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1

record() {
  timeout 60 "$1/bin/java" -XX:StartFlightRecording=filename="$2.jfr",settings=profile -cp "$CLASSES" Work 1.5 0 >/dev/null 2>&1
  timeout 60 "$1/bin/java" "-agentpath:$AGENT=maxchunksize=1m,filename=$PWD/$2-rec.jfr" -cp "$CLASSES" Work 1 0 >/dev/null 2>&1
  [ -s "$2.jfr" ] && [ -s "$2-rec.jfr" ] || complain "no recording"
}

# Types with events, as jfr counts them.
counted() { timeout 60 "$1/bin/jfr" $QUICK summary "$2" | awk '$1 ~ /\./ && NF == 3 && $2 > 0 { print $1 "," $2 }' | grep -vE '^jdk.(Metadata|CheckPoint|Checkpoint),' | sort; }

same_counts() {
  counted "$1" "$2" >expected
  "$JREC" sql "$3" "select type, sum(events) from event_types group by type" --csv | tail -n +2 | sort >got
  [ -s expected ] && diff expected got | head -5 | { ! grep .; }
}

# A table has as many rows as jfr counts events, and a sample for each event that has a stack.
same_rows() {
  local type n
  while IFS=, read -r type n; do
    [ "$("$JREC" sql "$1" "select count(*) from events_${type//[.\$]/_}" --csv | tail -1)" = "$n" ] || complain "$type: not $n rows" || return
  done <expected
  [ "$("$JREC" sql "$1" "select count(*) from samples where event = 'jdk.ExecutionSample'" --csv | tail -1)" = "$(grep -oP '^jdk.ExecutionSample,\K.*' expected)" ]
}

examples() {
  local name
  for name in $("$JREC" sql --example | sed -nE 's/^-- ([a-z-]+):.*/\1/p'); do
    timeout 60 "$JREC" sql "$@" --example "$name" >answer 2>&1 || complain "$name: $(head -2 answer)" || return
    [ "$(wc -l <answer)" -ge 2 ] || complain "$name gives no table" || return
  done
}

# DuckDB has its own library, which need not be there: then one line says how to get it.
no_duckdb() {
  local rc=0
  "$JREC" sql "$1" "select 1" --engine duckdb --duckdb ./none.so 2>err || rc=$?
  [ "$rc" = 1 ] && [ "$(wc -l <err)" = 1 ] && grep -q 'duckdb.org' err || complain "sql says $rc: $(cat err)"
}

# What DuckDB loads is what SQLite reads in place; and what people type reaches no file.
duckdb() {
  local query="select event, count(*), sum(weight), count(distinct stack) from samples group by event order by event"
  "$JREC" sql "$@" "$query" --csv | tail -n +2 >expected && "$JREC" sql "$@" "$query" --csv --engine duckdb | tail -n +2 | diff expected - || return
  for query in "copy recordings to 'stolen'" "from 'all.recz'" "attach 'stolen' as s" "set enable_external_access = true"; do
    "$JREC" sql "$@" "$query" --engine duckdb >/dev/null 2>err && complain "DuckDB does $query" && return 1
  done
  [ ! -e stolen ] || complain "a query made a file"
}

# A data set has as many samples as the tables, each recording once, and nothing half done after exports that were killed.
exports() {
  local file delay expected=0 got
  for file in "$@"; do expected=$((expected + $("$JREC" sql "$file" "select count(*) from samples" --csv | tail -1))); done
  for delay in 0.01 0.02 0.04 0.08; do timeout -s KILL "$delay" "$JREC" export "$@" --parquet fleet -q 2>/dev/null; done
  "$JREC" export "$@" --parquet fleet -q --service shop --host h1 --events 'jdk.GC*' || complain "export says $?" || return
  [ -z "$(ls fleet/_rec/new)" ] || complain "left behind: $(ls fleet/_rec/new)" || return
  [ "$(find fleet/recordings -name '*.parquet' | wc -l)" = $# ] || complain "not $# recordings" || return
  "$JREC" export "$@" --parquet fleet | grep -c 'is there already$' | grep -qx $# || complain "a recording is added twice" || return
  rm -rf again && got=$("$JREC" export "$@" --parquet again | sed -nE 's/.*: ([0-9]+) samples,.*/\1/p' | awk '{ n += $1 } END { print n }')
  [ "$got" = "$expected" ] || complain "$got samples, not $expected"
}

for home in $(jdks); do
  name=$(jdk_name "$home")
  check "sql: $name records" record "$home" "$name"
  for file in "$name.jfr" "$name-rec.jfr"; do
    check "sql: $file has the events that jfr counts" same_counts "$home" "$file" "$file"
    check "sql: the tables of $file have as many rows" same_rows "$file"
  done
  check "sql: the ready queries, $name" examples "$name.jfr"
done
check "export: a data set that grows" exports ./*.jfr
"$JREC" archive add -q all.recz ./*.jfr -l service=test
check "sql: an archive's members have the events of the files" same_counts "$(oldest_jdk)" "$(jdk_name "$(oldest_jdk)").jfr" "all.recz:$(jdk_name "$(oldest_jdk)").jfr"
check "sql: the ready queries over an archive" examples all.recz
check "sql: without DuckDB" no_duckdb all.recz
if [ -n "${DUCKDB_LIBRARY:-}" ]; then
  check "sql: DuckDB" duckdb all.recz
else
  skipped "sql: DuckDB" "DUCKDB_LIBRARY does not say where libduckdb.so is"
fi
finish
