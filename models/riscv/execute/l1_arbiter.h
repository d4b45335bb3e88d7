#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "models/riscv/execute/l1_reads.h"
#include "models/support/bus_access.h"
#include "models/support/l1_holders.h"
#include "models/support/time.h"

namespace tvp::riscv {

/// Waits of a tile's cores for each other at L1 (ISA TensixTile/L1.md). B, NC and T0 share one
/// access port, T1 and T2 another. Each port reaches each bank, one access at a time. A load takes
/// one cycle of port and bank. A store, which is narrow, takes five. Cores take turns at their
/// port, and ports at a bank. A port whose first access waits for a bank blocks its other accesses.
///
/// The rules apply to streams only: accesses that have been waiting for their own predecessors for
/// a while. For single accesses, the store queue and the loads in flight hide the waits. A conflict
/// of two loads in a bank, which costs one cycle, is not modelled.
///
/// NIUs that write whole words wait for the banks that stores hold. If a NIU needs a bank in the
/// cycle in which a core reads it (a load or a line of code), NIU and core take turns (ISA: round
/// robin). The NIU waits for a cycle the first time and goes first the next time, as beside
/// unpackers and packers. A core's wait of one cycle for a NIU is not modelled.
class L1Arbiter : public support::L1Holders {
 public:
  using Cycle = support::Cycle;
  static constexpr Cycle kStoreCycles = 5;
  static constexpr unsigned kMostPending = 8;

  /// The cycles at which the latest stores of a core pass, in order.
  struct Passing {
    std::array<Cycle, kMostPending> at{};
    unsigned count = 0;
  };
  /// A store made at cycle `now` that its core can emit at `earliest`. The returned time holds
  /// unless other stores come in between; the next call corrects it.
  Passing store(support::BusMaster core, std::uint32_t address, Cycle now, Cycle earliest);
  /// Records a store at its own time: it waits for no other, or was already waiting when its core
  /// turned out to make a stream.
  void note(std::uint32_t address, Cycle emitted);
  /// Records a load or fetch of code that a packet can meet, at its own time.
  void note_read(support::BusMaster core, std::uint32_t address, Cycle at) {
    const auto index = static_cast<unsigned>(core);
    if (reads_.is_full(index)) [[unlikely]]
      drop_reads(index);
    reads_.note(index, bank_of(address), at);
    held_until_ = std::max(held_until_, at + 1);
  }
  /// A load that reaches its port at cycle t. Returns the extra cycles because of other cores.
  Cycle load(support::BusMaster core, std::uint32_t address, Cycle t);

  // The same for times that hold as long as no other core is there. If one is, the functions return
  // false and change nothing.

  /// A store that passes at cycle `at`, when its core emits it.
  [[gnu::always_inline]] bool store_alone(support::BusMaster core, std::uint32_t address, Cycle now,
                                          Cycle at) {
    const auto index = static_cast<unsigned>(core);
    if (lone_ != index || logged_ == kMostLogged) [[unlikely]] {
      if (!becomes_lone(index, now)) return false;
    }
    const unsigned bank = bank_of(address);
    // No more stores may wait before it than a queue holds.
    if (std::max(lone_free_, traffic_.banks[bank].free) > at || log_[logged_].ready >= now)
      return false;
    log_[kMostPending + logged_++] = {at, bank};
    logged_at_ = now;
    lone_free_ = at + kStoreCycles;
    held_until_ = std::max(held_until_, lone_free_);
    return true;
  }
  /// A load that does not wait.
  [[gnu::always_inline]] bool load_alone(support::BusMaster core, std::uint32_t address, Cycle t) {
    const auto index = static_cast<unsigned>(core);
    // The logged stores do not delay it more than is known without them.
    if (lone_ != index || logged_ == 0) {
      settle(t);
    } else {
      logged_at_ = std::max(logged_at_, t);
    }
    if (free_for_load(index, address, t) != t) return false;
    port_read_[port_of(index)] = t + 1;
    return true;
  }

  /// The reads of a core in each iteration of a poll that is not executed.
  struct Polled {
    Cycle offset = 0;  ///< from the beginning of a turn
    std::uint32_t address = 0;
  };
  void polls(support::BusMaster core, Cycle since, Cycle period, const std::vector<Polled>& reads);
  /// From cycle `until` on, the core reports its reads itself.
  void polls_no_more(support::BusMaster core, Cycle until);
  /// Drops the reads of lines that the core has fetched ahead.
  void reset(support::BusMaster core, Cycle now);

  void pass(Stream& stream, Cycle until) override;

 private:
  static constexpr unsigned kCores = L1Reads::kCores;
  static constexpr unsigned kPorts = 2;
  static constexpr unsigned kBanks = 16;
  using Banks = L1Reads::Banks;

  static unsigned port_of(unsigned core) {
    return core >= static_cast<unsigned>(support::BusMaster::kT1) ? 1 : 0;
  }

  struct Pending {
    Cycle ready = 0;
    unsigned bank = 0;
  };
  struct Queue {
    std::array<Pending, kMostPending> stores{};
    unsigned first = 0, count = 0;

