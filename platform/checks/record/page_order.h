#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "platform/checks/event_types.h"

namespace tvp::checks {

/// Which of a tile's five cores knows of which pushes and pops of circular buffers, whatever their
/// times were: who has read a count knows of all steps that made it, and of all that those who made
/// them knew of then. A vector clock a core, as race detectors of threads have.
class PageOrder {
 public:
  static constexpr unsigned kCores = 5;
  using Clock = std::array<std::uint32_t, kCores>;

  /// The pushes of a buffer, or its pops.
  class Count {
   public:
    /// Begins a buffer of so many pages, of which none was pushed or popped.
    void begin(std::uint32_t pages) {
      steps_.assign(pages, {});
      known_ = {};
    }
    std::size_t pages() const { return steps_.size(); }

   private:
    friend class PageOrder;
    /// The last one of a page. That of nobody, and those of agents that are no cores of the tile,
    /// count as known.
    struct Step {
      std::uint32_t core = kCores;
      std::uint32_t number = 0;
    };
    std::vector<Step> steps_;  ///< by page
    Clock known_{};            ///< to who reads it
  };

  void forget() { clocks_ = {}; }
  /// `core` pushes, or pops, `pages` pages from `first` on.
  void step(Count& count, std::uint32_t first, std::uint32_t pages, BusMaster core);
  void read(const Count& count, BusMaster core);
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
