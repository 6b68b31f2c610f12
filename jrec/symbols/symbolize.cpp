// SPDX-License-Identifier: Apache-2.0
#include "jrec/symbols/symbolize.h"

#include <fmt/core.h>

#include <memory>
#include <span>

#include "jrec/base/escape.h"
#include "jrec/base/quiet.h"
#include "jrec/files/recording_output.h"
#include "jrec/input/recording.h"
#include "jrec/symbols/name_edit.h"

namespace jrec {
namespace {

using base::Result;
using jfr::read::Chunk;
using jfr::read::Event;
using jfr::read::Type;

class All : public EventRule {
  bool keeps(Chunk&, const Event&, const Type*) override { return true; }
};

void tell(const NameEdit& edit, const SymbolFiles& files, const std::string& target, Output& out) {
  if (edit.tallies().empty()) out.add(fmt::format("{}: says of no native function where it is\n", plain(target)));
  for (const auto& [unused, each] : edit.tallies())
    out.add(fmt::format("{}: {} of {} functions have another name now{}\n", plain(each.path), each.renamed,
                        each.functions,
                        each.file.empty() ? "; there are no symbols for it" : ", by " + plain(each.file)));
  for (const std::string& line : files.unused()) out.add(plain(line) + '\n');
}

ExitCode refused(const std::string& target, const base::Error& error) {
  complain(target, error);
  return error.code == base::ErrorCode::kUsage ? kUsageError : kOutputFailed;
}

}  // namespace

ExitCode run_symbolize(const SymbolizeOptions& options, Output& out) {
  Result<SymbolFiles> files = SymbolFiles::of(options.directories, options.symbol_files);
  if (!files) return complain("command line", files.error()), kUsageError;
  Recording recording(options.file);
  if (!recording.open()) return recording.finish();
  std::vector<std::string> inputs = options.symbol_files;
  inputs.push_back(options.file);
  Result<RecordingOutput> to = RecordingOutput::create(options.out, inputs);
  if (!to) return refused(options.out, to.error());
  NameEdit edit(*files);
  All all;
  recording.each_chunk([&](Chunk& chunk) {
    edit.begin(chunk);
    ChunkRewrite rewrite(chunk, all, false);
    rewrite.edit_constants(edit);
    if (rewrite.plan()) rewrite.write(*to);
  });
  const ExitCode code = recording.finish();
  if (code == kNothingReadable || to->chunks() == 0) return kNothingReadable;
  if (const base::Status done = to->commit(); !done) return complain(options.out, done.error()), kOutputFailed;
  if (!quiet() && options.out != "-") tell(edit, *files, options.out, out);
  return code == kDone && files->damaged() ? kDamaged : code;
}

void declare_symbolize(CommandList& commands) {
  const auto options = std::make_shared<SymbolizeOptions>();
  Command symbolize = commands.add("symbolize", "A recording with the names of stripped libraries' functions",
                                   [options](Output& out) { return run_symbolize(*options, out); });
  symbolize.add_option("FILE", options->file, "recording (.jfr), - for standard input").required();
  symbolize.add_option("--output,-o", options->out, "recording to write, - for standard output").required();
  symbolize.add_option("--debug-dir", options->directories, "where .build-id/12/34....debug may be; may be said again")
      .one_word();
  symbolize
      .add_option("--symbols", options->symbol_files,
                  "a file with symbols, for the library of its build id; may be said again")
      .one_word();
  add_quiet(symbolize, "say nothing");
}

}  // namespace jrec
