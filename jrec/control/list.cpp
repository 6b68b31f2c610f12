// SPDX-License-Identifier: Apache-2.0
#include "jrec/control/list.h"

#include <fmt/core.h>
#include <nss.h>
#include <pwd.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "jrec/base/escape.h"
#include "jrec/control/jvm_list.h"
#include "jrec/input/recording.h"

namespace jrec {
namespace {

// One static file must not load what /etc/nsswitch.conf names: libraries made for another libc.
void look_in_files_only() {
#ifdef REC_STATIC_JREC
  __nss_configure_lookup("passwd", "files");
#endif
}

std::string user_name(uid_t uid) {
  const passwd* user = ::getpwuid(uid);
  return user == nullptr ? std::to_string(uid) : user->pw_name;
}

// Whether it records; idle: the agent is there, and no recording.
const char* agent_word(const JvmProcess& process) {
  if (!process.maps_readable) return "?";
  if (process.agent.empty()) return "no";
  return process.records ? "yes" : "idle";
}

std::string or_dash(const std::string& text) { return text.empty() ? "-" : plain(text); }

// The two largest units: 1m 20s, 3h 5m, 12d 4h.
std::string short_duration(double seconds) {
  const auto s = static_cast<uint64_t>(seconds);
  if (s < 60) return fmt::format("{}s", s);
  if (s < 3600) return fmt::format("{}m {}s", s / 60, s % 60);
  if (s < 86400) return fmt::format("{}h {}m", s / 3600, s / 60 % 60);
  return fmt::format("{}d {}h", s / 86400, s / 3600 % 24);
}

void add_text(const std::vector<Jvm>& jvms, Output& out) {
  out.add(fmt::format("{:>7}  {:<12}  {:>10}  {:<10}  {:<5}  {}\n", "PID", "USER", "UPTIME", "JVM", "REC", "MAIN"));
  for (const Jvm& jvm : jvms) {
    const JvmProcess& process = jvm.process;
    out.add(fmt::format("{:>7}  {:<12}  {:>10}  {:<10}  {:<5}  {}\n", process.pid, plain(user_name(process.euid)),
                        short_duration(process.uptime_s), or_dash(jvm.version), agent_word(process),
                        or_dash(jvm.main)));
  }
}

std::string json_string(const std::string& text) {
  std::string out;
  append_json_string(text, out);
  return text.empty() ? "null" : out;
}

void add_json(const std::vector<Jvm>& jvms, Output& out) {
  out.add("{\"jvms\":[");
  for (size_t i = 0; i < jvms.size(); ++i) {
    const JvmProcess& process = jvms[i].process;
    const auto word = [&](bool is) { return !process.maps_readable ? "null" : is ? "true" : "false"; };
    out.add(fmt::format(
        "{}{{\"pid\":{},\"uid\":{},\"user\":{},\"uptime_s\":{:.2f},\"version\":{},\"agent\":{},\"recording\":{},"
        "\"main\":{}}}",
        i == 0 ? "" : ",", process.pid, process.euid, json_string(user_name(process.euid)), process.uptime_s,
        json_string(jvms[i].version), word(!process.agent.empty()), word(process.records), json_string(jvms[i].main)));
  }
  out.add("]}\n");
}

}  // namespace

ExitCode run_list(const ListOptions& options, Output& out) {
  if (::access("/proc/self/stat", R_OK) != 0) {
    complain("/proc",
             base::Error{base::ErrorCode::kSystem, 0, "cannot be read here, and nothing else tells which JVMs run"});
    return kUsageError;
  }
  look_in_files_only();
  const std::vector<Jvm> jvms = running_jvms();
  options.json ? add_json(jvms, out) : add_text(jvms, out);
  return kDone;
}

}  // namespace jrec
