// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/calibration.h"

#include <algorithm>
#include <vector>

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/symbols.h"

namespace rec::agent {
namespace {

constexpr size_t kMaxClasses = 1'000'000;  // enough to be sure; the rest is not looked at
constexpr size_t kSampledClasses = 4'000;
constexpr uint32_t kKlassScan = 480;   // bytes of an InstanceKlass that are searched
constexpr uint32_t kLoaderScan = 256;  // bytes of a ClassLoaderData
constexpr uint32_t kEntryScan = 96;    // bytes of a PackageEntry or ModuleEntry
constexpr size_t kFewestVotes = 3;
// What has to be so of most, since something else may be true of a few. A class of an event that JFR has replaced keeps
// no id, and a program may have many. No other slot comes near: what is set in most classes is the same in many.
constexpr size_t kNumberedPercent = 75;
constexpr size_t kToldApartPercent = 98;
constexpr size_t kFallingPercent = 98;
constexpr uint64_t kMaxId = 1ull << 28;  // an id is a counter of loaded classes; a heap pointer >> 16 is larger

struct World {
  std::vector<uint64_t> classes;
  std::vector<uint64_t> loaders;
};

World look_around(const Layout& layout) {
  World world;
  for (uint64_t loader = u64_at(layout.loader_data.graph_head); loader != 0;
       loader = u64_at(loader + layout.loader_data.next)) {
    world.loaders.push_back(loader);
    for (uint64_t klass = u64_at(loader + layout.loader_data.klasses); klass != 0 && world.classes.size() < kMaxClasses;
         klass = u64_at(klass + layout.klass.next_link))
      world.classes.push_back(klass);
    if (world.loaders.size() >= kMaxClasses) break;
  }
  return world;
}

// A vote: what speaks for a slot, of all that were asked.
bool carries(size_t ayes, size_t all, size_t percent) { return all != 0 && ayes * 100 >= all * percent; }

struct Numbered {
  uint64_t id;
  uint64_t name;  // of a class: its Symbol
};

// A class may be listed twice under one id: JFR replaces the classes of its events while they load, and the first one
// stays in the list.
bool tells_apart(std::vector<Numbered> all) {
  std::sort(all.begin(), all.end(), [](const Numbered& a, const Numbered& b) { return a.id < b.id; });
  size_t alone = all.size();
  for (size_t i = 1; i < all.size(); ++i)
    if (all[i].id == all[i - 1].id && all[i].name != all[i - 1].name) --alone;
  return carries(alone, all.size(), kToldApartPercent);
}

// Loaders are listed newest first; two that were made at the same time may stand the other way round.
bool falls(const std::vector<uint64_t>& ids) {
  size_t falling = 0;
  for (size_t i = 1; i < ids.size(); ++i)
    if (ids[i] < ids[i - 1]) ++falling;
  return carries(falling, ids.size() - 1, kFallingPercent);
}

uint64_t id_at(uint64_t object, uint32_t offset) {
  const uint64_t id = u64_at(object + offset) >> 16;
  return id < kMaxId ? id : 0;
}

std::vector<uint64_t> with_id(const std::vector<uint64_t>& objects, uint32_t offset) {
  std::vector<uint64_t> numbered;
  for (const uint64_t object : objects)
    if (id_at(object, offset) != 0) numbered.push_back(object);
  return numbered;
}

// The one slot that most objects have an id in, and that accept() takes for their ids; two answers are no answer.
template <typename Accept>
uint32_t find_id_slot(const std::vector<uint64_t>& objects, uint32_t scan, Accept accept) {
  uint32_t found = kAbsent;
  for (uint32_t offset = 0; offset < scan && objects.size() >= kFewestVotes; offset += 8) {
    const std::vector<uint64_t> numbered = with_id(objects, offset);
    if (!carries(numbered.size(), objects.size(), kNumberedPercent) || !accept(numbered, offset)) continue;
    if (found != kAbsent) return kAbsent;
    found = offset;
  }
  return found;
}

// Some thousand of them, from all over the list, are as sure as all.
std::vector<uint64_t> sample(const std::vector<uint64_t>& all) {
  const size_t step = all.size() / kSampledClasses + 1;
  std::vector<uint64_t> some;
  for (size_t i = 0; i < all.size(); i += step) some.push_back(all[i]);
  return some;
}

uint32_t find_class_ids(const Layout& layout, const World& world) {
  const std::vector<uint64_t> classes = sample(world.classes);
  return find_id_slot(classes, kKlassScan, [&](const std::vector<uint64_t>& numbered, uint32_t offset) {
    std::vector<Numbered> all;
    for (const uint64_t klass : numbered) all.push_back({id_at(klass, offset), u64_at(klass + layout.klass.name)});
    return tells_apart(std::move(all));
  });
}

uint32_t find_loader_ids(const World& world) {
  return find_id_slot(world.loaders, kLoaderScan, [&](const std::vector<uint64_t>& numbered, uint32_t offset) {
    std::vector<uint64_t> ids;
    for (const uint64_t loader : numbered) ids.push_back(id_at(loader, offset));
    return falls(ids);
  });
}

// What every VM loads first stands last in the lists.
uint64_t find_class(const Layout& layout, const World& world, const char* name) {
  for (size_t i = world.classes.size(); i > 0; --i)
    if (symbol_equals(layout, u64_at(world.classes[i - 1] + layout.klass.name), name)) return world.classes[i - 1];
  return 0;
}

uint32_t find_word(uint64_t object, uint32_t scan, uint64_t value) {
  for (uint32_t offset = 0; offset < scan; offset += 8)
    if (u64_at(object + offset) == value) return offset;
  return kAbsent;
}

uint32_t find_symbol(const Layout& layout, uint64_t object, uint32_t scan, const char* text) {
  for (uint32_t offset = 0; offset < scan; offset += 8)
    if (symbol_equals(layout, u64_at(object + offset), text)) return offset;
  return kAbsent;
}

void calibrate_loaders(Layout& layout, const World& world) {
  const uint64_t app_class = find_class(layout, world, "jdk/internal/loader/ClassLoaders$AppClassLoader");
  const uint64_t platform_class = find_class(layout, world, "jdk/internal/loader/ClassLoaders$PlatformClassLoader");
  if (app_class == 0 || platform_class == 0) return;
  for (uint64_t app : world.loaders) {
    const uint32_t klass = find_word(app, kLoaderScan, app_class);
    const uint32_t name = find_symbol(layout, app, kLoaderScan, "app");
    if (klass == kAbsent || name == kAbsent) continue;
    for (uint64_t platform : world.loaders)
      if (u64_at(platform + klass) == platform_class && symbol_equals(layout, u64_at(platform + name), "platform")) {
        layout.loader_data.klass = klass;
        layout.loader_data.name = name;
        return;
      }
  }
}

struct PackagePath {
  uint32_t package = kAbsent, module = kAbsent, name = kAbsent;
};

PackagePath find_package_path(const Layout& layout, uint64_t klass, const char* package_name) {
  for (uint32_t package = 0; package < kKlassScan; package += 8) {
    const uint64_t entry = u64_at(klass + package);
    if (entry < 4096 || find_symbol(layout, entry, 32, package_name) == kAbsent) continue;
    for (uint32_t module = 0; module < kEntryScan; module += 8) {
      const uint64_t module_entry = u64_at(entry + module);
      if (module_entry < 4096) continue;
      const uint32_t name = find_symbol(layout, module_entry, kEntryScan, "java.base");
      if (name != kAbsent) return {package, module, name};
    }
  }
  return {};
}

bool starts_with_jrt(const Layout& layout, uint64_t symbol) {
  const TextView view = symbol_text(layout, symbol);
  char head[5];
  return view.size > 5 && view.size < 4096 && safe_copy(head, view.address, 5) && std::memcmp(head, "jrt:/", 5) == 0;
}

bool looks_like_version(const Layout& layout, uint64_t symbol) {
  const TextView view = symbol_text(layout, symbol);
  char head[1];
  return view.size > 0 && view.size < 64 && safe_copy(head, view.address, 1) && head[0] >= '0' && head[0] <= '9';
}

void calibrate_packages(Layout& layout, const World& world) {
  const uint64_t string_class = find_class(layout, world, "java/lang/String");
  const uint64_t map_class = find_class(layout, world, "java/util/HashMap");
  if (string_class == 0 || map_class == 0) return;
  const PackagePath path = find_package_path(layout, string_class, "java/lang");
  const PackagePath again = find_package_path(layout, map_class, "java/util");
  if (path.package == kAbsent || path.package != again.package || path.module != again.module ||
      path.name != again.name)
    return;
  layout.package.module = path.module;
  layout.module.name = path.name;
  const uint64_t java_base = u64_at(u64_at(string_class + path.package) + path.module);
  for (uint32_t offset = 0; offset < kEntryScan + 64; offset += 8) {
    const uint64_t symbol = u64_at(java_base + offset);
    if (symbol < 4096) continue;
    if (layout.module.location == kAbsent && starts_with_jrt(layout, symbol)) layout.module.location = offset;
    if (layout.module.version == kAbsent && looks_like_version(layout, symbol)) layout.module.version = offset;
  }
  layout.instance_klass.package = path.package;  // last: it leads to the others
}

}  // namespace

void calibrate(Layout& layout) {
  if (is_calibrated(layout)) return;
  const World world = look_around(layout);
  if (layout.klass.trace_id == kAbsent) layout.klass.trace_id = find_class_ids(layout, world);
  if (layout.loader_data.trace_id == kAbsent) layout.loader_data.trace_id = find_loader_ids(world);
  if (layout.loader_data.name == kAbsent) calibrate_loaders(layout, world);
  if (layout.instance_klass.package == kAbsent) calibrate_packages(layout, world);
}

bool is_calibrated(const Layout& layout) {
  return layout.klass.trace_id != kAbsent && layout.loader_data.trace_id != kAbsent &&
         layout.loader_data.name != kAbsent && layout.instance_klass.package != kAbsent;
}

}  // namespace rec::agent
