// SPDX-License-Identifier: Apache-2.0
#include "jrec/base/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <utility>

#include "jrec/base/exit_code.h"

namespace jrec {
namespace {

// Read by the handler: paths that live as long as they stand here. InTheMaking's exchange and store are seq_cst: each
// pairs with the load in unlink_all(), so a path is complete when it can be seen, and gone from here before it goes.
std::atomic<const char*> in_the_making[InTheMaking::kMost];

void unlink_all() {
  for (const auto remove : {::unlink, ::rmdir})
    for (std::atomic<const char*>& path : in_the_making)
      if (const char* left = path.load()) (void)remove(left);
}

void leave(int signal_number) {
  unlink_all();
  ::_exit(128 + signal_number);
}

// A page of a mapped recording that is there no more.
void leave_cut_input(int) {
  static constexpr char kLine[] = "jrec: the recording became shorter while it was read, or its disk failed\n";
  unlink_all();
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kLine, sizeof kLine - 1);
  ::_exit(kDamaged);
}

}  // namespace

void exit_when_interrupted() {
  struct sigaction action {};
  action.sa_handler = leave;
  sigfillset(&action.sa_mask);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    // nohup, and shells without job control, have them ignored: they stay so.
    if (::sigaction(number, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
      ::sigaction(number, &action, nullptr);
  }
  action.sa_handler = leave_cut_input;
  ::sigaction(SIGBUS, &action, nullptr);
}

void leave_interrupts_to_others() { ::signal(SIGINT, SIG_IGN); }

void leave_with(int exit_code) {
  unlink_all();
  ::_exit(exit_code);
}

InTheMaking::InTheMaking(std::string path) : path_(std::move(path)) {
  for (size_t i = 0; i < kMost; ++i) {
    const char* nobody = nullptr;
    if (!in_the_making[i].compare_exchange_strong(nobody, path_.c_str())) continue;
    place_ = i;
    return;
  }
}

std::string path_in(int directory, const std::string& name) {
  return "/proc/self/fd/" + std::to_string(directory) + "/" + name;
}

InTheMaking::~InTheMaking() {
  if (place_ != kMost) in_the_making[place_].store(nullptr);
}

}  // namespace jrec
