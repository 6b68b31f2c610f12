// SPDX-License-Identifier: Apache-2.0
#include "jrec/push/push_target.h"

#include <fmt/core.h>

#include "jrec/http/http_client.h"

namespace jrec {
namespace {

constexpr int64_t kOneSecond_ns = 1'000'000'000;

struct Kind {
  std::string_view name, path;
  MakeFormat* format;
};
constexpr Kind kKinds[] = {{"pyroscope", "/ingest", make_pprof}, {"otlp", "/v1development/profiles", make_otlp}};

// http://host:4040 and http://host:4040/prefix/ with the path that belongs behind it, unless it is there.
std::string with_path(std::string url, std::string_view path) {
  while (url.ends_with('/')) url.pop_back();
  return url.ends_with(path) ? url : url + std::string(path);
}

// The names that OpenTelemetry has for our labels.
std::string attribute_of(const std::string& label) {
  if (label == "service") return "service.name";
  if (label == "host") return "host.name";
  if (label == "env") return "deployment.environment.name";
  return label;
}

}  // namespace

base::Result<PushTarget> PushTarget::of(const std::string& kind, const std::string& url, Labels labels) {
  const auto refuse = [](std::string what) { return base::Error{base::ErrorCode::kUsage, 0, std::move(what)}; };
  if (!url.starts_with("http://") && !url.starts_with("https://"))
    return refuse("is no URL: it should begin with http:// or https://");
  if (url.find_first_of("?#") != std::string::npos) return refuse("should have no query: it is made here");
  for (const Kind& each : kKinds) {
    if (each.name != kind) continue;
    PushTarget target;
    target.pyroscope_ = each.format == make_pprof;
    target.format_ = each.format;
    target.url_ = with_path(url, each.path);
    target.labels_ = std::move(labels);
    return target;
  }
  return refuse("is for '" + kind + "', which is no kind of server; there are pyroscope and otlp");
}

std::vector<std::pair<std::string, std::string>> PushTarget::resource() const {
  std::vector<std::pair<std::string, std::string>> resource;
  for (const auto& [label, value] : labels_) resource.emplace_back(attribute_of(label), value);
  return resource;
}

std::string PushTarget::url(int64_t start_ns, uint64_t duration_ns) const {
  if (!pyroscope_) return url_;
  std::string name = labels_.at("service"), others;
  for (const auto& [label, value] : labels_)
    if (label != "service") others += (others.empty() ? "" : ",") + label + "=" + value;
  if (!others.empty()) name += "{" + others + "}";
  const int64_t from_s = start_ns / kOneSecond_ns;
  const auto until_s = from_s + static_cast<int64_t>(duration_ns / kOneSecond_ns);
  return fmt::format("{}?name={}&from={}&until={}&format=pprof&spyName=jrec", url_, url_escaped(name), from_s, until_s);
}

std::vector<std::string> PushTarget::headers() const {
  if (pyroscope_) return {"Content-Type: application/octet-stream"};
  return {"Content-Type: application/x-protobuf", "Content-Encoding: gzip"};
}

}  // namespace jrec
