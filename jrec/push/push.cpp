// SPDX-License-Identifier: Apache-2.0
#include "jrec/push/push.h"

#include <fmt/core.h>
#include <unistd.h>

#include <deque>
#include <fstream>

#include "jrec/base/append_format.h"
#include "jrec/base/escape.h"
#include "jrec/base/quiet.h"
#include "jrec/http/http_client.h"
#include "jrec/profile/profile_command.h"
#include "jrec/profile/sample_census.h"
#include "jrec/push/push_sender.h"
#include "jrec/push/push_windows.h"
#include "jrec/select/time_range.h"

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;

// What people look at; the type where the short name would count samples of CPU time once more.
const std::vector<std::string> kEvents = {"cpu", "profiler.WallClockSample", "alloc", "lock"};

Error refused(std::string what) { return Error{ErrorCode::kUsage, 0, std::move(what)}; }

ExitCode refuse(const std::string& subject, const Error& error) {
  complain(subject, error);
  return kUsageError;
}

// The recording's name without its ending, if nobody said which service it is of.
Result<Labels> labels_of(const PushOptions& options) {
  Labels labels;
  const std::string name = options.file.substr(options.file.find_last_of("/:") + 1);
  labels["service"] = name.substr(0, name.find('.'));
  for (const std::string& label : options.labels) {
    const size_t equals = label.find('=');
    if (equals == 0 || equals == std::string::npos) return refused("a label is KEY=VALUE: " + label);
    if (label.find_first_of("{},\"") != std::string::npos) return refused("a label has none of {},\": " + label);
    labels[label.substr(0, equals)] = label.substr(equals + 1);
  }
  if (labels["service"].empty()) return refused("nobody knows which service this is: --label service=NAME says it");
  return labels;
}

// Those of files too, where they are no secret of the command line.
Result<std::vector<std::string>> headers_of(const PushOptions& options) {
  std::vector<std::string> headers;
  for (const std::string& header : options.headers) {
    if (!header.starts_with('@')) {
      headers.push_back(header);
      continue;
    }
    std::ifstream file(header.substr(1));
    if (!file) return refused("cannot open " + header.substr(1));
    for (std::string line; std::getline(file, line);) {
      if (line.ends_with('\r')) line.pop_back();
      if (!line.empty()) headers.push_back(line);
    }
  }
  for (const std::string& header : headers)
    if (header.find(':') == std::string::npos || header.find_first_of("\r\n") != std::string::npos)
      return refused("a header is 'NAME: VALUE'");
  return headers;
}

// The samples of all kinds, in one reading.
ExitCode push_samples(const PushOptions& options, int64_t every_ns, PushSender& sender) {
  const std::vector<std::string>& kinds = options.events.empty() ? kEvents : options.events;
  Recording recording(options.file, times_of(options.profile.filter, joined(kinds, ",")));
  if (!recording.open()) return recording.finish();
  ProfileOptions profile = options.profile;
  profile.natives = true;
  profile.by_time = false;  // formats have time beside counts
  SamplePass pass(recording, profile, kinds);
  std::deque<PushWindows> windows;
  for (size_t kind = 0; kind < kinds.size(); ++kind)
    windows.emplace_back(every_ns, [&, kind](const SampleChunk& window) { sender.send(pass.stream(kind), window); });
  pass.read_all([&](size_t kind, const SampleChunk& chunk) { windows[kind].add(chunk); });
  for (PushWindows& each : windows) each.finish();
  uint64_t samples = 0;
  for (size_t kind = 0; kind < kinds.size(); ++kind) samples += pass.stream(kind).samples();
  if (samples == 0) tell_no_samples(recording, options.profile, joined(kinds, ", "));
  return recording.finish();
}

void tell(const PushOptions& options, const PushSender& sender, Output& out) {
  if (!quiet() && sender.why().empty())
    out.add(fmt::format("{}: {} profile{} of {} bytes to {}\n", plain(options.file), sender.accepted(),
                        sender.accepted() == 1 ? "" : "s", sender.bytes(), plain(options.kind)));
  if (!sender.why().empty())
    complain(options.url, Error{ErrorCode::kSystem, 0,
                                fmt::format("{}; {} of {} profiles were taken", sender.why(), sender.accepted(),
                                            sender.accepted() + sender.given_up())});
}

}  // namespace

ExitCode run_push(const PushOptions& options, Output& out) {
  if (const char* why = HttpClient::missing()) return refuse("push", refused(why));
  Result<Labels> labels = labels_of(options);
  if (!labels) return refuse("push", labels.error());
  const Result<std::vector<std::string>> headers = headers_of(options);
  if (!headers) return refuse("push", headers.error());
  const std::optional<double> every_ns = parse_span(options.every, 1e9);
  if (!every_ns || *every_ns < 1e9) return refuse("push", refused("--every is a second at least: " + options.every));
  const Result<PushTarget> target = PushTarget::of(options.kind, options.url, std::move(*labels));
  if (!target) return refuse(options.url, target.error());
  if (!options.ca_file.empty() && ::access(options.ca_file.c_str(), R_OK) != 0)
    return refuse("push", refused("--ca-file cannot be read: " + options.ca_file));
  PushSender sender(*target, *headers, {options.retries, options.timeout_s, options.first_wait_ms, options.ca_file});
  const ExitCode code = push_samples(options, static_cast<int64_t>(*every_ns), sender);
  if (code == kUsageError || code == kNothingReadable) return code;
  tell(options, sender, out);
  return sender.why().empty() ? code : kOutputFailed;
}

void declare_push(CommandList& commands) {
  const auto options = std::make_shared<PushOptions>();
  Command push = commands.add("push", "The samples to a server that keeps profiles: Pyroscope, or one that takes OTLP",
                              [options](Output& out) { return run_push(*options, out); });
  push.add_option("KIND", options->kind, "pyroscope or otlp").required().one_of({"pyroscope", "otlp"});
  push.add_option("URL", options->url, "of the server, as http://localhost:4040").required();
  push.add_option("FILE", options->file, "recording (.jfr)").required();
  push.add_option("--label", options->labels, "service=shop, host=h1, ...: who was recorded; several times").one_word();
  push.add_option("--header", options->headers, "'Authorization: Bearer ...', or @FILE with one a line; several times")
      .one_word();
  push.add_option("--ca-file", options->ca_file, "certificates (PEM) of those who may vouch for the server");
  push.add_option("--every", options->every, "how much time a profile is of").default_str("60s");
  push.add_option("--retries", options->retries, "tries after the first, of each profile")
      .in_range(0, 100)
      .default_str("5");
  push.add_option("--timeout", options->timeout_s, "seconds that a try may take").in_range(1, 3600).default_str("30");
  push.add_option(
          "--event,-e", options->events,
          fmt::format("kinds of event: {}, or names of types; by default cpu, wall where it is one, alloc, lock",
                      sample_name_list()))
      .delimiter(',');
  add_profile_style(push, options->profile);
}

}  // namespace jrec
