#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/dram/memory_request.h"

namespace tvp::dram {

/// The waiting requests of a channel: a pool of slots. Each bank has one linked list of reads and
/// one of writes, oldest first. The first `bank_depth` requests of a list are in the bank's queue,
/// which the scheduler sees. The others wait in the transaction queue, which has a fixed capacity
/// for each direction.
class BankQueues {
 public:
  static constexpr unsigned kNone = ~0U;

  struct Slot {
    MemoryRequest request;
    std::uint64_t order = 0;
    MemCycle arrival = 0;
    unsigned next = kNone;
    unsigned previous = kNone;
    unsigned after = kNone;         ///< a request to the same burst that must go first,
    std::uint64_t after_order = 0;  ///< as long as that slot still holds this request
    unsigned holds = 0;             ///< number of reads that wait for this write
    bool activated = false;         ///< an ACT was issued for this request
    bool precharged = false;        ///< a PRE was issued for this request
  };

  BankQueues(unsigned banks, unsigned reads, unsigned writes, unsigned bank_depth);

  bool accepts(unsigned bank, bool write) const {
    const Side& side = sides_[write];
    return side.lists[bank].count < bank_depth_ || side.overflow < side.capacity;
  }
  unsigned add(const MemoryRequest& request, MemCycle arrival);
  void remove(unsigned slot);

  Slot& operator[](unsigned slot) { return slots_[slot]; }
  const Slot& operator[](unsigned slot) const { return slots_[slot]; }
  unsigned oldest(unsigned bank, bool write) const { return sides_[write].lists[bank].head; }
  unsigned count(unsigned bank, bool write) const { return sides_[write].lists[bank].count; }
  unsigned total(bool write) const { return sides_[write].total; }
  bool empty() const { return total(false) + total(true) == 0; }
  /// Banks with requests, in no particular order.
  std::span<const unsigned> banks(bool write) const { return sides_[write].active; }

  /// The oldest request to `row` in the bank's queue that waits for no other, or kNone.
  unsigned find_row(unsigned bank, bool write, std::uint64_t row) const;
  /// The newest request to this burst, or kNone.
  unsigned find_burst(unsigned bank, bool write, std::uint64_t row, unsigned column) const;
  /// True if another request must go first.
  bool waits(const Slot& slot) const {
    return slot.after != kNone && slots_[slot.after].order == slot.after_order;
  }

 private:
  struct List {
    unsigned head = kNone;
    unsigned tail = kNone;
    unsigned count = 0;
    unsigned active_at = kNone;
  };
  struct Side {
    std::vector<List> lists;
    std::vector<unsigned> active;
    unsigned capacity = 0;
    unsigned overflow = 0;
    unsigned total = 0;
  };

  const unsigned bank_depth_;
  Side sides_[2];
  std::vector<Slot> slots_;
  unsigned free_ = kNone;
  std::uint64_t next_order_ = 1;  ///< 0 marks an empty slot
};

}  // namespace tvp::dram
