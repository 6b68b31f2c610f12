// SPDX-License-Identifier: Apache-2.0
#include "jrec/base/inputs.h"

#include <mutex>
#include <set>
#include <utility>

namespace jrec {
namespace {

class Inputs {
 public:
  void add(dev_t device, ino_t file) {
    const std::lock_guard<std::mutex> guard(lock_);
    files_.emplace(device, file);
  }
  void clear() {
    const std::lock_guard<std::mutex> guard(lock_);
    files_.clear();
  }
  bool has(dev_t device, ino_t file) {
    const std::lock_guard<std::mutex> guard(lock_);
    return files_.contains({device, file});
  }

 private:
  std::mutex lock_;
  std::set<std::pair<dev_t, ino_t>> files_;
};

Inputs& inputs() {
  static Inputs all;
  return all;
}

}  // namespace

void note_input(const struct stat& status) {
  if (S_ISREG(status.st_mode)) inputs().add(status.st_dev, status.st_ino);
}

bool is_input(const struct stat& status) { return inputs().has(status.st_dev, status.st_ino); }

void forget_inputs() { inputs().clear(); }

}  // namespace jrec
