#include "sw/workloads/prefetcher/placement.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "sw/runtime/errors.h"

namespace tvp::workloads::prefetcher {

using runtime::ChipLayout;
using runtime::CoreCoord;

namespace {

/// Occupied links and cores of senders. Data of NoC 0 goes east along the endpoint's row, then
/// south along the core's column.
class Grid {
 public:
  Grid(const ChipLayout& layout, std::uint32_t receivers)
      : layout_(layout), receivers_(receivers) {}

  /// The sender of a bank whose path shares no link with another's, or else any with room.
  std::optional<CoreCoord> take(std::uint32_t bank) {
    const CoreCoord endpoint = layout_.dram_noc0(bank);
    for (const bool shares : {false, true}) {
      for (std::uint32_t x = column_behind(endpoint); x + receivers_ < size_.x; ++x) {
        for (std::uint32_t hops = 0; hops < layout_.spec().rows; ++hops) {
          const std::optional<CoreCoord> core = worker_at(x, endpoint.y + hops);
          if (!core || !has_room(*core)) continue;
          const std::vector<CoreCoord> way = links_south(endpoint.y, x, hops);
          const auto used = [&](CoreCoord link) { return links_.count(link) != 0; };
          if (!shares && std::any_of(way.begin(), way.end(), used)) continue;
          links_.insert(way.begin(), way.end());
          for (std::uint32_t i = 0; i <= receivers_; ++i) cores_.insert({core->x + i, core->y});
          return core;
        }
      }
    }
    return std::nullopt;
  }

 private:
  /// First column of workers behind the endpoint's.
  std::uint32_t column_behind(CoreCoord endpoint) const {
    for (std::uint32_t x = 0; x < size_.x; ++x)
      if (layout_.worker_noc0({x, 0}).x > endpoint.x) return x;
    return 0;
  }
  std::optional<CoreCoord> worker_at(std::uint32_t x, std::uint32_t noc_y) const {
    for (std::uint32_t y = 0; y < size_.y; ++y)
      if (layout_.worker_noc0({x, y}).y == noc_y % layout_.spec().rows) return CoreCoord{x, y};
    return std::nullopt;
  }
  bool has_room(CoreCoord core) const {
    for (std::uint32_t i = 0; i <= receivers_; ++i)
      if (cores_.count({core.x + i, core.y}) != 0) return false;
    return true;
  }
  /// Links to the south, by logical column and the row at which they begin.
  std::vector<CoreCoord> links_south(std::uint32_t y, std::uint32_t x, std::uint32_t hops) const {
    std::vector<CoreCoord> links;
    for (std::uint32_t i = 0; i < hops; ++i) links.push_back({x, (y + i) % layout_.spec().rows});
    return links;
  }

  const ChipLayout& layout_;
  std::uint32_t receivers_;
  CoreCoord size_ = layout_.grid_size();
  std::set<CoreCoord> cores_, links_;
};

/// Banks with an endpoint in a row of workers first, because their path is straight.
std::vector<std::uint32_t> straight_first(const ChipLayout& layout, std::uint32_t banks) {
  std::vector<std::uint32_t> order(banks);
  std::iota(order.begin(), order.end(), 0);
  std::stable_partition(order.begin(), order.end(), [&](std::uint32_t bank) {
    for (std::uint32_t y = 0; y < layout.grid_size().y; ++y)
      if (layout.worker_noc0({0, y}).y == layout.dram_noc0(bank).y) return true;
    return false;
  });
  return order;
}

}  // namespace

std::vector<Sender> place(const std::string& workload, const ChipLayout& layout,
                          std::uint32_t banks, std::uint32_t receivers, std::uint32_t rows_off) {
  if (banks > layout.dram_banks())
    runtime::bad_use(workload + ".banks", std::to_string(banks) + "; the chip has " +
                                              std::to_string(layout.dram_banks()));
  Grid grid(layout, receivers);
  std::vector<Sender> senders;
  for (const std::uint32_t bank : straight_first(layout, banks)) {
    const std::optional<CoreCoord> core = grid.take(bank);
    if (!core)
      runtime::bad_use(workload, std::to_string(receivers) +
                                     " receivers do not fit to the right of a core behind bank " +
                                     std::to_string(bank) + " of " + std::to_string(banks) +
                                     "; expected fewer receivers or banks");
    Sender sender;
    sender.bank = bank;
    sender.core = {core->x, (core->y + rows_off) % layout.grid_size().y};
    for (std::uint32_t i = 1; i <= receivers; ++i)
      sender.receivers.push_back({sender.core.x + i, sender.core.y});
    senders.push_back(sender);
  }
  std::sort(senders.begin(), senders.end(),
            [](const Sender& a, const Sender& b) { return a.core < b.core; });
  // Two senders of a row read over different virtual channels, so that none waits for the other.
  for (std::size_t i = 0; i < senders.size(); ++i) {
    const auto in_row = [&](const Sender& other) { return other.core.y == senders[i].core.y; };
    const auto before = senders.begin() + static_cast<std::ptrdiff_t>(i);
    senders[i].channel =
        2 + static_cast<std::uint32_t>(std::count_if(senders.begin(), before, in_row)) % 2;
  }
  return senders;
}

std::vector<RingCore> ring_of(const std::vector<Sender>& senders) {
  std::vector<RingCore> ring;
  for (std::uint32_t s = 0; s < senders.size(); ++s)
    for (std::uint32_t i = 0; i < senders[s].receivers.size(); ++i)
      ring.push_back({senders[s].receivers[i], s, i});
  std::sort(ring.begin(), ring.end(),
            [](const RingCore& a, const RingCore& b) { return a.core < b.core; });
  return ring;
}

}  // namespace tvp::workloads::prefetcher
