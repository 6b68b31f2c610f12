// SPDX-License-Identifier: Apache-2.0
// Where we may create files: what the names of a recording go through before anything is made under them.
//
// A directory is safe to create in when nobody but this user and root can put another thing in the place of ours:
//
//   owner   this user or root
//   mode    writable by nobody else; or sticky, as /tmp is; or writable by this process' own group, which is trusted;
//           or root's, since volumes of containers are mounted with 0777: who shares it can remove a recording then
//
// On the way to it, missing directories are made (0700, in safe ones only) and symbolic links are followed only if they
// belong to this user or root: those are the administrator's; one that somebody planted is refused. What was checked
// stays open, and files are made relative to it, so that nothing can be exchanged in between.
//
// Errors are sentences for the user. Recorder thread, or any ordinary one.
#pragma once

#include <string>

#include "base/descriptor.h"
#include "base/result.h"

namespace base {

// A name in a safe directory: what the *at calls take.
struct Place {
  Descriptor directory;  // O_PATH
  std::string name;      // the last component of path; never empty, "." or ".."
  std::string path;      // as it was given, for messages
};

Result<Place> open_place(const std::string& path);

// kUsage with the reason, if it is not safe to create in.
Status check_directory(int directory, const std::string& path);

// A new directory, 0700 whatever the umask, opened (O_RDONLY). Fails with EEXIST if anything is there, a dangling link
// too.
Result<Descriptor> make_private_directory(const Place& place);

// The parent is checked likewise.
Status make_private_directory(const std::string& path);

// A new file, 0600 whatever the umask, opened for reading and writing. Fails with EEXIST if anything is there.
Result<Descriptor> make_private_file(const Place& place);

// .NAME.<16 hex digits>.tmp: where what is to stand at `place` is written first. Nobody can have planted that name.
Result<Place> temporary_beside(const Place& place);

// There is nothing at the name, or a plain file: no link, no directory, no device and no pipe.
Status check_plain(const Place& place);

// Whether a recording can be put at `filename`, or beside a plain file that is there: the directory is safe, and a file
// can be made in it.
Status check_recording_place(const std::string& filename);

// Whether it can be put there when it is over: likewise, and we may replace the file that is there.
Status check_recording_name(const std::string& filename);

// 16 hexadecimal digits that nobody can foresee.
Result<std::string> random_digits();

}  // namespace base
