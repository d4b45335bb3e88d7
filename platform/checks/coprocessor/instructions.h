#pragma once

#include <cstdint>
#include <string>

#include "models/support/probe.h"

namespace tvp::checks {

/// "MVMUL Dst=4 of T1".
std::string instruction_text(std::uint32_t instruction, unsigned thread);
/// "; thread T1, MVMUL Dst=4, which its core pushed at pc 0x5120", from which reports get the
/// source line; "" if `offered` has no thread.
std::string origin_text(const support::Offered& offered);
/// Makes a result in Dst. Inits of kernels use the other instructions that change it.
bool writes_result(std::uint32_t instruction);
/// Packs rows of Dst, and not zeros or what a packer still holds.
bool packs_dst(std::uint32_t instruction);

}  // namespace tvp::checks
