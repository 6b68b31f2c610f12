// SPDX-License-Identifier: Apache-2.0
// NewFile is a file that appears under its name whole, or not at all.
//
//   make()  ->  .NAME.<16 hex digits>.tmp, beside the name, 0600   --commit()-->   NAME
//                     written through fd()
//                     |
//                     +-- the object goes without a commit(): the temporary goes with it
//
// A process that is killed meanwhile leaves the temporary behind. Errors are sentences for the user that name the path
// as it was given. Not signal-safe: allocates.
#pragma once

#include <string>

#include "base/descriptor.h"
#include "base/private_directory.h"
#include "base/result.h"

namespace base {

// A file gets another name at one instant. over: whatever stands there goes; else false, and errno is EEXIST.
bool rename_to(int from_directory, const std::string& from, int directory, const std::string& to, bool over);

class NewFile {
 public:
  static Result<NewFile> make(const std::string& path);  // in whatever directory the path leads to
  static Result<NewFile> make(Place place);              // in one that was checked
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();

  int fd() const { return file_.fd(); }
  const Place& place() const { return place_; }
  std::string temporary_path() const;  // for whoever has to remove it when the process is told to end

  // What is written lasts through a power cut, once the name does.
  Status sync() const;

  // What stands at the name: kNothing is replaced, kEmpty an empty file too, kAnything any file. kUsage if there is more
  // than that; devices, pipes and directories always stay. Call it once.
  enum class Replaces { kNothing, kEmpty, kAnything };
  Status commit(Replaces replaces);
  // The same, and where more stands at the name: under the first of NAME-2, NAME-3, ... that is free, at one instant
  // whoever else does so. The path that it has now. kLimit: kMostNumbers are taken.
  Result<std::string> commit_beside(Replaces replaces);

 private:
  NewFile(Place place, std::string temporary, Descriptor file);

  // Invariant: temporary_ is empty or names a file that is ours to remove.
  Place place_;
  std::string temporary_;  // in place_'s directory
  Descriptor file_;
};

// a/app.jfr, 2 -> a/app-2.jfr; a/app, 2 -> a/app-2.
std::string numbered(const std::string& path, unsigned number);
inline constexpr unsigned kMostNumbers = 10'000;

// Gives a file in `directory` (a descriptor) the first free name, as commit_beside() does; `from` is relative to
// from_directory. The path it has now.
Result<std::string> rename_beside(int from_directory, const std::string& from, const Place& to,
                                  NewFile::Replaces replaces);

// The name, too, lasts through a power cut; best effort.
void sync_directory(const Place& place);

}  // namespace base
