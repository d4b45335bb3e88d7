#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "models/support/probe.h"

namespace tvp::riscv {

/// The data RAM of one core, which no other agent can reach. All accesses go through this class.
class LocalMemory {
 public:
  LocalMemory(std::uint32_t bytes, support::BusMaster agent) : bytes_(bytes), agent_(agent) {}

  std::uint32_t size() const { return static_cast<std::uint32_t>(bytes_.size()); }
  std::uint8_t* data() { return bytes_.data(); }
  /// Bytes that the core may access through data(): none while the memory is observed.
  std::uint32_t direct_bytes() const { return observer_ == nullptr ? size() : 0; }

  void read(std::uint32_t offset, void* to, std::uint32_t bytes, support::Cycle now,
            support::Cycle done) const {
    std::memcpy(to, bytes_.data() + offset, bytes);
    if (observer_ != nullptr) tell(offset, bytes, false, now, done);
  }
  void write(std::uint32_t offset, const void* from, std::uint32_t bytes, support::Cycle now) {
    std::memcpy(bytes_.data() + offset, from, bytes);
    if (observer_ != nullptr) tell(offset, bytes, true, now, now);
  }

  void set_observer(support::Probe::Listener* observer) { observer_ = observer; }
  const support::Probe::Listener* observer() const { return observer_; }

 private:
  void tell(std::uint32_t offset, std::uint32_t bytes, bool is_write, support::Cycle now,
            support::Cycle done) const {
    observer_->on({.kind = support::ProbeEvent::kind_of(is_write),
                   .agent = agent_,
                   .memory = support::MemoryKind::kLocal,
                   .bytes = bytes,
                   .address = offset,
                   .cycle = now,
                   .done = done});
  }

  std::vector<std::uint8_t> bytes_;
  const support::BusMaster agent_;
  support::Probe::Listener* observer_ = nullptr;
};

}  // namespace tvp::riscv
