// SPDX-License-Identifier: Apache-2.0
// The content of a metadata event (what stands behind its id: texts, then a tree of elements whose attributes name
// texts by number), taken apart into columns; and back, to the byte.
//
//   <event name="jdk.GC" label="Garbage Collection"> <field name="id" class="5"/> ...
//    ----- ----          -----                        an element's sort: its name and the names of its attributes
//
//   sorts, children    a number for each element; a new sort is spelled out
//   values             by attribute: 0 the first text that nothing has named yet, else its number + 1
//   texts              by the attribute that names them first, as names look like names and labels like labels
//   order              0, or the logarithm of the capacity of the hash set in whose order the texts stand
//                      (text_order.h)
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "format/archive/blocks.h"
#include "format/archive/number_codec.h"

namespace jfr::archive {

// Nothing for bytes that are no metadata, or that would come back otherwise: it is tried. level: zstd's. Where models
// have the numbers, its best parse gains next to nothing more. news.words: it is packed with metadata_words().
std::optional<std::vector<uint8_t>> encode_metadata(std::span<const uint8_t> content, int level = kBestLevel,
                                                    NewCodings news = kAllCodings);

// Nothing for bytes that encode_metadata() did not make of `size` bytes. words: what they were packed with, or null.
std::optional<std::vector<uint8_t>> decode_metadata(std::span<const uint8_t> packed, uint64_t size,
                                                    const Blocks* words);

}  // namespace jfr::archive
