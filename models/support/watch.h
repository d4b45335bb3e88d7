#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/support/time.h"

namespace tvp::support {

/// Groups of locations whose changes wake a sleeping core. A wake that turns out to be for another
/// location of the group costs host time, never correctness: the core just polls again.
enum class Watch : std::uint8_t {
  kL1,  ///< refined by address, see WatchHub
  kNiu0,
  kNiu1,
  kOverlay,      ///< stream registers
  kTileControl,  ///< reset, debug, status (not the wall clock, which changes always)
  kTdma,         ///< mover and packer status
  kMailbox,
  kPcBuf,
  kSemaphore,    ///< Tensix semaphores
  kCoprocessor,  ///< idle state (TTSync), FIFO space
  kGpr,          ///< Tensix GPRs
  kConfig,       ///< backend configuration
  kEthernet,     ///< ethernet queues and MAC
  kHost,         ///< registers that the host writes
  kCount,
  kNone = 0xFF,  ///< cannot be watched: a loop that reads it is executed, never slept through
};

/// Someone who sleeps until a watched location changes.
class Sleeper {
 public:
  virtual ~Sleeper() = default;
  /// A watched location changed at cycle `when`, in the step of the agent with tie order `order`.
  virtual void location_changed(Cycle when, unsigned order) = 0;
};

/// Someone who waits for the first write to places of L1, by whomever.
class FirstWrites {
 public:
  virtual ~FirstWrites() = default;
  virtual void written(std::uint32_t address, std::uint32_t bytes) = 0;
  /// Some of [first, last] is such a place that nobody has written yet.
  virtual bool awaits(std::uint32_t first, std::uint32_t last) const = 0;
};

/// Per tile: who sleeps on what. Idle cost of a change is one mask test; of an L1 write, one more
/// comparison per sleeping address.
class WatchHub {
 public:
  struct L1Range {
    std::uint32_t first;
    std::uint32_t last;  ///< inclusive
  };

  /// `mask` has bit i set for Watch i. L1 locations are given by address in `ranges`.
  void sleep(Sleeper& sleeper, std::uint32_t mask, const std::vector<L1Range>& ranges);
  void cancel(Sleeper& sleeper);
  /// Until it ends that (null), `first_writes` is told of all writes to L1.
  void await(FirstWrites* first_writes);
  /// Someone sleeps until a byte of it is written, or awaits the first write there.
  bool is_watched(const L1Range& range) const;

  /// To be called after any change of a location of group `group`.
  void changed(Watch group, Cycle when, unsigned order) {
    if ((active_mask_ >> static_cast<unsigned>(group)) & 1U) notify(group, when, order);
  }
  /// To be called after any write to L1, by whoever wrote.
  void l1_written(std::uint32_t address, std::uint32_t bytes, Cycle when, unsigned order) {
    if (active_mask_ & kL1Mask) notify_l1(address, bytes, when, order);
  }

 private:
  struct Entry {
    Sleeper* sleeper;
    std::uint32_t mask;
    std::vector<L1Range> ranges;
  };
  void notify(Watch group, Cycle when, unsigned order);
  void notify_l1(std::uint32_t address, std::uint32_t bytes, Cycle when, unsigned order);
  std::span<const Entry> asleep() const { return {entries_.data(), asleep_}; }

  static constexpr std::uint32_t kFirstWritesBit = 1U << 31;  ///< behind those of Watch
  static constexpr std::uint32_t kL1Mask = 1U | kFirstWritesBit;

  std::uint32_t active_mask_ = 0;
  FirstWrites* first_writes_ = nullptr;
  /// The first `asleep_` in the order of falling asleep; those behind are kept for their memory:
  /// cores that wait for room in a FIFO fall asleep and wake for every instruction.
  std::vector<Entry> entries_;
  std::size_t asleep_ = 0;
};

}  // namespace tvp::support
