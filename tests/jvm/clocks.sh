#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What counts CPU time: that short threads get their share, that the kernel's time is nobody else's, which clock is chosen, and that a
# second copy of the library takes no samples away.
. "$(dirname "$0")/lib.sh"
BY_CHANCE=1
CLASSES=$(fixtures ClockLoad.java) || { fail "clocks: fixtures compile"; finish; }
cp "$AGENT" "$SCRATCH/librec.so" && AGENT=$SCRATCH/librec.so  # where everybody may read it
chmod 755 "$SCRATCH" && chmod -R a+rX "$CLASSES" "$AGENT"
cd "$SCRATCH" || exit 1

# record NAME JDK OPTIONS ClockLoad's arguments...: NAME.jfr, NAME.out, NAME.err
record() {
  local name=$1 jdk=$2 options=$3
  shift 3
  timeout 120 ${AS_USER:-} "$jdk/bin/java" "-agentpath:$AGENT=filename=$PWD/$name.jfr,overwrite=true,$options" -Xmx64m -cp "$CLASSES" ClockLoad "$@" \
    >"$name.out" 2>"$name.err" || complain "$(cat "$name.err")"
}

# of FILE WHERE: the sum of the samples' weights.
weight_of() { "$JREC" sql "$1" "select coalesce(sum(weight), 0) from samples where event='jdk.ExecutionSample' and $2" | tail -1 | tr -d ' '; }

# near WHAT PART WHOLE SHARE MARGIN
near() {
  awk -v what="$1" -v part="$2" -v whole="$3" -v share="$4" -v margin="$5" 'BEGIN {
    if (whole > 0) seen = part / whole
    printf "%s: %.3f of %d, expected %.3f within %.3f\n", what, seen, whole, share, margin
    exit !(whole > 0 && seen >= share - margin && seen <= share + margin) }'
}

# Half of the time is in threads shorter than the interval. The margin is five times what chance does.
short_threads() { # JDK OPTIONS MS MARGIN
  local short long
  record short "$1" "$2" short 2 "$3" || return
  short=$(weight_of short.jfr "thread = 'short'") long=$(weight_of short.jfr "thread = 'long'")
  near "short threads" "$short" $((short + long)) 0.5 "$4"
  "$JREC" summary short.jfr | grep '^ Threads that ended: ' >/dev/null || complain "threads that ended are not counted"
}

# The reads' CPU is the kernel's; the true share is what the JVM's clock says.
kernel_time() { # JDK OPTIONS
  local reads all true
  record kernel "$1" "$2,cstack=none" kernel 1.5 || return
  true=$(sed -n 's/^kernel=//p' kernel.out)
  reads=$(weight_of kernel.jfr "thread = 'main' and top like '%RandomAccessFile%'") all=$(weight_of kernel.jfr "thread = 'main' and (top like '%RandomAccessFile%' or top like 'ClockLoad.%')")
  near "in the kernel" "$reads" "$all" "$true" 0.15
}

kernel_time_of_nobody() {
  rm -rf "$SCRATCH/nobody" && mkdir -m 777 "$SCRATCH/nobody" && cd "$SCRATCH/nobody" || return
  AS_USER="setpriv --reuid=65534 --regid=65534 --clear-groups" kernel_time "$1" "$2"
  local rc=$?
  cd "$SCRATCH" || return
  return $rc
}

setting() { "$JREC" sql "$1" "select value from events_jdk_ActiveSetting where name = '$2'" | tail -1 | sed 's/ *$//'; }

is_chosen() { # JDK OPTIONS CLOCK LINES
  record chosen "$1" "$2" short 0.05 5 || return
  [ "$(setting chosen.jfr clock)" = "$3" ] || complain "$2: clock is $(setting chosen.jfr clock), not $3" || return
  [ "$(wc -l <chosen.err)" = "$4" ] || complain "$2: said $(cat chosen.err)"
}

choices() {
  is_chosen "$1" interval=10ms "posix cpu timer" 0 && is_chosen "$1" event=ctimer "posix cpu timer" 0 &&
    is_chosen "$1" event=itimer "posix cpu timer" 1 && is_chosen "$1" interval=100us,cpu-clock=timer "posix cpu timer" 1 || return
  [ "$(setting chosen.jfr period)" != "100 us" ] || complain "the period is told as 100 us"
}

