#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "platform/checks/event_types.h"

namespace tvp::checks {

/// The happens-before order of pushes and pops of circular buffers on a tile's five cores, which
/// does not depend on their times. A core that waits for a count knows the pushes or pops that made
/// it, and all that their cores knew at that moment. A core that only reads a count knows the whole
/// of it. Each core has a vector clock, as in race detectors for threads.
class PageOrder {
 public:
  static constexpr unsigned kCores = 5;
  using Clock = std::array<std::uint32_t, kCores>;

  /// The pushes of a buffer, or its pops.
  class Count {
   public:
    /// Starts a buffer of so many pages, without a push or a pop.
    void begin(std::uint32_t pages) { steps_.assign(pages, {}); }
    std::size_t pages() const { return steps_.size(); }

   private:
    friend class PageOrder;
    /// The last push or pop of a page. If no core made one, or an agent that is no core of the tile
    /// did (`core` is kCores), all cores know it.
    struct Step {
      std::uint32_t core = kCores;
      std::uint32_t number = 0;
      Clock known{};  ///< clock that a core takes over when it knows the step
    };
    std::vector<Step> steps_;  ///< by page
  };

  void forget() { clocks_ = {}; }
  /// `core` pushes, or pops, `pages` pages from `first` on.
  void step(Count& count, std::uint32_t first, std::uint32_t pages, BusMaster core);
  /// `core` waits until the step of page `last` was made.
  void read(const Count& count, std::uint32_t last, BusMaster core);
  bool knows(const Count& count, std::uint32_t page, BusMaster core) const {
    const Count::Step& step = count.steps_[page];
    return step.core >= kCores || !is_core(core) ||
           clocks_[static_cast<unsigned>(core)][step.core] >= step.number;
  }

 private:
  static bool is_core(BusMaster agent) { return static_cast<unsigned>(agent) < kCores; }
  static void join(Clock& clock, const Clock& other);

  std::array<Clock, kCores> clocks_{};
};

}  // namespace tvp::checks
