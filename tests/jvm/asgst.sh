#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# asgst.h for other profilers: names and numbers held against JVMTI, an example profiler over class storms, and ground on which nothing works.
#
#   REC_ASGST_SECONDS   of each storm (default 3); from 10 on with every collector
. "$(dirname "$0")/lib.sh"
SECONDS_EACH=${REC_ASGST_SECONDS:-3}
cd "$SCRATCH" || exit 1

build() {
  local jdk flags
  jdk=$(oldest_jdk)
  flags=(-O2 -Wall -Wextra -Werror "-I$ROOT/agent/include" "-I$jdk/include" "-I$jdk/include/linux")
  gcc "${flags[@]}" -shared -fPIC -o profiler.so "$ROOT/tests/asgst/profiler.c" &&
    gcc "${flags[@]}" "-I$ROOT" -shared -fPIC -o oracle.so "$ROOT/tests/asgst/oracle.c" "$ROOT/tests/asgst/oracle_homes.c" "$AGENT" "-Wl,-rpath,$(dirname "$AGENT")" &&
    gcc "${flags[@]}" -shared -fPIC -o kinds.so "$ROOT/tests/asgst/kinds.c" "$AGENT" "-Wl,-rpath,$(dirname "$AGENT")" -ldl &&
    gcc "-I$ROOT/tests/asgst/version_1" "${flags[@]}" -shared -fPIC -o profiler_1.so "$ROOT/tests/asgst/profiler.c" &&
    gcc "${flags[@]}" -shared -fPIC -o no_fields.so "$ROOT/tests/asgst/no_fields.c" &&
    gcc "${flags[@]}" -o block_signals "$ROOT/fixtures/block_signals.c" &&
    gcc "${flags[@]}" -o bad_ground "$ROOT/tests/asgst/bad_ground.c" &&
    printf '#include <asgst.h>\nint main() { return ASGST_OK; }\n' >header.cpp &&
    g++ -std=c++11 -pedantic-errors "${flags[@]}" -c header.cpp -o header.o &&
    printf '#include <asgst.h>\nint main(void) { return ASGST_OK; }\n' >header.c &&
    gcc -std=c99 -pedantic-errors "${flags[@]}" -c header.c -o header.o
}

# field LINE NAME: the number behind NAME in the line that begins with LINE.
field() { sed -nE "s/^$1 .*/&/p" out | tr ' ' '\n' | grep -A1 -x "$2" | tail -1; }
is() { [ "$(field "$1" "$2")" = "$3" ] || complain "$2: $(field "$1" "$2"), not $3"; }
above() { [ "$(field "$1" "$2")" -gt "$3" ] || complain "$2: $(field "$1" "$2"), not above $3: this shows nothing"; }

agrees_with_jvmti() {
  timeout 120 "$1/bin/java" "${@:2}" "-agentpath:$PWD/oracle.so" -cp "$CLASSES" AsgstOracle >out 2>&1
  local rc=$?
  [ $rc = 0 ] && ! grep -q WRONG out || complain "rc $rc: $(grep -vE '^ok' out | head -20)" || return
  [ "$(grep -c ^ok out)" -ge 12 ] || complain "too few checks: $(cat out)" || return
  above classes methods 5000 && above classes lines 10000 && above classes generics 500 && above classes cut 50 || return
  above homes sources 400 && above homes modules 400 && above homes loaders 1
}

