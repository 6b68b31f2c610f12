// SPDX-License-Identifier: Apache-2.0
#include "jrec/convert/convert.h"

#include <fmt/core.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/nearest.h"
#include "jrec/base/local_path.h"
#include "jrec/base/output_file.h"
#include "jrec/convert/convert_format.h"
#include "jrec/profile/collapsed.h"
#include "jrec/profile/sample_census.h"
#include "jrec/profile/sample_stream.h"

namespace jrec {
namespace {

class Collapsed : public ConvertFormat {
 public:
  Collapsed(const SampleStream& stream, ConvertOutput& out) : stream_(stream), out_(out) {}
  void add(const SampleChunk&) override {}
  void finish() override {
    append_collapsed(stream_.tree(), out_.text(), [this] { out_.flush_if_large(); });
  }

 private:
  const SampleStream& stream_;
  ConvertOutput& out_;
};

std::unique_ptr<ConvertFormat> make_collapsed(const SampleStream& stream, const ConvertSubject&, ConvertOutput& out) {
  return std::make_unique<Collapsed>(stream, out);
}

struct Format {
  std::string_view name;
  MakeFormat* make;
  std::array<std::string_view, 4> endings;  // of a file's name, without .gz
  bool natives = false;                     // has a place for where native frames lie
};

constexpr Format kFormats[] = {
    {"collapsed", make_collapsed, {".collapsed", ".folded", ".txt"}},
    {"pprof", make_pprof, {".pprof", ".pb"}, true},
    {"otlp", make_otlp, {".otlp"}, true},
    {"speedscope", make_speedscope, {".speedscope.json", ".speedscope"}},
    {"firefox", make_firefox, {".firefox.json", ".firefox"}},
    {"chrome", make_chrome_trace, {".chrome.json", ".trace.json", ".perfetto.json", ".trace"}},
    {"csv", make_csv, {".csv"}},
};

const Format* find_format(std::string_view name) {
  for (const Format& format : kFormats)
    if (format.name == name) return &format;
  return nullptr;
}

}  // namespace

std::string format_names(std::string_view between) {
  std::string names;
  for (const Format& format : kFormats) names += std::string(names.empty() ? "" : between) + std::string(format.name);
  return names;
}

namespace {

ExitCode refuse(const std::string& subject, const std::string& what) {
  complain(subject, base::Error{base::ErrorCode::kUsage, 0, what});
  return kUsageError;
}

std::string meant(const std::string& format) {
  std::vector<std::string_view> names;
  for (const Format& known : kFormats) names.push_back(known.name);
  const std::string near = base::nearest(format, names);
  return near.empty() ? "" : "; did you mean " + near + "?";
}

ExitCode cannot_write(const std::string& path, int error) {
  complain(path, base::Error{base::ErrorCode::kSystem, 0, "cannot write: " + output_error_text(error), error});
  return kOutputFailed;
}

ExitCode convert(const Format& format, const ConvertOptions& options, ConvertOutput& out) {
  Recording recording(options.files, times_of(options.profile.filter, options.profile.event));
  if (!recording.open()) return recording.finish();
  ProfileOptions profile = options.profile;
  profile.natives = format.natives;
  profile.by_time = format.make == make_collapsed;  // formats of other tools have time beside counts
  SamplePass pass(recording, profile);
  const SampleStream& stream = pass.stream();
  const std::string title = options.title.empty() ? last_name(recording.path()) : options.title;
  const ConvertSubject subject{title, stream.start_ns(), stream.duration_ns(), {}, false};
  const std::unique_ptr<ConvertFormat> conversion = format.make(stream, subject, out);
  pass.read([&](const SampleChunk& chunk) { conversion->add(chunk); });
  conversion->finish();
  if (stream.samples() == 0) tell_no_samples(recording, options.profile, options.profile.event);
  return recording.finish();
}

bool leaves_nothing(ExitCode code) { return code == kNothingReadable || code == kUsageError; }

ExitCode convert_to_file(const Format& format, const ConvertOptions& options, bool gzip) {
  OutputFile file(options.out);
  if (file.fd() < 0) return cannot_write(options.out, errno);
  Output to(file.fd());
  ConvertOutput out(to, gzip);
  const ExitCode code = convert(format, options, out);
  if (leaves_nothing(code)) return code;
  if (!out.finish()) return cannot_write(options.out, to.errno_value());
  return file.commit() ? code : cannot_write(options.out, errno);
}

}  // namespace

std::string format_by_name(const std::string& path) {
  std::string_view name = path;
  if (name.ends_with(".gz")) name.remove_suffix(3);
  for (const Format& format : kFormats)
    for (const std::string_view ending : format.endings)
      if (!ending.empty() && name.ends_with(ending)) return std::string(format.name);
  return "";
}

ExitCode run_convert(const ConvertOptions& options, Output& out) {
  const std::string name = options.format.empty() ? format_by_name(options.out) : options.format;
  const Format* format = find_format(name);
  if (format == nullptr && !options.format.empty())
    return refuse(options.format, "is no format" + meant(options.format) + "; there are " + format_names());
  if (format == nullptr)
    return refuse(options.out.empty() ? "convert" : options.out,
                  "its name does not tell the format: add --format with one of " + format_names());
  const bool gzip = format->make == make_pprof || options.out.ends_with(".gz");
  if (!options.out.empty() && options.out != "-") return convert_to_file(*format, options, gzip);
  if (options.out.empty() && (gzip || format->make == make_otlp) && out.is_terminal())
    return refuse(name, "is binary, and this is a terminal; -o FILE says where to, -o - that it is to be here");
  ConvertOutput to(out, gzip);
  const ExitCode code = convert(*format, options, to);
  if (!leaves_nothing(code)) to.finish();
  return code;
}

}  // namespace jrec
