#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What a signal handler may do, held against the machine code and against signals: everything that the handlers can reach, and what they
# do on threads that are inside malloc, dlopen, stdio and under locks.
#
#   REC_SIGNALS   signals that each JDK has to live through (default 200000)
. "$(dirname "$0")/lib.sh"
SIGNALS=${REC_SIGNALS:-200000}
MINUTES=$((SIGNALS / 240000 + 2)) # before a run is given up
cd "$SCRATCH" || exit 1

# What handlers may call of libc: none of these takes a lock or allocates.
#   clock_gettime syscall(gettid)   time and the thread's own id        sigismember        looks at one bit
#   memcpy memmove memset memcmp strlen   as the compiler sees fit            __errno_location   errno is kept
#   pthread_sigmask sigemptyset sigaddset   meet_trap, whose handlers may load what is gone
#   write                           wakes the recorder (an eventfd)     sigaction          on_fault, when nobody else wants the fault
#   sigdelset getpid syscall(process_vm_readv)                           who stands in front of on_fault
#   timer_settime syscall(ioctl)    set a clock going, behind a thread's first tick
#   __stack_chk_fail __mem*_chk     end the process, if memory was overrun
ALLOWED='clock_gettime|syscall|sigismember|sigemptyset|sigaddset|sigdelset|getpid|sigprocmask|pthread_sigmask|memcpy|memmove|memset|memcmp|strlen|__errno_location|write|sigaction|timer_settime|__stack_chk_fail|__mem(cpy|move|set)_chk'

# Calls through pointers, and where they may go.
#   Epoch::copy, Epoch::copy_text   EngineConfig::copy, which is safe_copy
#   meet_fault, pass_on             the handler that was there before ours
#   on_spare_question               Asker::on_question, which is judged as a handler itself
#   meet_trap, Call::answer (asgst) what asgst.h gives to its users' handlers; tests/jvm/asgst.sh looks behind them
ALLOWED_INDIRECT='rec::Epoch::copy(_text)?\(|\(anonymous namespace\)::(on_fault|Call::answer|pass_on|on_spare_question)\(|rec::agent::(SignalChain::pass_up|meet_trap)\(|Asker<rec::agent::asgst::.*Call, 1u>::on_question\('

# Every function that has the shape of a handler.
HANDLER='(int, siginfo_t*, void*)'

# reachable LIBRARY ROOT...: what handler_calls says of it.
reachable() { objdump -d -C --no-show-raw-insn "$1" | ./handler_calls "${@:2}"; }

# judge ALLOWED INDIRECT: passes when all lines that it reads are allowed.
judge() {
  local rest
  rest=$(grep -vE "^functions |^leaves ($1) via |^indirect .*($2)" || true)
  [ -z "$rest" ] || complain "reachable from a handler:"$'\n'"$(awk '{ print length, $0 }' <<<"$rest" | sort -n | cut -d' ' -f2- | head -12)"
}

code() {
  reachable "$AGENT" "$HANDLER" >calls || return
  head -1 calls
  grep -q '^functions .*on_tick.*' calls && grep -q '^functions .*on_fault.*' calls || complain "a handler is missing: $(head -1 calls)" || return
  [ "$(sed -n 's/^functions \([0-9]*\).*/\1/p' calls)" -gt 40 ] || complain "too few functions: this shows nothing: $(head -3 calls)" || return
  grep -q '^leaves clock_gettime ' calls || complain "not even clock_gettime is reached: this shows nothing" || return
  judge "$ALLOWED" "$ALLOWED_INDIRECT" <calls
}

# The same judge on a library whose handler allocates three calls down, and one that calls through a pointer.
code_that_allocates() {
  cat >bad.c <<'END'
#include <stdlib.h>
void* volatile kept;
void (*volatile hook)(void);
__attribute__((noinline)) static void deepest(size_t n) { kept = malloc(n); }
__attribute__((noinline)) static void (*deeper(void))(size_t) { return deepest; }
void on_allocate(int signal) { deeper()((size_t)signal); }
void on_hook(int signal) { kept = (void*)(size_t)signal; hook(); }
void on_nothing(int signal) { kept = (void*)(size_t)signal; }
END
  gcc -O1 -shared -fPIC -fcf-protection=branch -o bad.so bad.c || return
  reachable bad.so 'on_allocate' | judge "$ALLOWED" 'on_allocate' && { complain "a call of malloc was not seen"; return; }
  reachable bad.so 'on_hook' | judge "$ALLOWED" "$ALLOWED_INDIRECT" && { complain "a call through a pointer was not seen"; return; }
  reachable bad.so 'on_nothing' | judge "$ALLOWED" "$ALLOWED_INDIRECT"
}

