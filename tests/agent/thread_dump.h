// SPDX-License-Identifier: Apache-2.0
// A small thread dump: one thread in Java code, two in a deadlock, and one of the VM.
#pragma once

#include <sys/syscall.h>

#include "agent/threads/thread_dump.h"

namespace test {

inline rec::agent::DumpedThread blocked_thread(const char* name, int64_t java_id, uint32_t held_by) {
  using namespace rec::agent;
  DumpedThread thread;
  thread.name = name;
  thread.is_java = true;
  thread.java_id = java_id;
  thread.os_id = 100 + static_cast<int32_t>(java_id);
  thread.priority = 5;
  thread.java_thread = 0x7f0000001000;
  thread.java_state = 0x401;  // alive, blocked on a monitor
  thread.vm_state = VmState::kBlocked;
  thread.source = StackSource::kAnchor;
  thread.proven = true;
  thread.stack = {{1, rec::FrameType::kInterpreted}};
  thread.os.system_call = SYS_futex;
  thread.waiting = {WaitKind::kEnter, 0xabc0, 0xdef0, "java.lang.Object", ""};
  thread.held_by = held_by;
  return thread;
}

inline rec::agent::ThreadDump small_dump() {
  using namespace rec::agent;
  ThreadDump dump;
  dump.unix_ns = 1'700'000'000'123'000'000;
  dump.vm_major = 25;
  dump.vm_name = "OpenJDK 64-Bit Server VM";
  dump.vm_version = "25+36";
  dump.vm_info = "mixed mode";
  dump.frames = {{"a.Main", "work", "Main.java", "app", "1.2", 17, false},
                 {"a.Main", "lock", "Main.java", "", "", -1, false},
                 {"a.Main", "call", "", "", "", -1, true}};

  DumpedThread main;
  main.name = "main \"one\"\n";
  main.is_java = true;
  main.java_id = 1;
  main.os_id = 101;
  main.priority = 5;
  main.daemon = true;
  main.java_thread = 0x7f0000000800;
  main.virtual_id = 42;
  main.java_state = 0x5;  // alive, runnable
  main.vm_state = VmState::kInJava;
  main.in_transition = true;
  main.last_java_sp = 0x7fff12345678;
  main.source = StackSource::kSignal;
  main.why = "the walk broke off";
  main.on_cpu = true;
  main.retries = 3;
  main.stack = {{2, rec::FrameType::kNative}, {0, rec::FrameType::kInlined}, {kUnknownFrame, rec::FrameType::kJit}};
  main.native_stack = {{0x1234, "libc.so.6", "read", 0x10}, {0x5678, "", "", 0}};
  main.os.state = 'R';
  main.os.nice = 0;
  main.os.last_cpu = 3;
  main.os.cpu_ns = 12'345'678;
  main.os.elapsed_ns = 2'500'000'000;

  DumpedThread vm;
  vm.name = "VM Thread";
  vm.os_id = 104;
  vm.why = "not a thread of Java";
  vm.os.state = 'S';
  vm.os.nice = 5;
  vm.os.wchan = "futex_do_wait";

  dump.threads = {main, blocked_thread("left", 2, 2), blocked_thread("right", 3, 1), vm};
  dump.deadlocks = {{1, 2}};
  dump.retries = 3;
  dump.asked = 1;
  return dump;
}

}  // namespace test
