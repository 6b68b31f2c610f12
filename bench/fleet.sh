#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bench/fleet.sh COUNT RECORDING...: a fleet of COUNT recordings of 20 services on 4 hosts each, made of these by moving them in time (an hour
# or more each, over ten days), exported twice; then what DuckDB, ClickHouse and pyarrow count in it, where python3 has duckdb, chdb, pyarrow,
# beside the sums of jrec summary. docs/measurements.md has figures. FLEET=s3://BUCKET/PREFIX, empty, exports to an object store (docs/fleet.md),
# which pyarrow reads, and DuckDB by it. DELTA=1 keeps logs of Delta Lake too, which deltalake reads if it is there.
set -euo pipefail
ROOT=$(cd "$(dirname "$0")/.." && pwd)
JREC=${JREC:-$ROOT/build/jrec/jrec}
SCRATCH=${SCRATCH:-$(mktemp -d)}
FLEET=${FLEET:-$SCRATCH/fleet}
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
      "$JREC" export "$host"/*.jfr --parquet "$FLEET" ${DELTA:+--delta} --service "$(basename "$service")" --host "$(basename "$host")" -q 2>/dev/null || [ $? = 2 ]
    done
  done
}

# Of each recording and event type, how many events summary counts.
summary_sums() {
  local file
  for file in "$SCRATCH"/in/*/*/*.jfr; do
    { "$JREC" summary "$file" 2>/dev/null || true; } | awk -v name="$(basename "$file")" '$1 ~ /\./ && NF == 3 && $2 > 0 { print name "," $1 "," $2 }'
  done
}

ask() {
  python3 - "$FLEET" "$SCRATCH/sums" <<'PYTHON'
import importlib.util, os, sys, time

root, sums = sys.argv[1:]
expected = {tuple(line.strip().split(",")[:2]): int(line.strip().split(",")[2]) for line in open(sums)}

# (recording's name, event type, samples): each must be what summary counts.
def compare(name, ask):
    if importlib.util.find_spec(name) is None: return print(f"{name}: not there")
    begin = time.time()
    got = {(recording, event): n for recording, event, n in ask()}
    wrong = {key: (n, expected.get(key)) for key, n in got.items() if n != expected.get(key)}
    print(f"{name}: {sum(got.values())} samples, {len(got)} sums of {len(set(r for r, e in got))} recordings in {time.time() - begin:.2f} s;",
          f"{len(wrong)} others than summary: {list(wrong.items())[:5]}" if wrong else "all as summary has them")

READ = "read_parquet('{root}/{table}/**/*.parquet', hive_partitioning = true, hive_types_autocast = false)"

def duckdb_counts():
    import duckdb
    for table in ("samples", "stacks", "recordings"): duckdb.sql(f"create view {table} as from {READ.format(root=root, table=table)}")
    for what in ("select count(distinct service), count(distinct host), count(distinct day), count(*) from samples",
                 "select count(*) as stacks, sum(len(frames)) as frames, count(*) - count(distinct (service, day, host, stack)) as twice from stacks",
                 "select count(*) as without_stack from samples left join stacks using (service, day, host, stack) where samples.stack is not null and depth is null"):
        begin = time.time()
        print("  ", duckdb.sql(what).fetchall(), f"{time.time() - begin:.2f} s:", what)
    return duckdb.sql("select name, event, count(*) from samples join recordings using (recording) group by all").fetchall()

def bucket():
    from pyarrow import fs
    endpoint = os.environ.get("AWS_ENDPOINT_URL", "")
    return fs.S3FileSystem(endpoint_override=endpoint.split("://")[-1] or None, scheme=endpoint.split("://")[0] or "https")

def read_dataset(table):
    import pyarrow.dataset as dataset
    if not root.startswith("s3://"): return dataset.dataset(f"{root}/{table}", partitioning="hive")
    return dataset.dataset(f"{root[5:]}/{table}", partitioning="hive", filesystem=bucket())

def duckdb_bucket_counts():
    import duckdb
    samples, stacks, recordings = (read_dataset(table) for table in ("samples", "stacks", "recordings"))
    for what in ("select count(*) as stacks, count(*) - count(distinct (service, day, host, stack)) as twice from stacks",
                 "select count(*) as without_stack from samples left join stacks using (service, day, host, stack) where samples.stack is not null and depth is null"):
        print("  ", duckdb.sql(what).fetchall(), what)
    return duckdb.sql("select name, event, count(*) from samples join recordings using (recording) group by all").fetchall()

def chdb_counts():
    import chdb, csv
    files = lambda table: f"file('{root}/{table}/**/*.parquet', Parquet)"
    text = str(chdb.query(f"select name, event, count() from {files('samples')} as s join {files('recordings')} as r on s.recording = r.recording group by name, event", "CSV"))
    return [(name, event, int(n)) for name, event, n in csv.reader(text.splitlines())]

def pyarrow_counts():
    read = lambda table, columns: read_dataset(table).to_table(columns=columns)
    names = {row["recording"]: row["name"] for row in read("recordings", ["recording", "name"]).to_pylist()}
    groups = read("samples", ["recording", "event"]).group_by(["recording", "event"]).aggregate([([], "count_all")])
    return [(names[row["recording"]], row["event"], row["count_all"]) for row in groups.to_pylist()]

def delta_counts():
    from deltalake import DeltaTable
    options = {"AWS_ALLOW_HTTP": "true"} if remote else None
    tables = {table: DeltaTable(f"{root}/{table}", storage_options=options) for table in ("samples", "recordings")}
    print("  ", ", ".join(f"{table}: version {delta.version()}, {len(delta.file_uris())} files" for table, delta in tables.items()))
    read = lambda table, columns: tables[table].to_pyarrow_table(columns=columns)
    names = {row["recording"]: row["name"] for row in read("recordings", ["recording", "name"]).to_pylist()}
    groups = read("samples", ["recording", "event"]).group_by(["recording", "event"]).aggregate([([], "count_all")])
    return [(names[row["recording"]], row["event"], row["count_all"]) for row in groups.to_pylist()]

remote = root.startswith("s3://")
for name, ask in (("duckdb", duckdb_bucket_counts if remote else duckdb_counts), ("chdb", chdb_counts), ("pyarrow", pyarrow_counts)) + ((("deltalake", delta_counts),) if os.environ.get("DELTA") else ()):
    if name != "chdb" or not remote: compare(name, ask)
PYTHON
}

[ -d "$SCRATCH/in" ] || make_fleet "$@"
case $FLEET in s3:*) ;; *) rm -rf "$FLEET" ;; esac
time export_all
if [ -d "$FLEET" ]; then
  echo "$(find "$FLEET/recordings" -name '*.parquet' | wc -l) recordings of $(du -sm "$SCRATCH/in" | cut -f1) MB: $(du -sm "$FLEET" | cut -f1) MB in $(find "$FLEET" -name '*.parquet' | wc -l) files"
fi
echo "once more:"
time export_all
summary_sums >"$SCRATCH/sums"
ask
