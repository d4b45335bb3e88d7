#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "platform/checks/code_names.h"
#include "platform/machine/chip.h"

namespace tvp::platform {

/// A core with its names for symbols and reports.
struct CoreView {
  riscv::Core* core;
  unsigned chip;
  std::size_t place;  ///< the chip's place among those of this process
  unsigned x;
  unsigned y;
  unsigned kind;              ///< tensix_vp_core
  std::uint32_t local_bytes;  ///< bytes in the digest: what all cores of the chip have

  checks::CodeOwner owner() const { return {chip, x, y, kind}; }
};

std::vector<CoreView> all_cores(const std::vector<std::unique_ptr<Chip>>& chips);

}  // namespace tvp::platform