# storm JDK HOW PROFILER-OPTIONS JAVA-OPTIONS...
storm() {
  local how=$2 options=$3 made
  timeout $((SECONDS_EACH * 4 + 60)) "$1/bin/java" "${@:4}" "-agentpath:$PWD/${PROFILER:-profiler}.so=$AGENT$options" -cp "$CLASSES" ClassBurst all 2 "$SECONDS_EACH" >out 2>&1
  local rc=$?
  [ $rc = 0 ] || complain "rc $rc: $(tail -20 out)" || return
  grep -qx "unload $how" out || complain "not $how: $(cat out)" || return
  above samples walked 100 && above samples numbered 20 && above samples lines 100 && above others others 50 || return
  is wrong_names wrong_names 0 && is wrong_names wrong_ids 0 && is wrong_names bad_methods 0 && is wrong_names full 0 || return
  is wrong_names after_unload 0 && is others wrong 0 && is unloads unnamed 0 && is unloads deregistered 1 || return
  made=$(sed -nE 's/^made [0-9]+, unloaded ([0-9]+)/\1/p' out)
  [ "$made" -gt 10 ] || complain "$made unloaded: this shows nothing" || return
  # Late, some may still be on their way.
  [ "$how" = synchronous ] || made=$((made * 9 / 10))
  [ "$(field unloads unloads)" -ge "$made" ] || complain "$(field unloads unloads) told of $made"
}

storm_synchronous() { storm "$1" synchronous '' "${@:2}"; }
storm_late() { storm "$1" late ,late "${@:2}"; }

# A program that was compiled with the header of version 1.
storm_version_1() { PROFILER=profiler_1 storm "$1" synchronous '' "${@:2}"; }

# Kinds, levels, native code, all threads, states: what kinds.c finds wrong itself, and that it has seen each.
kinds() {
  timeout 120 "$1/bin/java" "${@:2}" -Xmx128m "-agentpath:$PWD/kinds.so" -cp "$CLASSES" AsgstKinds "$SECONDS_EACH" >out 2>&1
  local rc=$? kind
  [ $rc = 0 ] && ! grep -q WRONG out || complain "rc $rc: $(grep -vE '^ok' out | head -20)" || return
  [ "$(grep -c ^ok out)" -ge 10 ] || complain "too few checks: $(cat out)" || return
  is samples unknownThread 0 && is samples wrong_frames 0 && is samples wrong_ids 0 && above samples without_java 3 || return
  for kind in interpreted compiled inlined native code vm stub; do above types $kind 20 || return; done
  is levels none 0 && is levels other 0 && above levels four 20 && above states java 30 && above states native 10 || return
  is names wrong_names 0 && is names wrong_libraries 0 && above names agreed 20 && above names in_vm 100 && above names in_zip 20 && above names stubs 5
}

# The same judgement as tests/jvm/handlers.sh has of handlers, where the names are explained, of every call that may be made in one.
signal_safe() {
  local calls='ASGST_(ErrorName|LastError|SetLastError|Version|Reason|Capabilities|Get(Method|Class)[A-Za-z]*|MethodToJMethodID|WalkStack)$' rest roots
  local allowed='syscall|clock_gettime|getpid|sig(ismember|action|emptyset|addset|delset|procmask)|pthread_sigmask|mem(cpy|move|set|cmp)|__errno_location|__stack_chk_fail|__mem(cpy|move|set)_chk'
  mapfile -t roots < <(nm -D --defined-only "$AGENT" | awk '{ print $3 }' | grep -E "^$calls")
  [ "${#roots[@]}" = 13 ] || complain "${#roots[@]} calls are [signal-safe]: ${roots[*]}" || return
  roots+=('asgst::(anonymous namespace)::on_unload(' 'asgst::(anonymous namespace)::visit_own_stack(')
  g++ -std=c++20 -O1 -o handler_calls "$ROOT/fixtures/handler_calls.cpp" || return
  objdump -d -C --no-show-raw-insn "$AGENT" | ./handler_calls "${roots[@]}" >calls || complain "$(cat calls)" || return
  grep -q '^leaves syscall ' calls || complain "not even gettid is reached: this shows nothing" || return
  rest=$(grep -vE "^functions |^leaves ($allowed) via |^indirect .*(UnloadHandlers::call|visit_own_stack|pass_on|SignalChain::pass_up|meet_trap)\(" calls || true)
  [ -z "$rest" ] || complain "reachable: $(head -10 <<<"$rest")"
}

