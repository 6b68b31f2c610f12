#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Native memory: that the weights of sampled allocations are what was allocated, by site, size, function and thread, in libraries that are
# loaded before and after the start; that what leaks is told from what is freed; and that import tables are at the end as they were.
. "$(dirname "$0")/lib.sh"
BY_CHANCE=1
CLASSES=$(fixtures MallocLoad.java) || { fail "nativemem: fixtures compile"; finish; }
cp "$AGENT" "$SCRATCH/librec.so" && AGENT=$SCRATCH/librec.so  # where everybody may read it
INCLUDE=$(oldest_jdk)/include
cc -O1 -shared -fPIC -I"$INCLUDE" -I"$INCLUDE/linux" -o "$SCRATCH/libload.so" "$ROOT/fixtures/malloc_load.c" -pthread &&
  cc -O1 -shared -fPIC -o "$SCRATCH/libpreload.so" "$ROOT/fixtures/malloc_preload.c" || { fail "nativemem: the libraries compile"; finish; }
chmod 755 "$SCRATCH" && chmod -R a+rX "$CLASSES" "$AGENT" "$SCRATCH"/*.so
mkdir -m 777 "$SCRATCH/work" && cd "$SCRATCH/work" || exit 1
MB=1000000

record() { # NAME JDK OPTIONS WHAT... : NAME.jfr, NAME.out, NAME.err
  local name=$1 jdk=$2 options=$3
  shift 3
  rm -f "$name.jfr"
  timeout 120 ${AS_USER:-} env ${PRELOAD:+LD_PRELOAD=$PRELOAD} "$jdk/bin/java" "-agentpath:$AGENT=filename=$PWD/$name.jfr,$options" ${JVM:-} -Xmx64m \
    -cp "$CLASSES" MallocLoad "$SCRATCH/libload.so" "$@" >"$name.out" 2>"$name.err" || complain "$(tail -5 "$name.out" "$name.err")"
}

# bytes_of FILE METHOD jrec-options... : what it has allocated, itself or by what it calls.
bytes_of() {
  local file=$1 method=$2
  shift 2
  "$JREC" collapsed --event nativemem "$@" "$file" 2>/dev/null | awk -v frame="${FIXTURE:-MallocLoad}.$method" '
    { stack = ";" substr($0, 1, length($0) - length($NF) - 1) ";"; if (index(stack, ";" frame ";")) sum += $NF }
    END { printf "%d\n", sum }'
}

# near WHAT BYTES EXPECTED PERCENT
near() {
  awk -v what="$1" -v is="$2" -v expected="$3" -v percent="$4" 'BEGIN {
    printf "%s: %d bytes of %d\n", what, is, expected
    off = is > expected ? is - expected : expected - is
    exit !(off <= expected * percent / 100) }'
}

nothing_lost() { # FILE
  local cause
  for cause in mallocsLost mallocsUnfollowed mallocBytesLost freesLost; do
    [ "$(counter "$1" $cause)" = 0 ] || complain "$cause: $(counter "$1" $cause)" || return
  done
}

# An interval of 4 KiB: 9,700 samples of 40 MB in small pieces, 1 % of chance; 2,000 of 8 MB, 2 %; 1,600 of 16 MB or so, likewise.
amounts() { # JDK
  record amounts "$1" nativemem=4k sizes functions threads native fork || return
  nothing_lost amounts.jfr || return
  near "16 bytes" "$(bytes_of amounts.jfr size16)" $((40 * MB)) 6 || return
  near "1000 bytes" "$(bytes_of amounts.jfr size1000)" $((40 * MB)) 6 || return
  near "64 KiB" "$(bytes_of amounts.jfr size64k)" $((610 * 65536)) 1 || return
  near "1 MiB" "$(bytes_of amounts.jfr size1m)" $((40 << 20)) 0 || return
  near "16 MiB" "$(bytes_of amounts.jfr size16m)" $((20 * 16 << 20)) 0 || return
  local how
  for how in Malloc Calloc PosixMemalign AlignedAlloc Memalign Strdup; do
    near "$how" "$(bytes_of amounts.jfr "by$how")" $((8000 * 1024)) 11 || return
  done
  near Realloc "$(bytes_of amounts.jfr byRealloc)" $((8000 * 1025)) 11 || return
  near "16 threads" "$(sql amounts.jfr "select sum(weight) from samples where event = 'profiler.Malloc' and thread like 'churn-%'")" $((256 * MB)) 4 || return
  # What the forked child allocates is not told.
  near "a thread unknown to Java" "$(sql amounts.jfr "select sum(weight) from samples where thread = 'native churn' and top like 'libload.so.%'")" \
    $((40 * MB)) 6 || return
  callers amounts.jfr || return
  [ "$(sql amounts.jfr "select count(*) from samples where event = 'profiler.Malloc' and thread = 'main' and top like 'rec.NotWalked%'")" -lt 20 ] ||
    complain "stacks are missing"
}

# Who called malloc, on the way from Java; and from the thread's start.
callers() { # FILE
  "$JREC" collapsed --event nativemem "$1" >stacks
  # Of the first allocations on: System.load has listed the library.
  ! grep -m1 'MallocLoad[^;]*;native\.\[' stacks || complain "a library that is not known" || return
  local like
  for like in 'MallocLoad.byMalloc;MallocLoad.allocate;libload.so.Java_MallocLoad_allocate(;libload.so.allocate[^; ]*)? ' \
    'MallocLoad.byStrdup;MallocLoad.allocate;libload.so.Java_MallocLoad_allocate(;libload.so.allocate[^; ]*)?;libc.so.6.(__)?strdup ' \
    '^libc.so.6.(__)?clone3?;libc.so.6.start_thread;libload.so.[^;]* ' '^libc.so.6.(__)?clone3?;libc.so.6.start_thread;libj[^ ]*;stubs.call_stub;MallocLoad.main;'; do
    grep -qE "$like" stacks || complain "no stack like $like in: $(grep allocate stacks | tail -3)" || return
  done
}

# Each that was freed has its end, after it, whoever freed it.
ends() { # JDK
  record ends "$1" nativemem=4k leak across || return
  nothing_lost ends.jfr || return
  near "leaking" "$(bytes_of ends.jfr leaking --leak --tail 0)" $((20 * MB)) 8 || return
  near "tidy" "$(bytes_of ends.jfr tidy)" $((20 * MB)) 8 || return
  [ "$(bytes_of ends.jfr tidy --leak --tail 0)" = 0 ] || complain "tidy leaks $(bytes_of ends.jfr tidy --leak --tail 0)" || return
  near "handed on" "$(bytes_of ends.jfr handedOn)" $((20 * MB)) 8 || return
  [ "$(bytes_of ends.jfr handedOn --leak --tail 0)" = 0 ] || complain "handedOn leaks $(bytes_of ends.jfr handedOn --leak --tail 0)" || return
  [ "$(sql ends.jfr "select count(*) from events_profiler_Free f where f.address not in (select address from events_profiler_Malloc)")" = 0 ] ||
    complain "a free without its malloc" || return
  [ "$(sql ends.jfr "select count(*) from samples where event = 'profiler.Free' and thread = 'frees'")" -gt 1000 ] || complain "who frees is not told"
}

# The JVM's own, of whatever thread; both readers show it.
tools() { # JDK
  record tools "$1" cpu=4ms,alloc,live,wall,lock,nativemem=512 functions across || return
  "$JREC" collapsed --event nativemem tools.jfr | grep ';libjvm.so.CompileBroker::' >/dev/null || complain "the JVM's own threads are missing" || return
  record bare "$1" nativemem=64,cstack=none functions || return  # the JVM's other threads allocate 1 kB
  "$JREC" collapsed --event nativemem bare.jfr >stacks && grep -q '^JVM.\[' stacks && ! grep 'libjvm\|libload' stacks || complain "cstack=none: $(grep "libjvm\|libload" stacks | head -3; head -3 stacks)" || return
  "$JREC" hot --event nativemem tools.jfr | grep 'MallocLoad.allocate' >/dev/null || complain "jrec hot: $("$JREC" hot --event nativemem tools.jfr | head -5)" || return
  "$JREC" flame --event nativemem --leak -o leak.html tools.jfr && "$JREC" flame --event nativemem -o all.html tools.jfr || complain "no flame graph" || return
  "$1/bin/jfr" summary tools.jfr | grep 'profiler.Malloc *[1-9]' >/dev/null || complain "jfr summary does not tell" || return
  "$1/bin/jfr" print --events profiler.Malloc tools.jfr | grep 'size = 1.0 kB' >/dev/null || complain "jfr print does not tell" || return
  "$1/bin/jfr" print --events profiler.Free tools.jfr | grep 'address = 0x' >/dev/null || complain "jfr print does not tell of frees" || return
  ! "$JREC" hot --event cpu --leak tools.jfr >/dev/null 2>&1 || complain "--leak is taken of CPU time" || return
  record nofree "$1" nativemem=4k,nofree leak || return
  [ "$(sql nofree.jfr "select count(*) from events_profiler_Malloc")" -gt 1000 ] && [ "$(counter nofree.jfr frees)" = 0 ] || complain "nofree does not do what it says"
}

# A running JVM: tables lead to us from the start to the stop, again and again, and what was led elsewhere before is not touched.
tables() { # JDK
  rm -f ./*.jfr tables.out go
  mkfifo go
  "$1/bin/java" -Xmx64m -cp "$CLASSES" MallocLoad "$SCRATCH/libload.so" behind wait behind leak behind wait behind wait behind leak behind \
    wait behind <go >tables.out 2>&1 &
  local pid=$! round
  exec 9>go
  wait_for 1 || return
  for round in 1 2; do
    timeout 60 "$JREC" start "$pid" --agent "$AGENT" -f "$PWD/round$round.jfr" nativemem=4k >said 2>&1 || complain "start: $(cat said)" || return
    echo >&9
    wait_for $((round * 3)) || return
    timeout 60 "$JREC" stop "$pid" >said 2>&1 || complain "stop: $(cat said)" || return
    echo >&9
    wait_for $((round * 3 + 1)) || return
    near "round $round" "$(bytes_of "round$round.jfr" leaking --leak --tail 0)" $((20 * MB)) 8 || return
  done
  exec 9>&-
  wait "$pid" || complain "the JVM ended with $?" || return
  [ "$(sed -n 's/^behind=//p' tables.out | tr '\n' ' ')" = "libc.so.6 librec.so librec.so libc.so.6 librec.so librec.so libc.so.6 " ] ||
    complain "$(cat tables.out)"
}
wait_for() { # LINES of tables.out
  for _ in {1..300}; do
    [ "$(grep -c behind= tables.out 2>/dev/null)" -ge "$1" ] && return
    sleep 0.1
  done
  complain "no line $1: $(cat tables.out)"
}

preloaded() { # JDK
  PRELOAD=$SCRATCH/libpreload.so record preloaded "$1" nativemem=4k behind leak || return
  grep -q '^behind=librec.so' preloaded.out && grep -q '^preloaded: ' preloaded.err || complain "$(cat preloaded.out preloaded.err)" || return
  near "leaking" "$(bytes_of preloaded.jfr leaking --leak --tail 0)" $((20 * MB)) 8 || return
  near "tidy" "$(bytes_of preloaded.jfr tidy)" $((20 * MB)) 8
}

# By downcalls of java.lang.foreign, which have looked the functions up while it was recorded.
by_downcalls() { # JDK
  local how FIXTURE=ForeignMalloc
  "$1/bin/javac" $QUICK -nowarn -d . "$ROOT/fixtures/ForeignMalloc.java" || complain "the fixture does not compile" || return
  rm -f foreign.jfr
  timeout 120 "$1/bin/java" "-agentpath:$AGENT=filename=$PWD/foreign.jfr,nativemem=4k" --enable-native-access=ALL-UNNAMED -Xmx64m -cp . ForeignMalloc >foreign.out 2>foreign.err &&
    [ ! -s foreign.err ] || complain "$(tail -5 foreign.out foreign.err)" || return
  nothing_lost foreign.jfr || return
  for how in leak byMalloc byCalloc byStrdup; do
    near $how "$(bytes_of foreign.jfr $how)" $((20 * MB)) 8 || return
  done
  near "leaking" "$(bytes_of foreign.jfr leak --leak --tail 0)" $((20 * MB)) 8 || return
  for how in byMalloc byCalloc byStrdup; do
    [ "$(bytes_of foreign.jfr $how --leak --tail 0)" -lt $MB ] || complain "$how leaks $(bytes_of foreign.jfr $how --leak --tail 0)" || return  # the JVM's own
  done
}

as_nobody() {
  AS_USER="setpriv --reuid=65534 --regid=65534 --clear-groups" JVM=-XX:+UseZGC ends "$@"
}

for jdk in $(jdks); do
  name=$(jdk_name "$jdk")
  check "nativemem: weights are what was allocated, by size, function and thread ($name)" amounts "$jdk"
  check "nativemem: leaks are told from what is freed, also by others ($name)" ends "$jdk"
  [ "$(java_version "$jdk")" -lt 22 ] || check "nativemem: by downcalls of java.lang.foreign, and what of it leaks ($name)" by_downcalls "$jdk"
  check "nativemem: beside all other clocks, and in every tool ($name)" tools "$jdk"
  check "nativemem: tables lead back at the stop, and to us again ($name)" tables "$jdk"
  check "nativemem: behind us stays who was in front of libc ($name)" preloaded "$jdk"
  if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    check "nativemem: without rights, and with ZGC, too ($name)" as_nobody "$jdk"
  fi
done
finish
