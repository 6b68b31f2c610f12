// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: whatever bytes a program opens through jrec.h, of today or of version 0.9, each call returns a status that
// it promises, a text that ends where it says, and an error that names the file.   fuzz_library -max_len=300000 CORPUS SEEDS
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "format/c/jrec.h"

namespace {

constexpr const char* kName = "fuzzed.jfr";
constexpr size_t kMostEvents = 300, kMostFields = 24, kRoom = 16;

void must(bool holds) {
  if (!holds) std::abort();
}

void must_be_text(const char* text, size_t length) { must(text != nullptr && text[length] == 0); }

void read_stack(jrec_file* file, uint32_t stack) {
  const char* text = nullptr;
  size_t length = 0, frames = 0, made = 0;
  std::array<jrec_frame_numbers, kRoom> numbers{};
  if (jrec_stack_text(file, stack, 1, &text, &length) >= JREC_OK) must_be_text(text, length);
  if (jrec_stack_size(file, stack, &frames, nullptr) != JREC_OK) return;
  if (jrec_stack_frames(file, stack, 0, kRoom, numbers.data(), &made) >= JREC_OK) must(made <= kRoom && made <= frames);
  jrec_frame frame;
  if (frames > 0 && jrec_stack_frame(file, stack, frames - 1, &frame) == JREC_OK)
    must_be_text(frame.method, std::strlen(frame.method));
}

void read_field(jrec_file* file, jrec_field* field) {
  const char* text = nullptr;
  size_t length = 0;
  int64_t integer = 0;
  double real = 0;
  uint32_t stack = 0;
  (void)jrec_int64(field, &integer);
  (void)jrec_double(field, &real);
  if (jrec_text(field, &text, &length) >= JREC_OK) must_be_text(text, length);
  if (jrec_stack(field, &stack) == JREC_OK) read_stack(file, stack);
}

void read_event(jrec_file* file, jrec_type* type) {
  const char* path = nullptr;
  jrec_kind kind = JREC_OTHER;
  for (size_t i = 0; i < kMostFields && jrec_type_field(type, i, &path, &kind) == JREC_OK; ++i) {
    jrec_field* field = nullptr;
    if (jrec_bind(type, path, &field) == JREC_OK) read_field(file, field);
  }
  int64_t ns = 0;
  (void)jrec_start_time(file, &ns);
  (void)jrec_duration(file, &ns);
}

void read_events(jrec_file* file) {
  jrec_type* type = nullptr;
  jrec_status status = JREC_OK;
  for (size_t i = 0; i < kMostEvents && (status = jrec_next(file, &type)) == JREC_OK; ++i) read_event(file, type);
  must(status == JREC_OK || status == JREC_END || status == JREC_DAMAGED || status == JREC_LIMIT);
  must((status == JREC_DAMAGED) <= (jrec_problem_count(file) > 0));
  if (status < 0) must(std::string_view(jrec_error(file)).starts_with(kName));
}

void read_rows(jrec_file* file) {
  jrec_type* samples = nullptr;
  std::array<jrec_field*, 3> fields{};
  if (jrec_type_named(file, "jdk.ExecutionSample", &samples) != JREC_OK) return;
  constexpr std::array paths = {"startTime", "sampledThread", "stackTrace"};
  for (size_t i = 0; i < fields.size(); ++i)
    if (jrec_bind(samples, paths[i], &fields[i]) != JREC_OK) return;
  std::array<int64_t, kRoom> times{};
  std::array<uint32_t, kRoom> threads{}, stacks{};
  const std::array<jrec_column, 3> columns = {{{fields[0], JREC_INTEGER, times.data(), nullptr},
                                               {fields[1], JREC_TEXT, threads.data(), nullptr},
                                               {fields[2], JREC_STACK, stacks.data(), nullptr}}};
  size_t rows = 0;
  while (jrec_rows(samples, columns.data(), columns.size(), kRoom, &rows) == JREC_OK) must(rows <= kRoom);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  for (void (*const read)(jrec_file*) : {read_events, read_rows}) {
    jrec_file* file = nullptr;
    if (jrec_open_bytes(data, size, kName, &file) == JREC_OK) read(file);
    jrec_close(file);
  }
  return 0;
}
