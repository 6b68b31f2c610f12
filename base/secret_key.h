// SPDX-License-Identifier: Apache-2.0
// Which names say that what stands behind them is secret.
#pragma once

#include <cstddef>
#include <string_view>

namespace base {

// By whole words, so that `password`, `db-password`, `keyStorePassword`, `API_KEY` are, and `author` and
// `java.security.policy` are not.
bool is_secret_key(std::string_view key);

// The key that ends right before `end`: db.password of "-Ddb.password=x", where the sign stands.
std::string_view key_before(std::string_view text, size_t end);

}  // namespace base
