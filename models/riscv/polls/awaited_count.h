#pragma once

#include <cstdint>
#include <optional>

namespace tvp::riscv {

class Core;

/// The count for which the core waits with its load in progress. The loop only loads a free-running
/// counter, subtracts the count, and repeats while the difference is negative. No value: the load
/// belongs to other code. Reads registers and code without time.
std::optional<std::uint32_t> awaited_count(Core& core);

}  // namespace tvp::riscv
