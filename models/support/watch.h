#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/support/time.h"

namespace tvp::support {

/// Groups of locations whose changes wake a sleeping core. A wake for another location of the group
/// costs host time but never correctness, since the core only polls again.
enum class Watch : std::uint8_t {
  kL1,  ///< with address ranges, see WatchHub
  kNiu0,
  kNiu1,
  kOverlay,      ///< stream registers
  kTileControl,  ///< reset, debug, status (not the wall clock, which always changes)
  kTdma,         ///< mover and packer status
  kMailbox,
  kPcBuf,
  kSemaphore,    ///< Tensix semaphores
  kCoprocessor,  ///< idle state (TTSync), FIFO space
  kGpr,          ///< Tensix GPRs
  kConfig,       ///< backend configuration
  kEthernet,     ///< ethernet queues and MAC
  kHost,         ///< registers that the host writes
  kDeviceB,      ///< answer of a module of the user to core B of a Tensix tile
  kDeviceNc,
  kDeviceT0,
  kDeviceT1,
  kDeviceT2,
  kCount,
  kNone = 0xFF,  ///< cannot be watched: the core executes a loop that reads it
};

/// Sleeps until a watched location changes.
class Sleeper {
 public:
  virtual ~Sleeper() = default;
  /// A watched location has changed at cycle `when`, in the step of the agent with tie order
  /// `order`.
  virtual void location_changed(Cycle when, unsigned order) = 0;
};

/// Waits for the first write to places of L1 by any agent.
class FirstWrites {
 public:
  virtual ~FirstWrites() = default;
  virtual void written(std::uint32_t address, std::uint32_t bytes) = 0;
  /// True if [first, last] contains such a place that was never written.
  virtual bool awaits(std::uint32_t first, std::uint32_t last) const = 0;
};

/// For each tile: the sleepers and their watched locations. Without sleepers a change costs one
/// mask test. An L1 write costs one comparison for each sleeping address.
class WatchHub {
 public:
  struct L1Range {
    std::uint32_t first;
    std::uint32_t last;  ///< inclusive
  };

  /// `mask` has bit i set for Watch i. L1 locations are given by address in `ranges`.
  void sleep(Sleeper& sleeper, std::uint32_t mask, const std::vector<L1Range>& ranges);
  void cancel(Sleeper& sleeper);
  /// Reports all writes to L1 to `first_writes`, until it is replaced by null.
  void await(FirstWrites* first_writes);
  /// True if a sleeper waits for a write to the range, or its first write is awaited.
  bool is_watched(const L1Range& range) const;

  /// Call it after any change of a location of group `group`.
  void changed(Watch group, Cycle when, unsigned order) {
    if ((active_mask_ >> static_cast<unsigned>(group)) & 1U) notify(group, when, order);
  }
  /// Every writer of L1 calls it after its write.
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

  static constexpr std::uint32_t kFirstWritesBit = 1U << 31;  ///< the bit behind those of Watch
  static constexpr std::uint32_t kL1Mask = 1U | kFirstWritesBit;

  std::uint32_t active_mask_ = 0;
  FirstWrites* first_writes_ = nullptr;
  /// The first `asleep_` entries are in the order of falling asleep. The others keep their memory,
  /// since cores that wait for space in a FIFO fall asleep and wake for every instruction.
  std::vector<Entry> entries_;
  std::size_t asleep_ = 0;
};

}  // namespace tvp::support
