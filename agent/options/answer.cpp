// SPDX-License-Identifier: Apache-2.0
#include "agent/options/answer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

#include "base/file_io.h"

namespace rec::agent {
namespace {

const char* name_of(AgentCommand command) { return kCommandWords[static_cast<size_t>(command)]; }

// 1234567 -> "1,234,567"
std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string counted(uint64_t number, const char* what) {
  return grouped(number) + " " + what + (number == 1 ? "" : "s");
}

// number / 10^digits, by hand: printf would follow the application's locale.
std::string decimal(uint64_t number, unsigned digits) {
  std::string text = std::to_string(number);
  if (text.size() <= digits) text.insert(0, digits + 1 - text.size(), '0');
  return text.insert(text.size() - digits, ".");
}

std::string seconds(int64_t ns) { return decimal(static_cast<uint64_t>(ns / 1'000'000), 3); }
std::string megabytes(uint64_t bytes) { return decimal((bytes + 50'000) / 100'000, 1); }

// JSON escapes; bytes beyond ASCII stand for themselves.
std::string json_text(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    char code[8];
    if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else if (static_cast<unsigned char>(c) < 0x20)
      std::snprintf(code, sizeof code, "\\u%04x", c), out += code;
    else
      out += c;
  }
  return out + '"';
}

// One JSON object, member by member.
class Object {
 public:
  void add(const char* key, const std::string& value) {
    text_ += (text_.empty() ? "{\"" : ",\"") + std::string(key) + "\":" + value;
  }
  std::string whole() const { return text_ + "}"; }

 private:
  std::string text_;
};

void add_recording(const Answer& answer, Object& out) {
  out.add("name", json_text(answer.name));
  out.add("filename", json_text(answer.filename));
  out.add("repository", json_text(answer.repository));
  out.add("clock", json_text(answer.clock));
  out.add("clocks", json_text(answer.clocks));
  out.add("interval_ns", std::to_string(answer.interval_ns));
  out.add("ticks_per_cpu_s", std::to_string(answer.ticks_a_second));
  out.add("handler_ns", std::to_string(answer.handler_ns));
  out.add("duration_s", seconds(answer.duration_ns));
  out.add("samples", std::to_string(answer.samples));
  out.add("lost", std::to_string(answer.lost));
  out.add("chunks", std::to_string(answer.chunks));
  out.add("bytes", std::to_string(answer.bytes));
  out.add("trouble", json_text(answer.trouble));
}

bool is_for_answers(int fd) {
  struct stat about {};
  return fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid() && about.st_nlink == 1 &&
         about.st_size == 0 && (about.st_mode & 077) == 0;
}

bool write_file(const std::string& path, const std::string& text) {
  const int fd = open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return false;
  const bool written = is_for_answers(fd) && base::write_all(fd, text.data(), text.size());
  close(fd);
  return written;
}

}  // namespace

std::string Answer::samples_text() const {
  return counted(samples, "sample") + (samples == 0 ? " of CPU time, " : ", ") + grouped(lost) + " lost";
}

std::string Answer::line() const {
  if (!ok()) return error;
  if (!note.empty()) return note;
  if (!recording) return "not recording";
  std::string out = "recording since " + decimal(static_cast<uint64_t>(duration_ns / 100'000'000), 1) + " s" + " to " +
                    filename + ": " + samples_text() + ", " + counted(chunks, "chunk") + ", " + megabytes(bytes) +
                    " MB" + "; clocks " + clock;
  if (ticks_a_second != 0) out += ", " + grouped(ticks_a_second) + " ticks a CPU second";
  if (handler_ns != 0) out += " of " + decimal(static_cast<uint64_t>(handler_ns) / 100, 1) + " us each";
  if (!trouble.empty()) out += "; trouble: " + trouble;
  return out;
}

std::string Answer::json() const {
  Object out;
  out.add("ok", ok() ? "true" : "false");
  out.add("command", json_text(name_of(command)));
  out.add("pid", std::to_string(getpid()));
  out.add("recording", recording ? "true" : "false");
  if (recordings > 1) out.add("recordings", std::to_string(recordings));
  if (!filename.empty()) add_recording(*this, out);
  if (!ok()) out.add("error", json_text(error));
  out.add("version", json_text(REC_VERSION));
  return out.whole();
}

bool deliver(const Answer& answer, const std::string& path) {
  return write_file(path, answer.line() + "\n" + answer.json() + "\n");
}

}  // namespace rec::agent
