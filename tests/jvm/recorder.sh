#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# rec.jar: -javaagent, calls (rec.Recorder), an agent that is attached; one librec.so in a process, whoever brings it; directories that are noexec, or
# somebody else's; what cannot be is said in a line, and the program runs.
. "$(dirname "$0")/lib.sh"
BY_CHANCE=1
if [ ! -e "$BUILD/agent/rec-context.jar" ]; then
  skipped recorder "rec-context.jar was not built"
  exit 0
fi
cd "$SCRATCH" || exit 1
chmod 755 "$SCRATCH"
JAR=$SCRATCH/rec.jar
objcopy --strip-debug "$AGENT" librec-small.so
python3 "$ROOT/packaging/maven/rec_jar.py" 0.1.0 "$BUILD/agent/rec-context.jar" "$JAR" linux-x64=librec-small.so || { fail "recorder: the jar"; finish; }
mkdir -p classes && (cd "$ROOT/fixtures" && "$(oldest_jdk)/bin/javac" $QUICK -nowarn -cp "$JAR" -d "$SCRATCH/classes" RecorderCalls.java RecorderLimits.java RecorderLoaders.java Work.java) ||
  { fail "recorder: fixtures compile"; finish; }
NATIVE=  # what this JDK wants to be told

# java JDK ARGUMENTS...: app.out, app.err; copies go to ./tmp.
java() {
  local jdk=$1
  shift
  mkdir -p tmp && timeout 60 ${AS:-} "$jdk/bin/java" -Xmx64m -XX:+UseSerialGC "-Djava.io.tmpdir=${TMP:-$SCRATCH/tmp}" $NATIVE "$@" >app.out 2>app.err || complain "$(cat app.out app.err)"
}
silent_app() { [ ! -s app.err ] || complain "$(cat app.err)"; }
says() { [ "$(grep -c . app.err)" = 1 ] && grep -qE "$1" app.err || complain "$(cat app.err)"; }
works() { # FILE SAMPLES
  "$JREC" verify "$1" >said 2>&1 && [ "$(sql "$1" "select count(*) from samples")" -ge "${2:-5}" ] || complain "$(cat said; "$JREC" summary "$1")"
}
copies() { find tmp -name librec.so | wc -l; }

by_calls() { # JDK
  rm -rf out tmp && mkdir out
  java "$1" -cp "$JAR:classes" RecorderCalls out && silent_app && grep -qx ok app.out || complain "$(cat app.out app.err)" || return
  works out/all.jfr && works "out/so far, 100%.jfr" && [ -e out/renamed.jfr ] && [ ! -e out/again.jfr ] || complain "$(ls out)"
}

by_javaagent() { # JDK
  rm -rf agent.jfr
  java "$1" "-javaagent:$JAR=filename=$PWD/agent.jfr,interval=2ms" -cp classes Work 1 && silent_app && works agent.jfr || return
  [ "$(copies)" = 1 ] || complain "$(find tmp)"
}

# It finds what -agentpath has brought.
beside_agentpath() { # JDK
  rm -rf out tmp && mkdir out
  java "$1" "-agentpath:$AGENT=filename=$PWD/first.jfr,overwrite=true" -cp "$JAR:classes" RecorderCalls out && complain "one runs, and was not seen" && return
  grep -q 'one runs' app.err && [ "$(copies)" = 0 ] || complain "$(cat app.err)" || return
  java "$1" "-agentpath:$AGENT=api" -cp "$JAR:classes" RecorderCalls out && [ "$(copies)" = 0 ] || complain "$(find tmp)"
}

several_loaders() { # JDK
  rm -rf out && mkdir out
  NATIVE="$NATIVE ${2:-}" java "$1" -cp classes RecorderLoaders out "$JAR" classes && silent_app && grep -qx ok app.out || complain "$(cat app.out app.err)"
}

# Into a JVM that runs, as an agent of Java; jrec finds the same.
attached() { # JDK
  local pid
  rm -f attached.jfr
  "$1/bin/java" -XX:+UseSerialGC -XX:+EnableDynamicAgentLoading $NATIVE "-Djava.io.tmpdir=$SCRATCH/tmp" -cp classes Work 20 >app.out 2>app.err &
  pid=$!
  sleep 0.5
  timeout 30 "$1/bin/jcmd" $QUICK $pid JVMTI.agent_load "$JAR" "\"start,filename=$PWD/attached.jfr,interval=2ms\"" >said 2>&1
  grep -q 'return code: 0' said && says '^rec: recording to ' || complain "$(cat said)" || { kill $pid; return 1; }
  sleep 0.3
  "$JREC" status $pid >said 2>&1 && grep -q 'recording since' said && "$JREC" stop $pid >said 2>&1 || complain "$(cat said)"
  kill $pid
  wait $pid 2>/dev/null
  works attached.jfr 1
}

named() { # JDK
  rm -rf tmp
  java "$1" -Drec.library=librec-small.so "-javaagent:$JAR=filename=$PWD/named.jfr,overwrite=true" -cp classes Work 0 && silent_app && works named.jfr 0 && [ "$(copies)" = 0 ] || complain "$(find tmp)"
}

# An image of java.base alone; a second class loader needs more, and is told so.
few_modules() { # JDK
  rm -rf out tmp && mkdir out
  java "$1" --limit-modules java.base -cp "$JAR:classes" RecorderLimits out/few.jfr && silent_app && grep -qx ok app.out || complain "$(cat app.out app.err)" || return
  works out/few.jfr 1 && java "$1" --limit-modules java.instrument "-javaagent:$JAR=filename=$PWD/out/agent.jfr" -cp classes Work 1 && silent_app && works out/agent.jfr || return
  mkdir out/two && java "$1" --limit-modules java.base -cp classes RecorderLoaders out/two "$JAR" classes && complain "two loaders shared it" && return
  grep -q 'IllegalStateException: librec.so cannot be loaded: .*takes the module java.management, which this image lacks' app.err || complain "$(cat app.err)"
}

