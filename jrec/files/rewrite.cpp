// SPDX-License-Identifier: Apache-2.0
#include "jrec/files/rewrite.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "jrec/base/escape.h"
#include "jrec/base/local_path.h"
#include "jrec/base/quiet.h"
#include "jrec/files/chunk_rewrite.h"
#include "jrec/files/recording_output.h"
#include "jrec/files/secret_edit.h"
#include "jrec/input/recording.h"
#include "jrec/select/known_events.h"
#include "jrec/select/unmatched_words.h"

namespace jrec {
namespace {

using base::Result;
using jfr::read::Chunk;
using jfr::read::Cursor;
using jfr::read::Event;
using jfr::read::Type;

class Rule : public EventRule {
 public:
  Rule(EventSelection selection, bool secrets) : selection_(std::move(selection)), secrets_(secrets) {}

  // Of constants; null: they stay as they are.
  ConstantRule* constants() { return secrets_ ? &secret_edit_ : nullptr; }

  void begin(Chunk& chunk) override {
    selection_.begin(chunk);
    secret_edit_.begin(chunk);
  }
  bool keeps(Chunk& chunk, const Event& event, const Type* type) override {
    return selection_.keeps(chunk, event, type);
  }
  bool edits(Chunk& chunk, const Event& event, const Type& type, WireBytes& fields) override {
    const bool clean = secrets_ && secret_edit_.edits(chunk, event, type, fields);
    WireBytes part;
    const Cursor in = clean ? Cursor(fields.bytes(), 0) : chunk.body(event);
    if (!selection_.shortens(event, type, in, chunk.metadata(), part)) return clean;
    fields = std::move(part);
    return true;
  }

 private:
  EventSelection selection_;
  SecretEdit secret_edit_;
  bool secrets_;
};

struct Tally {
  size_t chunks = 0;
  uint64_t kept = 0, left_out = 0;
};

std::string target_of(const RewriteOptions& options) {
  if (!options.out.empty()) return options.out;
  const std::string file = is_remote(options.file) ? last_name(options.file) : options.file;
  const std::string stem = file.ends_with(".jfr") ? file.substr(0, file.size() - 4) : file;
  return stem + "-scrubbed.jfr";
}

// The first chunk without events: a recording has a chunk at least.
void write_empty(Recording& recording, bool prune, RecordingOutput& to) {
  class Nothing : public EventRule {
    bool keeps(Chunk&, const Event&, const Type*) override { return false; }
  } nothing;
  recording.unsaid([&] {
    recording.each_chunk([&](Chunk& chunk) {
      ChunkRewrite rewrite(chunk, nothing, prune);
      if (!rewrite.plan()) return true;
      rewrite.write(to);
      return false;
    });
  });
}

// A misspelt name would leave in what was to go.
base::Status known_selection(Recording& recording, const SelectionOptions& selection) {
  FilterOptions excluded;
  excluded.events = selection.exclude_events;
  excluded.categories = selection.exclude_categories;
  if (const base::Status wanted = known_events(recording, selection.filter); !wanted) return wanted;
  const base::Status events = known_events(recording, excluded, "--exclude-events", "--exclude-categories");
  return events ? known_threads(recording, "--exclude-threads", selection.exclude_threads) : events;
}

void tell(const RewriteOptions& options, const std::string& target, const Tally& tally, Output& out) {
  if (quiet() || target == "-") return;
  out.add(fmt::format("{}: {} of {} events, in {} chunk{}\n", plain(target), tally.kept, tally.kept + tally.left_out,
                      tally.chunks, tally.chunks == 1 ? "" : "s"));
}

}  // namespace

ExitCode run_rewrite(const RewriteOptions& options, Output& out) {
  Recording recording(options.file, times_of(options.selection.filter));
  if (!recording.open()) return recording.finish();
  Result<EventSelection> selection = EventSelection::of(options.selection, recording.range());
  if (!selection) return complain("command line", selection.error()), kUsageError;
  if (const base::Status known = known_selection(recording, options.selection); !known)
    return recording.refuse(known.error()), recording.finish();
  const std::string target = target_of(options);
  Result<RecordingOutput> to = RecordingOutput::create(target, std::span(&options.file, 1));
  if (!to) {
    complain(target, to.error());
    return to.error().code == base::ErrorCode::kUsage ? kUsageError : kOutputFailed;
  }
  Rule rule(std::move(*selection), options.secrets);
  Tally tally;
  recording.each_chunk([&](Chunk& chunk) {
    ChunkRewrite rewrite(chunk, rule, options.prune);
    rewrite.clip(recording.range());
    if (rule.constants() != nullptr) rewrite.edit_constants(*rule.constants());
    if (!rewrite.plan()) return;
    tally.kept += rewrite.kept();
    tally.left_out += rewrite.left_out();
    if (rewrite.kept() > 0) rewrite.write(*to);
  });
  if (to->chunks() == 0) write_empty(recording, options.prune, *to);
  tally.chunks = to->chunks();
  tell_unmatched_words(recording, options.selection.filter);
  const ExitCode code = recording.finish();
  if (code == kNothingReadable || to->chunks() == 0) return kNothingReadable;
  if (const base::Status done = to->commit(); !done) return complain(target, done.error()), kOutputFailed;
  tell(options, target, tally, out);
  return code;
}

}  // namespace jrec
