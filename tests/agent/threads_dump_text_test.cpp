// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/dump_text.h"
#include "agent/threads/incomplete.h"

#include <doctest/doctest.h>

#include "agent/threads/thread_text.h"
#include "tests/agent/thread_dump.h"

using namespace rec::agent;

namespace {

// Behind the head, whose time is local.
std::string body_of(const std::string& text) { return text.substr(text.find("):\n\n") + 4); }

std::string dumped(const DumpedThread& thread, uint32_t vm_major = 25) {
  ThreadDump dump;
  dump.vm_major = vm_major;
  dump.threads = {thread};
  return body_of(dump_text(dump));
}

std::vector<std::string> pieces_of(const ThreadDump& dump, size_t limit) {
  std::vector<std::string> pieces;
  FrameLines lines;
  lines.begin(dump);
  MarkedText piece;
  dump_in_pieces(dump, lines, limit, piece, [&](const MarkedText& text) {
    pieces.push_back(text.whole(lines));
    CHECK(text.size() == pieces.back().size());
    return true;
  });
  return pieces;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("golden: a dump's head, its threads and its deadlocks stand as jstack writes them") {
  const std::string text = dump_text(test::small_dump());
  CHECK(has(text, "\nFull thread dump OpenJDK 64-Bit Server VM (25+36 mixed mode):\n\n"));
  const std::string blocked =
      " prio=5 tid=0x00007f0000001000 nid=10X waiting for monitor entry  [0x0000000000000000]\n"
      "   java.lang.Thread.State: BLOCKED (on object monitor)\n"
      "   rec: blocked; off CPU (in futex); stack from outside\n"
      "\tat a.Main.lock(Main.java)\n"
      "\t- waiting to lock <0x000000000000def0> (a java.lang.Object)\n";
  const auto thread = [&](const char* head, char nid, const char* holder) {
    std::string all = head + blocked;
    all.replace(all.find("10X"), 3, std::string("10") + nid);
    return all + "\t- rec: held by \"" + holder + "\"\n\n";
  };
  CHECK(body_of(text) ==
        "\"main \"one\" \" #1 [101] daemon prio=5 os_prio=0 cpu=12.34ms elapsed=2.50s tid=0x00007f0000000800 nid=101 "
        "runnable  [0x00007fff12345000]\n"
        "   java.lang.Thread.State: RUNNABLE\n"
        "   rec: in Java (changing); on CPU (runnable), last on CPU 3; stack by the thread itself: the walk broke off\n"
        "   Carrying virtual thread #42\n"
        "\t- native read+0x10 (libc.so.6)\n"
        "\t- native ?+0x0 (?)\n"
        "\tat a.Main.call(Native Method)\n"
        "\tat a.Main.work(app@1.2/Main.java:17)\n"
        "\tat unknown.unknown(Unknown Source)\n"
        "\n" +
            thread("\"left\" #2 [102]", '2', "right") + thread("\"right\" #3 [103]", '3', "left") +
            "\"VM Thread\" [104] os_prio=5 nid=104 runnable\n"
            "   rec: off CPU (sleeping in futex_do_wait)\n"
            "\n"
            "\nFound one Java-level deadlock:\n"
            "=============================\n"
            "\"left\":\n"
            "  waiting to lock monitor 0x000000000000abc0 (object 0x000000000000def0, a java.lang.Object),\n"
            "  which is held by \"right\"\n\n"
            "\"right\":\n"
            "  waiting to lock monitor 0x000000000000abc0 (object 0x000000000000def0, a java.lang.Object),\n"
            "  which is held by \"left\"\n\n"
            "Java stack information for the threads listed above:\n"
            "===================================================\n"
            "\"left\":\n"
            "\tat a.Main.lock(Main.java)\n"
            "\t- waiting to lock <0x000000000000def0> (a java.lang.Object)\n"
            "\t- rec: held by \"right\"\n"
            "\"right\":\n"
            "\tat a.Main.lock(Main.java)\n"
            "\t- waiting to lock <0x000000000000def0> (a java.lang.Object)\n"
            "\t- rec: held by \"left\"\n"
            "\nFound 1 deadlock.\n");
}

TEST_CASE("before JDK 21 the system's id is in hexadecimal, and stands once") {
  DumpedThread thread;
  thread.name = "t";
  thread.os_id = 255;
  CHECK(has(dumped(thread, 17), "\"t\" nid=0xff runnable\n"));
  CHECK(has(dumped(thread, 21), "\"t\" [255] nid=255 runnable\n"));
}

TEST_CASE("what the system says of a thread is told as far as it was asked") {
  DumpedThread thread;
  CHECK(has(dumped(thread), "rec: off CPU\n"));
  thread.os.system_call = 100'000;
  CHECK(has(dumped(thread), "rec: off CPU (in system call 100000)\n"));
  thread.os.system_call = kNoSystemCall;
  CHECK(has(dumped(thread), "rec: off CPU (waiting for a page)\n"));
  thread.os.state = 'S';
  CHECK(has(dumped(thread), "rec: off CPU (sleeping)\n"));
}

TEST_CASE("thread states are told in the words of HotSpot") {
  CHECK(std::string(java_state_text(0)) == "NEW");
  CHECK(std::string(java_state_text(0x2)) == "TERMINATED");
  CHECK(std::string(java_state_text(0x5)) == "RUNNABLE");
  CHECK(std::string(java_state_text(0x401)) == "BLOCKED (on object monitor)");
  CHECK(std::string(java_state_text(0x191)) == "WAITING (on object monitor)");
  CHECK(std::string(java_state_text(0x1a1)) == "TIMED_WAITING (on object monitor)");
  CHECK(std::string(java_state_text(0x291)) == "WAITING (parking)");
  CHECK(std::string(java_state_text(0x2a1)) == "TIMED_WAITING (parking)");
  CHECK(std::string(java_state_text(0xe1)) == "TIMED_WAITING (sleeping)");
  CHECK(std::string(java_state_text(0x91)) == "WAITING");
  CHECK(std::string(java_state_text(0xa1)) == "TIMED_WAITING");
}

TEST_CASE("what a thread waits for is told as far as it is known") {
  DumpedThread thread = test::blocked_thread("t", 7, kNobody);
  thread.stack = {{kUnknownFrame, rec::FrameType::kInterpreted}};
  CHECK_FALSE(has(dumped(thread), "held by"));
  thread.java_state = 0x191;  // waiting on an object
  thread.waiting = {WaitKind::kWait, 0x10, 0, "", ""};
  CHECK(has(dumped(thread), "\t- waiting on <0x0000000000000010> (a class that is not known)\n"));
  thread.waiting = {WaitKind::kPark, 0, 0x20, "a.Lock", ""};
  CHECK(has(dumped(thread), "\t- parking to wait for  <0x0000000000000020> (a a.Lock)\n"));
  thread.waiting = {WaitKind::kPark, 0, 0, "", ""};
  CHECK_FALSE(has(dumped(thread), "parking"));
}

TEST_CASE("golden: what frames have locked stands behind them as jstack writes it") {
  DumpedThread thread = test::blocked_thread("t", 7, kNobody);
  ThreadDump dump = test::small_dump();
  thread.stack = {{1, rec::FrameType::kInterpreted}, {0, rec::FrameType::kJit}, {2, rec::FrameType::kNative}};
  thread.monitors = {{0, false, 0xdef0, "java.lang.Object", ""},
                     {0, false, 0x10, "java.lang.Class", "a.B"},
                     {0, false, 0xdef0, "java.lang.Object", ""},
                     {1, true, 0x20, "[I", ""},
                     {1, true, 0, "", ""}};
  dump.threads = {thread};
  dump.deadlocks.clear();
  CHECK(has(dump_text(dump),
            "\tat a.Main.lock(Main.java)\n"
            "\t- waiting to lock <0x000000000000def0> (a java.lang.Object)\n"
            "\t- locked <0x0000000000000010> (a java.lang.Class for a.B)\n"
            "\t- locked <0x000000000000def0> (a java.lang.Object)\n"
            "\tat a.Main.work(app@1.2/Main.java:17)\n"
            "\t- eliminated <0x0000000000000020> (a [I)\n"
            "\t- eliminated <owner is scalar replaced>\n"
            "\tat a.Main.call(Native Method)\n\n"));
}

TEST_CASE("a thread that waits in a class's stead, and one that waits to lock again, say so") {
  DumpedThread thread = test::blocked_thread("t", 7, kNobody);
  thread.stack = {{kUnknownFrame, rec::FrameType::kInterpreted}};
  thread.java_state = 0x5;
  thread.waiting = {WaitKind::kClassInit, 0x10, 0x20, "a.B", ""};
  CHECK(has(dumped(thread), "in Object.wait()  ["));
  CHECK(has(dumped(thread), "\t- waiting on the Class initialization monitor for a.B\n"));
  thread.java_state = 0x401;
  thread.waiting = {WaitKind::kWait, 0x10, 0x20, "a.B", ""};
  CHECK(has(dumped(thread), "\t- waiting to re-lock in wait() <0x0000000000000020> (a a.B)\n"));
}

TEST_CASE("who enters a monitor anew in Object.wait waits to lock it again, and who enters it first does not") {
  ThreadDump dump = test::small_dump();
  dump.frames.push_back({"java.lang.Object", "wait0", "", "", "", -1, true});
  DumpedThread& thread = dump.threads.emplace_back(test::blocked_thread("t", 7, kNobody));
  thread.java_state = 0x401;
  thread.waiting = {WaitKind::kEnter, 0x10, 0x20, "a.B", ""};
  thread.stack = {{3, rec::FrameType::kNative}};
  CHECK(has(dump_text(dump), "\t- waiting to re-lock in wait() <0x0000000000000020> (a a.B)\n"));
  thread.stack = {{0, rec::FrameType::kJit}};
  CHECK(has(dump_text(dump), "\t- waiting to lock <0x0000000000000020> (a a.B)\n"));
}

TEST_CASE("names in the JVM's modified UTF-8 become UTF-8") {
  ThreadDump dump = test::small_dump();
  dump.threads[0].name = "emoji \xed\xa0\xbd\xed\xb8\x80 nul \xc0\x80.";
  dump.frames[0].klass = "a.\xed\xa0\xbd\xed\xb8\x80";
  CHECK(has(dump_text(dump), "\"emoji \xf0\x9f\x98\x80 nul  .\" #1"));
  CHECK(has(dump_text(dump), "\tat a.\xf0\x9f\x98\x80.work("));
}

TEST_CASE("a stack that is cut says so at its end") {
  DumpedThread thread;
  thread.stack = {{kUnknownFrame, rec::FrameType::kInterpreted}};
  CHECK_FALSE(has(dumped(thread), "more frames"));
  thread.why = kDeeper;
  CHECK(has(dumped(thread), "\tat unknown.unknown(Unknown Source)\n\t... more frames\n\n"));
}

TEST_CASE("a carrier names the virtual thread that it carries") {
  DumpedThread thread = test::blocked_thread("t", 7, kNobody);
  thread.stack.clear();
  thread.virtual_id = 42;
  thread.virtual_name = "request";
  CHECK(has(dumped(thread), "; stack from outside; carries \"request\"\n   Carrying virtual thread #42\n"));
}

TEST_CASE("a dump in pieces has all of it, in whole threads, and each piece has a head") {
  const ThreadDump dump = test::small_dump();
  const std::string whole = body_of(dump_text(dump));
  for (const size_t limit : {size_t{1}, size_t{400}, size_t{1000}, size_t{1} << 20}) {
    std::string all;
    const std::vector<std::string> pieces = pieces_of(dump, limit);
    for (const std::string& piece : pieces) {
      CHECK(has(piece, "Full thread dump "));
      all += body_of(piece);
    }
    CHECK(all == whole);
    if (limit > whole.size() + 200) CHECK(pieces.size() == 1);
    if (limit == 1) CHECK(pieces.size() >= dump.threads.size());
  }
  CHECK(pieces_of(ThreadDump{}, 100).size() == 1);
}
