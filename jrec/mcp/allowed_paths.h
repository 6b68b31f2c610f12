// SPDX-License-Identifier: Apache-2.0
// AllowedPaths is what of the file system an assistant may read: files and directories that were named when the server was
// started, with all that is in these.
//
//   /data/recordings      app.jfr, old/app.jfr, shop.recz, shop.recz:monday.jfr         relative to it, or absolute
//
// A name means a file that was named itself rather than one in a directory. One that means several files is refused with
// the paths of all.
//
// A path is taken as the kernel resolves it: a link, or .., that leads out is refused. What is refused is told apart from
// what is not there for files inside only, so nobody learns what there is elsewhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace jrec {

class AllowedPaths {
 public:
  // kUsage, or kSystem: there is no such file or directory.
  base::Status allow(const std::string& path);

  // The path to open, without links. kUsage: it may not be read, is not there, or is one of several.
  base::Result<std::string> resolve(const std::string& asked) const;

  struct File {
    std::string path;
    uint64_t size = 0;
  };
  // Recordings and archives by their names, *.jfr and *.recz, wrapped or not; each once, at most `most`, in the order of names.
  std::vector<File> recordings(size_t most) const;

 private:
  bool holds(const std::string& real) const;
  bool was_named(const std::string& real) const;
  std::optional<std::string> readable(const std::string& path) const;
  std::vector<std::string> meant_by(const std::string& asked) const;

  std::vector<std::string> files_, directories_;  // real paths
};

}  // namespace jrec
