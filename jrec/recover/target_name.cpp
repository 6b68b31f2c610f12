// SPDX-License-Identifier: Apache-2.0
#include "jrec/recover/target_name.h"

#include <sys/stat.h>

namespace jrec {
namespace {

bool is_free(const std::string& target) {
  struct stat st {};
  return lstat(target.c_str(), &st) != 0 || (S_ISREG(st.st_mode) && st.st_size == 0);
}

}  // namespace

std::string recording_of(const std::string& directory) {
  const size_t ending = directory.rfind(".chunks");
  if (ending == std::string::npos || directory.find('/', ending) != std::string::npos) return directory + ".jfr";
  return directory.substr(0, ending);
}

std::string with_suffix(const std::string& recording, const std::string& suffix) {
  const std::string stem = recording.ends_with(".jfr") ? recording.substr(0, recording.size() - 4) : recording;
  return stem + suffix + ".jfr";
}

std::string beside(const std::string& recording) { return with_suffix(recording, "-recovered"); }

std::string free_target(const std::string& recording) {
  if (is_free(recording)) return recording;
  std::string target = beside(recording);
  for (int i = 2; !is_free(target) && i < 1000; ++i) target = with_suffix(recording, "-recovered-" + std::to_string(i));
  return target;
}

std::string TargetNames::of(uint32_t pid) const {
  return free_target(with_suffix(out_.empty() ? own_ : out_, "-recovered-" + std::to_string(pid)));
}

std::vector<std::string> TargetNames::earlier(bool only_one) const {
  std::vector<std::string> names = {own_, beside(own_)};
  if (!out_.empty() && only_one) names.push_back(out_);
  return names;
}

}  // namespace jrec