    Pending& at(unsigned i) { return stores[(first + i) % kMostPending]; }
    const Pending& at(unsigned i) const { return stores[(first + i) % kMostPending]; }
    void push(const Pending& store) { at(count++) = store; }
    void pop() {
      ++first;
      --count;
    }
  };
  struct Place {
    Cycle free = 0;
    unsigned last = 0;  ///< the last one served
  };
  struct Turn {
    Cycle at = support::kNever;
    unsigned core = 0;
  };
  /// A bank that a store holds.
  struct Hold {
    Cycle from = 0;
    unsigned bank = 0;
    Cycle until() const { return from + kStoreCycles; }
    bool keeps(Banks banks, Cycle at) const {
      return from <= at && at < until() && (banks >> bank & 1) != 0;
    }
  };
  /// More than the stores that pass on both ports while a NIU writes the largest packet.
  static constexpr std::size_t kMostHolds = 512;
  /// A NIU never asks for accesses that are older than this before the last recorded one.
  static constexpr Cycle kMostLate = 1024;
  /// All waiting and passing accesses.
  struct Traffic {
    std::array<Queue, kCores> queues;
    std::array<Place, kPorts> ports;
    std::array<Place, kBanks> banks;
    unsigned waiting = 0;  ///< one bit for each core with stores in its queue

    void push(unsigned core, const Pending& store) {
      queues[core].push(store);
      waiting |= 1U << core;
    }
    Turn next_of(unsigned port) const;
    Turn next_of_all() const;
    /// Usually at most one core waits.
    Turn next() const {
      if (waiting == 0) return {};
      return (waiting & (waiting - 1)) == 0 ? next_alone() : next_of_all();
    }
    Turn next_alone() const {
      const auto core = static_cast<unsigned>(std::countr_zero(waiting));
      const Pending& store = queues[core].at(0);
      return {std::max({store.ready, ports[port_of(core)].free, banks[store.bank].free}), core};
    }
    Hold hold(const Turn& turn) const {
      return {.from = turn.at, .bank = queues[turn.core].at(0).bank};
    }
    void pass(const Turn& turn);
  };

  /// ISA L1.md gives the number of banks. Measurements of stores that are spread or not show that
  /// neighboring 16-byte words are in neighboring banks.
  static unsigned bank_of(std::uint32_t address) { return address / 16 % kBanks; }
  /// The banks that the next words of a stream need.
  static Banks banks_of(const Stream& stream);
  /// A stream that meets a read loses the first time and wins the next.
  static bool loses(Stream& stream, Banks read);
  /// Makes all passes before cycle `now` final.
  void settle(Cycle now) {
    read_log();
    for (Turn turn = traffic_.next(); turn.at < now; turn = traffic_.next()) {
      passes(traffic_.hold(turn));
      traffic_.pass(turn);
    }
  }
  /// A load waits for accesses that have begun, not for future stores.
  Cycle free_for_load(unsigned core, std::uint32_t address, Cycle t) const {
    const unsigned port = port_of(core);
    const Place& bank = traffic_.banks[bank_of(address)];
    const bool own = traffic_.ports[port].last == core;
    return std::max({t, port_read_[port], own ? 0 : traffic_.ports[port].free,
                     bank.last == port ? 0 : bank.free});
  }
  /// Finds the holds from the first one that ends after `begin` on, including the expected ones of
  /// waiting stores.
  void find_holds(Cycle begin);
  void passes(const Hold& hold) {
    if (passed_.size() == most_passed_) [[unlikely]]
      drop_passed();
    const bool is_late = !passed_.empty() && passed_.back().from > hold.from;
    passed_.push_back(hold);
    if (is_late) put_last_in_order();
    held_until_ = std::max(held_until_, hold.until());
  }
  /// Sorts the last recorded store among the passed ones. A recorded store is known before others
  /// that pass by then. A store without waits has passed finally only when the next one comes.
  void put_last_in_order();
  /// Drops passed accesses that cannot be asked for any more; the latest stay.
  void drop_passed();
  void drop_reads(unsigned core);

  /// True if all accesses that wait at cycle `now` belong to the core and pass at the times that it
  /// has computed.
  bool becomes_lone(unsigned core, Cycle now);
  /// Must run before waiting or passing accesses are examined.
  void read_log() {
    if (logged_ != 0) [[unlikely]]
      play_log();
  }
  void play_log();

  static constexpr unsigned kMostLogged = 64;

  Traffic traffic_;
  unsigned lone_ = kCores;  ///< the only active core; kCores: none
  Cycle lone_free_ = 0;     ///< cycle at which its port is expected to be free
  /// Its latest stores, which `traffic_` does not contain yet, since it is not used while no other
  /// core is active. Before them are those that had passed when the first of these was made.
  std::array<Pending, kMostPending + kMostLogged> log_{};
  unsigned logged_ = 0;
  Cycle logged_at_ = 0;       ///< cycle of the last one
  std::vector<Hold> passed_;  ///< in order, the latest; all while packets can meet them
  std::size_t most_passed_ = 2 * kMostHolds;
  std::vector<Hold> found_;
  std::array<Cycle, kPorts> port_read_{};  ///< first free cycle for the next load
  L1Reads reads_;
};

inline void L1Arbiter::Traffic::pass(const Turn& turn) {
  Queue& queue = queues[turn.core];
  const unsigned port = port_of(turn.core), bank = queue.at(0).bank;
  const Cycle over = turn.at + kStoreCycles;
  ports[port] = {over, turn.core};
  banks[bank] = {over, port};
  queue.pop();
  // A core emits its next store only after this one has passed.
  if (queue.count > 0) {
    queue.at(0).ready = std::max(queue.at(0).ready, over);
  } else {
    waiting &= ~(1U << turn.core);
  }
}

}  // namespace tvp::riscv
