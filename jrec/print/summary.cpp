// SPDX-License-Identifier: Apache-2.0
#include "jrec/print/summary.h"

#include <fmt/core.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <string_view>
#include <vector>

#include "jrec/base/append_format.h"
#include "jrec/base/escape.h"
#include "jrec/input/recording.h"
#include "jrec/values/loss_events.h"
#include "jrec/values/time_text.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Event;
using jfr::read::Type;

struct Tally {
  uint64_t count = 0;
  uint64_t bytes = 0;
};

class Summary {
 public:
  void add(Chunk& chunk);
  void print_text(std::string& out) const;
  void print_json(std::string& out) const;

 private:
  struct Row {
    std::string_view name;
    Tally tally;
  };

  void add_losses(Chunk& chunk, const Event& event, const Type& type);
  void print_clock(std::string& out) const;
  int64_t note(std::string_view cause) const;
  void name_tallies(const Chunk& chunk, const std::vector<Tally>& by_type, const std::map<uint64_t, Tally>& unnamed);
  std::vector<Row> rows() const;

  size_t chunks_ = 0;
  bool unfinished_ = false;
  uint16_t major_ = 0, minor_ = 0;
  int64_t start_ns_ = 0;
  uint64_t duration_ns_ = 0;
  std::map<std::string, Tally, std::less<>> events_;
  std::map<std::string, std::map<std::string, int64_t>> losses_;  // by event and cause, or field
  std::map<std::string, int64_t, std::less<>> notes_;             // what else rec.Counters tells
};

void Summary::add(Chunk& chunk) {
  // Members of an archive, and chunks of joined files, need not be in the order of time.
  start_ns_ = chunks_ == 0 ? chunk.header().start_ns : std::min(start_ns_, chunk.header().start_ns);
  if (chunks_++ == 0) {
    major_ = chunk.header().major;
    minor_ = chunk.header().minor;
  }
  duration_ns_ += static_cast<uint64_t>(std::max<int64_t>(0, chunk.header().duration_ns));  // a damaged one is negative
  unfinished_ = unfinished_ || chunk.header().state != jfr::kStateFinished;

  const auto& types = chunk.metadata().types();
  std::vector<Tally> by_type(types.size());
  std::map<uint64_t, Tally> unnamed;
  std::vector<bool> loses(types.size());
  for (size_t i = 0; i < types.size(); ++i) loses[i] = tells_of_losses(types[i].name);

  auto walk = chunk.events();
  for (Event event; walk.next(event);) {
    const uint32_t index = chunk.metadata().index_of(event.type_id);
    const bool named = index != jfr::read::kNoType && event.type_id > jfr::kCheckpointType;
    Tally& tally = named ? by_type[index] : unnamed[event.type_id];
    ++tally.count;
    tally.bytes += event.size;
    if (named && loses[index]) add_losses(chunk, event, types[index]);
  }
  name_tallies(chunk, by_type, unnamed);
}

void Summary::name_tallies(const Chunk& chunk, const std::vector<Tally>& by_type,
                           const std::map<uint64_t, Tally>& unnamed) {
  const auto add = [this](std::string_view name, const Tally& tally) {
    auto found = events_.find(name);
    if (found == events_.end()) found = events_.emplace(name, Tally{}).first;
    found->second.count += tally.count;
    found->second.bytes += tally.bytes;
  };
  const auto& types = chunk.metadata().types();
  for (size_t i = 0; i < types.size(); ++i)
    if (types[i].event || by_type[i].count != 0) add(types[i].name, by_type[i]);
  const std::string home =
      chunk.header().major == 1 ? "com.oracle.jdk." : "jdk.";  // version 1 is Oracle's, before it was given away
  for (const auto& [id, tally] : unnamed) {
    if (id == jfr::kMetadataType)
      add(home + "Metadata", tally);
    else if (id == jfr::kCheckpointType)
      add(home + "Checkpoint", tally);
    else
      add(fmt::format("unknown type {}", id), tally);
  }
}

void Summary::add_losses(Chunk& chunk, const Event& event, const Type& type) {
  auto& losses = losses_[std::string(type.name)];  // none may be all that it tells
  ToldLoss loss;
  if (!read_loss(chunk, event, type, loss)) return;
  int64_t& sum = loss.is_loss ? losses[loss.cause] : notes_[loss.cause];
  sum = static_cast<int64_t>(static_cast<uint64_t>(sum) + static_cast<uint64_t>(loss.count));
}

std::vector<Summary::Row> Summary::rows() const {
  std::vector<Row> rows;
  for (const auto& [name, tally] : events_) rows.push_back({name, tally});
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.tally.count > b.tally.count; });
  return rows;
}

