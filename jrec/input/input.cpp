// SPDX-License-Identifier: Apache-2.0
#include "jrec/input/input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/descriptor.h"
#include "format/reader/mapped_file.h"
#include "jrec/base/inputs.h"
#include "jrec/base/local_path.h"
#include "jrec/input/archive_input.h"
#include "jrec/input/of_today.h"
#include "jrec/input/open_archive.h"
#include "jrec/input/remote_recording.h"
#include "jrec/input/scratch_copy.h"

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;
using base::system_error;
using jfr::read::MappedFile;
using jfr::read::Problems;

// A file, or what became one.
class FileInput : public Input {
 public:
  explicit FileInput(MappedFile file) : file_(std::move(file)) {}

  uint64_t size() const override { return file_.bytes().size(); }
  size_t stretches() const override { return 1; }
  Outline outline(size_t) const override { return {0, size(), false, 0, 0}; }
  RecordingSpan span() const override { return span_of(file_); }
  Result<Stretch> read(size_t) override { return Stretch{0, file_.bytes(), nullptr}; }
  bool restores() const override { return false; }
  void let_go(uint64_t offset, uint64_t bytes) override { file_.let_go(offset, bytes); }

 private:
  const MappedFile file_;
};

using Opened = Result<std::unique_ptr<Input>>;

Opened file_input(Result<MappedFile>&& file) {
  if (!file) return file.error();
  return std::unique_ptr<Input>(std::make_unique<FileInput>(std::move(*file)));
}

Opened chosen_of(Opened input, const TimeChoice& choose, TimeRange& range) {
  if (!input || !choose.chooses()) return input;
  const Result<TimeRange> chosen = choose.choose((*input)->span());
  if (!chosen) return chosen.error();
  range = *chosen;
  return input;
}

// Times of members that become others are known when they have become so.
Opened open_archive(const ArchivePlace& place, Problems& problems, const TimeChoice& choose, TimeRange& range) {
  Result<std::unique_ptr<MembersInput>> members = MembersInput::open(place, problems);
  if (!members) return members.error();
  MembersInput& input = **members;
  input.read_again_later(true);
  const bool others = has_other_parts(input);
  input.read_again_later(false);
  const Status chosen = others ? base::Done{} : input.choose(choose, range);
  if (!chosen) return chosen.error();
  input.limit(problems);
  if (others) return chosen_of(file_input(members_of_today(input, problems)), choose, range);
  if (const auto failure = input.failure()) return *failure;
  return std::unique_ptr<Input>(std::move(*members));
}

Opened open_remote(const std::string& path, Problems& problems, const TimeChoice& choose, TimeRange& range) {
  if (names_archive(path)) return open_archive({path, "*"}, problems, choose, range);
  const Result<RemoteCopy> copy = copy_remote(path, problems);
  if (!copy) return copy.error();
  if (copy->is_archive) return open_archive({path, "*"}, problems, choose, range);
  return chosen_of(file_input(file_of_today(copy->file.fd(), problems)), choose, range);
}

// A number that names no file is most likely a process.
Error why_not_opened(const std::string& path) {
  const bool is_number = !path.empty() && path.find_first_not_of("0123456789") == std::string::npos;
  if (errno != ENOENT || !is_number) return system_error("cannot open");
  return Error{
      ErrorCode::kUsage, 0,
      "is no file; of a process that records jrec open and jrec top show what it does, and jrec dump writes a file; "
      "jrec start begins that"};
}

Opened open_any(const std::string& path, Problems& problems, const TimeChoice& choose, TimeRange& range) {
  if (const auto place = archive_place(path)) return open_archive(*place, problems, choose, range);
  if (is_remote(path)) return open_remote(path, problems, choose, range);
  if (const Status local = check_local(path); !local) return local.error();
  base::Descriptor opened;
  if (path != "-") opened = base::Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const int fd = path == "-" ? STDIN_FILENO : opened.fd();
  if (fd < 0) return why_not_opened(path);
  struct stat status {};
  if (::fstat(fd, &status) != 0) return system_error("cannot stat");
  note_input(status);
  if (S_ISDIR(status.st_mode))
    return Error{ErrorCode::kUsage, 0,
                 "is a directory; DIR/*.jfr are the recordings in it, and jrec recover makes one of a chunk directory"};
  if (holds_archive(fd)) return open_archive({path, "*"}, problems, choose, range);
  Result<MappedFile> file =
      S_ISREG(status.st_mode) ? file_of_today(fd, problems) : file_of_today(copy_to_scratch(fd, problems), problems);
  return chosen_of(file_input(std::move(file)), choose, range);
}

}  // namespace

InputLimits& input_limits() {
  static InputLimits limits;
  return limits;
}

Opened Input::open(const std::string& path, Problems& problems, const TimeChoice& choose, TimeRange& range) {
  return open_any(path, problems, choose, range);
}

Opened Input::open(const std::string& path, Problems& problems) {
  TimeRange all;
  return open_any(path, problems, {}, all);
}

}  // namespace jrec
