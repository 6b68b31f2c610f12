// SPDX-License-Identifier: Apache-2.0
// Numbers of the fields that we write of opentelemetry-proto 1.11, by message: profiles/v1development/profiles.proto, and of
// resource, common and trace what these name.
#pragma once

namespace jrec::otlp_fields {

namespace data {
enum { kResourceProfiles = 1, kDictionary };
}
namespace resource_profiles {
enum { kResource = 1, kScopeProfiles };
}
namespace resource {
enum { kAttributes = 1 };
}
namespace key_value {
enum { kKey = 1, kValue };
}
namespace scope_profiles {
enum { kScope = 1, kProfiles };
}
namespace scope {
enum { kName = 1, kVersion };
}
namespace dictionary {
enum { kMapping = 1, kLocation, kFunction, kLink, kString, kAttribute, kStack };
}
namespace profile {
enum { kSampleType = 1, kSamples, kTime, kDuration, kPeriodType, kPeriod, kId };
}
namespace value_type {
enum { kType = 1, kUnit };
}
namespace sample {
enum { kStack = 1, kAttributes, kLink, kValues, kTimestamps };
}
namespace mapping {
enum { kStart = 1, kLimit, kOffset, kFile, kAttributes };
}
namespace location {
enum { kMapping = 1, kAddress, kLines, kAttributes };
}
namespace line {
enum { kFunction = 1 };
}
namespace function {
enum { kName = 1 };
}
namespace stack {
enum { kLocations = 1 };
}
namespace link {
enum { kTraceId = 1, kSpanId };
}
namespace attribute {
enum { kKey = 1, kValue };
}
namespace any_value {
enum { kString = 1, kInt = 3 };
}

}  // namespace jrec::otlp_fields
