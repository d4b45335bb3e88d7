#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tvp::dram {

/// Two numbers for each burst, zero before the first change(). Memory grows with the written
/// bursts, not with the address space: a hash table (open addressing) finds groups of neighboring
/// bursts.
class BurstValues {
 public:
  struct Value {
    std::uint32_t stored = 0;    ///< in the memory now
    std::uint32_t expected = 0;  ///< in the memory once all earlier requests are done
  };

  BurstValues() : slots_(kFirstSlots) {}

  Value get(std::uint64_t burst) const {
    const Slot& slot = slots_[slot_of(burst / kGroup)];
    return slot.is_free() ? Value{} : groups_[slot.index][burst % kGroup];
  }
  /// The value to write to. It is valid until the next call.
  Value& change(std::uint64_t burst);
  std::size_t bytes() const {
    return slots_.size() * sizeof(Slot) + groups_.capacity() * sizeof(Group);
  }

 private:
  static constexpr std::size_t kGroup = 16;       ///< two cache lines of the host
  static constexpr std::size_t kFirstSlots = 64;  ///< a power of two, like all later sizes
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};

  using Group = std::array<Value, kGroup>;
  struct Slot {
    std::uint64_t group = kFree;
    std::size_t index = 0;  ///< in groups_
    bool is_free() const { return group == kFree; }
  };

  /// The slot of a group, or the free slot in which it belongs.
  std::size_t slot_of(std::uint64_t group) const {
    // Multiplication by 2^64 / golden ratio (Knuth, TAOCP 6.4) spreads neighbors and strides.
    constexpr std::uint64_t kSpread = 0x9E3779B97F4A7C15;
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = (group * kSpread >> 32) & mask;
    while (!slots_[at].is_free() && slots_[at].group != group) at = (at + 1) & mask;
    return at;
  }
  Value& add(std::uint64_t burst);

  std::vector<Slot> slots_;
  std::vector<Group> groups_;
};

inline BurstValues::Value& BurstValues::change(std::uint64_t burst) {
  const Slot& slot = slots_[slot_of(burst / kGroup)];
  return slot.is_free() ? add(burst) : groups_[slot.index][burst % kGroup];
}

}  // namespace tvp::dram
