// SPDX-License-Identifier: Apache-2.0
#include "base/secret_key.h"

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
    CHECK(is_secret_key(key));
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
    CHECK(!is_secret_key(key));
  }
}
