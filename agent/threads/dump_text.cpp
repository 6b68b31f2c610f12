// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/dump_text.h"

#include <time.h>

#include <cinttypes>

#include "agent/process/print_to.h"
#include "agent/threads/thread_text.h"
#include "base/utf8.h"

namespace rec::agent {
namespace {

void add_member(const ThreadDump& dump, const DumpedThread& thread, std::string& out) {
  const Waiting& waiting = thread.waiting;
  add_quoted(thread.name, out), out += ":\n";
  if (waiting.kind == WaitKind::kEnter)
    print_to(out, "  waiting to lock monitor 0x%016" PRIx64 " (object 0x%016" PRIx64 ", ", waiting.monitor,
             waiting.object);
  else
    print_to(out, "  waiting for ownable synchronizer 0x%016" PRIx64 ", (", waiting.object);
  out += waiting.klass.empty() ? "a class that is not known" : "a ";
  base::append_utf8(waiting.klass, out);
  out += "),\n  which is held by ", add_quoted(dump.threads[thread.held_by].name, out), out += "\n\n";
}

void add_deadlock(const ThreadDump& dump, const Deadlock& deadlock, ThreadText& threads, MarkedText& out) {
  std::string& text = out.text;
  text += "\nFound one Java-level deadlock:\n=============================\n";
  for (const uint32_t member : deadlock) add_member(dump, dump.threads[member], text);
  text += "Java stack information for the threads listed above:\n===================================================\n";
  for (const uint32_t member : deadlock) {
    add_quoted(dump.threads[member].name, text), text += ":\n";
    threads.add_stack(dump.threads[member], out);
  }
}

void add_deadlocks(const ThreadDump& dump, ThreadText& threads, MarkedText& out) {
  for (const Deadlock& deadlock : dump.deadlocks) add_deadlock(dump, deadlock, threads, out);
  const size_t count = dump.deadlocks.size();
  if (count > 0) print_to(out.text, "\nFound %zu deadlock%s.\n", count, count == 1 ? "" : "s");
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
  std::string text;
  FrameLines lines;
  lines.begin(dump);
  MarkedText piece;
  dump_in_pieces(dump, lines, SIZE_MAX, piece, [&](const MarkedText& all) {
    text = all.whole(lines);
    return true;
  });
  return text;
}

void dump_in_pieces(const ThreadDump& dump, FrameLines& lines, size_t max_bytes, MarkedText& piece,
                    const std::function<bool(const MarkedText&)>& take) {
  const std::string begin = head(dump);
  ThreadText threads(dump, lines);
  const auto open = [&] { piece.clear(), piece.text = begin; };
  open();
  for (const DumpedThread& thread : dump.threads) {
    if (piece.size() >= max_bytes && piece.size() > begin.size()) {
      if (!take(piece)) return;
      open();
    }
    threads.add(thread, piece);
  }
  add_deadlocks(dump, threads, piece);
  take(piece);
}

}  // namespace rec::agent
