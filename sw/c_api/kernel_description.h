#pragma once

#include <string>

#include "sw/runtime/programs/program.h"

namespace tvp::c_api {

/// Adds the kernel that `json` describes (tensix_vp_host_kernel) to a program. Throws
/// Fault(kDescription) that names the key, its value and what was expected.
runtime::KernelHandle add_kernel(runtime::Program& program, const std::string& json,
                                 const runtime::CoreRangeSet& cores);

}  // namespace tvp::c_api
