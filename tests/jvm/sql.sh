#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# jrec sql beside jfr and jrec summary: the same counts, for each JDK, in files and in an archive; and all ready queries run.
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
  [ "$rc" = 1 ] && [ "$(wc -l <err)" = 1 ] && grep -q 'duckdb.org' err || complain "sql says $rc: $(cat err)" || return
  rc=0
  "$JREC" export "$1" --parquet out --duckdb ./none.so 2>err || rc=$?
  [ "$rc" = 1 ] && [ "$(wc -l <err)" = 1 ] && grep -q 'duckdb.org' err && [ ! -e out ]
}

# What DuckDB loads, and writes as Parquet, is what SQLite reads in place; and what people type reaches no file.
duckdb() {
  local query="select event, count(*), sum(weight), count(distinct stack) from samples group by event order by event" table
  "$JREC" sql "$@" "$query" --csv | tail -n +2 >expected && "$JREC" sql "$@" "$query" --csv --engine duckdb | tail -n +2 | diff expected - || return
  rm -rf parquet && "$JREC" export "$@" --parquet parquet --events 'jdk.Active*' >rows || complain "export says $?" || return
  for table in samples threads stacks frames; do
    grep -qx " *$("$JREC" sql "$@" "select count(*) from $table" --csv | tail -1) $table" rows || complain "$table: $(cat rows)" || return
  done
  [ -s parquet/events_jdk_ActiveSetting.parquet ] && [ -d parquet/samples ] && [ ! -e parquet/.jrec-export.duckdb ] || complain "$(ls -a parquet)" || return
  for query in "copy recordings to 'stolen'" "from 'parquet/stacks.parquet'" "attach 'stolen' as s" "set enable_external_access = true"; do
    "$JREC" sql "$@" "$query" --engine duckdb >/dev/null 2>err && complain "DuckDB does $query" && return 1
  done
  [ ! -e stolen ] || complain "a query made a file" || return
  "$JREC" export "$@" --parquet none --events jdk.ActiveSeting 2>err && complain "an unknown type is exported" && return 1
  grep -q 'mean jdk.ActiveSetting' err && [ ! -e none ] || complain "$(cat err)"
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
"$JREC" archive add -q all.recz ./*.jfr -l service=test
check "sql: an archive's members have the events of the files" same_counts "$(oldest_jdk)" "$(jdk_name "$(oldest_jdk)").jfr" "all.recz:$(jdk_name "$(oldest_jdk)").jfr"
check "sql: the ready queries over an archive" examples all.recz
check "sql: without DuckDB" no_duckdb all.recz
if [ -n "${DUCKDB_LIBRARY:-}" ]; then
  check "sql: DuckDB and Parquet" duckdb all.recz
else
  skipped "sql: DuckDB and Parquet" "DUCKDB_LIBRARY does not say where libduckdb.so is"
fi
finish
