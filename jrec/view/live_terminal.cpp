// SPDX-License-Identifier: Apache-2.0
#include "jrec/view/live_terminal.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "jrec/base/terminal.h"

namespace jrec {
namespace {

constexpr const char* kEnter =
    "\x1b[?1049h\x1b[?25l\x1b[?7l";  // the alternate screen, no cursor; what is too long is not wrapped
constexpr const char* kLeave = "\x1b[?7h\x1b[?25h\x1b[?1049l";
constexpr const char* kHome = "\x1b[H";
constexpr const char* kRestOfLine = "\x1b[K";
constexpr const char* kRestOfScreen = "\x1b[J";
constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

volatile sig_atomic_t signal_came = 0;
struct sigaction before[std::size(kSignals)];
sigset_t mask_before;

void note_signal(int number) { signal_came = number; }

// They are blocked but while we wait: none can slip in between the question and the wait.
void catch_signals() {
  struct sigaction action {};
  action.sa_handler = note_signal;
  sigset_t mask;
  sigemptyset(&mask);
  for (size_t i = 0; i < std::size(kSignals); ++i) {
    sigaction(kSignals[i], &action, &before[i]);
    if (before[i].sa_handler == SIG_IGN) sigaction(kSignals[i], &before[i], nullptr);
    sigaddset(&mask, kSignals[i]);
  }
  sigprocmask(SIG_BLOCK, &mask, &mask_before);
}

void release_signals() {
  for (size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &before[i], nullptr);
  sigprocmask(SIG_SETMASK, &mask_before, nullptr);
}

}  // namespace

LiveTerminal::LiveTerminal(Output& out) : out_(out), terminal_(terminal_takes_escapes()) {
  signal_came = 0;
  catch_signals();
  if (!terminal_) return;
  take_keys();
  out_.add(kEnter);
  out_.flush();
}

// Only where we are in the foreground: else the system would stop us.
void LiveTerminal::take_keys() {
  termios now{};
  if (::tcgetpgrp(STDIN_FILENO) != ::getpgrp() || ::tcgetattr(STDIN_FILENO, &now) != 0) return;
  as_it_was_ = now;
  now.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  now.c_cc[VMIN] = 1;
  now.c_cc[VTIME] = 0;
  ::tcsetattr(STDIN_FILENO, TCSADRAIN, &now);
}

// The last screen stays to be read.
LiveTerminal::~LiveTerminal() {
  if (as_it_was_) ::tcsetattr(STDIN_FILENO, TCSADRAIN, &*as_it_was_);
  if (terminal_) {
    out_.add(kLeave);
    out_.add(last_);
    out_.flush();
  }
  release_signals();
}

size_t LiveTerminal::lines() const { return terminal_ ? terminal_lines() : 0; }

void LiveTerminal::show(const std::string& screen) {
  last_ = screen;
  if (!terminal_) {
    if (shown_) out_.add("\n");
    out_.add(screen);
  } else {
    out_.add(kHome);
    size_t room = terminal_lines() != 0 ? terminal_lines()
                                        : screen.size();  // the last line has no end, at which the screen would move up
    for (const char c : screen) {
      if (c == '\n') out_.add(kRestOfLine);
      if (c == '\n' && --room == 0) break;
      out_.text() += c;
    }
    out_.add(kRestOfScreen);
  }
  shown_ = true;
  out_.flush();
}

// A terminal that is gone has no keys any more.
bool LiveTerminal::key_came() {
  if (::read(STDIN_FILENO, &key_, 1) == 1) return true;
  as_it_was_.reset();
  return false;
}

LiveTerminal::Woken LiveTerminal::wait(std::chrono::milliseconds time) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + time;
  for (auto left = time; signal_came == 0 && left.count() > 0;
       left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now())) {
    const timespec limit{left.count() / 1000, left.count() % 1000 * 1'000'000};
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (::ppoll(&input, has_keys() ? 1 : 0, &limit, &mask_before) > 0 && key_came()) return Woken::kByKey;
  }
  return signal_came == 0 ? Woken::kByTime : Woken::kBySignal;
}

int LiveTerminal::signal() const { return signal_came; }

}  // namespace jrec