std::string start_text(int64_t start_ns) {
  std::string text;
  append_time(floor_div(start_ns, 1'000'000'000), 0, 0, text);
  std::replace(text.begin(), text.end(), 'T', ' ');
  text.pop_back();
  return text + " (UTC)";
}

// To the nearest, as jfr summary has it.
uint64_t whole_seconds(uint64_t ns) { return ns / 1'000'000'000 + (ns % 1'000'000'000 >= 500'000'000 ? 1 : 0); }

void Summary::print_text(std::string& out) const {
  const std::vector<Row> all = rows();
  size_t width = std::string_view("Event Type").size();
  for (const Row& row : all)
    if (row.tally.count != 0) width = std::max(width, plain(row.name).size());
  append_format(out, "\n Version: {}.{}\n Chunks: {}{}\n Start: {}\n Duration: {} s\n", major_, minor_, chunks_,
                unfinished_ ? " (not all finished)" : "", start_text(start_ns_), whole_seconds(duration_ns_));
  append_format(out, "\n {:<{}} {:>10} {:>13}\n{}\n", "Event Type", width, "Count", "Size (bytes)",
                std::string(width + 27, '='));
  size_t idle = 0;
  for (const Row& row : all) {
    if (row.tally.count == 0)
      ++idle;
    else
      append_format(out, " {:<{}} {:>10} {:>13}\n", plain(row.name), width, row.tally.count, row.tally.bytes);
  }
  if (idle != 0) append_format(out, "\n {} more event types are declared and have no events\n", idle);
  print_clock(out);
  for (const auto& [event, fields] : losses_) {
    append_format(out, "\n Losses, as {} tells them:{}\n", plain(event), fields.empty() ? " none" : "");
    for (const auto& [field, sum] : fields) append_format(out, "   {:<{}} {:>12}\n", plain(field), width, sum);
  }
}

int64_t Summary::note(std::string_view cause) const {
  const auto found = notes_.find(cause);
  return found == notes_.end() ? 0 : found->second;
}

// Of recordings of ours: the rate at which clocks really ticked, what that took, and how many threads came and went.
void Summary::print_clock(std::string& out) const {
  const auto ticks = static_cast<double>(note("ticks")), cpu_ms = static_cast<double>(note("cpuMs"));
  if (ticks > 0 && cpu_ms > 0) {
    append_format(out, "\n Clock: {:.1f} ticks a CPU second", ticks * 1000 / cpu_ms);
    if (const int64_t us = note("handlerUs"); us > 0)
      append_format(out, ", {:.1f} us each", static_cast<double>(us) / ticks);
    out += '\n';
  }
  if (const int64_t ended = note("threadsEnded"); ended > 0)
    append_format(out, "\n Threads that ended: {}, of these without a sample: {}\n", ended, note("threadsUnsampled"));
}

void Summary::print_json(std::string& out) const {
  append_format(out, "{{\"version\":\"{}.{}\",\"chunks\":{},\"finished\":{},\"start\":\"", major_, minor_, chunks_,
                !unfinished_);
  append_time_ns(start_ns_, 0, out);
  append_format(out, "\",\"startNanos\":{},\"durationNanos\":{},\"duration\":\"", start_ns_, duration_ns_);
  append_duration_ns(static_cast<int64_t>(duration_ns_), out);
  out += "\",\"losses\":{";
  const char* separator = "";
  for (const auto& [event, fields] : losses_) {
    out += std::exchange(separator, ",");
    append_json_string(event, out);
    out += ":{";
    const char* inner = "";
    for (const auto& [field, sum] : fields) {
      out += std::exchange(inner, ",");
      append_json_string(field, out);
      append_format(out, ":{}", sum);
    }
    out += '}';
  }
  out += "},\"notes\":{";
  separator = "";
  for (const auto& [cause, sum] : notes_) {
    out += std::exchange(separator, ",");
    append_json_string(cause, out);
    append_format(out, ":{}", sum);
  }
  out += "},\"events\":[";
  separator = "\n";
  for (const Row& row : rows()) {
    out += std::exchange(separator, ",\n");
    out += "{\"name\":";
    append_json_string(row.name, out);
    append_format(out, ",\"count\":{},\"bytes\":{}}}", row.tally.count, row.tally.bytes);
  }
  out += "\n]}\n";
}

}  // namespace

ExitCode run_summary(const SummaryOptions& options, Output& out) {
  Recording recording(options.files);
  if (!recording.open()) return recording.finish();
  Summary summary;
  recording.each_chunk([&](Chunk& chunk) { summary.add(chunk); });
  if (recording.chunks() == 0) return recording.finish();
  if (options.json)
    summary.print_json(out.text());
  else
    summary.print_text(out.text());
  return recording.finish();
}

}  // namespace jrec
