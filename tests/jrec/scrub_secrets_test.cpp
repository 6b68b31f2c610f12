// SPDX-License-Identifier: Apache-2.0
// Where `jrec scrub --secrets` finds secrets: wherever a text is.
#include <doctest/doctest.h>

#include <string>

#include "tests/jrec/files.h"

using namespace jrec;
using namespace test;

namespace {

void add_text(Bytes& fields, const std::string& text) {
  fields.push_back(3);
  fields.push_back(static_cast<uint8_t>(text.size()));
  fields.insert(fields.end(), text.begin(), text.end());
}

std::string without_secrets(const Workplace& place, const Bytes& recording) {
  RewriteOptions options = scrub_of(place, recording);
  options.secrets = true;
  CHECK(rewritten(place, options) == kDone);
  CHECK(has(verified(place, options.out).text, "no problem"));
  return place.read("out.jfr");
}

}  // namespace

TEST_CASE("scrub --secrets replaces secrets in the texts of constants, and leaves the others as they are") {
  const Workplace place;
  const Bytes recording = RecordingBuilder()
                              .frame_type(1, "worker apikey=hunter2")
                              .simple_stack(1, "app/Orders", "parse")
                              .sample(1500, 1)
                              .bytes();
  const std::string out = without_secrets(place, recording);
  CHECK_FALSE(has(out, "hunter2"));
  CHECK(has(out, "worker apikey=[redacted]"));
  CHECK(has(out, "app/Orders"));
  CHECK(collapsed(place, place.path("out.jfr")) == collapsed(place, place.path("in.jfr")));
}

TEST_CASE("scrub --secrets replaces secrets in texts that lie deeper in an event") {
  using Builder = RecordingBuilder;
  const Workplace place;
  const Builder::EventType job = {
      Builder::kMore,
      "app.Job",
      {{"startTime", Builder::kLong}, {"worker", Builder::kThread}, {"words", Builder::kString, false, true}}};
  Bytes fields;
  Builder::leb(fields, 1500);
  add_text(fields, "worker token=hunter2");
  Builder::leb(fields, 7);  // its id
  Builder::leb(fields, 2);
  add_text(fields, "GET /, Authorization: Bearer hunter3");
  add_text(fields, "harmless");
  const std::string out = without_secrets(place, Builder({job}).other(Builder::kMore, fields).bytes());
  CHECK_FALSE(has(out, "hunter"));
  CHECK(has(out, "worker token=[redacted]"));
  CHECK(has(out, "GET /, Authorization: Bearer [redacted]"));
  CHECK(has(out, "harmless"));
}

TEST_CASE("scrub --secrets leaves no word of a secret that has several in arguments and command lines") {
  using Builder = RecordingBuilder;
  const Workplace place;
  const Builder::EventType jvm = {Builder::kMore,
                                  "jdk.JVMInformation",
                                  {{"startTime", Builder::kLong},
                                   {"jvmArguments", Builder::kString},
                                   {"javaArguments", Builder::kString},
                                   {"commandLine", Builder::kString},
                                   {"key", Builder::kString},
                                   {"value", Builder::kString}}};
  const std::string java_arguments = "Q --password correct HORSE --token=x BATTERY -v kept";
  Bytes fields;
  Builder::leb(fields, 1500);
  add_text(fields, "-Ddb.password=p PROPW -Xmx1g");
  add_text(fields, java_arguments);
  add_text(fields, "java -Ddb.password=p PROPW -cp . " + java_arguments);
  add_text(fields, "sun.java.command");
  add_text(fields, java_arguments);
  const std::string out = without_secrets(place, Builder({jvm}).other(Builder::kMore, fields).bytes());
  for (const char* secret : {"HORSE", "BATTERY", "PROPW"}) CHECK_MESSAGE(!has(out, secret), secret);
  CHECK(has(out, "-Ddb.password=[redacted] -Xmx1g"));
  CHECK(occurrences(out, "Q --password [redacted] --token=[redacted] -v kept") == 3);
}
