#pragma once

#include <algorithm>
#include <cstdint>

#include "platform/checks/tile_context.h"

namespace tvp::checks {

/// A range of L1, or WRAM, in which a check wants the loads and stores of a tile's cores. Its two
/// ends enclose all places that were added since clear(), so other places may lie between them.
class CoreAccessRange {
 public:
  /// Other kinds of tiles have no range.
  explicit CoreAccessRange(const TileContext& tile,
                           TileContext::Kind kind = TileContext::Kind::kTensix)
      : probe_(tile.kind == kind ? tile.probe : nullptr) {
    if (probe_ != nullptr) number_ = probe_->add_range();
  }

  void clear() {
    begin_ = ~0U;
    end_ = 0;
  }
  void add(std::uint32_t begin, std::uint32_t end) {
    begin_ = std::min(begin_, begin);
    end_ = std::max(end_, end);
  }
  /// Requests the accesses. Must be called after a change.
  void ask() const {
    if (probe_ != nullptr) probe_->want_core_accesses(number_, begin_, end_);
  }
  bool touches(std::uint64_t address, std::uint32_t bytes) const {
    return address < end_ && begin_ < address + bytes;
  }

 private:
  Probe* probe_;
  unsigned number_ = 0;
  std::uint32_t begin_ = ~0U;
  std::uint32_t end_ = 0;
};

}  // namespace tvp::checks
