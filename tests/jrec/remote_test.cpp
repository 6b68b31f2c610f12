// SPDX-License-Identifier: Apache-2.0
// What addresses stand for, what listings say, and a server that stands still. How jrec reads from servers is tests/jvm/remote.sh's.
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "jrec/base/local_path.h"
#include "jrec/http/object_list.h"
#include "jrec/http/remote_address.h"
#include "jrec/http/remote_object.h"
#include "jrec/input/archive_input.h"
#include "tests/jrec/http_server.h"
#include "tests/text.h"

namespace {

using namespace jrec;
using test::has;
using test::HttpServer;

// For a test: all that addresses are made of is unset, then these are set.
class AmazonVariables {
 public:
  explicit AmazonVariables(std::initializer_list<std::pair<const char*, const char*>> variables) {
    clear();
    for (const auto& [name, value] : variables) ::setenv(name, value, 1);
  }
  ~AmazonVariables() { clear(); }

 private:
  static void clear() {
    for (const char* name : {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_REGION",
                             "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"})
      ::unsetenv(name);
  }
};

std::string url_of(const std::string& path) {
  const auto address = RemoteAddress::of(path);
  return address ? address->url : "refused: " + address.error().what;
}

ObjectPage page_of(const std::string& inside) {
  const auto page = ObjectPage::of("<?xml?><ListBucketResult xmlns=\"x\">" + inside + "</ListBucketResult>", "a/");
  REQUIRE(page.ok());
  return *page;
}

// Says how much is to come, sends some of it, and then nothing for ever.
class StillServer {
 public:
  StillServer() : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ::bind(socket_, reinterpret_cast<sockaddr*>(&address), size);
    ::listen(socket_, 4);
    ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] {
      static constexpr char kSome[] = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nas much as comes";
      for (int client; (client = ::accept(socket_, nullptr, nullptr)) >= 0; clients_.push_back(client))
        if (::send(client, kSome, sizeof kSome - 1, MSG_NOSIGNAL) < 0) continue;
    });
  }
  ~StillServer() {
    ::shutdown(socket_, SHUT_RDWR);
    thread_.join();
    for (const int client : clients_) ::close(client);
    ::close(socket_);
  }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

 private:
  int socket_;
  uint16_t port_ = 0;
  std::vector<int> clients_;
  std::thread thread_;
};

// Fast tries, of a server that may stand still for a second.
struct QuickTries {
  QuickTries() { remote_limits() = {1, 2, 1}; }
  ~QuickTries() { remote_limits() = {}; }
};

}  // namespace

TEST_CASE("remote: a bucket is a host of Amazon's, or a path of another store's") {
  const AmazonVariables none({});
  CHECK(url_of("s3://shop/a b/x=1.jfr") == "https://shop.s3.us-east-1.amazonaws.com/a%20b/x%3D1.jfr");
  CHECK(url_of("s3://my.shop/x") == "https://s3.us-east-1.amazonaws.com/my.shop/x");
  CHECK(url_of("S3://shop/x") == "https://shop.s3.us-east-1.amazonaws.com/x");
  const AmazonVariables other({{"AWS_ENDPOINT_URL", "http://store:9000/"}, {"AWS_REGION", "eu-north-1"}});
  CHECK(url_of("s3://shop/%/x") == "http://store:9000/shop/%25/x");
  CHECK(url_of("https://host/x.jfr?a=b") == "https://host/x.jfr?a=b");
}

TEST_CASE("remote: what names no object is refused, and so is half of a key") {
  const AmazonVariables none({});
  for (const char* path : {"s3://", "s3://shop", "s3://shop/", "s3:///x", "s3://a@b/x", "s3://a?b/x"})
    CHECK(has(url_of(path), "is no s3://BUCKET/KEY"));
  CHECK(has(url_of("gs://shop/x"), "is no address"));
  const AmazonVariables half({{"AWS_ACCESS_KEY_ID", "id"}});
  CHECK(has(url_of("s3://shop/x"), "go together"));
  const AmazonVariables region({{"AWS_REGION", "x.evil.org/"}});
  CHECK(has(url_of("s3://shop/x"), "AWS_REGION"));
}

TEST_CASE("remote: who asks is in the environment") {
  const AmazonVariables key(
      {{"AWS_ACCESS_KEY_ID", "id"}, {"AWS_SECRET_ACCESS_KEY", "secret"}, {"AWS_DEFAULT_REGION", "eu-west-1"}});
  const auto address = RemoteAddress::of("s3://shop/x");
  REQUIRE(address.ok());
  REQUIRE(address->signer.has_value());
  CHECK(address->signer->key_id == "id");
  CHECK(address->signer->region == "eu-west-1");
  CHECK_FALSE(RemoteAddress::of("http://host/x")->signer.has_value());
}

TEST_CASE("remote: the name of what is read has nothing of what the server is asked") {
  CHECK(last_name("https://host/a/x.jfr?token=1/2") == "x.jfr");
  CHECK(last_name("/a/x?y.jfr") == "x?y.jfr");
  CHECK(last_name("s3://a/x?y.jfr") == "x?y.jfr");
  CHECK(is_remote("s3://a/b"));
  CHECK_FALSE(is_remote("s3:/a"));
  CHECK(is_remote("HTTPS://host/x"));
  CHECK_FALSE(is_remote("S3"));
  CHECK_FALSE(is_remote("http:"));
}

