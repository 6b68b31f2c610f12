// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "jrec/http/http_client.h"

namespace jrec {

std::string words_of(const HttpAnswer& answer) {
  if (answer.status == 0) return answer.what;
  return fmt::format("HTTP {}{}{}{}{}", answer.status, answer.head.reason.empty() ? "" : " ", answer.head.reason,
                     answer.what.empty() ? "" : ": ", answer.what);
}

}  // namespace jrec
