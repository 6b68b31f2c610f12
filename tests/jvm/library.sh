#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# librec.so as a guest in somebody else's process: what it needs, what it shows, what it may not be.
#
#   ANY_LIBC   set: it is a release's (tests/jvm/release.sh), for glibc from 2.17 on and for musl; then for aarch64, too
. "$(dirname "$0")/lib.sh"
cd "$SCRATCH" || exit 1
ENTRY_POINTS="$({ sed -nE 's/^[A-Za-z].*[ *]((ASGST|REC)_[A-Za-z]+)\(.*/\1/p' "$ROOT/agent/include/"{asgst,rec_context}.h; printf 'Agent_OnAttach\nAgent_OnLoad\nJava_rec_Native_link\nJava_rec_Recorder_carryOut\n'; } | sort | tr '\n' ' ')"
ENTRY_POINTS=${ENTRY_POINTS% }
NEWEST_GLIBC=2.36  # Debian 12's, where it is built: its linker binds pthread_create, stat and others at 2.34
ANY_LIBC=${ANY_LIBC:-}
[ -z "$ANY_LIBC" ] || NEWEST_GLIBC=2.17
MUSL=/lib/ld-musl-x86_64.so.1  # where there is one: its functions are those of all processors
LARGEST_TLS=136    # bytes of the static block, of which a library that is loaded late gets a share of about 1600; 24 are of the clock nativemem, 32 a thread's context, 8 of hooks

# By processor: the tools that read it, the loader's name, what stands where code is entered through a pointer, the compiler's word for none of it.
if readelf -hW "$AGENT" | grep -q AArch64; then
  TOOLS=aarch64-linux-gnu- LOADER=ld-linux-aarch64 MARK='paciasp|bti' NO_MARK=-mbranch-protection=none
else
  TOOLS='' LOADER=ld-linux-x86-64 MARK=endbr64 NO_MARK=-fcf-protection=none
fi

dynamic() { readelf -dW "$1"; }
segments() { readelf -lW "$1"; }

# The loader itself (ld-linux) is a part of libc. Before 2.34 glibc had more parts; musl takes their names for its own, but not the loader's.
needs_libc_only() {
  local needed allowed="libc|$LOADER"
  [ -z "$ANY_LIBC" ] || allowed='libc|libpthread|libdl|librt|libm'
  needed=$(dynamic "$1" | sed -nE 's/.*\(NEEDED\).*\[(.*)\]/\1/p')
  [ -n "$needed" ] && ! grep -vE "^($allowed)\.so\.[0-9]$" <<<"$needed" || complain "needs: $needed"
}

# musl's loader gives no static thread-locals to libraries that come later; and it knows no functions that check the sizes of buffers.
has_no_initial_exec() {
  ! dynamic "$1" | grep STATIC_TLS && ! readelf -rW "$1" | grep -E 'TPOFF|TPREL' || complain "initial-exec" || return
  readelf -rW "$1" | grep TLSDESC >/dev/null || complain "no descriptors of thread-locals: this shows nothing"
}
needs_what_musl_has() {
  local missing
  missing=$(comm -23 <("${TOOLS}nm" -D --undefined-only "$1" | awk '$1 == "U" { sub("@.*", "", $2); print $2 }' | sort -u) <(nm -D --defined-only "$MUSL" | awk '{ print $3 }' | sort -u))
  [ -z "$missing" ] || complain "musl has no $missing"
}

shows_entry_points_only() {
  local shown
  shown=$("${TOOLS}nm" -D --defined-only "$1" | awk '{print $3}' | sort | tr '\n' ' ')
  [ "$shown" = "$ENTRY_POINTS " ] || complain "shows: $shown"
}

needs_no_newer_glibc() {
  local newest
  newest=$(readelf -VW "$1" | grep -oE 'GLIBC_[0-9.]+' | sed 's/GLIBC_//' | sort -uV | tail -1)
  [ -n "$newest" ] || complain "no version is needed: this shows nothing" || return
  [ "$(printf '%s\n' "$newest" "$NEWEST_GLIBC" | sort -V | tail -1)" = "$NEWEST_GLIBC" ] || complain "needs glibc $newest"
}

stack_is_not_executable() {
  segments "$1" | awk '$1 == "GNU_STACK" { found = 1; flags = $7 } END { exit !(found && flags == "RW") }' || complain "$(segments "$1" | grep GNU_STACK)"
}

