// SPDX-License-Identifier: Apache-2.0
// The formats of `jrec print` but CSV, which needs to see the recording first (csv_events.h).
#pragma once

#include <cstdint>
#include <memory>

#include "jrec/print/event_writer.h"

namespace jrec {

std::unique_ptr<EventWriter> text_writer(uint32_t stack_depth);
std::unique_ptr<EventWriter> json_writer(uint32_t stack_depth);
std::unique_ptr<EventWriter> json_lines_writer(uint32_t stack_depth);
std::unique_ptr<EventWriter> xml_writer(uint32_t stack_depth);

}  // namespace jrec
