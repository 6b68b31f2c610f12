// SPDX-License-Identifier: Apache-2.0
#include "base/redact.h"

#include <doctest/doctest.h>

using namespace base;

TEST_CASE("keys that name a secret are secret, however they are written") {
  for (const char* key : {"password",
                          "db.password",
                          "DB_PASSWORD",
                          "javax.net.ssl.keyStorePassword",
                          "dbpassword",
                          "passwd",
                          "spring.pwd",
                          "client-secret",
                          "clientSecret",
                          "CLIENT_SECRETS",
                          "token",
                          "accessToken",
                          "access_token",
                          "githubtoken",
                          "api-key",
                          "api_key",
                          "apikey",
                          "API_KEY",
                          "X-API-Key",
                          "apiKey",
                          "aws.secretAccessKey",
                          "credential",
                          "credentials",
                          "private key",
                          "private_key",
                          "privateKey",
                          "ssh.key",
                          "http.auth",
                          "proxy-auth",
                          "authKey",
                          "authorization",
                          "session",
                          "session.id",
                          "JSESSIONID.session",
                          "sessionid",
                          "jwt",
                          "cookie",
                          "db.pass",
                          "passphrase"}) {
    INFO(key);
    CHECK(base::is_secret_key(key));
  }
}

TEST_CASE("keys that only look like it are not") {
  for (const char* key : {"java.security.policy",
                          "author",
                          "authority",
                          "java.security.auth.login.config",
                          "bypass",
                          "compass.direction",
                          "session.timeout",
                          "tokenizer",
                          "keystore",
                          "javax.net.ssl.keyStore",
                          "key",
                          "primary.key",
                          "monkey",
                          "java.home",
                          "user.dir",
                          "path.separator",
                          "secretary",
                          "passenger.count",
                          "",
                          "...",
                          "sort.key",
                          "keyboard"}) {
    INFO(key);
    CHECK(!base::is_secret_key(key));
  }
}

TEST_CASE("a secret property loses its value, others keep theirs") {
  CHECK(base::redact_property("db.password", "hunter2") == "[redacted]");
  CHECK(base::redact_property("java.home", "/usr/lib/jvm") == "/usr/lib/jvm");
  CHECK(base::redact_property("sun.java.command", "app.jar --token abc run") == "app.jar --token [redacted] run");
}

TEST_CASE("secrets inside a value go, the rest of it stays") {
  CHECK(base::redact_property("jdbc.url", "jdbc:pg://joe:hunter2@db:5432/x?ssl=true") ==
        "jdbc:pg://joe:[redacted]@db:5432/x?ssl=true");
  CHECK(base::redact_property("jdbc.url", "jdbc:pg://db/x?user=joe&password=hunter2&ssl=true") ==
        "jdbc:pg://db/x?user=joe&password=[redacted]&ssl=true");
  CHECK(base::redact_property("url", "http://db:5432/x") == "http://db:5432/x");
  CHECK(base::redact_property("url", "http://host:80/a@b") == "http://host:80/a@b");
}

TEST_CASE("arguments keep their keys and lose their secrets") {
  CHECK(base::redact_arguments("-Ddb.password=hunter2 -Xmx1g") == "-Ddb.password=[redacted] -Xmx1g");
  CHECK(base::redact_arguments("java -jar app.jar --token=abc in.txt") ==
        "java -jar app.jar --token=[redacted] in.txt");
  CHECK(base::redact_arguments("app --token abc in.txt") == "app --token [redacted] in.txt");
  CHECK(base::redact_arguments("app -u joe -p hunter2 in.txt") == "app -u joe -p [redacted] in.txt");
  CHECK(base::redact_arguments("app -p --verbose in.txt") == "app -p --verbose in.txt");
  CHECK(base::redact_arguments("-p mods -Xmx1g", base::ArgumentKind::kJvm) == "-p mods -Xmx1g");  // its modules
  CHECK(base::redact_arguments("app password=abc user=joe") == "app password=[redacted] user=joe");
  CHECK(base::redact_arguments("--no-auth --verbose x") == "--no-auth --verbose x");
  CHECK(base::redact_arguments("-javaagent:a.jar=host=h,password=abc,port=1") ==
        "-javaagent:a.jar=host=h,password=[redacted],port=1");
  CHECK(base::redact_arguments("") == "");
  CHECK(base::redact_arguments("  a  b ") == "  a  b ");
}

TEST_CASE("a quoted secret goes whole") {
  CHECK(base::redact_arguments("--password=\"two words\" next") == "--password=[redacted] next");
  CHECK(base::redact_arguments("--password='two words' next") == "--password=[redacted] next");
}

TEST_CASE("a header's scheme and its token both go") {
  CHECK(base::redact_arguments("curl Authorization: Bearer abc next") ==
        "curl Authorization: [redacted] [redacted] next");
  CHECK(base::redact_arguments("run Bearer abc next") == "run Bearer [redacted] next");
}

TEST_CASE("what lets somebody in behind Authorization goes from any text, by its scheme") {
  const auto inside = [](std::string_view text) { return base::redact_property("message", text); };
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

TEST_CASE("an option's secret behind a colon goes") {
  CHECK(base::redact_arguments("app --passwd:hunter2 -token:a=b in.txt") ==
        "app --passwd:[redacted] -token:[redacted] in.txt");
  for (const char* harmless : {"-javaagent:/opt/token.jar", "-Xlog:gc*:file=token.log", "-XX:OnError=x",
                               "--passwd:", "password:x", "-cp a:token:b"})
    CHECK(base::redact_arguments(harmless) == harmless);
}

TEST_CASE("a JVM argument's secret reaches up to the next argument") {
  CHECK(base::redact_arguments("-Ddb.password=two words -Xmx1g", base::ArgumentKind::kJvm) ==
        "-Ddb.password=[redacted] -Xmx1g");
  CHECK(base::redact_arguments("-Da=b c -Xmx1g", base::ArgumentKind::kJvm) == "-Da=b c -Xmx1g");
}

TEST_CASE("damage: an open quote or a bare equals sign does no harm") {
  CHECK(base::redact_arguments("--password=\"two words") == "--password=[redacted]");
  CHECK(base::redact_arguments("=") == "=");
  CHECK(base::redact_arguments("--password=") == "--password=[redacted]");
  CHECK(base::redact_arguments("-Dx=://:@") == "-Dx=://:@");
}

TEST_CASE("an address is told without who it lets in, wherever it stands in a text") {
  CHECK(base::redact_userinfo("https://joe:hunter2@host/x") == "https://[redacted]@host/x");
  CHECK(base::redact_userinfo("no 'http://joe@host' or http://a:b/c@d@e:1/f here") ==
        "no 'http://[redacted]@host' or http://[redacted]@e:1/f here");
  CHECK(base::redact_userinfo("http://host/x and a@b") == "http://host/x and a@b");
  CHECK(base::redact_userinfo("https://host/x.jfr?X-Amz-Signature=1f&b: no") == "https://host/x.jfr?[redacted] no");
  CHECK(base::redact_userinfo("https://a:b@host/x?c=d and http://e?") ==
        "https://[redacted]@host/x?[redacted] and http://e?");
  CHECK(base::redact_userinfo("://") == "://");
  CHECK(base::redact_userinfo("") == "");
}
