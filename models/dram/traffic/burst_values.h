#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tvp::dram {

/// A number for each burst, zero before the first set(). Memory grows with the written bursts, not
/// with the address space: a hash table (open addressing) holds groups of neighboring bursts.
class BurstValues {
 public:
  BurstValues() : slots_(kFirstSlots) {}

  std::uint32_t get(std::uint64_t burst) const {
    const Slot& slot = slots_[slot_of(burst / kGroup)];
    return slot.is_free() ? 0 : slot.values[burst % kGroup];
  }
  void set(std::uint64_t burst, std::uint32_t value);
  std::size_t bytes() const { return slots_.size() * sizeof(Slot); }

 private:
  /// A group and its number fill a cache line of the host.
  static constexpr std::size_t kGroup = 14;
  static constexpr std::size_t kFirstSlots = 64;  ///< a power of two, like all later sizes
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};

  struct alignas(64) Slot {
    std::uint64_t group = kFree;
    std::array<std::uint32_t, kGroup> values{};
    bool is_free() const { return group == kFree; }
  };

  /// The slot of a group, or the free slot in which it belongs.
  std::size_t slot_of(std::uint64_t group) const;
  void grow();

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

}  // namespace tvp::dram
