#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Native frames: of code of every shape, above, between and below Java's, of threads without any, and of libraries that come and go.
. "$(dirname "$0")/lib.sh"
BY_CHANCE=1
CLASSES=$(fixtures NativeShapes.java NativeLoad.java StubMix.java) || { fail "native: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1
INCLUDE=$(oldest_jdk)/include
library() { # NAME SOURCE FLAGS...: libNAME.so
  local name=$1 source=$2
  shift 2
  "${CC:-cc}" -c -fPIC -I"$INCLUDE" -I"$INCLUDE/linux" "$@" -o "$name.o" "$ROOT/fixtures/$source" &&
    "${CC:-cc}" -shared -o "lib$name.so" "$name.o" burn.o -pthread
}
cc -c -fPIC -O2 -o burn.o "$ROOT/fixtures/native_burn.c" || { fail "native: libraries compile"; finish; }
tables=(-O2 -fomit-frame-pointer -fcf-protection)
pointers=(-O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-asynchronous-unwind-tables -fno-unwind-tables)
library tables native_shapes.c "${tables[@]}" && library unoptimised native_shapes.c -O0 && library pointers native_shapes.c "${pointers[@]}" &&
  CC=c++ library throwing native_throw.cpp -O2 && library storm_a native_storm.c -O2 -DWHO=storm_a && library storm_b native_storm.c -O2 -DWHO=storm_b &&
  library load native_load.c -O1 || { fail "native: libraries compile"; finish; }
for i in a b; do "${CC:-cc}" -shared -Wl,--build-id=none -o libnoid_$i.so storm_$i.o burn.o -pthread || { fail "native: libraries compile"; finish; }; done
for i in {0..7}; do library come$i native_storm.c -O2 -DWHO=come_$i -DSKIP=$((i * 5000 + 16)) || { fail "native: libraries compile"; finish; }; done
INTERVAL=interval=4ms

# most NAME THREAD PATTERN [PERCENT]: of the thread's samples at least so many have a stack like this, from the root. A few are of the thread's
# begin and end.
most() {
  "$JREC" collapsed --thread "$2" "$1.jfr" >stacks || return
  awk -v pattern="$3" -v percent="${4:-95}" -v thread="$2" '
    { count = $NF; all += count; if ($0 ~ pattern) good += count; else if (!other) other = $0 }
    END {
      printf "%s: %d of %d like %s\n", thread, good, all, pattern
      if (other) print "other: " other
      exit !(all >= 20 && good >= all * percent / 100)
    }' stacks
}

START="^libc.so.6.(clone3?|__clone3?);libc.so.6.(start_thread|__pthread_start)?"
VM="(;libjvm.so[^;]*|;stubs[^;]*)+"  # frames of the VM
JAVA="$START$VM;java.lang.Thread.run;(java.lang.Thread.runWith;)?[^;]*lambda[^;]*;"

# shape NAME FUNCTIONS... : of the thread "shape NAME", in library $LIB, as innermost frames. used_ns, clock_gettime and the vDSO may be above.
shape() {
  local name=$1 inner="" each
  shift
  for each in "$@"; do inner+=";lib$LIB.so.$each"; done
  most "$LIB" "shape $name" "NativeShapes.run;lib$LIB.so.Java_NativeShapes_run$inner;lib$LIB.so.burn[; ]" || return
  most "$LIB" "shape $name" "$START$VM;java.lang.Thread.run" || return
}

shapes() { # JDK LIBRARY
  LIB=$2
  JVM="-Xmx64m -Xshare:auto" recorded NativeShapes "$LIB" "$1" "$INTERVAL" shapes "$PWD/lib$LIB.so" "$PWD/libthrowing.so" 240 || return
  shape plain shape_plain shape_plain shape_plain shape_plain shape_plain shape_plain || return
  shape alloca shape_alloca || return
  [ "$LIB" = pointers ] || shape aligned shape_aligned || return  # its frame pointer does not tell where its frame ends
  if [ "$LIB" = tables ]; then shape tail; else shape tail shape_tail; fi || return
  shape pointer shape_pointer || return
  [ "$LIB" = pointers ] || shape table shape_table || return
  most "$LIB" "shape sort" "lib$LIB.so.shape_sort(;libc.so.6[^;]*)+;lib$LIB.so.compare;lib$LIB.so.burn[; ]" || return
  most "$LIB" "shape up" "NativeShapes.run;lib$LIB.so.Java_NativeShapes_run;lib$LIB.so.shape_up(;lib$LIB.so[^;]*)?$VM;NativeShapes.back;NativeShapes.burn;lib$LIB.so.Java_NativeShapes_burn;lib$LIB.so.burn[; ]" || return
  most "$LIB" "shape thread" "${START};lib$LIB.so.thread_body;lib$LIB.so.burn[; ]" 85 || return  # what it ran before it was found is read, and not seen
  shape bare shape_bare || return  # its code tells how to leave it
  # Nothing does: Java's frames are there all the same.
  most "$LIB" "shape puzzle" "$START$VM;java.lang.Thread.run;.*NativeShapes.run;native.\[not unwound\];lib$LIB.so.shape_puzzle;lib$LIB.so.burn[; ]" || return
  # On other stacks: where the way back is known, and where it is not.
  [ "$LIB" = pointers ] || most "$LIB" "shape alternate" "NativeShapes.run;lib$LIB.so.Java_NativeShapes_run;lib$LIB.so.shape_alternate(;libc.so.6[^;]*)+;lib$LIB.so.on_signal;lib$LIB.so.burn[; ]" || return
  most "$LIB" "shape coroutine" "$START$VM;java.lang.Thread.run;.*NativeShapes.run;native.\[not unwound\](;libc.so.6[^;]*)*;lib$LIB.so.coroutine_body;lib$LIB.so.burn[; ]" || return
  most "$LIB" "shape throwing" "$START$VM;java.lang.Thread.run;.*NativeShapes.throwing;libthrowing.so.Java_NativeShapes_throwing[; ]" 80 || return  # not while the unwinder writes over its own frame
  grep -q 'libthrowing.so.shapes::catcher;.*libthrowing.so.shapes::thrower;.*libgcc_s.so.1' stacks || complain "no exception in flight: $(head -3 stacks)"
}

# A library at the address of another one, that is gone. noid: nothing but the loader tells them apart.
loads() { # JDK storm|noid
  JVM="-Xmx64m" recorded NativeShapes loads "$1" "$INTERVAL" loads "$PWD/libtables.so" "$PWD/lib$2_a.so" "$PWD/lib$2_b.so" 600 || return
  "$JREC" collapsed loads.jfr >stacks || return
  ! grep -E "loadA;.*(lib$2|storm)_b|loadB;.*(lib$2|storm)_a|lib$2_[ab].so.\+" stacks || complain "wrong names" || return
  most loads slow "NativeShapes.load([AB]);.*;lib$2_[ab].so.storm;lib$2_[ab].so.storm_[ab][; ]" 50 || return
  most loads fast 'java.lang.Thread.run;.*NativeShapes.load'
}

# Eight libraries of several sizes, in any order and by several threads at once: each sample is named by the one that the thread called. By hand
# for as long, and as often, as one likes: REC_COMES_MS=60000 REC_COMES_INTERVAL=50us.
comes() { # JDK
  JVM=-Xmx64m TIME_LIMIT=600 recorded NativeShapes comes "$1" "interval=${REC_COMES_INTERVAL:-200us}" comes "$PWD/libtables.so" "$PWD" 3 "${REC_COMES_MS:-1500}" || return
  "$JREC" collapsed comes.jfr >stacks || return
  awk '
    match($0, /NativeShapes\.come[0-7];/) {
      count = $NF; all += count; which = substr($0, RSTART + 17, 1); rest = substr($0, RSTART + RLENGTH); gsub("libcome" which "\\.so|come_" which, "", rest)
      if (rest ~ /libcome|come_[0-7]/) { wrong += count; if (wrong < 1000) print "wrong: " $0 }
      if ($0 ~ "libcome" which "\\.so\\.come_" which) named += count
      if ($0 ~ /native\.\[unknown\]/) unknown += count
    }
    END { printf "%d samples, %d named, %d of no listed library, %d wrong\n", all, named, unknown, wrong; exit !(all > 300 && named > 0 && wrong == 0) }' stacks || return
  echo "ticks $(counter comes.jfr ticks)"
}

vm_threads() { # JDK VM-OPTIONS...
  local jdk=$1
  shift
  JVM="-Xmx96m $*" recorded NativeShapes work "$jdk" "$INTERVAL" work "$PWD/libtables.so" 3000 || return
  most work main "java.util.zip.Deflater.deflateBytesBytes;libzip.so.Java_java_util_zip_Deflater_deflateBytesBytes;lib" 70 || return
  "$JREC" collapsed work.jfr | grep -E "$START$VM\$" >stacks
  [ "$(grep -c 'CompileBroker::' stacks)" -ge 1 ] && [ "$(grep -cv 'CompileBroker::' stacks)" -ge 1 ] || complain "no threads of the VM: $(head -5 stacks)" || return
  "$JREC" verify work.jfr >verified || complain "$(cat verified)"
}

# What the VM has made has the names that the VM gives it; and which compiler has made a method is told.
stubs() { # JDK
  JVM=-Xmx64m recorded StubMix stubs "$1" interval=1ms 3 || return
  most stubs main "libjvm.so.JavaCalls::call_helper;stubs.call_stub;StubMix.main[; ]" 80 || return
  [ "$("$JREC" collapsed stubs.jfr | grep -cE ';stubs.[^;]* [0-9]+$')" -ge 3 ] || complain "no stubs: $(head -3 stacks)" || return
  local kind
  for kind in Interpreted "C1 compiled" "JIT compiled" Inlined Native "C++"; do
    [ "$(sql stubs.jfr "select count(*) from frames where kind = '$kind'")" != 0 ] || complain "no frame is $kind" || return
  done
}

# What a killed process leaves has the same names.
killed() { # JDK
  rm -rf killed.jfr killed.jfr.chunks
  "$1/bin/java" "-agentpath:$AGENT=filename=$PWD/killed.jfr,$INTERVAL" -Xmx96m -cp "$CLASSES" NativeShapes work "$PWD/libtables.so" 0 >killed.out 2>&1 &
  local pid=$!
  sleep 3
  kill -9 $pid
  wait $pid 2>/dev/null
  "$JREC" recover killed.jfr.chunks >recovered 2>&1 || "$JREC" recover . >>recovered 2>&1
  "$JREC" collapsed killed.jfr 2>/dev/null | grep 'stubs.call_stub;NativeShapes.main;.*Deflater.deflateBytesBytes;libzip.so.Java_java_util_zip_Deflater_deflateBytesBytes;lib' >/dev/null || complain "$(cat recovered; ls)"
}

# Threads that have no room for much: on an alternate stack, with the least stack there is or the rest of one, deaf to signals.
small_rooms() { JVM=-Xmx64m recorded NativeLoad load "$1" "$INTERVAL" "$PWD/libload.so" 300 && ! grep '^rec' load.err && grep -q '^below=0$' load.out; }

hidden() {
  JVM="-Xmx96m" recorded NativeShapes hidden "$1" "$INTERVAL,cstack=none" work "$PWD/libtables.so" 1000 || return
  ! "$JREC" collapsed hidden.jfr | grep 'libjvm.so\|libzip.so' >/dev/null || complain "native frames are shown"
}

for jdk in $(jdks); do
  name=$(jdk_name "$jdk")
  for kind in tables unoptimised pointers; do
    check "native: frames of every shape, from their function to the thread's start ($name, $kind)" shapes "$jdk" $kind
  done
  check "native: of libraries that come and go, the right one is named ($name)" loads "$jdk" storm
  check "native: of libraries of any size that come and go in any order, the right one is named ($name)" comes "$jdk"
  for gc in G1 Z; do check "native: collectors, compilers and java.util.zip show ($name, $gc)" vm_threads "$jdk" -XX:+Use${gc}GC; done
  check "native: threads with little room live on ($name)" small_rooms "$jdk"
  check "native: stubs have names, and compilers are told apart ($name)" stubs "$jdk"
done
check "native: of libraries without a build id that come and go, the right one is named" loads "$(oldest_jdk)" noid
check "native: what a killed process leaves has names" killed "$(oldest_jdk)"
check "native: cstack=none hides them" hidden "$(oldest_jdk)"
finish
