// SPDX-License-Identifier: Apache-2.0
// DeltaSchema is the columns of a table, as a log of Delta Lake says them: a struct in JSON (the protocol's "Schema Serialization
// Format"). It grows by the columns of the table's files, which may differ:
//
//   a column that is new                        is added; files without it have nulls there
//   an int here and a long there                is a long from then on, and a DECIMAL(20, 0) beside an unsigned long
//   one that is else of two types, or whose     cannot be: those files cannot be in the table
//   name differs by its case alone
//
// All columns may be null, so that any may be new.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "jrec/parquet/parquet_column.h"

namespace jrec {

class DeltaSchema {
 public:
  // With the columns that its partitions have, each name with its type: {{"service", "string"}, {"day", "date"}}.
  struct Partition {
    std::string name, type;
  };
  static DeltaSchema of(const std::vector<Partition>& partitions);
  // kCorrupt: this is no schema.
  static base::Result<DeltaSchema> parse(std::string_view json);

  // True: it has grown. kUsage: one of them is of another type in the table, and nothing has changed.
  base::Result<bool> add(const ParquetColumns& columns);
  std::string json() const;

 private:
  struct Field {
    std::string name;
    std::string type;  // in JSON
    bool operator==(const Field&) const = default;
  };
  static std::vector<Field> fields_of(const ParquetColumns& columns);
  base::Status add(Field field);

  std::vector<Field> fields_;
};

}  // namespace jrec
