#pragma once

#include <cstdint>
#include <vector>

#include "models/regs/pim.h"
#include "models/support/watch.h"

namespace tvp::pim {

/// The working memory of a unit. Core, DMA engine and stop each have a port of their own; conflicts
/// between them are not modelled.
class Wram {
 public:
  explicit Wram(support::WatchHub& watch_hub)
      : watch_hub_(watch_hub), bytes_(regs::pim::kWramBytes) {}

  static bool contains(std::uint64_t address, std::uint64_t bytes) {
    return address <= regs::pim::kWramBytes && bytes <= regs::pim::kWramBytes - address;
  }
  std::uint8_t* bytes() { return bytes_.data(); }
  const std::uint8_t* bytes() const { return bytes_.data(); }
  /// To be called after a write by anyone but the core, which tells the hub itself.
  void written(std::uint32_t address, std::uint32_t bytes, support::Cycle now, unsigned order) {
    watch_hub_.l1_written(address, bytes, now, order);
  }

 private:
  support::WatchHub& watch_hub_;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace tvp::pim
