// SPDX-License-Identifier: Apache-2.0
#include "jrec/symbols/symbol_files.h"

#include <sys/stat.h>

#include <utility>

#include "jrec/input/recording.h"
#include "jrec/symbols/mini_debug_info.h"

namespace jrec {
namespace {

using rec::ElfSymbols;
using rec::FunctionTable;

// Recordings name paths: what is no file is not opened, for opening a device may do something.
bool is_file(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

base::Result<SymbolFiles> SymbolFiles::of(const std::vector<std::string>& directories,
                                          const std::vector<std::string>& files) {
  SymbolFiles all;
  all.directories_ = directories;
  all.directories_.emplace_back("/usr/lib/debug");
  for (const std::string& file : files) {
    if (!is_file(file)) return base::Error{base::ErrorCode::kUsage, 0, file + " is no file"};
    const ElfSymbols symbols(file.c_str());
    const std::string build_id = symbols.build_id();
    if (const base::Status whole = symbols.check(); !whole) {
      all.refuse(file, whole.error());
    } else if (build_id.empty()) {
      return base::Error{base::ErrorCode::kUsage, 0, file + " has no build id"};
    } else {
      all.given_.push_back({file, build_id});
    }
  }
  return all;
}

const LibrarySymbols* SymbolFiles::find(const std::string& build_id, const std::string& path) {
  const auto [known, is_new] = known_.try_emplace(build_id, nullptr);
  if (is_new && !rec::debug_file("", build_id).empty()) known->second = search(build_id, path);
  return known->second.get();
}

std::vector<std::string> SymbolFiles::unused() const {
  std::vector<std::string> lines;
  for (const Given& each : given_) {
    if (each.is_used || each.is_damaged) continue;
    const bool is_known = known_.contains(each.build_id);
    lines.push_back(each.file + " was not used: " +
                    (each.is_read ? "it has no symbols but those for the dynamic linker"
                     : is_known   ? "another file of that build was"
                                  : "no function of the recording is of its build, " + each.build_id));
  }
  return lines;
}

std::unique_ptr<LibrarySymbols> SymbolFiles::search(const std::string& build_id, const std::string& path) {
  for (Given& each : given_) {
    if (each.build_id != build_id) continue;
    const bool were_damaged = std::exchange(damaged_, false);
    auto found = read(each.file, build_id, Place::kAnywhere);
    each.is_read = true, each.is_used = found != nullptr, each.is_damaged = damaged_;
    damaged_ = damaged_ || were_damaged;
    if (found) return found;
  }
  for (const std::string& directory : directories_)
    if (auto found = read(rec::debug_file(directory, build_id), build_id, Place::kByBuildId)) return found;
  return read(path, build_id, Place::kAnywhere);
}

std::unique_ptr<LibrarySymbols> SymbolFiles::read(const std::string& file, const std::string& build_id, Place place) {
  if (!is_file(file)) return nullptr;
  ElfSymbols symbols(file.c_str());
  const bool is_it = symbols.build_id() == build_id;
  if (!is_it && place == Place::kAnywhere) return nullptr;
  if (const base::Status whole = symbols.check(); !whole) return refuse(file, whole.error());
  if (!is_it) return refuse(file, base::corrupt(0, "is not of the build that its name tells"));
  auto found = std::make_unique<LibrarySymbols>(LibrarySymbols{file, {}, FunctionTable(std::move(symbols))});
  return found->table.has_all() ? std::move(found) : read_mini(file);
}

std::unique_ptr<LibrarySymbols> SymbolFiles::read_mini(const std::string& file) {
  base::Result<std::vector<uint8_t>> unpacked = mini_debug_info(ElfSymbols(file.c_str()));
  if (!unpacked) return refuse(file, unpacked.error());
  if (unpacked->empty()) return nullptr;
  ElfSymbols symbols{std::span<const uint8_t>(*unpacked)};
  if (const base::Status whole = symbols.check(); !whole)
    return refuse(file + " (.gnu_debugdata, unpacked)", whole.error());
  // The bytes stay where they are when the vector moves.
  auto found =
      std::make_unique<LibrarySymbols>(LibrarySymbols{file, std::move(*unpacked), FunctionTable(std::move(symbols))});
  return found->table.has_all() ? std::move(found) : nullptr;
}

std::unique_ptr<LibrarySymbols> SymbolFiles::refuse(const std::string& file, const base::Error& error) {
  complain(file, error);
  damaged_ = true;
  return nullptr;
}

}  // namespace jrec
