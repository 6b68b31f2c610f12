// SPDX-License-Identifier: Apache-2.0
// The calls of jrec.h about files, events and types.
#include "format/c/calls.h"

using jfr::c::guarded;

int jrec_api_version(void) { return JREC_API_VERSION; }

jrec_status jrec_open(const char* path, jrec_file** file) {
  if (file == nullptr) return JREC_USAGE;
  *file = nullptr;
  return guarded(nullptr, [&] {
    *file = new jrec_file(path == nullptr ? "" : path);
    return path == nullptr ? (*file)->fail(JREC_USAGE, "no path") : (*file)->open();
  });
}

jrec_status jrec_open_bytes(const void* bytes, size_t size, const char* name, jrec_file** file) {
  if (file == nullptr) return JREC_USAGE;
  *file = nullptr;
  return guarded(nullptr, [&] {
    *file = new jrec_file(name == nullptr ? "" : name);
    if (bytes == nullptr && size != 0) return (*file)->fail(JREC_USAGE, "no bytes");
    return (*file)->open(std::span(static_cast<const uint8_t*>(bytes), size));
  });
}

void jrec_close(jrec_file* file) { delete file; }

const char* jrec_error(const jrec_file* file) {
  return file == nullptr || file->out_of_memory ? "out of memory" : file->error.c_str();
}

size_t jrec_problem_count(const jrec_file* file) { return file == nullptr ? 0 : file->problems.count(); }

const char* jrec_problem(const jrec_file* file, size_t index, uint64_t* offset) {
  if (file == nullptr || index >= file->problems.kept().size()) return nullptr;
  const base::Error& problem = file->problems.kept()[index];
  if (offset != nullptr) *offset = problem.offset;
  return problem.what.c_str();
}

jrec_status jrec_next(jrec_file* file, jrec_type** type) {
  if (type != nullptr) *type = nullptr;
  if (file == nullptr) return JREC_USAGE;
  const jrec_status status = guarded(file, [&] { return file->next(); });
  if (type != nullptr && status == JREC_OK) *type = file->at;
  return status;
}

jrec_status jrec_next_chunk(jrec_file* file) {
  if (file == nullptr) return JREC_USAGE;
  return guarded(file, [&] { return file->next_chunk(); });
}

jrec_status jrec_chunk_of(jrec_file* file, jrec_chunk* chunk) {
  if (file == nullptr || chunk == nullptr) return JREC_USAGE;
  *chunk = {};
  return guarded(file, [&] {
    if (!file->chunk) return file->fail(JREC_USAGE, "stands in no chunk");
    const auto& header = file->extent.header;
    *chunk = {file->extent.offset, file->extent.size,  header.start_ns,
              header.duration_ns,  file->extent.whole, header.state != jfr::kStateFinished};
    return JREC_OK;
  });
}

jrec_status jrec_type_named(jrec_file* file, const char* name, jrec_type** type) {
  if (type == nullptr) return JREC_USAGE;
  *type = nullptr;
  if (file == nullptr || name == nullptr) return JREC_USAGE;
  return guarded(file, [&] { return *type = &file->type_named(name), JREC_OK; });
}

const char* jrec_type_name(const jrec_type* type) { return type == nullptr ? "" : type->name.c_str(); }

jrec_status jrec_select(jrec_type* type) {
  if (type == nullptr) return JREC_USAGE;
  type->selected = type->file.selecting = true;
  return JREC_OK;
}

jrec_status jrec_chunk_type(jrec_file* file, size_t index, jrec_type** type) {
  if (type == nullptr) return JREC_USAGE;
  *type = nullptr;
  if (file == nullptr) return JREC_USAGE;
  return guarded(file, [&] {
    if (!file->chunk) return file->fail(JREC_USAGE, "stands in no chunk");
    for (const jfr::read::Type& declared : file->chunk->metadata().types())
      if (declared.event && index-- == 0) return *type = &file->type_named(declared.name), JREC_OK;
    return JREC_END;
  });
}

jrec_status jrec_type_field(jrec_type* type, size_t index, const char** path, jrec_kind* kind) {
  if (type == nullptr || path == nullptr || kind == nullptr) return JREC_USAGE;
  *path = "";
  *kind = JREC_OTHER;
  jrec_file& file = type->file;
  return guarded(&file, [&] {
    if (!file.chunk) return file.fail(JREC_USAGE, "stands in no chunk");
    const jfr::read::Type* const declared = type->here();
    if (declared == nullptr) return JREC_END;
    if (type->leaves_of != declared) jfr::c::list_leaves(file.chunk->metadata(), *declared, type->leaves);
    type->leaves_of = declared;
    if (index >= type->leaves.size()) return JREC_END;
    *path = type->leaves[index].path.c_str();
    *kind = type->leaves[index].kind;
    return JREC_OK;
  });
}

jrec_status jrec_bind(jrec_type* type, const char* path, jrec_field** field) {
  if (field == nullptr) return JREC_USAGE;
  *field = nullptr;
  if (type == nullptr || path == nullptr) return JREC_USAGE;
  return guarded(&type->file, [&] { return *field = &type->bind(path), JREC_OK; });
}
