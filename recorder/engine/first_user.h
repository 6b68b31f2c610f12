// SPDX-License-Identifier: Apache-2.0
// FirstUser is who the process was when its recording began. One that gives up root later, as daemons do, still writes to
// the chunk that is open, by its descriptor, but may not make files beside it, nor read it to put a recording together.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <string>

#include "base/result.h"

namespace rec {

class FirstUser {
 public:
  // What was not permitted, and why, if the process has become somebody else; any other error as it is.
  base::Error explained(base::Error error, const std::string& repository) const;

 private:
  const uid_t user_ = geteuid();
};

}  // namespace rec
