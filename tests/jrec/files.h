// SPDX-License-Identifier: Apache-2.0
// Runs the commands that read and write recordings, on recordings that a test has built.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "jrec/files/merge.h"
#include "jrec/files/rewrite.h"
#include "jrec/files/verify.h"
#include "jrec/print/summary.h"
#include "jrec/profile/collapsed.h"
#include "tests/format/reader_builder.h"
#include "tests/jrec/commands.h"
#include "tests/text.h"

namespace test {

using jrec::Output;

// Standard error goes nowhere as long as it lives: what commands complain of is not what is tested.
class Quiet {
 public:
  Quiet() : saved_(::dup(STDERR_FILENO)) {
    const int null = ::open("/dev/null", O_WRONLY);
    ::dup2(null, STDERR_FILENO);
    ::close(null);
  }
  ~Quiet() {
    ::dup2(saved_, STDERR_FILENO);
    ::close(saved_);
  }

 private:
  int saved_;
};

inline Bytes join(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

struct Printed {
  std::string text;
  int code = -1;
};

inline Printed summary_of(const Workplace& place, const std::string& file) {
  const Quiet quiet;
  Printed printed;
  printed.text = place.output_of([&](Output& out) { return jrec::run_summary({{file}, true}, out); }, printed.code);
  return printed;
}

inline Printed verified(const Workplace& place, const std::string& file, bool json = false) {
  const Quiet quiet;
  Printed printed;
  printed.text = place.output_of(
      [&](Output& out) {
        return jrec::run_verify({{file}, json, false}, out);
      },
      printed.code);
  return printed;
}

inline int rewritten(const Workplace& place, const jrec::RewriteOptions& options) {
  const Quiet quiet;
  int code = -1;
  place.output_of([&](Output& out) { return jrec::run_rewrite(options, out); }, code);
  return code;
}

inline jrec::RewriteOptions cut_of(const Workplace& place, const Bytes& recording) {
  jrec::RewriteOptions options;
  options.file = place.write("in.jfr", recording);
  options.out = place.path("out.jfr");
  return options;
}

inline jrec::RewriteOptions scrub_of(const Workplace& place, const Bytes& recording) {
  jrec::RewriteOptions options = cut_of(place, recording);
  options.prune = true;
  return options;
}

inline int merged(const Workplace& place, const std::vector<std::string>& files) {
  const Quiet quiet;
  int code = -1;
  place.output_of([&](Output& out) { return jrec::run_merge({files, place.path("out.jfr")}, out); }, code);
  return code;
}

inline std::string collapsed(const Workplace& place, const std::string& file) {
  int code = -1;
  jrec::CollapsedOptions options;
  options.files = {file};
  return place.output_of([&](Output& out) { return jrec::run_collapsed(options, out); }, code);
}

inline Bytes bytes_of(const Workplace& place, const std::string& name) {
  const std::string text = place.read(name);
  return {text.begin(), text.end()};
}

// Two chunks: samples on two stacks, and texts.
inline Bytes two_chunks() {
  return RecordingBuilder()
      .frame_type(1, "JIT compiled")
      .simple_stack(1, "app/Kept", "run")
      .simple_stack(2, "app/Hidden", "secretWork")
      .sample(1000, 1)
      .text(2000, "first")
      .sample(500'000'000, 2)
      .next_chunk()
      .frame_type(1, "JIT compiled")
      .simple_stack(1, "app/Kept", "run")
      .sample(1'500'000'000, 1)
      .text(1'600'000'000, "password=hunter2 and more")
      .bytes();
}

inline size_t files_in(const std::string& directory) {
  return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(directory), {}));
}

}  // namespace test
