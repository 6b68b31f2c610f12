// SPDX-License-Identifier: Apache-2.0
#include "jrec/view/top.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>

#include "jrec/base/append_format.h"
#include "jrec/base/colour.h"
#include "jrec/base/columns.h"
#include "jrec/base/escape.h"
#include "jrec/base/row_count.h"
#include "jrec/base/terminal.h"
#include "jrec/input/recording.h"
#include "jrec/view/live_end.h"
#include "jrec/view/live_recording.h"
#include "jrec/view/live_terminal.h"
#include "jrec/view/table.h"
#include "jrec/view/top_counts.h"
#include "jrec/view/top_keys.h"

namespace jrec {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kSignalled = 128;  // exit codes of a shell: Ctrl-C is 130

constexpr size_t kNumbers = 38;    // columns in front of a name
constexpr size_t kOtherLines = 9;  // of the screen, beside the rows of both tables
constexpr size_t kFewestMethods = 3;

double seconds(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

class Screen {
 public:
  Screen(const TopOptions& options, const LiveTerminal& terminal, const TopCounts& counts, const TopKeys& keys)
      : options_(options),
        counts_(counts),
        keys_(keys),
        has_keys_(terminal.has_keys()),
        width_(options.width != 0 ? options.width : terminal_columns()) {
    rows_ = most_rows(options.rows);
    const size_t lines = terminal.lines();
    if (lines != 0)
      rows_ = std::min(rows_, std::max(kFewestMethods, lines - std::min(lines, kOtherLines + options.threads)));
  }

  std::string text(const std::string& place, double window_s) const {
    const TopCount& samples = counts_.samples();
    std::string out;
    line(out, fmt::format("{}", plain(place)), false);
    line(out,
         fmt::format("samples{}: {} in {:.1f} s ({:.1f}/s), {}{}{}; lost: {}, {} in all",
                     counts_.of_wall() ? " of the wall clock" : "", samples.window, window_s,
                     window_s > 0 ? static_cast<double>(samples.window) / window_s : 0.0, samples.total,
                     counts_.since().empty() ? "" : " since ", counts_.since(), counts_.losses().window,
                     counts_.losses().total),
         true);
    if (samples.total == 0)
      line(out, "waits for samples: of CPU time, of Java code that runs, or of the wall clock", true);
    out += '\n';
    table(out, "method", counts_.hottest(rows_, {keys_.by_total(), keys_.part()}), true);
    out += '\n';
    table(out, "thread", counts_.busiest(options_.threads, {keys_.by_total(), ""}), false);
    if (has_keys_) {
      out += '\n';
      line(out, keys_.line(), true);
    }
    return out;
  }

 private:
  void line(std::string& out, const std::string& text, bool end) const {
    out += shortened(text, width_, !end, Truncate::kByContent) + '\n';
  }

  void table(std::string& out, const char* caption, const TopCounts::Sorted& rows, bool code) const {
    out += coloured(Colour::kBold, fmt::format("{:>9} {:>7} {:>10} {:>7}  {}\n", "now", "%", "since", "%", caption));
    const size_t room = std::max(kNarrowestText, width_ > kNumbers ? width_ - kNumbers : 0);
    for (const auto& [name, count] : rows)
      append_format(out, "{:>9} {:>7.2f} {:>10} {:>7.2f}  {}\n", count.window,
                    percent(count.window, counts_.samples().window), count.total,
                    percent(count.total, counts_.samples().total),
                    shortened(plain(*name), room, code, Truncate::kByContent));
  }

  const TopOptions& options_;
  const TopCounts& counts_;
  const TopKeys& keys_;
  const bool has_keys_;
  size_t width_;
  size_t rows_;
};

// Looks at the recording every --delay seconds, and shows what it found; keys change the screen at once.
class Watch {
 public:
  Watch(LiveRecording& recording, const TopOptions& options, Output& out)
      : recording_(recording), options_(options), terminal_(out) {
    look();  // what was before: it counts, but it is not now
  }

  ExitCode run(const Output& out) {
    for (size_t looks = 0; there_ && out.ok(); ++looks) {
      if (options_.iterations != 0 && looks == options_.iterations) break;
      if (!wait_for_next_look())
        return terminal_.signal() == 0 ? kDone : static_cast<ExitCode>(kSignalled + terminal_.signal());
      if (!keys_.held()) counts_.next_window();
      look();
      if (!keys_.held()) take_screen();
      show();
      if (shows_what_is_over()) return over_ = true, kDone;
    }
    return kDone;
  }
  bool over() const { return over_; }  // nothing more can come

 private:
  // A person at a terminal looks at it as long as they like, if there is something.
  bool shows_what_is_over() const {
    const bool is_looked_at = terminal_.terminal() && counts_.samples().total != 0;
    return options_.iterations == 0 && !is_looked_at && is_over(recording_.place());
  }

  void look() {
    there_ = recording_.poll(
        [&](jfr::read::Chunk& chunk, const std::vector<jfr::read::Event>& events) { counts_.add(chunk, events); });
  }

  // A held screen stays: what comes meanwhile is the next one's.
  void take_screen() {
    const Clock::time_point now = Clock::now();
    screen_counts_ = counts_;
    window_s_ = seconds(now - last_);
    last_ = now;
  }

  void show() {
    const Screen screen(options_, terminal_, screen_counts_, keys_);
    terminal_.show(screen.text(recording_.place(), window_s_));
  }

  // False when the reader wants to leave, by a key or a signal.
  bool wait_for_next_look() {
    const auto due = Clock::now() + std::chrono::milliseconds(std::llround(options_.delay_s * 1000));
    for (;;) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(due - Clock::now());
      const LiveTerminal::Woken woken = terminal_.wait(left);
      if (woken != LiveTerminal::Woken::kByKey) return woken == LiveTerminal::Woken::kByTime;
      keys_.take(terminal_.key());
      if (keys_.left()) return false;
      show();
    }
  }

  LiveRecording& recording_;
  const TopOptions& options_;
  LiveTerminal terminal_;
  TopKeys keys_;
  TopCounts counts_, screen_counts_;
  Clock::time_point last_ = Clock::now();
  double window_s_ = 0;
  bool there_ = false, over_ = false;
};

}  // namespace

