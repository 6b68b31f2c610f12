// SPDX-License-Identifier: Apache-2.0
// Why a thread was late, by what its questions found.
#include <doctest/doctest.h>

#include "jrec/safepoints/reason.h"

namespace {

constexpr int64_t kOneMs = 1'000'000;

// Late for 40 ms, on a CPU all the time, and found where `frames` say.
jrec::LateThreadRow late_in(const char* jvm_state, const char* type, std::vector<std::string> frames) {
  jrec::LateThreadRow row;
  row.late_ns = row.cpu_used_ns = 40 * kOneMs;
  row.os_state = "R";
  for (std::string& frame : frames) {
    jrec::LateStackRow& stack = row.stacks.emplace_back();
    stack.jvm_state = jvm_state;
    stack.java_type = type;
    stack.os_state = "R";
    stack.frames = {std::move(frame), "Main.main:1"};
  }
  return row;
}

}  // namespace

TEST_CASE("a thread that was ready and got no CPU is not blamed for what it did") {
  auto row = late_in("in Java", "JIT compiled", {"Main.loop:42", "Main.loop:43"});
  row.cpu_used_ns = 2 * kOneMs;
  CHECK(reason_of(row) == "waiting for a CPU");
  row.os_state = "S";  // later
  row.wchan = "futex_do_wait";
  CHECK(reason_of(row) == "waiting for a CPU");
  row.stacks[0].os_state = "D";
  row.stacks[0].wchan = "folio_wait_bit_common";
  CHECK(reason_of(row) == "in the kernel (folio_wait_bit_common)");
}

TEST_CASE("a thread that waited for pages says of which file, and one that mostly waited for a CPU says that") {
  auto row = late_in("in VM", "Native", {"java.lang.System.arraycopy"});
  row.cpu_used_ns = 3 * kOneMs;
  row.run_delay_ns = 2 * kOneMs;
  row.major_faults = 12;
  CHECK(reason_of(row) == "page faults");
  row.faulted_file = "/data/prices.bin";
  CHECK(reason_of(row) == "page faults, in /data/prices.bin");
  row.run_delay_ns = 30 * kOneMs;
  CHECK(reason_of(row) == "waiting for a CPU");
  row.cpu_used_ns = 36 * kOneMs;  // a page was missing, but that is not why
  row.run_delay_ns = 2 * kOneMs;
  CHECK(reason_of(row) == "a large copy");
}

TEST_CASE("a thread that was held by a debugger or a signal is not blamed for what it would have done") {
  auto row = late_in("in Java", "JIT compiled", {"Main.loop:42"});
  row.cpu_used_ns = kOneMs;
  row.run_delay_ns = 0;
  row.stacks[0].os_state = "t";
  row.stacks[0].wchan = "ptrace_stop";
  CHECK(reason_of(row) == "stopped by a debugger of the system (ptrace)");
  row.stacks[0].os_state = "T";
  CHECK(reason_of(row) == "stopped by a signal");
  row.cpu_used_ns = row.late_ns;
  CHECK(reason_of(row) == "compiled code without a poll");
}

TEST_CASE("native frames above Java's do not hide which method was late, nor in what") {
  auto row = late_in("in VM", "Native", {"java.lang.System.arraycopy"});
  row.stacks[0].frames.insert(row.stacks[0].frames.begin(), {"libc.so.6.memmove", "libjvm.so.JVM_ArrayCopy"});
  row.stacks[0].native = 2;
  CHECK(reason_of(row) == "a large copy");
  CHECK(row.telling().front() == "java.lang.System.arraycopy");
  row.stacks[0].frames.resize(2);  // of a thread that has none of Java
  CHECK(row.telling().front() == "libc.so.6.memmove");
  CHECK(reason_of(row) == "VM code, called by the method");
}

TEST_CASE("copies, stubs, loops, interpreted code and the VM are told apart") {
  CHECK(reason_of(late_in("in VM", "Native", {"java.lang.System.arraycopy"})) == "a large copy");
  CHECK(reason_of(late_in("in Java", "JIT compiled", {"java.util.zip.CRC32.updateBytes:88"})) ==
        "code without polls in the JVM's stubs");
  CHECK(reason_of(late_in("in Java", "JIT compiled", {"Main.loop:47", "Main.loop:42", "Main.loop:45"})) ==
        "a loop without a poll, lines 42 to 47");
  CHECK(reason_of(late_in("in Java", "JIT compiled", {"Main.loop:42", "Main.loop:42"})) ==
        "a loop without a poll, line 42");
  CHECK(reason_of(late_in("in Java", "JIT compiled", {"Main.loop:42", "Main.other:7"})) ==
        "compiled code without a poll");
  CHECK(reason_of(late_in("in Java", "Interpreted", {"Main.loop:42"})) == "interpreted code");
  CHECK(reason_of(late_in("in VM", "JIT compiled", {"Main.make:9"})) == "VM code, called by the method");
}

TEST_CASE("who was never found anywhere has no reason") {
  CHECK(reason_of(late_in("in Java", "JIT compiled", {})) == "");
}
