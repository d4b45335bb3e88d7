#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platform/debug/target.h"

namespace tvp::debug {

/// Registers of a core, for qXfer:features:read (GDB manual, Target Descriptions, RISC-V Features).
std::string target_document();

/// One `<thread>` for qXfer:threads:read.
std::string thread_element(const std::string& id, const std::string& name,
                           const std::string& state);

/// For qXfer:libraries:read and qXfer:libraries-svr4:read. Debian's gdb assumes RISC-V Linux by
/// default and asks for the latter. The files are linked to their load addresses.
std::string libraries_document(const std::vector<Target::Library>& libraries);
std::string svr4_libraries_document(const std::vector<Target::Library>& libraries);

/// Reply to the part "offset,length" of a qXfer read of `document`.
std::string document_part(const std::string& document, std::string_view part);

}  // namespace tvp::debug
