#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tvp::dram {

/// Two numbers for each burst, zero before the first change(). Memory grows with the written
/// bursts, not with the address space: a hash table (open addressing) finds regions, and each
/// region has an index of its groups of neighboring bursts.
class BurstValues {
 public:
  struct Value {
    std::uint32_t stored = 0;    ///< in the memory now
    std::uint32_t expected = 0;  ///< in the memory once all earlier requests are done
  };

  BurstValues() : slots_(kFirstSlots), regions_(1), groups_(1) {}

  Value get(std::uint64_t burst) const { return groups_[group_of(burst)][burst % kGroup]; }
  /// The value to write to. It is valid until the next call.
  Value& change(std::uint64_t burst) {
    const std::uint32_t group = group_of(burst);
    return group == kNone ? add(burst) : groups_[group][burst % kGroup];
  }
  std::size_t bytes() const {
    return slots_.size() * sizeof(Slot) + regions_.capacity() * sizeof(Region) +
           groups_.capacity() * sizeof(Group);
  }

 private:
  static constexpr std::size_t kGroup = 16;       ///< bursts; two cache lines of the host
  static constexpr std::size_t kRegion = 256;     ///< groups; the slots of 1 GiB fit the L2 cache
  static constexpr std::size_t kFirstSlots = 64;  ///< a power of two, like all later sizes
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};
  static constexpr std::uint32_t kNone = 0;  ///< the first region and the first group stay empty

  using Group = std::array<Value, kGroup>;
  using Region = std::array<std::uint32_t, kRegion>;
  struct Slot {
    std::uint64_t region = kFree;
    std::uint32_t index = kNone;  ///< in regions_
  };

  /// The slot of a region, or the free slot in which it belongs.
  std::size_t slot_of(std::uint64_t region) const {
    // Multiplication by 2^64 / golden ratio (Knuth, TAOCP 6.4) spreads neighbors and strides.
    constexpr std::uint64_t kSpread = 0x9E3779B97F4A7C15;
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = (region * kSpread >> 32) & mask;
    while (slots_[at].region != kFree && slots_[at].region != region) at = (at + 1) & mask;
    return at;
  }
  std::uint32_t group_of(std::uint64_t burst) const {
    const Slot& slot = slots_[slot_of(burst / kGroup / kRegion)];
    return regions_[slot.index][burst / kGroup % kRegion];
  }
  Value& add(std::uint64_t burst);
  std::uint32_t add_region(std::uint64_t region);

  std::vector<Slot> slots_;
  std::vector<Region> regions_;
  std::vector<Group> groups_;
};

}  // namespace tvp::dram
