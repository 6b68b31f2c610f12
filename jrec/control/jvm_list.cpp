// SPDX-License-Identifier: Apache-2.0
#include "jrec/control/jvm_list.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>

#include "base/descriptor.h"
#include "base/small_file.h"
#include "jrec/control/java_command.h"
#include "jrec/control/perf_data.h"
#include "jrec/control/target_root.h"

namespace jrec {
namespace {

constexpr int kMostTmpEntries = 100'000;

using Directory = std::unique_ptr<DIR, int (*)(DIR*)>;

std::optional<pid_t> pid_of(std::string_view text) {
  pid_t pid = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pid);
  if (error != std::errc() || end != text.data() + text.size() || pid <= 0) return std::nullopt;
  return pid;
}

// The directory is named for the user, under a name that we may not know: every one that holds the file is asked.
PerfStrings perf_strings_of(const JvmProcess& process, const TargetRoot& root) {
  const int fd = ::openat(root.tmp(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const Directory tmp(fd < 0 ? nullptr : ::fdopendir(fd), ::closedir);
  for (int left = kMostTmpEntries; tmp && left > 0; --left) {
    const dirent* entry = ::readdir(tmp.get());
    if (entry == nullptr) break;
    if (!std::string_view(entry->d_name).starts_with("hsperfdata_")) continue;
    const base::Descriptor folder(::openat(root.tmp(), entry->d_name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!folder) continue;
    const auto bytes = base::read_file_of(process.euid, folder.fd(), std::to_string(process.inner_pid));
    if (bytes) return read_perf_strings(*bytes);
  }
  return {};
}

std::string value_of(const PerfStrings& strings, const std::string& key) {
  const auto at = strings.find(key);
  return at == strings.end() ? "" : at->second;
}

// JAVA_VERSION="17.0.13" of the file `release` at the top of the JVM's home, two folders above that of libjvm.so.
std::string released_version(const JvmProcess& process, const TargetRoot& root) {
  constexpr std::string_view kKey = "JAVA_VERSION=\"";
  std::string home = process.libjvm;
  for (int up = 0; up < 3 && !home.empty(); ++up)
    home.resize(home.rfind('/') == std::string::npos ? 0 : home.rfind('/'));
  if (home.empty()) return "";
  const auto text = base::read_small_file(root.root(), home.substr(1) + "/release");
  const size_t at = text ? text->find(kKey) : std::string::npos;
  if (at == std::string::npos) return "";
  const size_t start = at + kKey.size();
  return text->substr(start, text->find('"', start) - start);
}

bool may_be_jvm(const JvmProcess& process) {
  if (process.maps_readable) return process.is_jvm();
  return !process.command.empty() && (process.command[0] == "java" || process.command[0].ends_with("/java"));
}

std::string candidates(const std::vector<Jvm>& jvms) {
  constexpr size_t kMost = 20;
  std::string out;
  for (size_t i = 0; i < jvms.size() && i < kMost; ++i)
    out += fmt::format("{}{} {}", i == 0 ? "" : ", ", jvms[i].process.pid, jvms[i].main.empty() ? "-" : jvms[i].main);
  return jvms.size() > kMost ? fmt::format("{} and {} more", out, jvms.size() - kMost) : out;
}

base::Error nothing_meant(const std::vector<Jvm>& all, const std::string& name) {
  if (all.empty())
    return {base::ErrorCode::kUsage, 0, fmt::format("no JVM is called '{}': none runs that we may see", name)};
  return {base::ErrorCode::kUsage, 0, fmt::format("no JVM is called '{}'; there are {}", name, candidates(all))};
}

}  // namespace

Jvm describe(JvmProcess process) {
  Jvm jvm;
  process.refuses_attach = has_flag(process.command, "DisableAttachMechanism");
  if (const auto root = TargetRoot::open(process); root.ok()) {
    const PerfStrings strings = perf_strings_of(process, root.value());
    // The first of its capabilities; this way the environment and files of options count, too.
    if (value_of(strings, "sun.rt.jvmCapabilities").starts_with('0')) process.refuses_attach = true;
    jvm.main = main_of_java_command(value_of(strings, "sun.rt.javaCommand"));
    jvm.version = released_version(process, root.value());
    if (jvm.version.empty()) jvm.version = value_of(strings, "java.property.java.version");
  }
  if (jvm.main.empty()) jvm.main = main_of_command(process.command);
  jvm.process = std::move(process);
  return jvm;
}

std::vector<Jvm> running_jvms() {
  std::vector<Jvm> jvms;
  const Directory proc(::opendir("/proc"), ::closedir);
  for (const dirent* entry = nullptr; proc && (entry = ::readdir(proc.get())) != nullptr;) {
    const auto pid = pid_of(entry->d_name);
    if (!pid) continue;
    std::optional<JvmProcess> process = read_process(*pid);
    if (process && process->state != 'Z' && may_be_jvm(*process)) jvms.push_back(describe(std::move(*process)));
  }
  std::sort(jvms.begin(), jvms.end(), [](const Jvm& a, const Jvm& b) { return a.process.pid < b.process.pid; });
  return jvms;
}

base::Result<Jvm> choose_jvm(std::vector<Jvm> all, const std::string& name) {
  int best = 1;
  for (const Jvm& jvm : all) best = std::max(best, match_of_name(name, jvm.main));
  std::vector<Jvm> meant;
  for (const Jvm& jvm : all) {
    if (match_of_name(name, jvm.main) == best) meant.push_back(jvm);
  }
  if (meant.size() == 1) return std::move(meant[0]);
  if (meant.empty()) return nothing_meant(all, name);
  return base::Error{base::ErrorCode::kUsage, 0, fmt::format("'{}' means several JVMs: {}", name, candidates(meant))};
}

base::Result<Jvm> find_jvm(const std::string& target) {
  const auto pid = pid_of(target);
  if (!pid) return choose_jvm(running_jvms(), target);
  std::optional<JvmProcess> process = read_process(*pid);
  if (process) return describe(std::move(*process));
  return base::Error{base::ErrorCode::kSystem, 0, fmt::format("there is no process {}", *pid)};
}

}  // namespace jrec
