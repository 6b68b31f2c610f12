// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: verify and the commands that write recordings, on whatever bytes. A chunk that is scrubbed must be
// one that verify finds no broken structure in.   fuzz_files -max_len=300000 CORPUS
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "format/reader/chunk.h"
#include "format/reader/chunk_scanner.h"
#include "jrec/files/chunk_rewrite.h"
#include "jrec/files/program_identity.h"
#include "jrec/files/recording_output.h"
#include "jrec/files/type_ids.h"
#include "jrec/files/verify_chunk.h"

namespace {

using namespace jfr::read;

class EverythingStays : public jrec::EventRule {
 public:
  bool keeps(Chunk&, const Event&, const Type*) override { return true; }
};

void rewrite(Chunk& chunk, bool prune, const jrec::TypeIds::Map* ids) {
  auto out = jrec::RecordingOutput::create("/dev/null", {});
  if (!out) std::abort();
  EverythingStays rule;
  jrec::ChunkRewrite rewrite(chunk, rule, prune);
  const jrec::CommonClock clock(chunk.header().start_ns);
  if (ids != nullptr && rewrite.metadata_at() != 0) {
    rewrite.renumber(*ids, jrec::renumbered_metadata(chunk.bytes(), rewrite.metadata_at(), *ids, 7, 0));
    rewrite.retime(clock, chunk.clock());
  }
  if (rewrite.plan()) rewrite.write(*out);
  // Numbers of types may grow from one byte to five, ticks to nine, and each size with them.
  if (out->size() > chunk.bytes().size() * 10 + 4096) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span<const uint8_t> file(data, size);
  Problems problems;
  ChunkScanner scanner(file, problems);
  jrec::VerifyReport report;
  jrec::PreviousChunk previous;
  jrec::TypeIds ids;
  for (size_t group = 1; const auto extent = scanner.next(); ++group) {
    Chunk chunk(file, *extent, problems);
    report.begin_chunk(report.chunks++);
    jrec::ChunkCheck(chunk, report, previous).run();
    const jrec::ProgramIdentity identity(chunk);
    rewrite(chunk, false, nullptr);
    rewrite(chunk, true, nullptr);
    ids.reserve(chunk.metadata());
    const jrec::TypeIds::Map map = ids.map(chunk.metadata(), group);
    rewrite(chunk, false, &map);
  }
  report.end();
  return 0;
}
