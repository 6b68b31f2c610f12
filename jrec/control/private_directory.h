// SPDX-License-Identifier: Apache-2.0
// PrivateDirectory is a directory /tmp/rec-RANDOM in a JVM's file tree, 0700 and the JVM user's, made by us to hand a
// file over. It and the files named in it go with the object, unless keep() was said.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"
#include "jrec/base/interrupt.h"
#include "jrec/control/jvm_process.h"
#include "jrec/control/target_root.h"

namespace jrec {

class PrivateDirectory {
 public:
  // file: the name of the one file that will be in it.
  static base::Result<PrivateDirectory> make(const JvmProcess& process, const TargetRoot& root, std::string file);
  ~PrivateDirectory();
  PrivateDirectory(PrivateDirectory&& other) noexcept = default;
  PrivateDirectory& operator=(PrivateDirectory&&) = delete;

  std::string path() const { return "/tmp/" + name_ + "/" + file_; }  // of the file, as the JVM sees it
  void keep();

  // Copies a file of ours in: 0500, the JVM user's.
  base::Status put(const JvmProcess& process, const std::string& from) const;

  // Copies the file that the JVM has written to a file of ours. It must be the JVM user's, regular, with one link.
  base::Status fetch(const JvmProcess& process, const std::string& to) const;
  // The same, and where another file stands it gets a number, app-2.jfr, as the agent's recordings do. The path it has.
  base::Result<std::string> fetch_beside(const JvmProcess& process, const std::string& to) const;

  // The bytes of such a file. They are the JVM's: not to be trusted, nor to be printed as they are.
  static constexpr uint64_t kLongestText = 1u << 30;
  base::Result<std::string> read(const JvmProcess& process) const;

 private:
  PrivateDirectory() = default;
  base::Result<base::Descriptor> open_written(const JvmProcess& process, uint64_t& size) const;

  base::Descriptor tmp_;
  base::Descriptor directory_;
  std::string name_;
  std::string file_;
  std::unique_ptr<InTheMaking> file_in_the_making_, in_the_making_;
  bool name_kept_ = false;
};

}  // namespace jrec
