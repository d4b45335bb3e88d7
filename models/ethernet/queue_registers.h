#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "models/support/mmio.h"
#include "models/support/watch.h"

namespace tvp::ethernet {

/// The registers of a transmit or receive queue: words of the queue, by offset.
template <typename Queue>
class QueueRegisters {
 public:
  struct Register {
    std::uint32_t offset;
    std::uint32_t Queue::*word;
    std::uint32_t mask = 0xFFFFFFFF;  ///< bits that a write changes; 0: read-only
  };

  consteval QueueRegisters(std::initializer_list<Register> registers) {
    for (const Register& reg : registers) by_offset_.at(reg.offset / 4) = reg;
  }

  void read(const Queue& queue, support::MmioAccess& access) const {
    access.watch = support::Watch::kEthernet;
    if (const Register* reg = find(access.offset)) {
      access.data = queue.*reg->word;
    } else {
      access.unmapped = true;
    }
  }
  /// False if there is no such register.
  bool write(Queue& queue, const support::MmioAccess& access) const {
    const Register* reg = find(access.offset);
    if (reg == nullptr || reg->mask == 0) return false;
    queue.*reg->word = access.data & reg->mask;
    return true;
  }

 private:
  const Register* find(std::uint32_t offset) const {
    if (offset % 4 != 0 || offset / 4 >= by_offset_.size()) return nullptr;
    const Register& reg = by_offset_[offset / 4];
    return reg.word == nullptr ? nullptr : &reg;
  }

  std::array<Register, 32> by_offset_{};
};

}  // namespace tvp::ethernet
