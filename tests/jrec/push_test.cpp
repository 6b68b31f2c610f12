// SPDX-License-Identifier: Apache-2.0
// jrec push: a server gets what the recording has, once; one that fails is tried again, or told of.
#include <doctest/doctest.h>
#include <unistd.h>

#include <numeric>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <vector>

#include "jrec/http/http_client.h"
#include "jrec/push/push.h"
#include "tests/format/reader_builder.h"
#include "tests/jrec/commands.h"
#include "tests/jrec/gunzip.h"
#include "tests/jrec/http_server.h"
#include "tests/text.h"

namespace {

using namespace jrec;
using protozero::pbf_reader;
using test::Bytes;
using test::has;
using test::HeardRequest;
using test::HttpServer;
using test::RecordingBuilder;
using test::Said;
using test::Workplace;

constexpr int64_t kPushStep_ns = 1'000'000'000;

// Samples of 1, 2, 4, ... in seconds 0, 0, 1, 2 of the first chunk and 1, 2 of the second, all from 2023-11-14T22:13:20Z.
Bytes recording() {
  RecordingBuilder builder;
  const auto constants = [&] { builder.frame_type(1, "JIT compiled").simple_stack(1, "app/Main", "work"); };
  constants();
  builder.sample(1'000, 1, 1)
      .sample(2'000, 1, 2)
      .sample(1'000 + kPushStep_ns, 1, 4)
      .sample(1'000 + 2 * kPushStep_ns, 1, 8);
  builder.next_chunk();
  constants();
  return builder.sample(1'000 + kPushStep_ns, 1, 16).sample(1'000 + 2 * kPushStep_ns, 1, 32).bytes();
}

PushOptions options(const Workplace& place, const std::string& kind, const std::string& url) {
  PushOptions options;
  options.kind = kind;
  options.url = url;
  options.file = place.write("shop.jfr", recording());
  options.events = {"cpu"};
  options.every = "1s";
  options.first_wait_ms = 1;
  return options;
}

Said pushed(const Workplace& place, const PushOptions& options) { return place.run(run_push, options); }

struct PprofFacts {
  int64_t total = 0, time_ns = 0, duration_ns = 0;
};

PprofFacts pprof(const std::string& body) {
  const std::string bytes = test::gunzip(body);
  PprofFacts facts;
  for (pbf_reader message(bytes); message.next();) {
    if (message.tag() == 9) {
      facts.time_ns = message.get_int64();
    } else if (message.tag() == 10) {
      facts.duration_ns = message.get_int64();
    } else if (message.tag() == 2) {
      for (pbf_reader sample = message.get_message(); sample.next();) {
        if (sample.tag() != 2) {
          sample.skip();
          continue;
        }
        const auto values = sample.get_packed_int64();
        facts.total += *values.begin();
      }
    } else {
      message.skip();
    }
  }
  return facts;
}

}  // namespace

TEST_CASE("push: Pyroscope gets each window of time as a profile, and the sum is the recording's") {
  const Workplace place;
  HttpServer server({"200 OK"});
  PushOptions command = options(place, "pyroscope", server.url() + "/");
  command.labels = {"service=my shop", "host=h1", "env=prod"};
  command.headers = {"Authorization: Bearer secret"};
  CHECK(pushed(place, command).code == kDone);
  const std::vector<HeardRequest> requests = server.requests();
  REQUIRE(requests.size() == 4);  // two of the second second: what the second chunk has of it comes later
  int64_t total = 0;
  for (const HeardRequest& request : requests) {
    const PprofFacts facts = pprof(request.body);
    total += facts.total;
    CHECK(facts.time_ns % kPushStep_ns == 0);
    CHECK(facts.duration_ns == kPushStep_ns);
    CHECK(has(request.line, "POST /ingest?name=my%20shop%7Benv%3Dprod%2Chost%3Dh1%7D&"));
    CHECK(has(request.line, "&from=" + std::to_string(facts.time_ns / kPushStep_ns) +
                                "&until=" + std::to_string(facts.time_ns / kPushStep_ns + 1) + "&format=pprof"));
    CHECK(has(request.headers, "Authorization: Bearer secret"));
  }
  CHECK(total == 63);
  CHECK(pprof(requests[0].body).total == 3);
  CHECK(pprof(requests[0].body).time_ns == 1'700'000'000 * kPushStep_ns);
}

TEST_CASE("push: nobody needs to say which kinds, and a recording need not have all of them") {
  const Workplace place;
  HttpServer server({"200 OK"});
  PushOptions command = options(place, "pyroscope", server.url());
  command.events.clear();
  const Said said = pushed(place, command);
  CHECK(said.code == kDone);
  CHECK(server.requests().size() == 4);
}

TEST_CASE("push: a window of an hour is one profile") {
  const Workplace place;
  HttpServer server({"200 OK"});
  PushOptions command = options(place, "pyroscope", server.url() + "/some/prefix/ingest");
  command.every = "1h";
  CHECK(pushed(place, command).code == kDone);
  REQUIRE(server.requests().size() == 1);
  CHECK(has(server.requests()[0].line, "POST /some/prefix/ingest?name=shop&"));
  CHECK(pprof(server.requests()[0].body).total == 63);
}

TEST_CASE("push: a recording is read once for all kinds, so that a pipe will do") {
  const Workplace place;
  HttpServer server({"200 OK"});
  PushOptions command = options(place, "pyroscope", server.url());
  command.every = "1h";
  command.events = {"cpu", "execution"};
  const Bytes sent = recording();
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  REQUIRE(::write(ends[1], sent.data(), sent.size()) == static_cast<ssize_t>(sent.size()));  // it fits
  ::close(ends[1]);
  command.file = "/dev/fd/" + std::to_string(ends[0]);
  CHECK(pushed(place, command).code == kDone);
  ::close(ends[0]);
  REQUIRE(server.requests().size() == 2);
  for (const HeardRequest& request : server.requests()) CHECK(pprof(request.body).total == 63);
}

TEST_CASE("push: OTLP says who was recorded") {
  const Workplace place;
  HttpServer server({"200 OK"});
  PushOptions command = options(place, "otlp", server.url());
  command.labels = {"service=shop", "host=h1"};
  CHECK(pushed(place, command).code == kDone);
  const std::vector<HeardRequest> requests = server.requests();
  REQUIRE(requests.size() == 4);
  CHECK(requests[0].line == "POST /v1development/profiles HTTP/1.1");
  CHECK(has(requests[0].headers, "Content-Type: application/x-protobuf"));
  CHECK(has(requests[0].headers, "Content-Encoding: gzip"));
  const std::string bytes = test::gunzip(requests[0].body);
  pbf_reader message(bytes);
  REQUIRE(message.next(1));
  pbf_reader profiles = message.get_message();
  REQUIRE(profiles.next(1));
  std::string resource;
  for (pbf_reader attributes = profiles.get_message(); attributes.next(1);) {
    pbf_reader pair = attributes.get_message();
    REQUIRE(pair.next(1));
    resource += pair.get_string() + "=";
    REQUIRE(pair.next(2));
    pbf_reader value = pair.get_message();
    REQUIRE(value.next(1));
    resource += value.get_string() + " ";
  }
  CHECK(resource == "host.name=h1 service.name=shop ");
  CHECK(message.next(2));  // the dictionary
}

// The id of the profile in that request.
std::string profile_id(const HeardRequest& request) {
  const std::string bytes = test::gunzip(request.body);
  pbf_reader message(bytes);
  REQUIRE(message.next(1));
  pbf_reader resource = message.get_message();
  REQUIRE(resource.next(2));
  pbf_reader scope = resource.get_message();
  REQUIRE(scope.next(2));
  pbf_reader profile = scope.get_message();
  REQUIRE(profile.next(7));
  return profile.get_bytes();
}

TEST_CASE("push: a profile has an id, the same at each try and each time, and another one than others") {
  const Workplace place;
  HttpServer server({"503 Busy", "200 OK"});
  const PushOptions command = options(place, "otlp", server.url());
  REQUIRE(pushed(place, command).code == kDone);
  REQUIRE(pushed(place, command).code == kDone);
  std::vector<std::string> ids;
  for (const HeardRequest& request : server.requests()) ids.push_back(profile_id(request));
  REQUIRE(ids.size() == 9);
  CHECK(ids[0].size() == 16);
  CHECK(ids[0] == ids[1]);  // tried again
  for (size_t i = 1; i < 5; ++i) {
    CHECK(ids[i] == ids[i + 4]);
    for (size_t j = i + 1; j < 5; ++j) CHECK(ids[i] != ids[j]);
  }
}

TEST_CASE("push: a password in the URL lets in, and is in no answer") {
  HttpServer server({"200 OK"}, "you are http://joe:hunter2@here");
  HttpClient client({10, 0});
  const auto post = [&](const std::string& url) {
    HttpRequest request;
    request.method = "POST";
    request.url = url;
    return client.send(request);
  };
  std::string url = server.url();
  url.insert(url.find("://") + 3, "joe:hunter%202@");
  const HttpAnswer answer = post(url);
  CHECK(answer.accepted());
  CHECK(answer.what == "you are http://[redacted]@here");
  CHECK(has(server.requests().at(0).headers, "Authorization: Basic am9lOmh1bnRlciAy"));
  for (const std::string wrong : {"http://joe:hunter2@host:port/", "http://joe:hunter2@no.such.host.invalid/"}) {
    const HttpAnswer none = post(wrong);
    CHECK(none.status == 0);
    CHECK(!none.what.empty());
    CHECK(!has(none.what, "hunter"));
  }
}

TEST_CASE("push: a server that is busy is tried again") {
  const Workplace place;
  HttpServer server({"503 Busy", "429 Too many\r\nRetry-After: 0", "200 OK"});
  PushOptions command = options(place, "pyroscope", server.url());
  command.every = "1h";
  const Said said = pushed(place, command);
  CHECK(said.code == kDone);
  CHECK(has(said.text, "1 profile of"));
  REQUIRE(server.requests().size() == 3);
  CHECK(server.requests()[0].body == server.requests()[2].body);
}

TEST_CASE("push: what a server will not take is not tried again") {
  const Workplace place;
  HttpServer server({"200 OK", "422 No"}, "profile is too old\nand more");
  const Said said = pushed(place, options(place, "pyroscope", server.url()));
  CHECK(said.code == kOutputFailed);
  CHECK(said.text.empty());
  CHECK(server.requests().size() == 2);
}

TEST_CASE("push: a server that is away is given up") {
  const Workplace place;
  std::string url;
  {
    HttpServer server({"200 OK"});
    url = server.url();
  }
  PushOptions command = options(place, "otlp", url);
  command.retries = 2;
  CHECK(pushed(place, command).code == kOutputFailed);
}

TEST_CASE("push: a file of headers may have been written on Windows") {
  const Workplace place;
  HttpServer server({"200 OK"});
  PushOptions command = options(place, "pyroscope", server.url());
  const std::string text = "Authorization: Bearer secret\r\n\r\nX-Tenant: a\r\n";
  command.headers = {"@" + place.write("headers", Bytes(text.begin(), text.end()))};
  CHECK(pushed(place, command).code == kDone);
  REQUIRE_FALSE(server.requests().empty());
  CHECK(has(server.requests()[0].headers, "Authorization: Bearer secret\r\n"));
  CHECK(has(server.requests()[0].headers, "X-Tenant: a\r\n"));
}

TEST_CASE("push: what makes no sense is refused before anything is sent") {
  const Workplace place;
  HttpServer server({"200 OK"});
  PushOptions wrong[9];
  for (PushOptions& each : wrong) each = options(place, "pyroscope", server.url());
  wrong[0].url = "localhost:4040";
  wrong[1].url += "/?tenant=1";
  wrong[2].labels = {"nolabel"};
  wrong[3].labels = {"a=b,c"};
  wrong[4].every = "10ms";
  wrong[5].headers = {"no header"};
  wrong[6].headers = {"@" + place.path("missing")};
  wrong[7].file = place.path("missing.jfr");
  wrong[8].ca_file = place.path("missing.pem");
  for (const PushOptions& each : wrong) CHECK(pushed(place, each).code == kUsageError);
  CHECK(server.requests().empty());
}
