// SPDX-License-Identifier: Apache-2.0
#include "base/redact_arguments.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace base;

namespace {

constexpr ArgumentKind kJvm = ArgumentKind::kJvm;

using Arguments = std::vector<std::string>;

std::string each(const Arguments& arguments, ArgumentKind kind = ArgumentKind::kProgram) {
  return redact_each(arguments, kind);
}

}  // namespace

TEST_CASE("arguments keep their keys and lose their secrets") {
  CHECK(redact_arguments("-Ddb.password=hunter2 -Xmx1g") == "-Ddb.password=[redacted] -Xmx1g");
  CHECK(redact_arguments("java -jar app.jar --token=abc -v in.txt") ==
        "java -jar app.jar --token=[redacted] -v in.txt");
  CHECK(redact_arguments("app in.txt --token abc") == "app in.txt --token [redacted]");
  CHECK(redact_arguments("app -u joe -p hunter2 -v") == "app -u joe -p [redacted] -v");
  CHECK(redact_arguments("app -p --verbose in.txt") == "app -p --verbose in.txt");
  CHECK(redact_arguments("-p mods -Xmx1g", kJvm) == "-p mods -Xmx1g");  // its modules
  CHECK(redact_arguments("app user=joe password=abc") == "app user=joe password=[redacted]");
  CHECK(redact_arguments("--no-auth --verbose x") == "--no-auth --verbose x");
  CHECK(redact_arguments("-javaagent:a.jar=host=h,password=abc,port=1 in.txt") ==
        "-javaagent:a.jar=host=h,password=[redacted],port=1 in.txt");
  CHECK(redact_arguments("") == "");
  CHECK(redact_arguments("  a  b ") == "  a  b ");
}

TEST_CASE("a secret of several words goes up to the next option, for nobody sees where it ends") {
  CHECK(redact_arguments("Q --password correct HORSE --token=x BATTERY --secret=q STAPLE --passwd:a COLON -v b") ==
        "Q --password [redacted] --token=[redacted] --secret=[redacted] --passwd:[redacted] -v b");
  CHECK(redact_arguments("java -Ddb.password=p PROPW -cp . Q in.txt") ==
        "java -Ddb.password=[redacted] -cp . Q in.txt");
  CHECK(redact_arguments("app --url=jdbc:x://db?password=two words&ssl=true  in.txt -v") ==
        "app --url=jdbc:x://db?password=[redacted] -v");
  CHECK(redact_arguments("app -p two  words ") == "app -p [redacted]");
  CHECK(redact_arguments("app --url=jdbc:x://joe:hunter2@db in.txt") == "app --url=jdbc:x://joe:[redacted]@db in.txt");
  CHECK(redact_arguments("app --token [redacted] HORSE -v") == "app --token [redacted] -v");
}

TEST_CASE("of arguments that are known apart no more goes than the secrets") {
  CHECK(each({"Q", "--password", "correct HORSE", "in.txt", "--token=x -BATTERY", "b", "--passwd:a COLON", "c"}) ==
        "Q --password [redacted] in.txt --token=[redacted] b --passwd:[redacted] c");
  CHECK(each({"--url=jdbc:x://db?password=two words&x", "c"}) == "--url=jdbc:x://db?password=[redacted] c");
  CHECK(each({"-H", "X-Auth-Token: a b", "c"}) == "-H X-Auth-Token: [redacted] c");
  CHECK(each({"-H", "Authorization:", "Bearer", "abc", "c"}) == "-H Authorization: [redacted] [redacted] c");
  CHECK(each({"-c", "run --token a b", "c", ""}) == "-c run --token [redacted] c ");
  CHECK(each({"-Ddb.password=p PROPW", "-p", "my mods", "-Da=b c"}, kJvm) ==
        "-Ddb.password=[redacted] -p my mods -Da=b c");
  CHECK(each({}) == "");
}

