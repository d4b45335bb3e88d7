#pragma once

#include <cstdint>
#include <vector>

#include "foundation/regs/pim.h"
#include "models/support/probe.h"
#include "models/support/watch.h"

namespace tvp::pim {

/// The working memory of a unit. Core, DMA engine and stop have separate ports; conflicts between
/// them are not modelled.
class Wram {
 public:
  /// The agent of an access, and its cycle.
  struct Port {
    support::BusMaster agent = support::BusMaster::kDebug;
    support::Cycle now = 0;
    unsigned order = 0;  ///< order of the agent in the unit
  };

  explicit Wram(support::WatchHub& watch_hub)
      : watch_hub_(watch_hub), bytes_(regs::pim::kWramBytes) {}

  static bool contains(std::uint64_t address, std::uint64_t bytes) {
    return address <= regs::pim::kWramBytes && bytes <= regs::pim::kWramBytes - address;
  }

  // The range must lie within it.
  void read(std::uint32_t address, std::uint8_t* data, std::uint32_t bytes, const Port& port) const;
  void write(std::uint32_t address, const std::uint8_t* data, std::uint32_t bytes,
             const Port& port);
  /// A write of the host while time stands still. No core is notified.
  void debug_write(std::uint32_t address, const std::uint8_t* data, std::uint32_t bytes,
                   support::Cycle now);

  /// Reports of direct accesses to bytes(), made right after them. `written` notifies the watch hub
  /// too, unless the core has done so.
  void was_read(std::uint32_t address, std::uint32_t bytes, const Port& port) const {
    if (observer_ != nullptr) [[unlikely]]
      tell(address, bytes, false, port);
  }
  void was_written(std::uint32_t address, std::uint32_t bytes, const Port& port) {
    watch_hub_.l1_written(address, bytes, port.now, port.order);
    if (observer_ != nullptr) [[unlikely]]
      tell(address, bytes, true, port);
  }
  std::uint8_t* bytes() { return bytes_.data(); }
  const std::uint8_t* bytes() const { return bytes_.data(); }

  /// Sets the observer of every access; null: none. With an observer, direct accesses to bytes()
  /// must be reported. The core's bus sets it (UnitBus::set_memory_observer).
  void observe(support::Probe::Listener* observer) { observer_ = observer; }
  bool is_observed() const { return observer_ != nullptr; }

 private:
  void tell(std::uint32_t address, std::uint32_t bytes, bool write, const Port& port) const;

  support::WatchHub& watch_hub_;
  support::Probe::Listener* observer_ = nullptr;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace tvp::pim
