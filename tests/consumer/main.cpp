// SPDX-License-Identifier: Apache-2.0
#include <format/reader/recording_file.h>

#include <cstdio>

using namespace jfr::read;

int main(int, char** argv) {
  auto file = RecordingFile::open(argv[1]);
  if (!file) return std::fprintf(stderr, "%s\n", file.error().what.c_str()), 3;
  for (Chunk& chunk : file->chunks()) {
    const Type* sample = chunk.metadata().find("jdk.ExecutionSample");
    if (sample == nullptr) continue;
    BoundField start(chunk, *sample, "startTime"), thread(chunk, *sample, "sampledThread");
    for (const Event& event : EventRange(chunk, *sample))
      std::printf("%lld %s\n", static_cast<long long>(start.nanos(event).value_or(0)),
                  thread.text(event).value_or("").c_str());
  }
  const base::Status whole = file->whole();
  if (whole) return 0;
  std::fprintf(stderr, "at %#llx: %s\n", static_cast<unsigned long long>(whole.error().offset),
               whole.error().what.c_str());
  return 2;
}
