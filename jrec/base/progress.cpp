// SPDX-License-Identifier: Apache-2.0
#include "jrec/base/progress.h"

#include "jrec/base/quiet.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace jrec {
namespace {

bool is_shown = true;

constexpr double kMega = 1e6, kGiga = 1e9;

void write_line(const std::string& text) {
  const std::string line = "\r\x1b[K" + text;
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fflush(stderr);
}

// As if it went on as fast.
std::string left_text(uint64_t done, uint64_t total, double seconds) {
  if (done == 0 || done >= total) return "";
  const double left = seconds * static_cast<double>(total - done) / static_cast<double>(done);
  return left < 60 ? fmt::format(", {:.0f} s left", std::ceil(left))
                   : fmt::format(", {:.0f} min left", std::ceil(left / 60));
}

}  // namespace

void show_progress(bool shown) { is_shown = shown; }

std::string progress_text(uint64_t done, uint64_t total, double seconds) {
  const bool large = static_cast<double>(total) >= kGiga;
  const double unit = large ? kGiga : kMega;
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds / kMega : 0;
  return fmt::format("{:.1f} of {:.1f} {}, {:.0f} MB/s{}", static_cast<double>(done) / unit,
                     static_cast<double>(total) / unit, large ? "GB" : "MB", rate, left_text(done, total, seconds));
}

void Progress::reached(uint64_t bytes) {
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + kEvery;
  if (!is_shown || quiet() || ::isatty(STDERR_FILENO) == 0) return;
  write_line(progress_text(bytes, total_, std::chrono::duration<double>(now - start_).count()));
  shown_ = true;
}

Progress::~Progress() {
  if (shown_) write_line("");
}

}  // namespace jrec
