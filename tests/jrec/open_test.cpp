// SPDX-License-Identifier: Apache-2.0
// jrec open: whom its server answers, and with what.
#include <doctest/doctest.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/descriptor.h"
#include "jrec/open/loopback_server.h"
#include "jrec/open/page_part.h"
#include "jrec/open/request_head.h"
#include "jrec/open/served_report.h"
#include "jrec/open/silent_process.h"
#include "tests/format/reader_builder.h"
#include "tests/jrec/commands.h"
#include "tests/jrec/files.h"
#include "tests/jrec/heard.h"
#include "tests/text.h"

namespace {

using namespace jrec;
using test::has;

struct Served {
  Served() { REQUIRE(server.listen(0)); }

  std::string host() const {
    const std::string address = server.address().substr(sizeof "http://" - 1);
    return address.substr(0, address.find('/'));
  }
  std::string page() const { return server.address().substr(sizeof "http://" - 1 + host().size()); }

  std::string reply(const std::string& line, const std::string& host) const {
    return server.reply(line + " HTTP/1.1\r\nUser-Agent: a test\r\nhost:  " + host + " \r\n\r\n", [](const auto& path) {
      return WebAnswer{200, "text/html; charset=utf-8", "the page, of <" + path + ">", "5"};
    });
  }

  LoopbackServer server;
};

TEST_CASE("open: the page is for who knows the token, by this machine's name") {
  const Served served;
  const std::string whole = served.reply("GET " + served.page(), served.host());
  CHECK(whole.starts_with("HTTP/1.1 200 OK\r\n"));
  CHECK(whole.ends_with("\r\n\r\nthe page, of <>"));
  for (const char* line :
       {"Content-Length: 15\r\n", "Cache-Control: no-store\r\n", "ETag: \"5\"\r\n", "Referrer-Policy: no-referrer\r\n"})
    CHECK(has(whole, line));
  CHECK(has(served.reply("GET " + served.page() + "a/b", served.host()), "of <a/b>"));
  const std::string port = served.host().substr(served.host().find(':'));
  CHECK(served.reply("GET " + served.page(), "localhost" + port).starts_with("HTTP/1.1 200"));
}

TEST_CASE("open: a process that does not record is told, and how to begin") {
  JvmProcess process{.pid = 4711, .has_memory = true};
  const auto told = [&] { return silence_of(process); };
  CHECK(has(told(), "is a process of user 0, and whether it records only that user and root may see"));
  process.maps_readable = true;
  CHECK(has(told(), "does not record, and no JVM"));
  process.libjvm = "/opt/jdk/lib/server/libjvm.so";
  CHECK(told() == "is a JVM that does not record; jrec start 4711 begins that");
  process.records = true;
  CHECK(told() == "is a JVM that has no recording open now; jrec dump 4711 writes one");
  CHECK(silence_of(std::nullopt) == "is neither a file nor a process that runs");
}

TEST_CASE("open: a number that is no process that records is refused in a line") {
  const test::Workplace place;
  const std::string none = std::to_string(INT32_MAX), own = std::to_string(::getpid());
  const auto told_of = [&](const std::string& target) { return test::hear(place, {"open", "--no-browser", target}); };
  CHECK(told_of(none).err == "jrec: " + none + ": is neither a file nor a process that runs\n");
  CHECK(told_of(own).code == kUsageError);
  CHECK(told_of(own).err.starts_with("jrec: " + own + ": is a process that does not record"));
  for (const std::string target : {"none.jfr", "4711x", "99999999999", "-1", "0"}) CHECK_FALSE(why_silent(target));
}

TEST_CASE("open: HEAD has the same head and no page") {
  const Served served;
  const std::string head = served.reply("HEAD " + served.page(), served.host());
  CHECK(has(head, "Content-Length: 15\r\n"));
  CHECK(head.ends_with("\r\n\r\n"));
}

TEST_CASE("open: strangers learn nothing, and nothing can be written") {
  const Served served;
  const std::string page = served.page();
  for (const char* target : {"/", "/favicon.ico", "/00000000000000000000000000000000/"})
    CHECK(served.reply(std::string("GET ") + target, served.host()).starts_with("HTTP/1.1 404"));
  CHECK(served.reply("GET " + page.substr(0, page.size() - 1), served.host()).starts_with("HTTP/1.1 404"));
  for (const char* host : {"evil.example", "127.0.0.1", "127.0.0.1:1", ""})
    CHECK(served.reply("GET " + page, host).starts_with("HTTP/1.1 403"));
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "get"})
    CHECK(served.reply(std::string(method) + " " + page, served.host()).starts_with("HTTP/1.1 405"));
  CHECK_FALSE(has(served.reply("POST " + page, served.host()), "the page"));
  CHECK(Served().page() != page);
}

