#pragma once

#include <cstdint>
#include <memory>
#include <variant>

#include "sw/runtime/metal_classes.h"

namespace tvp::collectives {

/// The same bytes of the bank of each PIM unit.
struct BankRange {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

/// The memory of a rank on its device, at one address on all ranks: a buffer of a mesh of chips, or
/// a part of banks.
using DeviceMemory = std::variant<std::shared_ptr<runtime::MeshBuffer>, BankRange>;

}  // namespace tvp::collectives
