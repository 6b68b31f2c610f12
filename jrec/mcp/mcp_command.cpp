// SPDX-License-Identifier: Apache-2.0
#include "jrec/mcp/mcp_command.h"

#include <unistd.h>

#include <cerrno>
#include <memory>
#include <optional>
#include <utility>

#include "jrec/base/colour.h"
#include "jrec/base/progress.h"
#include "jrec/input/recording.h"
#include "jrec/mcp/server.h"

namespace jrec {
namespace {

// The lines of a descriptor, one after the other. Of one that is too long nothing is kept but that it was.
class MessageLines {
 public:
  explicit MessageLines(int fd) : fd_(fd) {}

  struct Line {
    std::string text;
    bool too_long = false;
  };
  // Nothing at the end; a last line without an end is one.
  std::optional<Line> next() {
    Line line;
    for (;;) {
      const size_t end = buffer_.find('\n', at_);
      const std::string_view part = std::string_view(buffer_).substr(at_, end == std::string::npos ? end : end - at_);
      line.too_long = line.too_long || line.text.size() + part.size() > kLongestMessage;
      if (line.too_long)
        line.text.clear();
      else
        line.text += part;
      if (end != std::string::npos) return at_ = end + 1, line;
      if (!fill()) return line.text.empty() && !line.too_long ? std::nullopt : std::optional(line);
    }
  }

 private:
  bool fill() {
    buffer_.resize(kPiece);
    at_ = 0;
    ssize_t got = 0;
    while ((got = ::read(fd_, buffer_.data(), buffer_.size())) < 0 && errno == EINTR) {
    }
    buffer_.resize(got > 0 ? static_cast<size_t>(got) : 0);
    return got > 0;
  }

  static constexpr size_t kPiece = 64 * 1024;
  const int fd_;
  std::string buffer_;
  size_t at_ = 0;
};

bool is_blank(const std::string& line) { return line.find_first_not_of(" \t\r") == std::string::npos; }

}  // namespace

ExitCode run_mcp(const McpOptions& options, Output& out) {
  AllowedPaths allowed;
  for (const std::string& path : options.paths)
    if (const base::Status known = allowed.allow(path); !known) return complain("mcp", known.error()), kUsageError;
  show_progress(false);
  keep_colours_off();
  const McpServer server(std::move(allowed), JREC_VERSION);
  MessageLines lines(options.input);
  while (const auto line = lines.next()) {
    if (is_blank(line->text) && !line->too_long) continue;
    const std::optional<std::string> answer =
        line->too_long ? rpc_error({"null", kInvalidRequest, "a message may have 1 MiB at most"})
                       : server.answer(line->text);
    if (!answer) continue;
    out.text() += *answer + '\n';
    if (!out.flush()) return kOutputFailed;
  }
  return kDone;
}

void declare_mcp(CommandList& commands) {
  const auto options = std::make_shared<McpOptions>();
  Command mcp = commands.add("mcp", "Answers an assistant's questions, by the Model Context Protocol on standard input",
                             [options](Output& out) { return run_mcp(*options, out); });
  commands.keep_terminal("mcp");
  mcp.add_option("PATH", options->paths,
                 "recordings, archives and directories of them that may be read, and nothing else")
      .required()
      .type_name("PATH...");
}

}  // namespace jrec
