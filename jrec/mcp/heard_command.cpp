// SPDX-License-Identifier: Apache-2.0
#include "jrec/mcp/heard_command.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "base/descriptor.h"
#include "jrec/base/columns.h"

namespace jrec {
namespace {

constexpr size_t kMostComplaints = 16 * 1024;

// Memory that holds no more than `limit` bytes: what is written behind that fails, as on a full disk.
base::Descriptor limited_memory(size_t limit) {
  base::Descriptor memory(::memfd_create("jrec-heard", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (memory.fd() < 0 || ::ftruncate(memory.fd(), static_cast<off_t>(limit)) != 0 ||
      ::fcntl(memory.fd(), F_ADD_SEALS, F_SEAL_GROW) != 0)
    return base::Descriptor();
  return memory;
}

std::string read_back(const base::Descriptor& memory) {
  const off_t end = ::lseek(memory.fd(), 0, SEEK_CUR);
  std::string text(static_cast<size_t>(std::max<off_t>(end, 0)), '\0');
  const ssize_t got = ::pread(memory.fd(), text.data(), text.size(), 0);
  text.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
  return text;
}

// What was cut inside of a character ends before it.
void end_with_a_character(std::string& text) {
  size_t tail = 0;  // bytes behind the last one that begins a character
  while (tail < text.size() && tail < 4 && !begins_character(text[text.size() - 1 - tail])) ++tail;
  if (tail < text.size() && static_cast<unsigned char>(text[text.size() - 1 - tail]) >= 0xc0)
    text.resize(text.size() - 1 - tail);
}

// Standard error goes there as long as it lives.
class StandardErrorInto {
 public:
  explicit StandardErrorInto(const base::Descriptor& memory) : before_(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)) {
    ::dup2(memory.fd(), STDERR_FILENO);
  }
  ~StandardErrorInto() {
    if (before_.fd() >= 0)
      ::dup2(before_.fd(), STDERR_FILENO);
    else
      ::close(STDERR_FILENO);
  }
  StandardErrorInto(const StandardErrorInto&) = delete;
  StandardErrorInto& operator=(const StandardErrorInto&) = delete;

 private:
  const base::Descriptor before_;
};

ExitCode run_guarded(const std::function<ExitCode(Output&)>& command, Output& out, std::string& thrown) {
  try {
    return command(out);
  } catch (const std::exception& error) {
    thrown = std::string("jrec: ") + error.what() + "\n";
    return kUsageError;
  }
}

}  // namespace

HeardCommand hear_command(const std::function<ExitCode(Output&)>& command) {
  HeardCommand heard;
  const base::Descriptor text = limited_memory(kMostText), complaints = limited_memory(kMostComplaints);
  if (text.fd() < 0 || complaints.fd() < 0) {
    heard.complaints = "jrec: no memory for the answer\n";
    return heard;
  }
  std::string thrown;
  {
    const StandardErrorInto meanwhile(complaints);
    Output out(text.fd());
    heard.code = run_guarded(command, out, thrown);
    heard.cut = !out.flush();
  }
  heard.text = read_back(text);
  if (heard.cut) end_with_a_character(heard.text);
  heard.complaints = read_back(complaints) + thrown;
  return heard;
}

}  // namespace jrec