TEST_CASE("damage: open: what is no request is refused") {
  const Served served;
  const auto answer = [](const auto&) { return WebAnswer{}; };
  CHECK(served.server.reply("", answer).empty());
  for (const char* bytes : {"\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/1.1\r\n", "GET / HTTP/2\r\n\r\n",
                            "GET  / HTTP/1.1\r\n\r\n", "GET http://127.0.0.1/ HTTP/1.1\r\n\r\n",
                            "GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"})
    CHECK(served.server.reply(bytes, answer).starts_with("HTTP/1.1 400"));
}

TEST_CASE("open: connections that say nothing keep nobody from asking, and get no answer") {
  Served& served = *new Served;  // its thread does not end
  std::thread([&served] { served.server.serve([](const auto&) { return WebAnswer{.body = "the page"}; }); }).detach();
  const auto port = static_cast<uint16_t>(std::stoi(served.host().substr(served.host().find(':') + 1)));
  const auto connected = [&] {
    base::Descriptor connection(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{AF_INET, htons(port), {htonl(INADDR_LOOPBACK)}, {}};
    REQUIRE(::connect(connection.fd(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
    return connection;
  };
  const auto all_of = [](const base::Descriptor& connection) {
    std::string said;
    std::array<char, 4096> piece;
    for (ssize_t got; (got = ::recv(connection.fd(), piece.data(), piece.size(), 0)) > 0;)
      said.append(piece.data(), static_cast<size_t>(got));
    return said;
  };
  std::vector<base::Descriptor> silent;
  for (int i = 0; i < 4 * LoopbackServer::kMostConnections; ++i) silent.push_back(connected());
  const base::Descriptor asking = connected();
  const std::string question = "GET " + served.page() + " HTTP/1.1\r\nHost: " + served.host() + "\r\n\r\n";
  REQUIRE(::send(asking.fd(), question.data(), question.size(), 0) == static_cast<ssize_t>(question.size()));
  CHECK(all_of(asking).ends_with("the page"));
  CHECK(all_of(silent.front()).empty());
}

TEST_CASE("damage: open: no head that is cut or changed gets the page by another host") {
  const Served served;
  const std::string good = "GET " + served.page() + " HTTP/1.1\r\nHost: " + served.host() + "\r\n\r\n";
  const auto answer = [](const auto&) { return WebAnswer{200, "text/plain", "the page", ""}; };
  REQUIRE(has(served.server.reply(good, answer), "the page"));
  for (size_t size = 0; size < good.size(); ++size)
    CHECK_FALSE(has(served.server.reply(good.substr(0, size), answer), "the page"));
  const size_t host = good.find("Host: ") + 6;
  for (size_t at = host; at < host + served.host().size(); ++at) {
    std::string changed = good;
    changed[at] ^= 1;
    CHECK_FALSE(has(served.server.reply(changed, answer), "the page"));
  }
}

TEST_CASE("open: a part is two moments in order, and nothing else") {
  const auto part = PagePart::of("part/1700479342164-1700479345000");
  REQUIRE(part);
  CHECK(part->from_ms == 1'700'479'342'164);
  CHECK(part->to_ms == 1'700'479'345'000);
  for (const char* path : {"", "part/", "part/1", "part/1-", "part/-2", "part/2-1", "part/2-2", "part/1-2-3",
                           "part/a-b", "part/1-2 ", "part/ 1-2", "part/-1-2", "part/1-99999999999999999999",
                           "part/1-9223372036854775807", "Part/1-2", "x/part/1-2"})
    CHECK_MESSAGE(!PagePart::of(path), path);
}

TEST_CASE("open: a page that is there is handed out; nothing that can be read is no page, also for who waits") {
  const test::Workplace place;
  const test::Quiet quiet;
  test::RecordingBuilder builder;
  builder.simple_stack(1, "app/Main", "work").sample(1000, 1).sample(2000, 1);
  ReportOptions options;
  options.files = {place.write("a.jfr", builder.bytes())};
  ServedReport report(options, 0);
  CHECK_FALSE(report.first().html.empty());
  ServedReport::Page whole;
  for (int i = 0; i < 2000 && !has(whole.html, "\"samples\":2"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(i == 0 ? 0 : 10));  // another thread makes the page
    whole = report.page();
  }
  CHECK(has(whole.html, "\"samples\":2"));
  CHECK(whole.version == 2);
  CHECK(report.page().version == 2);
  std::filesystem::remove(options.files.front());
  std::filesystem::create_directory(options.files.front());
  CHECK(report.part({1, 2}).html.empty());
  options.files = {place.write("noise.jfr", test::Bytes(5000, 'x'))};
  ServedReport noise(options, 0);
  CHECK(noise.first().html.empty());
  CHECK(noise.first().code == kNothingReadable);
}

TEST_CASE("open: a part lies within the times that were asked for, and leads back to where they begin") {
  const test::Workplace place;
  const test::Quiet quiet;
  test::RecordingBuilder builder;
  builder.simple_stack(1, "app/Main", "work");
  for (int64_t ticks : {1'000'000, 2'000'000, 3'000'000, 4'000'000}) builder.sample(ticks, 1);
  ReportOptions options;
  options.files = {place.write("a.jfr", builder.bytes())};
  const auto samples_in = [&](const PagePart& part) {
    const std::string html = ServedReport(options, 0).part(part).html;
    const size_t at = html.find("\"samples\":");
    return at == std::string::npos ? 0 : std::stoi(html.substr(at + 10));
  };
  constexpr uint64_t kAll = 8'000'000'000'000;
  CHECK(samples_in({1, kAll}) == 4);
  options.filter.from = "2";
  options.filter.to = "4";
  const int within = samples_in({1, kAll});
  CHECK(within > 0);
  CHECK(within < 4);
  CHECK(has(ServedReport(options, 0).part({1, kAll}).html, "\"whole_ms\":1700000000002"));
  CHECK(samples_in({1, 2}) == 0);
}

TEST_CASE("open: a head is read in any spelling of its names") {
  const auto head = parse_head("GET /x?y=1 HTTP/1.0\r\nHOST:\thost:80\t\r\n\r\n");
  REQUIRE(head);
  CHECK(head->target == "/x?y=1");
  CHECK(head->host == "host:80");
  CHECK(end_of_head("a\r\n\r\nb") == 5);
  CHECK(end_of_head("a\r\n\r") == std::string::npos);
}

TEST_CASE("open refuses an output, which it does not write") {
  const test::Workplace place;
  const std::string file = place.write("a.jfr", test::RecordingBuilder().text(1, "a").bytes());
  const test::Heard heard = test::hear(place, {"open", "--no-browser", file, "-o", place.path("a.html")});
  CHECK(heard.code == kUsageError);
  CHECK(has(heard.err, "jrec report -o FILE writes it"));
  CHECK_FALSE(std::filesystem::exists(place.path("a.html")));
}

}  // namespace