compile_natives() {
  local home
  home=$(oldest_jdk)
  gcc -O2 -Wall -Wextra -shared -fPIC -o guard.so "$ROOT/fixtures/handler_guard.c" -ldl || return
  gcc -O2 -Wall -Wextra -shared -fPIC -I"$home/include" -I"$home/include/linux" -o libhandlerload.so "$ROOT/fixtures/handler_load.c" -ldl -lpthread || return
  echo 'int rec_loaded_and_unloaded = 1;' | gcc -shared -fPIC -o libunload.so -x c -
}

# run_guarded JDK AGENT GUARD: the load, until the guard has counted enough signals.
run_guarded() {
  rm -f load.jfr report
  local allow=()
  [ "$(java_version "$1")" -lt 24 ] || allow=(--enable-native-access=ALL-UNNAMED)
  timeout $((MINUTES * 60)) env HANDLER_GUARD_LIBRARY="$(basename "$2")" HANDLER_GUARD_REPORT=report LD_PRELOAD="$3" \
    "$1/bin/java" "${allow[@]}" -Xmx256m "-agentpath:$2=filename=load.jfr,interval=50us,cpu-clock=perf,maxchunksize=4m,maxsize=16m" \
    -cp "$CLASSES" -Djava.library.path="$SCRATCH" HandlerLoad "$SIGNALS" "$SCRATCH/libunload.so" >out 2>err
}

guarded() {
  run_guarded "$1" "$AGENT" "$SCRATCH/guard.so" || complain "the run ends with $?: $(tail -5 err) $(cat report out)" || return
  cat report out
  [ ! -s err ] || complain "not silent: $(head -5 err)" || return
  local handled
  handled=$(sed -nE 's/^signals ([0-9]+).*/\1/p' report)
  [ "${handled:-0}" -ge "$SIGNALS" ] || complain "only ${handled:-no} signals" || return
  "$JREC" summary load.jfr >summary || complain "jrec refuses the recording"
}

# The guard itself, on a library whose handler allocates: it must say so and end the process.
guard_bites() {
  cat >bites.c <<'END'
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
void* volatile kept;
static void allocate(int signal) { kept = malloc((size_t)signal); }
static void spoil(int signal) { errno = signal; }
void bite(int kind) {
  struct sigaction action = {0};
  if (kind == 0) action.sa_handler = allocate;
  if (kind == 1) action.sa_handler = spoil;
  if (kind == 2) action.sa_handler = SIG_IGN;
  sigaction(SIGUSR2, &action, 0);
  raise(SIGUSR2);
}
END
  echo 'extern void bite(int); int main(int n, char** a) { (void)a; bite(n - 1); return 0; }' >main.c
  gcc -O1 -shared -fPIC -o libbites.so bites.c && gcc -o bites main.c ./libbites.so || return
  export HANDLER_GUARD_LIBRARY=libbites.so
  LD_PRELOAD=$SCRATCH/guard.so ./bites 2>said && { complain "malloc in a handler passed"; return; }
  grep -q 'malloc' said || complain "it does not say malloc: $(cat said)" || return
  LD_PRELOAD=$SCRATCH/guard.so ./bites 1 2>said && { complain "a changed errno passed"; return; }
  grep -q 'errno' said || complain "it does not say errno: $(cat said)" || return
  LD_PRELOAD=$SCRATCH/guard.so ./bites 1 2 2>said || complain "an innocent program failed: $(cat said)"
}

g++ -std=c++20 -O1 -o handler_calls "$ROOT/fixtures/handler_calls.cpp" || { fail "handlers: handler_calls compiles"; finish; }
check "handlers: a call of malloc or through a pointer would be found" code_that_allocates
check "handlers: their code reaches nothing that allocates or locks" code
CLASSES=$(fixtures HandlerLoad.java) && compile_natives || { fail "handlers: fixtures compile"; finish; }
check "handlers: the guard ends a process whose handler allocates or changes errno" guard_bites
for jdk in $(jdks); do
  check "handlers: $SIGNALS signals inside malloc, dlopen, stdio and locks ($(jdk_name "$jdk"))" guarded "$jdk"
  [ ! -s report ] || sed 's/^/# /' report
done
finish
