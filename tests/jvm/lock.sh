#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Waits for locks: that those over the threshold are told one by one, as long as they were, with the class, the stack, the owner and where
# that was; that shorter ones are counted; in virtual threads; and that all is as before when the recording has ended.
. "$(dirname "$0")/lib.sh"
BY_CHANCE=1
CLASSES=$(fixtures LockLoad.java ParkGuest.java OwnerCalls.java) || { fail "lock: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1
INCLUDE=$(oldest_jdk)/include
for guest in park_guest bind_guest owner_calls; do
  cc -O2 -shared -fPIC -I"$INCLUDE" -I"$INCLUDE/linux" -o $guest.so "$ROOT/fixtures/$guest.c" || { fail "lock: $guest compiles"; finish; }
done

# record NAME JDK OPTIONS ARGUMENTS...
record() { recorded LockLoad "$@" && silent "$1"; }

# As many as the waiter has measured, and together as long; a wait at the very threshold may be on either side. By the JDK's own reader.
waits() { # JDK RECORDING TRUTH [monitors]
  "$1/bin/jfr" print --json --stack-depth 64 --events rec.MonitorOwner,jdk.JavaMonitorEnter,jdk.JavaMonitorWait,jdk.ThreadPark,jdk.ThreadSleep,jdk.VirtualThreadPinned "$2" >rows.json || return
  python3 - "$3" "${4:-all}" <<'PY'
import json, sys
true = {}
for line in open(sys.argv[1]):
    what, _, rest = line.strip().partition("=")
    if rest: true[what] = [int(n) for n in rest.split()]
events = [(e["type"], e["values"]) for e in json.load(open("rows.json"))["recording"]["events"]]
asked = [v for t, v in events if t == "rec.MonitorOwner" and v["waiter"] and v["waiter"]["javaName"] == "waiter"]
events = [(t, v) for t, v in events if t != "rec.MonitorOwner" and v["eventThread"] and v["eventThread"]["javaName"] == "waiter"]
us = lambda v: float(v["duration"][2:-1]) * 1e6
def kind(t, v):
    klass = (v.get("monitorClass") or v.get("parkedClass") or {}).get("name", "")
    if t == "jdk.JavaMonitorEnter": return "enter"
    if t == "jdk.JavaMonitorWait": return "wait"
    if t == "jdk.ThreadSleep": return "sleep"
    if t == "jdk.VirtualThreadPinned": return "pinned"
    return "timed" if klass == "LockLoad$Blocker" else "park"
told = {}
for t, v in events: told.setdefault(kind(t, v), []).append(v)
true["enter"] = [a + b for a, b in zip(true["enter"], true.pop("short"))]
for what, (count, total) in true.items():
    if sys.argv[2] == "monitors" and what in ("park", "timed", "sleep"): continue
    all = told.get(what, [])
    sum_us = sum(map(us, all))
    print(f"{what}: {len(all)} of {count}, {sum_us:.0f} of {total} us")
    assert count > 0 and abs(len(all) - count) <= 1, what
    assert abs(sum_us - total) <= 0.05 * total + 10_000 * abs(len(all) - count), what
    assert all[0].get("address", 1) != 0 and min(map(us, all)) >= 10_000, what
    assert any(f["method"]["name"].startswith(("measure", "lambda$measure$")) for f in all[0]["stackTrace"]["frames"]), what
for v in told.get("sleep", []) if sys.argv[2] != "monitors" else []: assert v["time"] == "PT0.03S", v["time"]
of_fixture = lambda v: any(f["method"]["name"].startswith(("measure", "lambda$measure$")) for f in v["stackTrace"]["frames"])
for v in told.get("wait", []): assert of_fixture(v), "a wait without the stack that it began with"
for v in told.get("pinned", []): assert v["carrierThread"]["javaName"].startswith("ForkJoinPool"), v["carrierThread"]
enters = told["enter"]
assert {v["monitorClass"]["name"] for v in enters} == {"LockLoad$Held"}
owned = [v for v in enters if v["previousOwner"] and v["previousOwner"]["javaName"] == "holder"]
starts = {v["startTime"] for v in enters}
seen = [v for v in asked if v["startTime"] in starts and v["eventThread"]["javaName"] == "holder" and any(f["method"]["name"] == "hold" for f in v["stackTrace"]["frames"])]
print(f"{len(owned)} with their owner, {len(seen)} with where it was, of {len(enters)}")
# On a loaded machine the wait may be over before the recorder has its turn to ask.
assert len(owned) >= 0.25 * len(enters) and len(seen) >= 1
PY
}

platform() {
  record platform "$1" lock=10ms 15 || return
  waits "$1" platform.jfr platform.out || return
  [ "$(counter platform.jfr locksShort)" -ge 1 ] || complain "short: $(counter platform.jfr locksShort)" || return
  [ "$(counter platform.jfr lockWaitsLost)" = 0 ] || complain "$(counter platform.jfr lockWaitsLost) are lost"
}

# Monitors, and one that is pinned; of others that park some are seen, and a few tell little.
virtual() {
  record virtual "$1" lock=10ms,maxchunkage=1s 8 virtual || return
  waits "$1" virtual.jfr virtual.out monitors
}

# Virtual threads that park, sleep, wait for locks, and live for one park: what is told adds up, by method, within the error of chance and what they
# wait for carriers; sleeps as sleeps. Of the parks of 20 ms, half are met when less than the threshold is left.
virtual_parks() { # JDK
  local jdk=$1 event
  "$jdk/bin/javac" $QUICK -nowarn -d . "$ROOT/fixtures/VirtualWall.java" || complain "the fixture does not compile" || return
  timeout -s KILL 120 "$jdk/bin/java" "-agentpath:$AGENT=filename=$PWD/parks.jfr,overwrite=true,lock=10ms" -Xmx200m -cp . VirtualWall 6 300 collect >parks.out 2>parks.err ||
    complain "$(cat parks.err)" || return
  # Within five times the error of chance of each of four kinds: a loaded machine gives the looks less time.
  for event in park sleep; do "$JREC" collapsed --event $event parks.jfr | sed "s/^/$event;/"; done | awk -v n="$(counter parks.jfr lockWaits)" '
    BEGIN { off = 0.05 + 5 / sqrt(n / 4 + 1) }
    NR == FNR { if ($1 !~ /enterLong|waitLong/) true[$1] = $2; next }
    match($0, /VirtualWall\.(park|sleep|lock)(Long|Short);/) { method = substr($0, RSTART + 12, RLENGTH - 13); if (/^sleep;/ != (method == "sleepLong")) next; got[method] += $NF / 1e9; if (/ReentrantLock/) held += $NF / 1e9 }
    END { for (kind in true) { share = got[kind] / true[kind]; printf "%s %.1f s, told %.3f\n", kind, true[kind], share
            low = kind == "parkShort" ? 0 : 1 - off; high = 1 + off
            kinds++; if (share < low || share > high) bad = 1 }
          exit bad || kinds != 4 || held < (0.95 - off) * true["lockLong"] }' parks.out - || return
  [ "$(sql parks.jfr "select count(*) from events_jdk_ThreadPark where parkedClass like '%ReentrantLock%Sync'")" -gt 20 ] || complain "not by class" || return
  [ "$(counter parks.jfr lockWaitsLost)" -lt 300 ] || complain "$(counter parks.jfr lockWaitsLost) are lost"
}

tools() {
  "$1/bin/jfr" summary platform.jfr | grep jdk.ThreadPark >/dev/null || complain "jfr summary does not tell" || return
  "$1/bin/jfr" print --events JavaMonitorEnter platform.jfr | grep 'previousOwner = "holder"' >/dev/null || complain "jfr print does not tell" || return
  "$JREC" view contention-by-site platform.jfr 2>&1 | grep LockLoad >/dev/null || complain "jrec view: $("$JREC" view contention-by-site platform.jfr 2>&1 | head -5)" || return
  "$1/bin/jfr" view 2>/dev/null | grep contention-by-class >/dev/null || return 0
  "$1/bin/jfr" view --width 160 contention-by-class platform.jfr | grep 'LockLoad$Held' >/dev/null || complain "jfr view does not tell"
}

# Each wait, and none; the threshold is the user's.
thresholds() {
  record all "$1" lock=0 12 || return
  [ "$(counter all.jfr locksShort)" = 0 ] || complain "with no threshold $(counter all.jfr locksShort) were short" || return
  [ "$(sql all.jfr "select count(*) from events_jdk_JavaMonitorEnter where duration < 10000000")" -gt 0 ] || complain "none is short" || return
  record none "$1" cpu,lock=10s 4 || return
  [ "$(counter none.jfr lockWaits)" = 0 ] && [ "$(counter none.jfr locksShort)" -gt 3 ] && [ "$(counter none.jfr parksShort)" -gt 3 ] ||
    complain "$(counter none.jfr lockWaits) over 10 s, $(counter none.jfr locksShort) and $(counter none.jfr parksShort) short" || return
  [ "$(counter none.jfr parksShortUs)" -gt 100000 ] || complain "parks add up to $(counter none.jfr parksShortUs) us"
}

# Loaded into a running JVM, stopped, started again, and until the JVM ends.
at_run_time() {
  rm -f gate && mkfifo gate
  timeout -s KILL 120 "$1/bin/java" -cp "$CLASSES" LockLoad 6 platform wait <gate >late.out 2>late.err &
  local pid child=$! i
  exec 5>gate
  for i in $(seq 300); do grep -q ready late.out && break; sleep 0.1; done
  pid=$(pgrep -P $child)
  for i in 1 2; do
    "$JREC" start "$pid" -f "$PWD/late.jfr" overwrite=true lock=10ms >said 2>&1 || complain "$(cat said)" || return
    [ "$i" = 2 ] || "$JREC" stop "$pid" >said 2>&1 || complain "$(cat said)" || return
  done
  echo >&5
  wait $child || complain "the program ended with $?: $(cat late.err)" || return
  exec 5>&-
  ! grep -q warning late.out || complain "said: $(cat late.out)" || return
  [ "$(sql late.jfr "select count(*) from events_jdk_JavaMonitorEnter where eventThread = 'waiter'")" -ge 5 ] || complain "monitors: $(cat late.out)" || return
  [ "$(sql late.jfr "select count(*) from events_jdk_ThreadPark where eventThread = 'waiter'")" -ge 10 ] || complain "parks: $(cat late.out)"
}

# Another profiler takes the method over, whatever it calls then: what came before counts, and all but what was parked until that was seen.
beside_a_guest() {
  local how parks ms
  for how in passes-by passes-on leaves; do
    timeout -s KILL 60 "$1/bin/java" "-agentpath:$SCRATCH/park_guest.so" "-agentpath:$AGENT=filename=guest.jfr,overwrite=true,lock=1ms" \
      -cp "$CLASSES" ParkGuest "$SCRATCH/park_guest.so" $how >guest.out 2>guest.err || complain "$how ended with $?: $(cat guest.err)" || return
    read -r parks ms <<<"$(sql guest.jfr "select count(*) || '/' || (sum(duration) / 1000000) from events_jdk_ThreadPark where eventThread = 'main'" | tr / ' ')"
    [ "$parks" -ge 200 ] && [ "$parks" -le 300 ] || complain "$how: $parks parks told of: $(cat guest.out guest.err)" || return
    [ "${ms%.*}" -le "$(grep -o 'ms=[0-9]*' guest.out | cut -d= -f2)" ] || complain "$how: $ms ms told of: $(cat guest.out)" || return
    if [ $how = passes-on ]; then
      [ "$parks" = 300 ] && ! grep -q 'took over' guest.err || complain "$how: $parks parks told of, and said: $(cat guest.err)" || return
    else
      grep -q 'took over Unsafe.park; rec stands in front' guest.err || complain "$how: $(cat guest.err)" || return
    fi
  done
}

# Each of the two stands in front of the VM's own functions, one in front of the other, and both tell all.
beside_a_copy() {
  cp "$AGENT" librec-2.so
  JVM="-agentpath:$SCRATCH/librec-2.so=filename=copy.jfr,overwrite=true,lock=0"
  platform "$1" || return
  local own copy
  own=$(sql platform.jfr "select count(*) from events_jdk_ThreadPark where eventThread = 'waiter'")
  copy=$(sql copy.jfr "select count(*) from events_jdk_ThreadPark where eventThread = 'waiter'")
  [ "$own" -gt 0 ] && [ "$copy" -ge "$own" ] || complain "$own parks of one, $copy of the other"
}

# Who sleeps in a system call is not interrupted in it, and is told of with its stack, as those are that run.
owners_in_calls() { # JDK
  local frames
  recorded OwnerCalls calls "$1" lock=10ms "$SCRATCH/owner_calls.so" && ! grep '^rec:' calls.err || complain "said: $(cat calls.err)" || return
  [ "$(grep -c '^call=.:0$' calls.out)" = 18 ] || complain "calls that were ended: $(grep -v ':0$' calls.out | sort | uniq -c)" || return
  "$JREC" collapsed --event rec.MonitorOwner calls.jfr >owners
  for frames in 'callAll;OwnerCalls.call;owner_calls.so.Java_OwnerCalls_call;libc.so.6' 'workOn;OwnerCalls.work' run; do
    grep -F ";OwnerCalls.$frames" owners >/dev/null || complain "no owner in $frames: $(cat owners)" || return
  done
  [ "$(sql calls.jfr "select count(*) from events_jdk_JavaMonitorEnter where previousOwner = 'caller'")" -ge 15 ] || complain "owners are not named"
}

# The application handles the signal by which owners are asked, from some time on; or all there are.
signals_are_taken() { # JDK
  recorded OwnerCalls one "$1" lock=10ms "$SCRATCH/owner_calls.so" 1 && ! grep '^rec:' one.err || complain "said: $(cat one.err)" || return
  "$JREC" collapsed --event rec.MonitorOwner one.jfr | grep -F ';OwnerCalls.run;' >/dev/null || complain "who runs Java code is not told of" || return
  recorded OwnerCalls all "$1" lock=10ms "$SCRATCH/owner_calls.so" 99 || return
  [ "$(grep -c '^rec: no signal is left' all.err)" = 1 ] && [ "$(grep -c '^rec:' all.err)" = 1 ] || complain "said: $(cat all.err)" || return
  "$JREC" collapsed --event rec.MonitorOwner all.jfr | grep -F ';OwnerCalls.callAll;' >/dev/null || complain "who sleeps is not told of"
}

for jdk in $(jdks); do
  name=$(jdk_name "$jdk")
  check "lock: waits are told one by one, as long as they were, with their owners ($name)" platform "$jdk"
  check "lock: in every tool ($name)" tools "$jdk"
  check "lock: an owner that sleeps in a system call is not interrupted ($name)" owners_in_calls "$jdk"
  check "lock: owners are told of where the application takes the signal that asks them ($name)" signals_are_taken "$jdk"
  check "lock: below the threshold they are counted and added up ($name)" thresholds "$jdk"
  [ "$(java_version "$jdk")" -lt 21 ] || check "lock: monitors of virtual threads, too, and those that are pinned ($name)" virtual "$jdk"
  [ "$(java_version "$jdk")" -lt 21 ] || check "lock: parks of virtual threads add up, by method ($name)" virtual_parks "$jdk"
  check "lock: started and stopped at run time ($name)" at_run_time "$jdk"
  check "lock: parks beside another profiler that takes the method over ($name)" beside_a_guest "$jdk"
  check "lock: beside a copy of rec ($name)" beside_a_copy "$jdk"
  JVM=-agentpath:$SCRATCH/bind_guest.so
  check "lock: beside an agent that stands in front of whatever is bound ($name)" platform "$jdk"
  JVM=-XX:+UseZGC
  has_gc "$jdk" Z && check "lock: under ZGC, too ($name)" platform "$jdk"
  JVM="-XX:+UnlockExperimentalVMOptions -XX:-VMContinuations"  # virtual threads are platform threads then, and nothing is mounted
  [ "$(java_version "$jdk")" -lt 21 ] || check "lock: without continuations ($name)" platform "$jdk"
  JVM=
done
finish