# Both copies tick, both stand behind each other's handlers, and all is walked.
two_copies() {
  cp "$AGENT" second.so
  timeout 120 "$1/bin/java" "-agentpath:$AGENT=filename=one.jfr,overwrite=true,interval=1ms" "-agentpath:$PWD/second.so=filename=two.jfr,overwrite=true,interval=1ms" \
    -Xmx64m -cp "$CLASSES" ClockLoad short 1.5 50 >out 2>err || complain "$(cat err)" || return
  local name whole unwalked
  for name in one two; do
    whole=$(weight_of $name.jfr 1) unwalked=$(weight_of $name.jfr "top like 'rec.NotWalked.mayNotFault%'")
    echo "$name: $whole samples, $unwalked without a walk"
    [ "$whole" -gt 200 ] && [ "$unwalked" = 0 ] || complain "$name.jfr lacks samples" || return
  done
}

# Timers take signals that all processes of a user share. Where perf does not help out, what has no clock is counted, and said.
no_timers() {
  rm -rf "$SCRATCH/nobody" && mkdir -m 777 "$SCRATCH/nobody" && cd "$SCRATCH/nobody" || return
  AS_USER="prlimit --sigpending=2 setpriv --reuid=65534 --regid=65534 --clear-groups" record none "$1" interval=10ms short 2 50
  local rc=$? samples lost
  cd "$SCRATCH" && [ $rc = 0 ] || return
  samples=$(weight_of nobody/none.jfr 1)
  lost=$("$JREC" sql nobody/none.jfr "select coalesce(max(total), 0) from events_rec_Counters where cause = 'noClock'" | tail -1 | tr -d ' ')
  echo "$samples samples, $lost lost; $(cat nobody/none.err)"
  [ "$lost" = 0 ] || grep -q 'threads without a clock' nobody/none.err || complain "what has no clock is not said" || return
  near "samples and losses" $((samples + lost)) 200 1.07 0.15
}

# perf's clock runs in their place, where it may, and is named. rec's own threads want none, also while they know Java.
refused_timers() {
  record perf "$1" cpu-clock=perf short 0.05 5 || return
  [ "$(setting perf.jfr clock)" = "perf task-clock" ] || return 0
  AS_USER="./without_call timer_create" record refused "$1" interval=10ms,threaddump=100ms short 1 50 || return
  [ "$(setting refused.jfr clock)" = "perf task-clock" ] || complain "the clock is $(setting refused.jfr clock)" || return
  [ "$(wc -l <refused.err)" = 1 ] && grep -q "^rec: timer_create: Operation not permitted: .*perf's task-clock" refused.err ||
    complain "said: $(cat refused.err)" || return
  [ "$(weight_of refused.jfr 1)" -gt 50 ] || complain "$(weight_of refused.jfr 1) samples"
}

# Room in the spool is had without the call that asks for it.
refused_blocks() {
  AS_USER="./without_call fallocate" record blocks "$1" interval=10ms short 1 50 || return
  [ ! -s blocks.err ] || complain "said: $(cat blocks.err)" || return
  [ "$(weight_of blocks.jfr 1)" -gt 50 ] || complain "$(weight_of blocks.jfr 1) samples"
}

cc -O1 -Wall -Wextra -Werror -o without_call "$ROOT/fixtures/without_call.c" || { fail "clocks: the filter compiles"; finish; }
for jdk in $(jdks); do
  name=$(jdk_name "$jdk")
  check "clocks: threads shorter than the interval get their share, by timers ($name)" short_threads "$jdk" interval=10ms 4 0.18
  check "clocks: threads shorter than the interval get their share, at a finer one ($name)" short_threads "$jdk" interval=2ms 1 0.14
  check "clocks: the kernel's time is its caller's ($name)" kernel_time "$jdk" interval=5ms
  if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    check "clocks: so it is without rights ($name)" kernel_time_of_nobody "$jdk" interval=1ms
    check "clocks: what threads run that can have none is counted ($name)" no_timers "$jdk"
  fi
  if ! ./without_call timer_create true 2>/dev/null; then
    skipped "clocks: calls that are refused ($name)" "the system has no filters of calls"
  else
    check "clocks: what is refused to all is named ($name)" refused_timers "$jdk"
    check "clocks: blocks need not be asked for ($name)" refused_blocks "$jdk"
  fi
  check "clocks: the interval and the options choose ($name)" choices "$jdk"
  check "clocks: two copies of the library let each other live ($name)" two_copies "$jdk"
done
finish
