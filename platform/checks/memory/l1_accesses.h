#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "platform/checks/check.h"
#include "platform/checks/record/core_access_range.h"
#include "platform/checks/record/kernel_arguments.h"
#include "platform/checks/record/l1_buffers.h"

namespace tvp::checks {

/// Warns about transfers, packs, loads and stores in L1 outside the buffer that was meant:
///   - a transfer that begins in a buffer and ends behind it;
///   - an access in a buffer whose address the kernel does not have, although it has that of the
///     buffer before;
///   - a write to a tile on which the buffer at that address has no part;
///   - a pack into a buffer over which the program has no circular buffer, although the pack begins
///   in one.
class L1Accesses : public Check {
 public:
  explicit L1Accesses(const TileContext& tile);
  const char* name() const override { return "l1_accesses"; }
  const char* summary() const override { return "reads and writes beyond the buffers in L1"; }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;

 private:
  /// An access of `core` to `bytes` at `address` of L1 of a tile.
  struct Access {
    BusMaster core = BusMaster::kDebug;
    std::uint32_t pc = 0;
    L1Buffers::Tile tile{};
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;
    const char* verb = "";  ///< "reads", "stores"
  };
  /// The tile that the packers write.
  struct Pack {
    std::uint32_t pc = 0;
    std::uint32_t begin = 0;
    std::uint32_t buffer = 0;  ///< begin of the buffer around it; 0: there is none
    bool is_of_page = false;   ///< begins in a circular buffer
  };
  L1Buffers& buffers() const { return *tile_.l1_buffers; }
  L1Buffers::Tile own() const;
  void commanded(const ProbeEvent& command);
  void packed(const ProbeEvent& write);
  void accessed(const ProbeEvent& access);
  void judge(const Access& access);
  void judge_in(const Access& access, const L1Buffers::Buffer& in);
  void judge_outside(const Access& access);
  /// Requests the accesses of cores to the buffers behind those whose addresses the tile's kernels
  /// have.
  void ask();
  bool is_stored(const Access& access, const L1Buffers::Buffer& buffer);
  bool is_reported(BusMaster core, std::uint32_t pc);
  void warn_of(const Access& access, const std::string& what);

  KernelArguments arguments_;
  CoreAccessRange range_{tile_};
  Pack pack_;
  std::vector<std::pair<BusMaster, std::uint32_t>> reported_;  ///< core and pc
  std::uint64_t reported_at_ = 0;  ///< L1Buffers::changes() at the last report
};

}  // namespace tvp::checks
