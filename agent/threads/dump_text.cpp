// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/dump_text.h"

#include <time.h>

#include <cinttypes>

#include "agent/process/print_to.h"
#include "agent/threads/thread_text.h"

namespace rec::agent {
namespace {

constexpr size_t kBytesOfThread = 1200;  // as a rule

void add_member(const ThreadDump& dump, const DumpedThread& thread, std::string& out) {
  const Waiting& waiting = thread.waiting;
  const std::string klass = waiting.klass.empty() ? "a class that is not known" : "a " + waiting.klass;
  out += quoted_name(thread.name) + ":\n";
  if (waiting.kind == WaitKind::kEnter)
    print_to(out, "  waiting to lock monitor 0x%016" PRIx64 " (object 0x%016" PRIx64 ", ", waiting.monitor,
             waiting.object);
  else
    print_to(out, "  waiting for ownable synchronizer 0x%016" PRIx64 ", (", waiting.object);
  out += klass + "),\n  which is held by " + quoted_name(dump.threads[thread.held_by].name) + "\n\n";
}

void add_deadlock(const ThreadDump& dump, const Deadlock& deadlock, ThreadText& text, std::string& out) {
  out += "\nFound one Java-level deadlock:\n=============================\n";
  for (const uint32_t member : deadlock) add_member(dump, dump.threads[member], out);
  out += "Java stack information for the threads listed above:\n===================================================\n";
  for (const uint32_t member : deadlock) {
    out += quoted_name(dump.threads[member].name) + ":\n";
    text.add_stack(dump.threads[member], out);
  }
}

void add_deadlocks(const ThreadDump& dump, ThreadText& text, std::string& out) {
  for (const Deadlock& deadlock : dump.deadlocks) add_deadlock(dump, deadlock, text, out);
  const size_t count = dump.deadlocks.size();
  if (count > 0) print_to(out, "\nFound %zu deadlock%s.\n", count, count == 1 ? "" : "s");
}

std::string head(const ThreadDump& dump) {
  char when[32];
  const time_t seconds = static_cast<time_t>(dump.unix_ns / 1'000'000'000);
  tm local{};
  localtime_r(&seconds, &local);
  strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &local);
  return std::string(when) + "\nFull thread dump " + dump.vm_name + " (" + dump.vm_version + ' ' + dump.vm_info +
         "):\n\n";
}

}  // namespace

std::string dump_text(const ThreadDump& dump) {
  std::string out = head(dump);
  out.reserve(out.size() + dump.threads.size() * kBytesOfThread);
  ThreadText text(dump);
  for (const DumpedThread& thread : dump.threads) text.add(thread, out);
  add_deadlocks(dump, text, out);
  return out;
}

std::vector<std::string> dump_text_pieces(const ThreadDump& dump, size_t max_bytes) {
  const std::string begin = head(dump);
  std::vector<std::string> pieces;
  size_t whole = 0;  // bytes of the last piece
  const auto open = [&](std::string_view rest) {
    std::string& piece = pieces.emplace_back();
    piece.reserve(max_bytes + kBytesOfThread);
    piece.append(begin).append(rest);
  };
  // What went too far begins the next piece, unless it is all of this one.
  const auto cut = [&] {
    std::string& piece = pieces.back();
    if (piece.size() > max_bytes && whole > begin.size()) {
      const std::string rest = piece.substr(whole);
      piece.resize(whole);
      open(rest);
    }
    whole = pieces.back().size();
  };
  open({});
  whole = begin.size();
  ThreadText text(dump);
  for (const DumpedThread& thread : dump.threads) text.add(thread, pieces.back()), cut();
  add_deadlocks(dump, text, pieces.back()), cut();
  return pieces;
}

}  // namespace rec::agent
