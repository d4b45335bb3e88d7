#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "platform/checks/check.h"
#include "platform/checks/record/core_access_range.h"

namespace tvp::checks {

/// Warns about data in another tile that its sender overwrites without a look at the count by which
/// that tile gives room back. An example is the sender of a global circular buffer without
/// remote_cb_reserve_back. The result is right only while the receiver is in time.
///
/// A word is such a count if atomics of the other tile increment it here. A second write to the
/// same bytes there is wrong if no core of this tile has loaded one of these words since the first.
class ReusedTargets : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "reused_targets"; }
  const char* summary() const override {
    return "writes over data of another tile which it may not have given back";
  }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;

 private:
  static constexpr std::size_t kMost = 64;  ///< writes to a tile; the oldest is dropped
  struct Write {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t number = 0;
    Cycle cycle = 0;
    std::uint32_t pc = 0;
  };
  struct Tile {
    std::uint8_t x = 0, y = 0;
    std::vector<std::uint32_t> counts{};  ///< words of this tile that it increments
    std::vector<Write> writes{};          ///< since the last load of one of them; a ring of kMost
    std::size_t oldest = 0;
    std::uint64_t written = 0;    ///< number of all writes
    std::uint64_t announced = 0;  ///< writes that an atomic to the tile has followed
  };
  Tile& tile_at(std::uint8_t x, std::uint8_t y);
  void command(const ProbeEvent& event);
  void loaded(const ProbeEvent& event);
  void report(const Write& first, const ProbeEvent& second);

  std::vector<Tile> tiles_;
  CoreAccessRange range_{tile_};
  std::vector<std::pair<std::uint32_t, std::uint32_t>> reported_;  ///< pcs of both writes
};

}  // namespace tvp::checks
