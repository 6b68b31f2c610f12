// SPDX-License-Identifier: Apache-2.0
#include <format/reader/recording_file.h>

#include <cstdio>

int main(int, char** argv) {
  auto file = jfr::read::RecordingFile::open(argv[1]);
  if (!file) return std::fprintf(stderr, "%s\n", file.error().what.c_str()), 3;
  file->each_chunk([](jfr::read::Chunk& chunk) {
    jfr::read::FieldReader fields(chunk);
    auto events = chunk.events();
    for (jfr::read::Event event; events.next(event);) {
      const jfr::read::Type* type = chunk.type_of(event);
      if (type == nullptr || type->name != "jdk.ExecutionSample") continue;
      const auto start = fields.of(event, *type, "startTime");
      const auto thread = fields.of(event, *type, "sampledThread");
      std::printf("%lld %s\n", static_cast<long long>(chunk.clock().unix_ns(fields.integer(start))),
                  fields.text(fields.member(thread, "javaName")).c_str());
    }
  });
  for (const base::Error& problem : file->problems().kept())
    std::fprintf(stderr, "at %#llx: %s\n", static_cast<unsigned long long>(problem.offset), problem.what.c_str());
  return file->problems().empty() ? 0 : 2;
}
