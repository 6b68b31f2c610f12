// SPDX-License-Identifier: Apache-2.0
#include "recorder/chunk/process_events.h"

#include <sys/utsname.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "base/clock.h"
#include "base/small_file.h"

namespace rec {
namespace {

using jfr::ByteSink;
using jfr::TypeId;

// Calls line(key, value) for each `key <separator> value` line.
template <typename Line>
void for_each_pair(const std::string& text, char separator, const Line& line) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view row(text.data() + at, end - at);
    at = end + 1;
    const size_t middle = row.find(separator);
    if (middle == std::string_view::npos) continue;
    const auto trimmed = [](std::string_view part) {
      while (!part.empty() && std::string_view(" \t\"").find(part.front()) != std::string_view::npos)
        part.remove_prefix(1);
      while (!part.empty() && std::string_view(" \t\"").find(part.back()) != std::string_view::npos)
        part.remove_suffix(1);
      return std::string(part);
    };
    line(trimmed(row.substr(0, middle)), trimmed(row.substr(middle + 1)));
  }
}

std::string describe_os() {
  std::string name;
  for_each_pair(base::read_small_file("/etc/os-release").value_or(""), '=',
                [&](const std::string& key, const std::string& value) {
                  if (key == "PRETTY_NAME") name = value;
                });
  utsname kernel{};
  if (uname(&kernel) != 0) return name;
  const std::string line =
      std::string(kernel.sysname) + ' ' + kernel.release + ' ' + kernel.version + ' ' + kernel.machine;
  return name.empty() ? line : name + '\n' + line;
}

}  // namespace

ProcessEvents::ProcessEvents(const ChunkConfig& config, ProcessFacts facts)
    : config_(config), facts_(std::move(facts)), os_version_(describe_os()) {
  std::set<std::string> sockets, cores;
  std::string socket, flags;
  int32_t threads = 0;
  for_each_pair(base::read_small_file("/proc/cpuinfo").value_or(""), ':',
                [&](const std::string& key, const std::string& value) {
                  if (key == "processor") ++threads;
                  if (key == "model name" && cpu_.empty()) cpu_ = value;
                  if (key == "flags" && flags.empty()) flags = value;
                  if (key == "physical id") sockets.insert(socket = value);
                  if (key == "core id") cores.insert(socket + '/' + value);
                });
  hw_threads_ = std::max(threads, 1);
  sockets_ = std::max(static_cast<int32_t>(sockets.size()), 1);
  cores_ = cores.empty() ? hw_threads_ : static_cast<int32_t>(cores.size());
  cpu_description_ = "Features: " + flags;
}

void ProcessEvents::encode(EventEncoder& out, int64_t ticks, const Recordings& recordings) const {
  encode_jvm(out, ticks);
  encode_machine(out, ticks);
  for (const auto& each : recordings.all()) encode_recording(out, ticks, each->config);
  encode_settings(out, ticks);
}

void ProcessEvents::encode_jvm(EventEncoder& out, int64_t ticks) const {
  ByteSink& body = out.begin(TypeId::kJvmInformation, ticks);
  for (const std::string* text :
       {&facts_.jvm_name, &facts_.jvm_version, &facts_.jvm_arguments, &facts_.jvm_flags, &facts_.java_arguments})
    body.text(*text);
  body.leb_i64(facts_.jvm_start_unix_ms);
  body.leb_i64(facts_.pid);
  out.end();
  for (const auto& [key, value] : facts_.system_properties) {
    ByteSink& property = out.begin(TypeId::kInitialSystemProperty, ticks);
    property.text(key);
    property.text(value);
    out.end();
  }
}

void ProcessEvents::encode_machine(EventEncoder& out, int64_t ticks) const {
  out.begin(TypeId::kOsInformation, ticks).text(os_version_);
  out.end();
  ByteSink& cpu = out.begin(TypeId::kCpuInformation, ticks);
  cpu.text(cpu_);
  cpu.text(cpu_description_);
  for (const int32_t count : {sockets_, cores_, hw_threads_}) cpu.leb_i32(count);
  out.end();
}

void ProcessEvents::encode_recording(EventEncoder& out, int64_t ticks, const RecordingConfig& about) const {
  constexpr int64_t kNotLimited = INT64_MIN;  // tools print N/A
  const auto limit_ms = [](int64_t ns) { return ns > 0 ? ns / 1'000'000 : kNotLimited; };
  ByteSink& recording = out.begin(TypeId::kActiveRecording, ticks);
  recording.leb_i64(static_cast<int64_t>(about.id));
  recording.text(about.name);
  about.filename.empty() ? recording.null_text() : recording.text(about.filename);
  recording.boolean(true);
  recording.leb_i64(limit_ms(about.max_age_ns));
  recording.leb_i64(limit_ms(config_.flush_interval_ns));
  recording.leb_i64(about.max_size ? static_cast<int64_t>(about.max_size) : kNotLimited);
  recording.leb_i64(about.start_unix_ms);
  recording.leb_i64(kNotLimited);  // duration: until it is stopped
  out.end();
}

void ProcessEvents::encode_settings(EventEncoder& out, int64_t ticks) const {
  for (const auto& [event, name, value] : facts_.settings) {
    ByteSink& setting = out.begin(TypeId::kActiveSetting, ticks);
    setting.leb_i64(static_cast<int64_t>(event));
    setting.text(name);
    setting.text(value);
    out.end();
  }
}

}  // namespace rec
