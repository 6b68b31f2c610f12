// SPDX-License-Identifier: Apache-2.0
#include "base/redact.h"

#include <doctest/doctest.h>

using namespace base;

TEST_CASE("a secret property loses its value, others keep theirs") {
  CHECK(redact_property("db.password", "hunter2") == "[redacted]");
  CHECK(redact_property("java.home", "/usr/lib/jvm") == "/usr/lib/jvm");
  CHECK(redact_property("sun.java.command", "app.jar --token abc -v run") == "app.jar --token [redacted] -v run");
}

TEST_CASE("secrets inside a value go, the rest of it stays") {
  CHECK(redact_property("jdbc.url", "jdbc:pg://joe:hunter2@db:5432/x?ssl=true") ==
        "jdbc:pg://joe:[redacted]@db:5432/x?ssl=true");
  CHECK(redact_property("jdbc.url", "jdbc:pg://db/x?user=joe&password=hunter2&ssl=true") ==
        "jdbc:pg://db/x?user=joe&password=[redacted]&ssl=true");
  CHECK(redact_property("url", "http://db:5432/x") == "http://db:5432/x");
  CHECK(redact_property("url", "http://host:80/a@b") == "http://host:80/a@b");
}

TEST_CASE("what lets somebody in behind Authorization goes from any text, by its scheme") {
  const auto inside = [](std::string_view text) { return redact_property("message", text); };
  CHECK(inside("sent Authorization: Bearer abc.d-e, and waited") ==
        "sent Authorization: Bearer [redacted], and waited");
  CHECK(inside("proxy-authorization:basic am9l\nHost: x") == "proxy-authorization:basic [redacted]\nHost: x");
  CHECK(inside("{authorization=[Bearer abc], host=[x]}") == "{authorization=[Bearer [redacted]], host=[x]}");
  CHECK(inside("{\"Authorization\": \"Bearer abc\"}") == "{\"Authorization\": \"Bearer [redacted]\"}");
  CHECK(inside("Authorization: Bearer ") == "Authorization: Bearer [redacted]");
  for (const char* harmless : {"Authorization: denied to joe", "Bearer of good news", "the Bearer token is missing",
                               "Authorization:", "authorization", ": Bearer of news"})
    CHECK(inside(harmless) == harmless);
}

TEST_CASE("an address is told without who it lets in, wherever it stands in a text") {
  CHECK(redact_userinfo("https://joe:hunter2@host/x") == "https://[redacted]@host/x");
  CHECK(redact_userinfo("no 'http://joe@host' or http://a:b/c@d@e:1/f here") ==
        "no 'http://[redacted]@host' or http://[redacted]@e:1/f here");
  CHECK(redact_userinfo("http://host/x and a@b") == "http://host/x and a@b");
  CHECK(redact_userinfo("https://host/x.jfr?X-Amz-Signature=1f&b: no") == "https://host/x.jfr?[redacted] no");
  CHECK(redact_userinfo("https://a:b@host/x?c=d and http://e?") ==
        "https://[redacted]@host/x?[redacted] and http://e?");
  CHECK(redact_userinfo("://") == "://");
  CHECK(redact_userinfo("") == "");
}
