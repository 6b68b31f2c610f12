// SPDX-License-Identifier: Apache-2.0
#include "jrec/control/agent_library.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/small_file.h"

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;

constexpr const char* kFile = "librec.so";
constexpr std::array<const char*, 3> kBeside = {"../lib/librec.so", "librec.so", "../agent/librec.so"};

bool is_file(const std::string& path) {
  struct stat status;
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

// Absolute, without links: the JVM would resolve them in its own tree.
std::string real_path(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path real = std::filesystem::canonical(path, failed);
  return failed ? path : real.string();
}

base::Result<std::string> named(const std::string& wanted) {
  if (is_file(wanted)) return real_path(wanted);
  return Error{ErrorCode::kUsage, 0, fmt::format("there is no agent library {}", wanted)};
}

base::Result<std::string> beside_jrec() {
  const std::string self = base::read_link("/proc/self/exe");
  const std::string directory = self.substr(0, self.rfind('/') + 1);
  for (const char* place : kBeside) {
    if (is_file(directory + place)) return real_path(directory + place);
  }
  return Error{ErrorCode::kUsage, 0, fmt::format("there is no {} beside {}; name it with --agent", kFile, self)};
}

}  // namespace

base::Result<AgentLibrary> AgentLibrary::find(const JvmProcess& process, const TargetRoot& root,
                                              const std::string& wanted) {
  AgentLibrary library;
  library.path_ = process.agent;
  const std::string real = wanted.empty() ? "" : real_path(wanted);
  if (!process.agent.empty() && (wanted.empty() || real == process.agent)) return library;
  if (!process.agent.empty())
    return Error{ErrorCode::kUsage, 0, fmt::format("it has loaded {} already; leave out --agent", process.agent)};
  const base::Result<std::string> path = wanted.empty() ? beside_jrec() : named(wanted);
  if (!path) return path.error();
  library.path_ = path.value();
  if (root.has_same_file(path.value())) return library;
  base::Result<PrivateDirectory> copy = PrivateDirectory::make(process, root, kFile);
  if (!copy) return copy.error();
  if (base::Status done = copy->put(process, path.value()); !done.ok()) return done.error();
  library.path_ = copy->path();
  library.copy_.emplace(std::move(*copy));
  return library;
}

}  // namespace jrec
