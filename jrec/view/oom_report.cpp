// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>

#include "jrec/base/append_format.h"
#include "jrec/values/text_units.h"
#include "jrec/view/cell.h"
#include "jrec/view/memory_notes.h"

namespace jrec {
namespace {

constexpr std::array<const char*, kKinds> kNames = {"Java heap",     "code cache",   "thread stacks",
                                                    "native memory", "mapped files", "shared memory"};
constexpr int64_t kSecondNs = 1'000'000'000;
constexpr int64_t kTenth = 10;
constexpr double kNear = 0.9;  // of the limit

std::string size_text(int64_t count) {
  if (count < 0) return "N/A";
  return show(Cell::of(count, Content::kBytes), 0);
}
std::string span_text(int64_t ns) { return show(Cell::of(ns, Content::kSpan), 0); }
std::string clock_text(int64_t ns, const MemoryNotes& notes) {
  return show(Cell::of(ns, Content::kTime), notes.utc_offset_s);
}
std::string share_text(double share) {
  std::string text;
  append_percent(share, text);
  return text;
}

// What counts against the limit, without the files that the kernel drops first.
int64_t needed(const MemoryUse& use) {
  return use.group < 0 ? kUnknownBytes : use.group - std::max<int64_t>(use.inactive, 0);
}

void tell_end(const MemoryNotes& notes, std::string& out) {
  const MemoryUse &first = notes.uses.front(), &last = notes.uses.back();
  append_format(out, "The last note is of {}, {} after the first. ", clock_text(last.at_ns, notes),
                span_text(last.at_ns - first.at_ns));
  out += notes.shut_down ? "The JVM ended by itself.\n"
                         : "The JVM did not end by itself: it was killed, or the recording was stopped before.\n";
}

void tell_limit(const MemoryNotes& notes, std::string& out) {
  const MemoryUse &first = notes.uses.front(), &last = notes.uses.back();
  if (last.group < 0) return void(out += "It was in no control group for memory, or that could not be read.\n");
  if (last.limit <= 0)
    return void(append_format(out, "Its control group had no memory limit, and used {}.\n", size_text(last.group)));
  const double share = static_cast<double>(needed(last)) / static_cast<double>(last.limit);
  append_format(out,
                "Its control group had a limit of {}. At the last note {} of it was in use, {}, and {} more of files "
                "that can be dropped.\n",
                size_text(last.limit), share_text(share), size_text(needed(last)),
                size_text(std::max<int64_t>(last.inactive, 0)));
  if (last.failures > first.failures && first.failures >= 0)
    append_format(out, "The limit was met {} times meanwhile.\n", last.failures - first.failures);
  if (last.kills > first.kills && first.kills >= 0)
    append_format(out, "The kernel killed {} processes of the group meanwhile.\n", last.kills - first.kills);
  const int64_t elsewhere = needed(last) - std::max<int64_t>(last.resident, 0);
  if (elsewhere > last.limit / kTenth)
    append_format(out,
                  "{} of that is not resident in this process: it is another one's of the group, or memory that was "
                  "taken and not touched yet, as ZGC's heap is.\n",
                  size_text(elsewhere));
  if (notes.shut_down || share >= kNear || last.failures > first.failures) return;
  const MemoryUse& previous = notes.uses[std::max<size_t>(notes.uses.size(), 2) - 2];
  const int64_t step = needed(last) - needed(previous);
  if (step > 0 && last.limit - needed(last) <= 2 * step)
    append_format(out, "It grew by {} between the last two notes: at that rate the limit was no two notes away.\n",
                  size_text(step));
  else
    out += "That is not near the limit: what it died of may be another thing, or came in the time between two notes.\n";
}

void tell_growth(const MemoryNotes& notes, std::string& out) {
  if (notes.kinds.size() < 2)
    return void(out += "What the memory was made of was looked at too seldom to tell what grew.\n");
  const MemoryKinds &first = notes.kinds.front(), &last = notes.kinds.back();
  std::array<size_t, kKinds> order{};
  int64_t grown = 0;
  for (size_t kind = 0; kind < kKinds; ++kind) {
    order[kind] = kind;
    grown += std::max<int64_t>(last.bytes[kind] - first.bytes[kind], 0);
  }
  const auto growth = [&](size_t kind) { return last.bytes[kind] - first.bytes[kind]; };
  std::ranges::stable_sort(order, std::ranges::greater(), growth);
  const size_t most = order.front();
  if (grown <= 0) return void(out += "Nothing grew.\n");
  append_format(out, "What grew most: {}, by {} to {}, which is {} of all growth in {}.\n", kNames[most],
                size_text(growth(most)), size_text(last.bytes[most]),
                share_text(static_cast<double>(growth(most)) / static_cast<double>(grown)),
                span_text(last.at_ns - first.at_ns));
  append_format(out, "\n{:<16} {:>12} {:>12} {:>12}\n", "Resident", "First", "Last", "Growth");
  append_format(out, "{:-<16} {:->12} {:->12} {:->12}\n", "", "", "", "");
  for (const size_t kind : order) {
    const int64_t by = growth(kind);
    append_format(out, "{:<16} {:>12} {:>12} {:>12}\n", kNames[kind], size_text(first.bytes[kind]),
                  size_text(last.bytes[kind]), by < 0 ? "-" + size_text(-by) : size_text(by));
  }
}

// Backwards from the end in steps that double: the last seconds one by one, hours before in a few lines.
void append_course(const MemoryNotes& notes, std::string& out) {
  append_format(out, "\n{:>12} {:>12} {:>12} {:>12} {:>13} {:>12}\n", "Before End", "Resident", "Heap Used",
                "Metaspace", "Control Group", "Limit");
  append_format(out, "{:->12} {:->12} {:->12} {:->12} {:->13} {:->12}\n", "", "", "", "", "", "");
  const auto& uses = notes.uses;
  std::vector<size_t> shown;
  for (size_t back = 0, step = 1; back < uses.size(); back += step) {
    shown.push_back(uses.size() - 1 - back);
    if (shown.size() > 4) step *= 2;
  }
  if (shown.back() != 0) shown.push_back(0);
  for (size_t i = shown.size(); i-- > 0;) {
    const MemoryUse& use = uses[shown[i]];
    const int64_t back_ns = uses.back().at_ns - use.at_ns;
    append_format(out, "{:>12} {:>12} {:>12} {:>12} {:>13} {:>12}\n", back_ns < kSecondNs ? "0 s" : span_text(back_ns),
                  size_text(use.resident), size_text(use.heap), size_text(use.metaspace), size_text(needed(use)),
                  use.limit < 0 ? "none" : size_text(use.limit));
  }
}

}  // namespace

std::string oom_report(const MemoryNotes& notes) {
  if (notes.uses.empty()) return "No events found for 'Out of Memory': it needs a recording made with blackbox=TIME.\n";
  std::string out;
  tell_end(notes, out);
  tell_limit(notes, out);
  tell_growth(notes, out);
  append_course(notes, out);
  return out;
}

}  // namespace jrec
