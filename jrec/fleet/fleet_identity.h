// SPDX-License-Identifier: Apache-2.0
// FleetIdentity is whose recording it is: what was said comes first, then the labels of the archive that it is in, then
// what the recording itself tells.
//
//   service   --service, label service, OTEL_SERVICE_NAME, service.name of OTEL_RESOURCE_ATTRIBUTES, otel.service.name,
//             DD_SERVICE, spring.application.name, the jar or main class of jdk.JVMInformation, none
//   host      --host, label host, HOSTNAME, host.name of OTEL_RESOURCE_ATTRIBUTES, COMPUTERNAME, none
//   version   --label version=, label version, service.version of OTEL_RESOURCE_ATTRIBUTES, DD_VERSION, of the jar's name
//
// Variables are those of jdk.InitialEnvironmentVariable, properties those of jdk.InitialSystemProperty.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "format/reader/chunk.h"

namespace jrec {

using FleetLabels = std::map<std::string, std::string>;

struct FleetIdentity {
  std::string service, host;
  std::string version, java;  // empty: not known
  FleetLabels labels;
};

struct SaidOfFleet {
  std::string service, host;
  FleetLabels labels;
};

// What a recording tells of its process.
class ProcessFacts {
 public:
  // The names of variables and properties do not meet: those are written with capitals.
  void read(jfr::read::Chunk& chunk);
  std::string first_of(std::initializer_list<std::string_view> names) const;  // empty: none of them
  std::string resource(std::string_view key) const;                           // of OTEL_RESOURCE_ATTRIBUTES
  const std::string& arguments() const { return arguments_; }
  const std::string& java() const { return java_; }

 private:
  std::map<std::string, std::string, std::less<>> values_;
  std::string arguments_;  // what was started: a class or a jar, and its arguments
  std::string java_;
};

FleetIdentity identity_of(const SaidOfFleet& said, const std::vector<std::string>& archive_labels,
                          const ProcessFacts& facts);

// shop-1.4.2.jar --port 80: shop and 1.4.2; com.acme.shop/com.acme.Main: com.acme.Main.
struct StartedProgram {
  std::string name, version;
};
StartedProgram started_program(std::string_view arguments);

}  // namespace jrec
