#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bench/fleet.sh COUNT RECORDING...: a fleet of COUNT recordings of 20 services on 4 hosts each, made of these by moving them in time (an hour
# or more each, over ten days), exported twice; then what DuckDB, ClickHouse and pyarrow count in it, where python3 has duckdb, chdb, pyarrow,
# beside the sums of jrec summary. docs/measurements.md has figures.
set -euo pipefail
ROOT=$(cd "$(dirname "$0")/.." && pwd)
JREC=${JREC:-$ROOT/build/jrec/jrec}
SCRATCH=${SCRATCH:-$(mktemp -d)}
COUNT=$1
shift

make_fleet() {
  python3 - "$SCRATCH/in" "$COUNT" "$@" <<'PYTHON'
import os, struct, sys

def moved(data, seconds):
    data, at = bytearray(data), 0
    while at + 68 <= len(data) and data[at:at + 4] == b"FLR\0":
        size, start = struct.unpack_from(">q", data, at + 8)[0], struct.unpack_from(">q", data, at + 32)[0]
        struct.pack_into(">q", data, at + 32, start + seconds * 10**9)
        if size < 68: break
        at += size
    return data

folder, count, inputs = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
for i in range(count):
    service, host = i % 20, i // 20 % 4
    path = f"{folder}/service{service:02}/host{host}"
    os.makedirs(path, exist_ok=True)
    data = open(inputs[i % len(inputs)], "rb").read()
    open(f"{path}/{i:04}.jfr", "wb").write(moved(data, 3600 * (i % 240) + i))
PYTHON
}

export_all() {
  local service host
  for service in "$SCRATCH"/in/*; do
    for host in "$service"/*; do
      "$JREC" export "$host"/*.jfr --parquet "$SCRATCH/fleet" --service "$(basename "$service")" --host "$(basename "$host")" -q 2>/dev/null || [ $? = 2 ]
    done
  done
}

# Events of types with stacks, as summary counts them.
summary_sums() {
  local file
  for file in "$SCRATCH"/in/*/*/*.jfr; do "$JREC" summary "$file" 2>/dev/null || true; done |
    awk '$1 ~ /\./ && NF == 3 && $2 > 0 { n[$1] += $2 } END { for (type in n) print type "," n[type] }' | sort
}

ask() {
  python3 - "$SCRATCH/fleet" "$SCRATCH/sums" <<'PYTHON'
import importlib.util, sys, time

root, sums = sys.argv[1:]
expected = {line.split(",")[0]: int(line.split(",")[1]) for line in open(sums)}

def compare(name, ask):
    if importlib.util.find_spec(name) is None: return print(f"{name}: not there")
    begin = time.time()
    got = dict(ask())
    wrong = {event: (n, expected.get(event)) for event, n in got.items() if n != expected.get(event)}
    print(f"{name}: {sum(got.values())} samples of {len(got)} types in {time.time() - begin:.2f} s;",
          f"other sums than summary: {wrong}" if wrong else "the sums of summary")

def duckdb_counts():
    import duckdb
    rows = duckdb.sql(f"select event, count(*) from read_parquet('{root}/samples/**/*.parquet', hive_partitioning = true, hive_types_autocast = false) group by 1").fetchall()
    for what in ["select count(*), sum(len(frames)) from stacks", "select count(distinct service), count(distinct host), count(distinct day) from samples",
                 "select count(*) from samples left join stacks using (service, day, host, stack) where samples.stack is not null and stacks.depth is null",
                 "select count(*) - count(distinct (service, day, host, stack)) from stacks",
                 "select count(*), sum(samples) from recordings"]:
        for table in ("samples", "stacks", "recordings"):
            what = what.replace(f"from {table}", f"from read_parquet('{root}/{table}/**/*.parquet', hive_partitioning = true, hive_types_autocast = false) as {table}")
            what = what.replace(f"join {table}", f"join read_parquet('{root}/{table}/**/*.parquet', hive_partitioning = true, hive_types_autocast = false) as {table}")
        print("  ", duckdb.sql(what).fetchall())
    return rows

def chdb_counts():
    import chdb
    text = str(chdb.query(f"select event, count() from file('{root}/samples/**/*.parquet', Parquet) group by event", "CSV"))
    return [(line.split(",")[0].strip('"'), int(line.split(",")[1])) for line in text.splitlines()]

def pyarrow_counts():
    import pyarrow.dataset as dataset
    table = dataset.dataset(f"{root}/samples", partitioning="hive").to_table(columns=["event"])
    return [(row["values"].as_py(), row["counts"].as_py()) for row in table["event"].value_counts()]

for name, ask in (("duckdb", duckdb_counts), ("chdb", chdb_counts), ("pyarrow", pyarrow_counts)): compare(name, ask)
PYTHON
}

[ -d "$SCRATCH/in" ] || make_fleet "$@"
rm -rf "$SCRATCH/fleet"
time export_all
echo "$(find "$SCRATCH/fleet/recordings" -name '*.parquet' | wc -l) recordings of $(du -sm "$SCRATCH/in" | cut -f1) MB: $(du -sm "$SCRATCH/fleet" | cut -f1) MB in $(find "$SCRATCH/fleet" -name '*.parquet' | wc -l) files"
echo "once more:"
time export_all
summary_sums >"$SCRATCH/sums"
ask
