// SPDX-License-Identifier: Apache-2.0
#include "recorder/engine/first_user.h"

#include <cerrno>

namespace rec {

base::Error FirstUser::explained(base::Error error, const std::string& repository) const {
  const bool refused = error.errno_value == EACCES || error.errno_value == EPERM;
  if (!refused || geteuid() == user_) return error;
  error.what += "; the process has become user " + std::to_string(geteuid()) + ", and user " + std::to_string(user_) +
                " gets the recording by 'jrec recover " + repository + "' when it has ended";
  return error;
}

}  // namespace rec
