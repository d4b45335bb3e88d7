#pragma once

#include <memory>
#include <string>
#include <vector>

#include "foundation/warning_sink.h"
#include "platform/checks/record/l1_buffers.h"
#include "platform/checks/record/signalled_writes.h"
#include "platform/checks/tile_checks.h"

namespace tvp::checks {

/// The checks of the tiles of a chip, or of the units of a PIM system (x: their number).
class ChipChecks {
 public:
  /// `dram`: the buffers of the chip's host; null for PIM units.
  explicit ChipChecks(foundation::WarningSink& warnings, const DramBuffers* dram = nullptr)
      : warnings_(warnings), signals_(dram) {}
  ChipChecks(const ChipChecks&) = delete;
  ChipChecks& operator=(const ChipChecks&) = delete;

  /// Creates all checks for another tile. Its models report to the probe of the result.
  TileChecks& add(const TileContext& context);
  /// Null: the chip has no such tile.
  TileChecks* at(unsigned x, unsigned y) const;
  L1Buffers& l1_buffers() { return l1_buffers_; }

 private:
  struct Tile {
    unsigned x, y;
    std::unique_ptr<TileChecks> checks;
  };
  void failed(const std::string& name, const std::string& reason);

  foundation::WarningSink& warnings_;
  SignalledWrites signals_;
  UnitOrder units_;
  L1Buffers l1_buffers_;
  std::vector<Tile> tiles_;
};

}  // namespace tvp::checks