TEST_CASE("remote: a member of an archive is named before what the server is asked") {
  const auto behind = archive_place("https://host/all.recz:shop.jfr?sig=b.recz:c#d");
  REQUIRE(behind);
  CHECK(behind->archive == "https://host/all.recz?sig=b.recz:c#d");
  CHECK(behind->members == "shop.jfr");
  CHECK_FALSE(archive_place("https://host/x.jfr?of=all.recz:shop.jfr"));
  CHECK_FALSE(archive_place("https://joe.recz:secret@host/x.jfr"));
  const auto key = archive_place("s3://bucket/all.recz:what?.jfr");
  REQUIRE(key);
  CHECK(key->members == "what?.jfr");
}

TEST_CASE("remote: a listing gives its keys and where the next page begins") {
  const ObjectPage page = page_of(
      "<Contents><Key>a/1&amp;2</Key><Size>3</Size></Contents><Contents><Size>3</Size><Key>a/&#x41;&#66;&lt;</Key></"
      "Contents>"
      "<NextContinuationToken>a/+=</NextContinuationToken>");
  CHECK(page.keys == std::vector<std::string>{"a/1&2", "a/AB<"});
  CHECK(page.next == "a/+=");
  CHECK(list_query("a/", page.next) == "?continuation-token=a%2F%2B%3D&list-type=2&prefix=a%2F");
  CHECK(page_of("").keys.empty());
}

TEST_CASE("damage: a listing of what was not asked for, or that is none, is refused") {
  for (const char* inside : {"<Contents><Key>b/1</Key></Contents>", "<Contents><Key>a/&none;</Key></Contents>",
                             "<Contents><Key>a/&#0;</Key></Contents>", "<Contents></Contents>"})
    CHECK_FALSE(ObjectPage::of(std::string("<ListBucketResult>") + inside + "</ListBucketResult>", "a/").ok());
  CHECK_FALSE(ObjectPage::of("<html></html>", "a/").ok());
  CHECK(ObjectPage::of("<ListBucketResult></ListBucketResult>", "a/").ok());
  CHECK_FALSE(ObjectPage::of("", "").ok());
}

TEST_CASE("damage: a listing that is cut off is no whole one") {
  const std::string key = "<Contents><Key>a/1</Key></Contents>", begin = "<ListBucketResult>",
                    end = "</ListBucketResult>";
  CHECK(ObjectPage::of(begin + key + "<IsTruncated>false</IsTruncated>" + end, "a/").ok());
  CHECK_FALSE(ObjectPage::of(begin + key, "a/").ok());
  CHECK_FALSE(ObjectPage::of(begin + key + "<IsTruncated>true</IsTruncated>" + end, "a/").ok());
  CHECK_FALSE(ObjectPage::of(
                  begin + "<IsTruncated>true</IsTruncated><NextContinuationToken></NextContinuationToken>" + end, "a/")
                  .ok());
}

TEST_CASE("damage: a server that stands still is left") {
  const QuickTries quick;
  StillServer server;
  auto object = RemoteObject::of(server.url() + "/x.jfr");
  REQUIRE(object.ok());
  size_t got = 0;
  const auto begun = object->begin([&](std::span<const uint8_t> bytes) {
    got += bytes.size();
    return true;
  });
  CHECK_FALSE(begun.ok());
  CHECK(got == 16);
}

TEST_CASE("damage: a server that is busy to the end has failed, and one that has no such thing has not") {
  const QuickTries quick;
  const auto first_error = [](const std::string& url) {
    auto object = RemoteObject::of(url);
    REQUIRE(object.ok());
    const auto begun = object->begin([](std::span<const uint8_t>) { return true; });
    REQUIRE_FALSE(begun.ok());
    return begun.error();
  };
  for (const char* status : {"503 Busy", "429 Later", "500 Ill"}) {
    HttpServer server({status}, "");
    CHECK(is_fault_of_server(first_error(server.url() + "/x.jfr")));
    CHECK(server.requests().size() == 2);
  }
  for (const char* status : {"404 None", "403 No"}) {
    HttpServer server({status}, "");
    CHECK_FALSE(is_fault_of_server(first_error(server.url() + "/x.jfr")));
    CHECK(server.requests().size() == 1);
  }
  HttpServer circle({"302 Found\r\nLocation: /x.jfr"}, "");
  CHECK_FALSE(is_fault_of_server(first_error(circle.url() + "/x.jfr")));
  CHECK(circle.requests().size() == 6);
  CHECK_FALSE(is_fault_of_server(first_error("http://127.0.0.1:99999/x.jfr")));
}

TEST_CASE("damage: parts that are none are told of") {
  const QuickTries quick;
  for (const char* range :
       {"bytes 0-15/15", "bytes 1-16/17", "bytes 0-15/*", "bytes 0-15/99999999999999999999", "x", ""}) {
    HttpServer server({std::string("206 Part\r\nContent-Range: ") + range}, "as much as comes");
    auto object = RemoteObject::of(server.url() + "/x.jfr");
    REQUIRE(object.ok());
    const auto begun = object->begin([](std::span<const uint8_t>) { return true; });
    REQUIRE_FALSE(begun.ok());
    CHECK(begun.error().code == base::ErrorCode::kCorrupt);
  }
}