refused() { # JDK
  java "$1" "-javaagent:$JAR=intervall=1ms" -cp classes Work 0 && says '^rec: .*interval.*The application runs unrecorded\.' || return
  java "$1" "-javaagent:$JAR=intervall=1ms,onerror=exit" -cp classes Work 0 2>/dev/null && complain "it runs" && return
  says 'The JVM ends \(onerror=exit\)' || return
  java "$1" -Dos.name=Plan9 "-javaagent:$JAR" -cp classes Work 0 && says 'this system is Plan9, and rec records on Linux\. The application runs unrecorded' || return
  java "$1" -Dos.arch=riscv64 "-javaagent:$JAR" -cp classes Work 0 && says 'there is none for linux-riscv64 in this jar\. The application runs unrecorded' || return
  java "$1" "-javaagent:$JAR=filename=/proc/none/x.jfr" -cp classes Work 0 && says '^rec: .*/proc/none.*The application runs unrecorded\.'
}

# JEP 472: what may come by default.
denied() { # JDK
  NATIVE=--illegal-native-access=deny java "$1" "-javaagent:$JAR" -cp classes Work 0 && says 'add --enable-native-access=ALL-UNNAMED\. The application runs unrecorded\.'
}

# A copy that somebody has changed is not loaded; a directory of another user, or a link, is not used.
safe_copies() { # JDK
  rm -rf tmp && recorded_briefly "$1" || return
  local copy
  copy=$(find tmp -name librec.so) && printf 'x' | dd of="$copy" bs=1 seek=9000 conv=notrunc status=none || return
  recorded_briefly "$1" && [ "$copy" = "$(find tmp -name librec.so)" ] && cmp "$copy" librec-small.so || return
  rm -rf tmp && mkdir -p tmp elsewhere && ln -s ../elsewhere "tmp/rec-lib-$(id -u)" && leaves_nothing "$1" && [ -z "$(find elsewhere -mindepth 1)" ] || complain "a link was followed" || return
  rm -rf tmp && mkdir -p tmp && mkdir -m 777 "tmp/rec-lib-$(id -u)" && leaves_nothing "$1"
}
recorded_briefly() { # JDK
  rm -f agent.jfr
  java "$1" "-javaagent:$JAR=filename=$PWD/agent.jfr" -cp classes Work 0 && silent_app && works agent.jfr 0
}
leaves_nothing() { # JDK
  recorded_briefly "$1" && [ "$(copies)" = 0 ] || complain "$(find tmp elsewhere)"
}

# As root in a mount namespace, where /tmp, /var/tmp and the rest may be what we like.
in_mounts() { SCRATCH=/mnt JAR=/mnt/rec.jar unshare -m bash -c 'mount --bind . /mnt && cd /mnt || exit; '"$1" - "$2"; }
noexec() { # JDK
  export -f java complain silent_app
  export SCRATCH JAR
  in_mounts 'for at in tmp /tmp; do mount -t tmpfs -o noexec none $at || exit; done; mount -t tmpfs none /var/tmp || exit
    java "$1" "-javaagent:$JAR=filename=/mnt/noexec.jfr" -cp classes Work 1 && silent_app && [ -d /var/tmp/rec-lib-0 ] && [ -z "$(find tmp /tmp -name "rec-lib*")" ]' "$1" || complain "$(cat app.err)" || return
  works noexec.jfr || return
  in_mounts 'for at in tmp /tmp /var/tmp /dev/shm /root /run; do mount -t tmpfs -o noexec none $at || exit; done; mkdir ~/.cache
    java "$1" "-javaagent:$JAR" -cp classes Work 0' "$1" &&
    says '^rec: librec.so cannot be loaded: no directory will do \(.*failed to map segment.*names another one\. The application runs unrecorded\.'
}

ordinary() { # JDK
  rm -rf tmp user && mkdir -m 777 tmp && mkdir -m 777 user
  AS="setpriv --reuid=65534 --regid=65534 --clear-groups" java "$1" "-javaagent:$JAR=filename=$PWD/user/user.jfr" -cp classes Work 1 && silent_app && works user/user.jfr && [ -d tmp/rec-lib-65534 ] || complain "$(find tmp)"
}

for jdk in $(jdks); do
  name=$(jdk_name "$jdk") NATIVE=
  [ "$(java_version "$jdk")" -lt 24 ] || NATIVE=--enable-native-access=ALL-UNNAMED
  check "recorder: $name, by calls" by_calls "$jdk"
  check "recorder: $name, -javaagent" by_javaagent "$jdk"
  check "recorder: $name, attached" attached "$jdk"
  check "recorder: $name, with java.base alone" few_modules "$jdk"
  check "recorder: $name, several class loaders" several_loaders "$jdk" -XX:+EnableDynamicAgentLoading
  [ "$(java_version "$jdk")" -lt 24 ] || check "recorder: $name, without native access" denied "$jdk"
done
NATIVE=
jdk=$(oldest_jdk)
check "recorder: beside -agentpath" beside_agentpath "$jdk"
check "recorder: a library that is named" named "$jdk"
check "recorder: refused in a line" refused "$jdk"
check "recorder: copies are ours, and whole" safe_copies "$jdk"
if [ "$(id -u)" = 0 ]; then
  check "recorder: an ordinary user's" ordinary "$jdk"
  if unshare -m true 2>/dev/null; then check "recorder: directories that are noexec" noexec "$jdk"; else skipped "recorder: directories that are noexec" "there are no mount namespaces"; fi
fi
finish
