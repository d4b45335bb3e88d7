#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "platform/checks/event_types.h"
#include "platform/checks/tile_context.h"

namespace tvp::checks {

/// The arguments of the kernels of a tile's cores, among which addresses of buffers may be.
class KernelArguments {
 public:
  explicit KernelArguments(const TileContext& tile);

  static Probe::Kinds kinds() {
    return Probe::bit(ProbeEvent::Kind::kKernel) | Probe::bit(ProbeEvent::Kind::kArgument);
  }
  /// A kernel or an argument is announced. False if the tile has no such core.
  bool announced(const ProbeEvent& event);
  bool has_kernel(BusMaster core) const { return known(core) != nullptr; }
  /// True if the kernel has this word.
  bool has(BusMaster core, std::uint64_t word);
  /// True if it has one of [begin, begin + bytes) in steps of `step`.
  bool has_any(BusMaster core, std::uint64_t begin, std::uint64_t bytes, std::uint64_t step) const;
  /// True if a kernel of the tile has a word of [begin, begin + bytes).
  bool tile_has_any(std::uint64_t begin, std::uint64_t bytes) const;
  /// The largest argument up to `address`; 0 if there is none.
  std::uint32_t nearest(BusMaster core, std::uint64_t address) const;
  /// True if L1 contains one of these addresses more often than the arguments of the tile's kernels
  /// do, for example in a table of the kernel. `buffer`: the one that arguments may have.
  bool is_in_l1(BusMaster core, std::uint32_t buffer, std::span<const std::uint32_t> others);
  /// Must be called when buffers have changed.
  void forget_l1();

 private:
  struct Core {
    BusMaster master;
    std::vector<std::uint32_t> given{};  ///< in ascending order if `is_sorted`
    bool is_sorted = true;
    std::vector<std::uint32_t> stored{};  ///< buffers whose address is in L1
  };
  const Core* known(BusMaster core) const;
  Core* known(BusMaster core);

  std::span<const std::uint8_t> l1_;
  std::vector<Core> cores_;
};

}  // namespace tvp::checks
