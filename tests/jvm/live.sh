#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Objects that are alive: that what is alive is told by class and by site, in bytes, and what died is not; in every tool; beside allocations;
# after kill -9; and by an agent that comes later.
. "$(dirname "$0")/lib.sh"
BY_CHANCE=1
CLASSES=$(fixtures LiveLoad.java) || { fail "live: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1

# record NAME JDK OPTIONS MB
record() { JVM="${JVM:-} -Xmx400m" TIME_LIMIT=180 recorded LiveLoad "$@" && silent "$1"; }

# What is alive, by class: weights are off by 1 / sqrt(samples), 3 to 10 % here; five times that is allowed. Of the dead none is left.
by_class() { # RECORDING TRUTH [FEWEST]
  "$JREC" sql --csv "$1" "select object_type, weight from events_jdk_OldObjectSample" >rows || return
  awk -F= -v fewest="${3:-40}" 'NR == FNR { if (NF == 2) true[$1] = $2; next }
    { at = match($0, /,[0-9]+$/); for (name in true) if (index($0, name)) { told[name] += substr($0, at + 1); n[name]++ } }
    END { for (name in true) {
            printf "%s: %d samples, %d bytes of %d\n", name, n[name], told[name], true[name]
            if (true[name] == 0 && n[name] > 3) bad = 1
            off = 5 / sqrt(n[name] + 1)
            if (true[name] > 0 && (n[name] < fewest || told[name] < (1 - off) * true[name] || told[name] > (1 + off) * true[name])) bad = 1
            kinds++ }
          exit bad || kinds != 5 }' "$2" rows
}

alive() { # JDK [OPTIONS]
  record alive "$1" "live=32k${2:-}" 32 || return
  by_class alive.jfr alive.out || return
  [ "$(counter alive.jfr liveObjects)" -gt 500 ] || complain "liveObjects: $(counter alive.jfr liveObjects)"
}

# Its young collections clear no weak reference: only what was there before the old generation was collected is told, by fewer samples.
generational_zgc() { # JDK
  JVM="-XX:+UseZGC -Xlog:gc:file=gc.log"
  record alive "$1" live=32k 32 || return
  by_class alive.jfr alive.out 8 || return
  [ "$(counter alive.jfr liveObjects)" -gt 100 ] || complain "liveObjects: $(counter alive.jfr liveObjects)" || return
  record young "$1" live=32k 4000 garbage || return
  [ "$(grep -c "Minor Collection" gc.log)" -gt 10 ] || complain "too few collections: $(cat gc.log)" || return
  [ "$(sql young.jfr "select coalesce(sum(weight), 0) from events_jdk_OldObjectSample where object_type = 'short[]'")" -lt $((1 << 20)) ] || complain "garbage is told as alive"
}

# More of them than places: weights tell of those that were let go.
thinned() {
  record thinned "$1" live=8k 32 || return
  by_class thinned.jfr thinned.out || return
  [ "$(counter thinned.jfr liveDropped)" -gt 1000 ] || complain "nothing was let go" || return
  [ "$(counter thinned.jfr liveObjects)" -le 2048 ] || complain "there are more than places: $(counter thinned.jfr liveObjects)"
}

# By the JDK's own reader: a batch of one time, ages, sizes, addresses, stacks.
fields() { # JDK
  "$1/bin/jfr" print --json --events jdk.OldObjectSample alive.jfr >rows.json || return
  python3 - <<'PY'
import json
events = [e["values"] for e in json.load(open("rows.json"))["recording"]["events"]]
assert len(events) > 500, len(events)
assert len({e["startTime"] for e in events}) == 1, "several batches"
assert len({e["object"]["address"] for e in events}) > 0.95 * len(events), "objects without addresses of their own"
for e in events:
    assert e["allocationTime"] <= e["startTime"] and e["objectAge"].startswith("PT"), e
    assert e["eventThread"]["javaName"] == "main" and e["survivedCollections"] > 0 and e["lastKnownHeapUsage"] > 0, e
    assert e["objectSize"] >= 16 and e["weight"] >= 32768, e
of = lambda name: [e for e in events if e["object"]["type"]["name"] == name]
arrays, nodes = of("[B") , of("LiveLoad$Node")
assert {e["arrayElements"] for e in nodes} == {-2**31}, "a node has elements"
assert sum(e["arrayElements"] == 1000 for e in arrays) > 0.9 * len(arrays), "arrays without their lengths"
keep = [e for e in nodes if any(f["method"]["name"] == "keep" for f in e["stackTrace"]["frames"])]
assert len(keep) > 0.95 * len(nodes), "nodes without the stack that made them"
ages = {e["survivedCollections"] for e in nodes}
assert len(ages) > 2, f"all survived as many collections: {ages}"
PY
}

views() { # JDK
  local text
  "$1/bin/jfr" summary alive.jfr | grep jdk.OldObjectSample >/dev/null || complain "jfr summary does not tell" || return
  "$1/bin/jfr" print --events OldObjectSample alive.jfr | grep 'LiveLoad$Node' >/dev/null || complain "jfr print does not tell" || return
  "$JREC" hot --event live alive.jfr | grep -E '^jdk.OldObjectSample: [0-9.]+ [kMG]B in ' >/dev/null || complain "jrec hot does not tell bytes: $("$JREC" hot --event live alive.jfr | head -1)" || return
  "$1/bin/jfr" view 2>/dev/null | grep memory-leaks-by-class >/dev/null || return 0
  text=$("$1/bin/jfr" view --width 160 memory-leaks-by-class alive.jfr) && grep -q 'LiveLoad$Node' <<<"$text" && grep -q 'byte\[\]' <<<"$text" ||
    complain "jfr view memory-leaks-by-class: $text" || return
  text=$("$1/bin/jfr" view --width 160 memory-leaks-by-site alive.jfr) && grep -q 'LiveLoad' <<<"$text" || complain "jfr view memory-leaks-by-site: $text"
}

# Each alone has what it has beside the other, whose interval differs.
beside_alloc() { # JDK
  record beside "$1" event=cpu,alloc=64k,live=32k 32 || return
  by_class beside.jfr beside.out || return
  local told
  told=$(sql beside.jfr "select sum(weight) from events_jdk_ObjectAllocationSample where objectClass = 'short[]'")
  [ "$told" -gt $((230 << 20)) ] && [ "$told" -lt $((290 << 20)) ] || complain "short[]: $told bytes of $((256 << 20)) were allocated" || return
  [ "$(sql beside.jfr "select count(*) from samples where event = 'jdk.ExecutionSample'")" -gt 5 ] || complain "no CPU samples"
}

start_waiting() { # JDK JAVA-OPTIONS... : pid in PID
  rm -f waiting.out  # of another one, which was ready
  "$@" -Xmx400m -cp "$CLASSES" LiveLoad 32 wait >waiting.out 2>waiting.err &
  PID=$!
  local i
  for i in $(seq 600); do
    grep -q ready waiting.out 2>/dev/null && return 0
    kill -0 $PID 2>/dev/null || break
    sleep 0.1
  done
  complain "never ready: $(cat waiting.out waiting.err)"
}

killed() { # JDK
  rm -rf killed.jfr*
  start_waiting "$1/bin/java" "-agentpath:$AGENT=filename=$PWD/killed.jfr,live=32k,maxchunkage=1s" || return
  sleep 2.5  # some rotations
  kill -9 $PID
  wait $PID 2>/dev/null
  "$JREC" recover "$PWD/killed.jfr.chunks" >recovered.out 2>&1 || complain "$(cat recovered.out)" || return
  by_class killed.jfr waiting.out || return
  "$1/bin/jfr" summary killed.jfr | grep jdk.OldObjectSample >/dev/null || complain "jfr does not read it"
}

# Started, dumped, stopped and started again in a running JVM: each file has one batch, and none of the recording before.
at_run_time() { # JDK
  rm -f late*.jfr
  start_waiting "$1/bin/java" "-agentpath:$AGENT=filename=$PWD/late0.jfr,overwrite=true,live=32k" || return
  "$JREC" dump $PID -o "$PWD/late1.jfr" >said 2>&1 && "$JREC" stop $PID >>said 2>&1 || complain "$(cat said)" || return
  by_class late1.jfr waiting.out || return
  "$JREC" start $PID -f "$PWD/late2.jfr" overwrite=true alloc=512k live=512k >said 2>&1 || complain "$(cat said)" || return
  "$JREC" stop $PID >said 2>&1 || complain "$(cat said)" || return
  [ "$(sql late2.jfr "select count(*) from samples where event = 'jdk.OldObjectSample'" 2>/dev/null || echo 0)" = 0 ] || complain "what was there before is told" || return
  kill $PID
  wait $PID 2>/dev/null
  [ ! -s waiting.err ] || grep -qv '^rec: ' waiting.err && [ -s waiting.err ] && complain "said: $(cat waiting.err)"
  return 0
}

for jdk in $(jdks); do
  name=$(jdk_name "$jdk")
  check "live: what is alive is told by class, and what died is not ($name)" alive "$jdk"
  check "live: with ages, sizes, addresses and stacks, in one batch ($name)" fields "$jdk"
  check "live: in the JDK's tools ($name)" views "$jdk"
  check "live: where there is no room for all, weights tell of the rest ($name)" thinned "$jdk"
  check "live: beside CPU time and allocations ($name)" beside_alloc "$jdk"
  check "live: after kill -9 ($name)" killed "$jdk"
  check "live: started, dumped and stopped at run time ($name)" at_run_time "$jdk"
  has_gc "$jdk" Z || continue
  JVM=-XX:+UseZGC zgc=alive
  [ "$(java_version "$jdk")" -lt 24 ] || zgc=generational_zgc
  check "live: under ZGC, too ($name)" $zgc "$jdk"
  JVM=
done
finish
