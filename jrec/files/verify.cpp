// SPDX-License-Identifier: Apache-2.0
#include "jrec/files/verify.h"

#include <algorithm>
#include <utility>

#include "base/redact.h"
#include "format/reader/chunk_scanner.h"
#include "jrec/files/verify_chunk.h"
#include "jrec/files/verify_report.h"
#include "jrec/input/input.h"
#include "jrec/input/recording.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Problems;

void verify(Input& input, VerifyReport& report) {
  Problems between;  // chunks: noted when the scanner comes by
  jfr::read::ChunkScanner scanner(between);
  PreviousChunk previous;
  for (size_t i = 0; i < input.stretches(); ++i) {
    const base::Result<Stretch> stretch = input.read(i);
    if (!stretch) {
      between.add(stretch.error());
      continue;
    }
    scanner.go_on(stretch->bytes, stretch->offset, input.stretches() == 1);
    while (const auto extent = scanner.next()) {
      report.begin_chunk(report.chunks++);
      report.add_all(between);
      between.clear();
      Problems inside;
      Chunk chunk(stretch->bytes, *extent, inside, stretch->offset);
      ChunkCheck(chunk, report, previous).run();
      report.add_all(inside);
    }
  }
  report.add_all(between);
  report.end();
}

// json: where the object goes; none of a file that cannot be opened.
ExitCode verify(const std::string& file, const VerifyOptions& options, std::string& json, Output& out) {
  VerifyReport report;
  Problems wrapping;
  const base::Result<std::unique_ptr<Input>> input = Input::open(file, wrapping);
  if (!input) {
    complain(file, input.error());
    return code_of_unopened(input.error());
  }
  report.add_all(wrapping);
  verify(**input, report);
  const std::string name = base::redact_userinfo(file);
  if (options.json)
    json = report.json(name);
  else
    report.print_text(name, out);
  if (report.chunks == 0) return kNothingReadable;
  const bool bad = report.damages() > 0 || (options.strict && report.warnings() > 0);
  return bad ? kDamaged : kDone;
}

}  // namespace

ExitCode run_verify(const VerifyOptions& options, Output& out) {
  ExitCode worst = kDone;
  const bool listed = options.json && options.files.size() > 1;
  const char* separator = "";
  if (listed) out.add("{\"recordings\":[\n");
  for (const std::string& file : options.files) {
    std::string told;
    worst = std::max(worst, verify(file, options, told, out));
    if (listed && !told.empty()) told = std::exchange(separator, ",\n") + told;
    out.add(told + (listed || told.empty() ? "" : "\n"));
  }
  if (listed) out.add("\n]}\n");
  return worst;
}

}  // namespace jrec
