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

/// Waits of a tile's cores for each other at L1 (ISA TensixTile/L1.md): B, NC and T0 reach it
/// through one access port, T1 and T2 through another, and any port any bank, one access at a time.
/// A load takes one cycle of port and bank, a store, which is narrow, five. Cores take turns at
/// their port, ports at a bank; a port whose first access waits for a bank lets no other pass.
///
/// A conflict of two loads in a bank, which costs one cycle, is not modelled. The rules apply to
/// streams only,
/// accesses that have been waiting for their own predecessors for a while: the store queue and the
/// loads in flight hide what single ones would wait. NIUs that write whole words wait for the banks
/// that stores hold. Where they want a bank in the cycle in which a core reads it, a load or a line
/// of code, NIU and core take turns (ISA: round robin): the NIU waits for a cycle the first time
/// and goes first the next time, as beside unpackers and packers. A core's wait of one cycle for a
/// NIU is not modelled.
class L1Arbiter : public support::L1Holders {
 public:
  using Cycle = support::Cycle;
  static constexpr Cycle kStoreCycles = 5;
  static constexpr unsigned kMostPending = 8;

  /// When the latest stores of a core pass, the last one last.
  struct Passing {
    std::array<Cycle, kMostPending> at{};
    unsigned count = 0;
  };
  /// A store that is made at cycle `now` and that its core can emit at `earliest`. What is said of
  /// the time is right unless others come in between; the next call corrects it.
  Passing store(support::BusMaster core, std::uint32_t address, Cycle now, Cycle earliest);
  /// One that waits for nobody, or still waits when its core has turned out to make a stream of
  /// them, from its time alone.
  void note(std::uint32_t address, Cycle emitted);
  /// A load that is heard, or any fetch of code, from its time alone.
  void note_read(support::BusMaster core, std::uint32_t address, Cycle at) {
    const auto index = static_cast<unsigned>(core);
    if (reads_.is_full(index)) [[unlikely]]
      drop_reads(index);
    reads_.note(index, bank_of(address), at);
    held_until_ = std::max(held_until_, at + 1);
  }
  /// A load that reaches its port at cycle t: how much longer than alone it takes.
  Cycle load(support::BusMaster core, std::uint32_t address, Cycle t);

  // The same for whom time is known to be right as long as nobody else is there: false, and nothing
  // is changed, when somebody is.

  /// A store that passes at cycle `at`, when its core emits it.
  [[gnu::always_inline]] bool store_alone(support::BusMaster core, std::uint32_t address, Cycle now,
                                          Cycle at) {
    const auto index = static_cast<unsigned>(core);
    if (lone_ != index || logged_ == kMostLogged) [[unlikely]] {
      if (!becomes_lone(index, now)) return false;
    }
    const unsigned bank = bank_of(address);
    // In front of it no more may wait than a queue holds.
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
    // With what is logged it waits for no more than it looks without.
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
  /// From this cycle on, the core reports its reads in another way.
  void polls_no_more(support::BusMaster core, Cycle until);
  /// Drops the reads of lines that the core has fetched ahead.
  void reset(support::BusMaster core, Cycle now);

  void pass(Stream& stream, Cycle until) override;

 private:
  static constexpr unsigned kCores = L1Reads::kCores;
  static constexpr unsigned kPorts = 2;
  static constexpr unsigned kBanks = 16;
  using Banks = L1Reads::Banks;

  /// Port of a core by its support::BusMaster.
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
    unsigned last = 0;  ///< who had it
  };
  struct Turn {
    Cycle at = support::kNever;
    unsigned core = 0;
  };
  /// A bank that a store has.
  struct Hold {
    Cycle from = 0;
    unsigned bank = 0;
    Cycle until() const { return from + kStoreCycles; }
    bool keeps(Banks banks, Cycle at) const {
      return from <= at && at < until() && (banks >> bank & 1) != 0;
    }
  };
  /// More than pass, on both ports, while a NIU writes the largest packet.
  static constexpr std::size_t kMostHolds = 512;
  /// A NIU never asks for accesses that are older than this before the last heard one.
  static constexpr Cycle kMostLate = 1024;
  /// Everything that waits and passes.
  struct Traffic {
    std::array<Queue, kCores> queues;
    std::array<Place, kPorts> ports;
    std::array<Place, kBanks> banks;
    unsigned waiting = 0;  ///< a bit for each core that has stores in its queue

    void push(unsigned core, const Pending& store) {
      queues[core].push(store);
      waiting |= 1U << core;
    }
    Turn next_of(unsigned port) const;
    Turn next_of_all() const;
    /// Mostly there is one core at most.
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

  /// ISA L1.md gives the number of banks; that neighbors of 16 bytes lie in neighboring ones is
  /// what the figures of stores that are spread or not say.
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
  /// It waits for what has begun, not for stores to come.
  Cycle free_for_load(unsigned core, std::uint32_t address, Cycle t) const {
    const unsigned port = port_of(core);
    const Place& bank = traffic_.banks[bank_of(address)];
    const bool own = traffic_.ports[port].last == core;
    return std::max({t, port_read_[port], own ? 0 : traffic_.ports[port].free,
                     bank.last == port ? 0 : bank.free});
  }
  /// From the first one that ends after `begin` on, with those that wait as it looks now.
  void find_holds(Cycle begin);
  void passes(const Hold& hold) {
    if (passed_.size() == most_passed_) [[unlikely]]
      drop_passed();
    const bool is_late = !passed_.empty() && passed_.back().from > hold.from;
    passed_.push_back(hold);
    if (is_late) put_last_in_order();
    held_until_ = std::max(held_until_, hold.until());
  }
  /// One that is noted is known before what passes until then; one that waits for nobody any more
  /// has passed for good only when the next one comes.
  void put_last_in_order();
  /// Drops passed accesses that nobody asks about any more; the latest stay.
  void drop_passed();
  void drop_reads(unsigned core);

  /// True if all accesses that wait at cycle `now` belong to the core and pass when it has
  /// computed.
  bool becomes_lone(unsigned core, Cycle now);
  /// Before anybody looks at what waits and passes.
  void read_log() {
    if (logged_ != 0) [[unlikely]]
      play_log();
  }
  void play_log();

  static constexpr unsigned kMostLogged = 64;

  Traffic traffic_;
  unsigned lone_ = kCores;  ///< that core, as long as nobody else comes; kCores: none
  Cycle lone_free_ = 0;     ///< when its port is free again, as it looks now
  /// Its latest stores, of which `traffic_` does not know yet: with nobody else there it is not
  /// looked at. In front of them are those that passed before any of these was made.
  std::array<Pending, kMostPending + kMostLogged> log_{};
  unsigned logged_ = 0;
  Cycle logged_at_ = 0;       ///< when the last one was made
  std::vector<Hold> passed_;  ///< in order, the latest, perhaps all while something is heard
  std::size_t most_passed_ = 2 * kMostHolds;
  std::vector<Hold> found_;
  std::array<Cycle, kPorts> port_read_{};  ///< free for the next load
  L1Reads reads_;
};

inline void L1Arbiter::Traffic::pass(const Turn& turn) {
  Queue& queue = queues[turn.core];
  const unsigned port = port_of(turn.core), bank = queue.at(0).bank;
  const Cycle over = turn.at + kStoreCycles;
  ports[port] = {over, turn.core};
  banks[bank] = {over, port};
  queue.pop();
  // A core emits its next one no sooner than this one has passed.
  if (queue.count > 0) {
    queue.at(0).ready = std::max(queue.at(0).ready, over);
  } else {
    waiting &= ~(1U << turn.core);
  }
}

}  // namespace tvp::riscv
