// SPDX-License-Identifier: Apache-2.0
#include "jrec/control/answer_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/small_file.h"

namespace jrec {
namespace {

// Without recursion: the depth of what we read is somebody else's choice.
bool parse_object(const std::string& text, rapidjson::Document& json) {
  json.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag>(text.data(), text.size());
  return !json.HasParseError() && json.IsObject();
}

// A member that holds others would be written by recursion. Ours hold none.
bool is_flat(const rapidjson::Document& json) {
  for (const auto& member : json.GetObject()) {
    if (member.value.IsObject() || member.value.IsArray()) return false;
  }
  return true;
}

std::string written(const rapidjson::Document& json) {
  rapidjson::StringBuffer out;
  rapidjson::Writer<rapidjson::StringBuffer> writer(out);
  json.Accept(writer);
  return std::string(out.GetString(), out.GetSize());
}

template <typename Make>
std::string with_value(const std::string& text, const std::string& key, Make make) {
  rapidjson::Document json;
  if (!parse_object(text, json)) return text;
  auto& memory = json.GetAllocator();
  const auto at = json.FindMember(key.c_str());
  if (at != json.MemberEnd())
    at->value = make(memory);
  else
    json.AddMember(rapidjson::Value(key.c_str(), memory), make(memory), memory);
  return written(json);
}

}  // namespace

std::optional<AgentAnswer> parse_answer(const std::string& text) {
  const size_t first_end = text.find('\n');
  if (first_end == std::string::npos || first_end == 0) return std::nullopt;
  std::string second = text.substr(first_end + 1);
  if (second.ends_with('\n')) second.pop_back();
  rapidjson::Document json;
  if (!parse_object(second, json) || !is_flat(json)) return std::nullopt;
  const auto ok = json.FindMember("ok");
  if (ok == json.MemberEnd() || !ok->value.IsBool()) return std::nullopt;
  return AgentAnswer{ok->value.GetBool(), text.substr(0, first_end), written(json), {}};
}

std::string with_pid(const std::string& text, pid_t pid) {
  return with_value(text, "pid", [pid](auto&) { return rapidjson::Value(pid); });
}

std::string with_member(const std::string& text, const std::string& key, const std::string& value) {
  return with_value(text, key, [&](auto& memory) { return rapidjson::Value(value.c_str(), memory); });
}

base::Result<AnswerFile> AnswerFile::make(const JvmProcess& process, const TargetRoot& root) {
  AnswerFile answer;
  const std::string name = random_name(fmt::format("rec-answer-{}-", ::getpid()));
  answer.directory_ = base::Descriptor(::openat(root.tmp(), ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
  const int flags = O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW | O_CLOEXEC;
  if (!name.empty()) answer.file_ = base::Descriptor(::openat(root.tmp(), name.c_str(), flags, 0600));
  if (answer.file_) answer.name_ = name;
  if (answer.file_) answer.in_the_making_ = std::make_unique<InTheMaking>(path_in(answer.directory_.fd(), name));
  if (!answer.file_ || ::fchmod(answer.file_.fd(), 0600) != 0 || !give_to(process, answer.file_.fd()))
    return base::Error{base::ErrorCode::kSystem, 0,
                       fmt::format("cannot make a file for the answer in its /tmp: {}", std::strerror(errno)), errno};
  return answer;
}

AnswerFile::~AnswerFile() {
  if (directory_ && !name_.empty()) ::unlinkat(directory_.fd(), name_.c_str(), 0);
}

// The agent writes into this very file, so it is read through our own descriptor.
std::optional<AgentAnswer> AnswerFile::read() const {
  if (::lseek(file_.fd(), 0, SEEK_SET) != 0) return std::nullopt;
  const auto text = base::read_rest(file_.fd(), kLongest);
  return text ? parse_answer(*text) : std::nullopt;
}

}  // namespace jrec