nothing_is_writable_and_executable() {
  segments "$1" | grep ' R E ' || complain "no code: this shows nothing" >/dev/null || return
  ! segments "$1" | grep -E 'RWE' || complain "a segment is writable and executable"
}

has_no_text_relocations() { ! dynamic "$1" | grep -E 'TEXTREL' || complain "text relocations"; }
has_no_search_path() { ! dynamic "$1" | grep -E 'RPATH|RUNPATH' || complain "a search path"; }

binds_at_start() {
  segments "$1" | grep GNU_RELRO || complain "no relro" >/dev/null || return
  dynamic "$1" | grep -E '\(FLAGS_1\).* NOW' || complain "binds lazily"
}

# Its handlers stay installed.
stays_loaded() { dynamic "$1" | grep -E '\(FLAGS_1\).* NODELETE' || complain "may be unloaded"; }

thread_local_is_small() {
  local size
  size=$(segments "$1" | awk '$1 == "TLS" { print $6 }')
  [ -z "$size" ] || [ $((size)) -le $LARGEST_TLS ] || complain "$((size)) bytes of thread-local storage"
}

# Functions with buffers check their stack, and calls with known sizes are checked: both leave a symbol. A release's for aarch64 has the
# former in itself (packaging/stack_guard.c), with what it would say.
is_checked_at_run_time() {
  if [ -n "$ANY_LIBC" ] && [ -n "$TOOLS" ]; then
    grep -q 'rec: stack smashing detected' "$1" || complain "no stack protector"
    return
  fi
  "${TOOLS}nm" -D "$1" | grep ' __stack_chk_fail' || complain "no stack protector" >/dev/null || return
  [ -z "$ANY_LIBC" ] || return 0
  "${TOOLS}nm" -D "$1" | grep -E ' __(mem|str|sn?printf|vsn?printf|read|fdelt).*_chk' >/dev/null || complain "nothing is fortified"
}

# A start routine or handler that is entered through a pointer starts with MARK.
branches_are_marked() {
  "${TOOLS}objdump" -d --no-show-raw-insn "$1" | awk -v mark="$MARK" '/<Agent_OnLoad(@@Base)?>:$/ { getline; found = $0 ~ mark } END { exit !found }' || complain "no $MARK at Agent_OnLoad"
}

# A library that is wrong in every way, so that each check above is seen to fail.
make_bad() {
  cat >bad.cpp <<'END'
#include <cmath>
#include <cstdio>
#include <string>
__attribute__((tls_model("initial-exec"))) thread_local char big[4096];
extern "C" void other(const char* s, double d) { std::string t(s); t += big; std::puts(t.c_str()); std::printf("%f", std::pow(d, d)); }
extern "C" int Agent_OnLoad() { return 0; }
__asm__(".text\n.balign 8\n.quad big_word\n.section both,\"awx\"\nbig_word: .quad 0\n.text\n");
END
  "${TOOLS}g++" -O1 -fPIC $NO_MARK -fno-stack-protector -U_FORTIFY_SOURCE -shared -o bad.so bad.cpp -lm \
    -Wl,-z,execstack,-z,norelro,-z,lazy,-z,notext,-rpath,/tmp 2>/dev/null
}

each_check_can_fail() {
  local name
  make_bad || complain "the bad library does not link" || return
  for name in "${CHECKS[@]}"; do
    [ "$name" = needs_no_newer_glibc ] && continue
    ! "$name" bad.so >/dev/null 2>&1 || complain "$name passes the bad library"
  done
  NEWEST_GLIBC=2.2 && ! needs_no_newer_glibc "$AGENT" 2>/dev/null || complain "needs_no_newer_glibc passes glibc 2.2"
}

CHECKS=(needs_libc_only shows_entry_points_only needs_no_newer_glibc stack_is_not_executable nothing_is_writable_and_executable
  has_no_text_relocations has_no_search_path binds_at_start stays_loaded thread_local_is_small is_checked_at_run_time branches_are_marked)
[ -z "$ANY_LIBC" ] || CHECKS+=(has_no_initial_exec)
[ -z "$ANY_LIBC" ] || [ ! -e $MUSL ] || CHECKS+=(needs_what_musl_has)
for name in "${CHECKS[@]}"; do check "library: ${name//_/ }" "$name" "$AGENT"; done
check "library: a bad library fails each check" each_check_can_fail
finish
