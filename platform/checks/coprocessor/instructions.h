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
/// True if the instruction computes a result in Dst. Kernels use the other instructions that change
/// Dst to initialize it.
bool writes_result(std::uint32_t instruction);
/// True if the instruction packs rows of Dst, and neither zeros nor a rest in the packer.
bool packs_dst(std::uint32_t instruction);

}  // namespace tvp::checks
