#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Names of stripped libraries, found later: two libraries of one name are told apart, each function is where nm has it, and jrec symbolize
# gives each the name that its own debug file has. The JDKs' jfr reads what it writes, and finds all else in it as it was.
. "$(dirname "$0")/lib.sh"
BY_CHANCE=1
CLASSES=$(fixtures NativeShapes.java JfrEach.java) || { fail "symbolize: fixtures compile"; finish; }
cd "$SCRATCH" || exit 1
INCLUDE=$(oldest_jdk)/include

build_id() { readelf -n "$1" | sed -n 's/.*Build ID: //p'; }

# a/libstorm.so: one function that is found by dlsym, and one that nothing but the debug file names. What differs in a name alone has the same build id.
library() { # DIRECTORY FLAG
  mkdir -p "$1"
  cc -shared -fPIC "$2" "-DWHO=storm_$1" -Wl,--build-id -Wl,--version-script=exports -o "$1/whole.so" "$ROOT/fixtures/native_storm.c" || return
  local id
  id=$(build_id "$1/whole.so")
  mkdir -p "debug/.build-id/${id:0:2}"
  objcopy --only-keep-debug "$1/whole.so" "debug/.build-id/${id:0:2}/${id:2}.debug" && strip -o "$1/libstorm.so" "$1/whole.so"
}
echo '{ global: storm; local: *; };' >exports
cc -c -fPIC -O2 -o burn.o "$ROOT/fixtures/native_burn.c" &&
  cc -shared -fPIC -O2 -I"$INCLUDE" -I"$INCLUDE/linux" -o libtables.so "$ROOT/fixtures/native_shapes.c" burn.o -pthread &&
  library a -O1 && library b -O2 || { fail "symbolize: libraries compile"; finish; }

# named FILE: of both libraries, functions under the names of their own, below the Java method that loaded them.
named() {
  "$JREC" collapsed "$1" >stacks || return
  grep -qE 'loadA;.*libstorm.so[^;]*\.storm;libstorm.so[^;]*\.storm_a[; ]' stacks && grep -qE 'loadB;.*libstorm.so[^;]*\.storm;libstorm.so[^;]*\.storm_b[; ]' stacks ||
    complain "no names: $(grep libstorm stacks | head -5)" || return
  ! grep -E 'loadA;.*storm_b|loadB;.*storm_a|libstorm.so[^;]*\.\+' stacks
}

# Without the files, both are there, each under a name of its own, with the place of its function.
stripped() { # JDK
  JVM=-Xmx64m recorded NativeShapes stripped "$1" interval=2ms loads "$PWD/libtables.so" "$PWD/a/libstorm.so" "$PWD/b/libstorm.so" 200 || return
  "$JREC" collapsed stripped.jfr >stacks || return
  ! grep 'storm_[ab]' stacks || complain "who told?" || return
  "$JREC" verify stripped.jfr >verified || complain "$(cat verified)" || return
  local each id at
  for each in a b; do
    id=$(build_id "$each/whole.so")
    at=$((16#$(nm "$each/whole.so" | sed -n "s/ t storm_$each$//p")))
    [ "$(sql stripped.jfr "select count(distinct library) from events_rec_NativeModule where buildId = '$id' and path = '$PWD/$each/libstorm.so' and topAddress > baseAddress")" = 1 ] ||
      complain "no module $id: $("$JREC" sql stripped.jfr 'select library, path, buildId from events_rec_NativeModule')" || return
    [ "$(sql stripped.jfr "select count(*) > 0 from events_rec_NativeFunction where address = $at")" = 1 ] || complain "no function at $at" || return
  done
  [ "$(grep -oE 'libstorm.so(@[0-9a-f]{8})?\.\+' stacks | sort -u | wc -l)" = 2 ] || complain "not told apart: $(grep storm stacks | head -3)"
}

found() { # JDK OPTIONS...
  local jdk=$1
  shift
  "$JREC" symbolize stripped.jfr -o named.jfr "$@" >said || complain "symbolize says $?" || return
  named named.jfr || return
  "$JREC" verify named.jfr >verified && grep -q 'no problem' verified || complain "$(cat verified)" || return
  "$JREC" symbolize named.jfr -q -o again.jfr "$@" && cmp named.jfr again.jfr
}

# All but the names, as the JDK has it.
same_otherwise() { # JDK
  jfr_each "$1" print stripped.jfr named.jfr >printed || return
  awk '/^# .*jfr$/ { n++; next } { print >"printed." n }' printed
  [ "$(wc -l <printed.1)" -gt 1000 ] && diff printed.1 printed.2 >differences
  grep -q '^> .*storm_a' differences || complain "no names: $(head -5 differences)" || return
  ! grep '^[<>]' differences | grep -v libstorm.so || complain "more has changed"
}

# As distributions make it: the symbols of all functions, those that run at dlclose too.
mini() { # JDK
  local each
  for each in a b; do
    rm -f mini.xz
    nm "$each/whole.so" | awk '$2 ~ /[tT]/ { print $3 }' >functions
    objcopy -S --keep-symbols=functions debug/.build-id/*/"$(build_id "$each/whole.so" | cut -c3-)".debug mini && xz mini &&
      objcopy --add-section .gnu_debugdata=mini.xz "$each/libstorm.so" "$each.mini.so" || return
  done
  found "$1" --symbols a.mini.so --symbols b.mini.so
}

damaged() {
  local file
  cp -r debug cut
  for file in cut/.build-id/*/*.debug; do truncate -s -100 "$file"; done
  "$JREC" symbolize stripped.jfr -o named.jfr --debug-dir cut >said 2>errors
  [ $? = 2 ] && grep -qE 'debug: at 0x[0-9a-f]+: ' errors || complain "$(cat said errors)" || return
  "$JREC" verify named.jfr >verified || complain "$(cat verified)"
}

for jdk in $(jdks); do
  name=$(jdk_name "$jdk")
  check "symbolize: stripped libraries of one name are told apart, and each function's place is known ($name)" stripped "$jdk"
  check "symbolize: each function has the name that the debug file of its build has ($name)" found "$jdk" --debug-dir debug
  check "symbolize: $name reads what was written, and all else is as it was" same_otherwise "$jdk"
done
check "symbolize: mini debug info has the names, too" mini "$(oldest_jdk)"
check "symbolize: debug files that are cut are told, and the recording stays whole" damaged
finish
