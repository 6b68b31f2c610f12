// SPDX-License-Identifier: Apache-2.0
#include "jrec/control/jvm_process.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "base/small_file.h"

namespace jrec {
namespace {

constexpr size_t kLargestMaps = 64u << 20;  // a line has about a hundred bytes, the kernel allows 65,530 by default
constexpr int kQuitBit = 3 - 1;             // SIGQUIT is 3 on Linux; bit N-1 of a mask is signal N
constexpr std::string_view kDeleted = " (deleted)";
constexpr std::string_view kSpoolEnding = ".spool";  // recorder/spool/spool.h: mapped while a recording runs

std::string of(pid_t pid, const char* name) { return "/proc/" + std::to_string(pid) + "/" + name; }

bool is_named(std::string_view path, std::string_view file) {
  return path.size() > file.size() && path.ends_with(file) && path[path.size() - file.size() - 1] == '/';
}

// librec.so, also with a version in its name: librec-1.2.so, librec.so.1.
bool is_agent(std::string_view path) {
  constexpr std::string_view kStem = "librec";
  std::string_view name = path.substr(path.find_last_of('/') + 1);
  if (!name.starts_with(kStem)) return false;
  name.remove_prefix(kStem.size());
  const bool is_stem = !name.empty() && (name[0] == '.' || name[0] == '-' || name[0] == '_');
  return is_stem && (name.ends_with(".so") || name.find(".so.") != std::string_view::npos);
}

// The path of a line of maps: what follows its five words, from the first slash on.
std::string_view mapped_path(std::string_view line) {
  const size_t slash = line.find('/');
  if (slash == std::string_view::npos) return {};
  std::string_view path = line.substr(slash);
  if (path.ends_with(kDeleted)) path.remove_suffix(kDeleted.size());
  return path;
}

double uptime_of(pid_t pid) {
  const auto stat = base::read_small_file(of(pid, "stat"));
  const auto up = base::read_small_file("/proc/uptime");
  const auto start = stat ? start_s_after_boot(*stat) : std::nullopt;
  if (!start || !up) return 0;
  return std::max(0.0, std::strtod(up->c_str(), nullptr) - *start);
}

}  // namespace

void read_status(const std::string& status, JvmProcess& process) {
  std::istringstream lines(status);
  for (std::string line; std::getline(lines, line);) {
    const size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string key = line.substr(0, colon);
    std::istringstream words(line.substr(colon + 1));
    uint64_t real = 0;
    uint64_t mask = 0;
    if (key == "State") words >> process.state;
    if (key == "Uid") words >> real >> process.euid;
    if (key == "Gid") words >> real >> process.egid;
    if (key == "VmSize") process.has_memory = true;
    if (key == "SigCgt" && words >> std::hex >> mask) process.catches_quit = (mask >> kQuitBit & 1) != 0;
    if (key != "NSpid") continue;
    for (pid_t inner = 0; words >> inner;) process.inner_pid = inner;  // the last one is the innermost
  }
}

void read_maps(const std::string& maps, JvmProcess& process) {
  for (size_t at = 0; at < maps.size();) {
    const size_t end = std::min(maps.find('\n', at), maps.size());
    const std::string_view path = mapped_path(std::string_view(maps).substr(at, end - at));
    if (process.libjvm.empty() && is_named(path, "libjvm.so")) process.libjvm = path;
    if (process.agent.empty() && is_agent(path)) process.agent = path;
    process.records |= path.ends_with(kSpoolEnding);
    at = end + 1;
  }
}

std::string as_seen_below(const std::string& root, const std::string& path) {
  const bool below = root.size() > 1 && path.starts_with(root) && path[root.size()] == '/';
  return below ? path.substr(root.size()) : path;
}

std::vector<std::string> split_command(const std::string& cmdline) {
  std::vector<std::string> words;
  for (size_t at = 0; at < cmdline.size();) {
    const size_t end = std::min(cmdline.find('\0', at), cmdline.size());
    words.push_back(cmdline.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// Field 22 of stat, counted behind the name, which may hold anything.
std::optional<double> start_s_after_boot(const std::string& stat) {
  const size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(stat.substr(name_end + 1));
  std::string skipped;
  for (int field = 3; field < 22; ++field) fields >> skipped;
  uint64_t ticks = 0;
  if (!(fields >> ticks)) return std::nullopt;
  return static_cast<double>(ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

std::optional<JvmProcess> read_process(pid_t pid) {
  const auto status = base::read_small_file(of(pid, "status"));
  if (!status || status->empty()) return std::nullopt;
  JvmProcess process;
  process.pid = process.inner_pid = pid;
  read_status(*status, process);
  const auto maps = base::read_small_file(of(pid, "maps"), kLargestMaps);
  process.maps_readable = maps.has_value() && !maps->empty();
  if (process.maps_readable) read_maps(*maps, process);
  const std::string root = base::read_link(of(pid, "root"));
  for (std::string* path : {&process.libjvm, &process.agent}) *path = as_seen_below(root, *path);
  if (const auto command = base::read_small_file(of(pid, "cmdline"))) process.command = split_command(*command);
  process.uptime_s = uptime_of(pid);
  return process;
}

bool is_alive(pid_t pid) {
  const auto status = base::read_small_file(of(pid, "status"));
  if (!status || status->empty()) return false;
  JvmProcess process;
  read_status(*status, process);
  return process.state != 'Z' && process.state != 'X';
}

}  // namespace jrec
