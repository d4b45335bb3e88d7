#include "models/pim/unit/wram.h"

#include <algorithm>

namespace tvp::pim {

void Wram::read(std::uint32_t address, std::uint8_t* data, std::uint32_t bytes,
                const Port& port) const {
  std::copy_n(bytes_.data() + address, bytes, data);
  was_read(address, bytes, port);
}

void Wram::write(std::uint32_t address, const std::uint8_t* data, std::uint32_t bytes,
                 const Port& port) {
  std::copy_n(data, bytes, bytes_.data() + address);
  was_written(address, bytes, port);
}

void Wram::debug_write(std::uint32_t address, const std::uint8_t* data, std::uint32_t bytes,
                       support::Cycle now) {
  std::copy_n(data, bytes, bytes_.data() + address);
  if (observer_ != nullptr) tell(address, bytes, true, {.now = now});
}

void Wram::tell(std::uint32_t address, std::uint32_t bytes, bool write, const Port& port) const {
  observer_->on({.kind = support::ProbeEvent::kind_of(write),
                 .agent = port.agent,
                 .memory = support::MemoryKind::kWram,
                 .bytes = bytes,
                 .address = address,
                 .cycle = port.now,
                 .done = port.now});
}

}  // namespace tvp::pim