# All of the VM's threads block what HotSpot lets them block: the trap on the probe ends no process, and tells.
unload_blocked() {
  timeout 60 ./block_signals "$1/bin/java" "${@:2}" "-agentpath:$PWD/profiler.so=$AGENT" -cp "$CLASSES" ClassBurst all 2 1 >out 2>&1
  local rc=$? made
  [ $rc = 0 ] || complain "rc $rc: $(tail -20 out)" || return
  made=$(sed -nE 's/^made [0-9]+, unloaded ([0-9]+)/\1/p' out)
  [ "${made:-0}" -gt 10 ] || complain "$made unloaded: this shows nothing" || return
  grep -qx 'unload synchronous' out && above unloads unloads $((made - 1))
}

nothing_works() {
  ./bad_ground "$AGENT" >out || complain "$(cat out)" || return
  grep -qx 'reason: this VM has no vmStructs tables' out || complain "$(cat out)"
}

unknown_vm() {
  LD_PRELOAD=$PWD/no_fields.so timeout 60 "$1/bin/java" "-agentpath:$PWD/profiler.so=$AGENT" -cp "$CLASSES" ClassBurst all 1 0.2 >out 2>&1
  local rc=$?
  grep -q '^profiler: unknownLayout: this VM does not tell where _constMethod is' out || complain "$(head -5 out)" || return
  [ $rc = 0 ] && grep -q '^made ' out || complain "the application did not live: $(tail -5 out)"
}

api_option() {
  rm -f ./*.jfr*
  timeout 60 "$1/bin/java" "-agentpath:$AGENT=api" "-agentpath:$PWD/profiler.so=$AGENT" -cp "$CLASSES" ClassBurst all 1 0.5 >out 2>&1 || complain "$(tail -5 out)" || return
  above samples walked 0 && [ -z "$(find . -name '*.jfr*')" ] || complain "a recording: $(ls)"
}

beside_a_recording() {
  timeout 60 "$1/bin/java" "-agentpath:$AGENT=filename=beside.jfr" "-agentpath:$PWD/profiler.so=$AGENT" -cp "$CLASSES" ClassBurst all 1 2 >out 2>&1 || complain "$(tail -5 out)" || return
  above samples walked 0 && is wrong_names wrong_names 0 && is wrong_names wrong_ids 0 || return
  [ "$("$1/bin/jfr" $QUICK summary beside.jfr | awk '$1 == "jdk.ExecutionSample" { print $2 }')" -gt 10 ] || complain "no samples in the recording"
}

CLASSES=$(fixtures AsgstOracle.java AsgstKinds.java ClassBurst.java Numbered00000000.java) || { fail "asgst: fixtures compile"; finish; }
check asgst-builds build
check asgst-bad-ground nothing_works
check asgst-signal-safe signal_safe
for jdk in $(jdks); do
  name=asgst-$(jdk_name "$jdk")
  check "$name-agrees-with-jvmti" agrees_with_jvmti "$jdk"
  check "$name-kinds" kinds "$jdk" -XX:+UseG1GC
  check "$name-version-1" storm_version_1 "$jdk" -XX:+UseSerialGC
  check "$name-storm-synchronous" storm_synchronous "$jdk" -XX:+UseParallelGC
  check "$name-storm-late" storm_late "$jdk" -XX:+UseG1GC
  check "$name-unload-blocked" unload_blocked "$jdk" -XX:+UseSerialGC
  check "$name-unknown-vm" unknown_vm "$jdk"
  check "$name-api-option" api_option "$jdk"
  check "$name-beside-a-recording" beside_a_recording "$jdk"
  [ "$SECONDS_EACH" -ge 10 ] || continue
  for gc in Serial Parallel G1 Z Shenandoah; do
    has_gc "$jdk" $gc || continue
    for how in synchronous late; do check "$name-storm-$how-$gc" "storm_$how" "$jdk" -XX:+UnlockExperimentalVMOptions "-XX:+Use${gc}GC"; done
    check "$name-kinds-$gc" kinds "$jdk" -XX:+UnlockExperimentalVMOptions "-XX:+Use${gc}GC"
    check "$name-agrees-with-jvmti-$gc" agrees_with_jvmti "$jdk" -XX:+UnlockExperimentalVMOptions "-XX:+Use${gc}GC"
  done
done
finish