TEST_CASE("a command line is taken apart as the process' arguments are, where it is made of them") {
  const Arguments process = {"java", "-cp", ".", "Q", "--password", "correct HORSE", "", "in.txt"};
  CHECK(redact_arguments("Q --password correct HORSE  in.txt", process) == "Q --password [redacted]  in.txt");
  CHECK(redact_arguments("Other --password correct HORSE  in.txt", process) == "Other --password [redacted]");
  CHECK(redact_arguments("Q --password two HORSES in.txt", Arguments{"java", "@arguments", "in.txt"}) ==
        "Q --password [redacted]");
  CHECK(redact_arguments("ATQ in.txt", Arguments{"Q", "in.txt"}) == "ATQ in.txt");
  CHECK(redact_arguments("", process) == "");
  CHECK(redact_arguments("Q --token a b", Arguments()) == "Q --token [redacted]");
}

TEST_CASE("a quoted secret goes whole") {
  CHECK(redact_arguments("--password=\"two words\" next") == "--password=[redacted] next");
  CHECK(redact_arguments("--password='two -words' next") == "--password=[redacted] next");
  CHECK(redact_arguments("--password='two'words next") == "--password=[redacted]");
  CHECK(redact_arguments("'-Ddb.password=two words' -Xmx1g", kJvm) == "'-Ddb.password=[redacted] -Xmx1g");
}

TEST_CASE("a header's scheme and its token both go") {
  CHECK(redact_arguments("curl Authorization: Bearer abc -v") == "curl Authorization: [redacted] -v");
  CHECK(redact_arguments("run Bearer abc -v") == "run Bearer [redacted] -v");
}

TEST_CASE("an option's secret behind a colon goes") {
  CHECK(redact_arguments("app --passwd:hunter2 -token:a=b") == "app --passwd:[redacted] -token:[redacted]");
  for (const char* harmless : {"-javaagent:/opt/token.jar", "-Xlog:gc*:file=token.log", "-XX:OnError=x",
                               "--passwd:", "password:x", "-cp a:token:b"})
    CHECK(redact_arguments(harmless) == harmless);
}

TEST_CASE("a secret inside an argument goes by its own key") {
  CHECK(each({"-Dopts=--password HORSE -x"}, kJvm) == "-Dopts=--password [redacted] -x");
  CHECK(redact_arguments("-Dopts=--password HORSE -x", kJvm) == "-Dopts=--password [redacted] -x");
  CHECK(each({"-agentpath:a.so=file=b,run=\"curl --token abc\",level=info"}, kJvm) ==
        "-agentpath:a.so=file=b,run=\"curl --token [redacted]\",level=info");
  CHECK(each({"-agentpath:a.so=run=\"curl -s x\",password=abc"}, kJvm) ==
        "-agentpath:a.so=run=\"curl -s x\",password=[redacted]");
  CHECK(each({"{\"user\":\"joe\",\"password\":\"HORSE\"}"}) == "{\"user\":\"joe\",\"password\":[redacted]}");
  CHECK(each({"{\"password\":\"a b\", \"user\":\"joe\"}"}).find("a b") == std::string::npos);
  CHECK(each({"-Dmode=--verbose", "in.txt"}, kJvm) == "-Dmode=--verbose in.txt");
}

TEST_CASE("a JVM argument's secret reaches up to the next argument") {
  CHECK(redact_arguments("-Ddb.password=two  words -Xmx1g", kJvm) == "-Ddb.password=[redacted] -Xmx1g");
  CHECK(redact_arguments("-javaagent:a.jar=host=h,password=two words,port=1 -Xmx1g", kJvm) ==
        "-javaagent:a.jar=host=h,password=[redacted] -Xmx1g");
  CHECK(redact_arguments(" -Da=b c  -Xmx1g ", kJvm) == " -Da=b c  -Xmx1g ");
}

TEST_CASE("damage: an open quote or a bare equals sign does no harm") {
  CHECK(redact_arguments("--password=\"two words") == "--password=[redacted]");
  CHECK(redact_arguments("=") == "=");
  CHECK(redact_arguments("--password=") == "--password=[redacted]");
  CHECK(redact_arguments("-Dx=://:@") == "-Dx=://:@");
  CHECK(redact_arguments("a=\"") == "a=\"");
  CHECK(redact_arguments("a=\"b --token c") == "a=\"b --token [redacted]");
  CHECK(redact_arguments("\"password\":") == "\"password\":");
}