ExitCode run_top(const TopOptions& options, Output& out) {
  LiveRecording recording;
  if (!recording.find(options.target)) {
    complain(options.target,
             {base::ErrorCode::kUsage, 0,
              "no recording is written there: neither a file, a directory of chunks nor a process with one"});
    return kUsageError;
  }
  std::error_code error;
  if (std::filesystem::is_regular_file(recording.place(), error) && begins_as_none(recording.place())) {
    complain(options.target,
             {base::ErrorCode::kUsage, 0, "is no recording that is being written: jrec hot reads all kinds of files"});
    return kNothingReadable;
  }
  Watch watch(recording, options, out);
  const ExitCode code = watch.run(out);
  return code == kDone ? damage_in(recording.place(), watch.over()) : code;
}

void declare_top(CommandList& commands) {
  const auto options = std::make_shared<TopOptions>();
  Command top = commands.add("top", "What a program does now, out of the recording that it is writing",
                             [options](Output& out) { return run_top(*options, out); });
  commands.keep_terminal("top");
  top.add_option("RECORDING", options->target, "a pid, a directory of chunks, or the file that is being recorded")
      .required();
  top.add_option("-d,--delay", options->delay_s, "seconds between two looks").default_str("1").in_range(0.05, 3600.0);
  top.add_option("-n,--iterations", options->iterations, "how many looks; 0: until the recording ends, the default");
  top.add_option("--rows", options->rows, "methods to show; 0: all").default_str("20");
  top.add_option("--threads", options->threads, "threads to show").default_str("5");
  top.add_option("--width", options->width, "columns; those of the terminal by default").in_range(20, 100'000);
}

}  // namespace jrec
