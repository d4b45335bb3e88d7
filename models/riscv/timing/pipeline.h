#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "models/riscv/core_config.h"
#include "models/riscv/core_generation.h"
#include "models/riscv/execute/l1_arbiter.h"
#include "models/riscv/polls/poll_timing.h"
#include "models/riscv/timing/instruction_cache.h"
#include "models/riscv/timing/pipeline_state.h"
#include "models/support/bus_access.h"
#include "models/support/l1_holders.h"
#include "models/support/time.h"

namespace tvp::riscv {

/// Times of a core's instructions in its pipeline (ISA BabyRISCV/README.md, MemoryOrdering.md).
///
/// Three cycles describe an instruction. At t it enters the integer unit, at e it passes to the
/// load/store unit, and at `leave` it leaves that. Instructions leave in order, one in a cycle.
/// Without slow instructions before it, an instruction leaves at e + 1, and neither the retire
/// queue nor forwarding can cause delays. One comparison (leave <= e) detects this common case. A
/// slow load raises `leave`; later instructions take the slower path until they have caught up.
///
/// The interpreter owns t and leave and keeps them in registers of the host.
class Pipeline {
 public:
  using Cycle = support::Cycle;

  void configure(const CoreConfig& config, support::BusMaster master, const CoreGeneration& cores);
  void clear();

  std::uint32_t local_latency() const { return local_latency_; }
  std::uint32_t atomic_latency() const { return atomic_latency_; }
  bool merges_stores() const { return merges_stores_; }
  /// Sets the behavior of the store queue (ISA BlackholeA0 BabyRISCV/CSRs.md, cfg0).
  void set_merging(bool on, std::uint32_t cycles) {
    merges_stores_ = on;
    merge_cycles_ = cycles;
  }

  /// True if an instruction that reads both registers cannot enter at t.
  [[gnu::always_inline]] bool waits(unsigned rs1, unsigned rs2, Cycle t) const {
    return ready_[rs1] > t || ready_[rs2] > t;
  }
  /// The cycle at which it can enter.
  Cycle stalled(Cycle t, unsigned rs1, unsigned rs2) const;

  /// First cycle, at least e, at which the retire queue has room.
  [[gnu::always_inline]] Cycle room_at(Cycle e, Cycle leave) const {
    if (leave <= e) [[likely]]
      return e;
    return std::max(e, retire_[retire_at_]);
  }

  /// Records the result of an instruction of the integer unit.
  [[gnu::always_inline]] void finish(unsigned rd, Cycle cycles, Cycle& t, Cycle& leave) {
    t += cycles;
    if (leave <= t) [[likely]] {
      ready_[rd] = t;
      return;
    }
    t = std::max(t, retire_[retire_at_]);
    retire_behind(std::max(t, leave) + 1, leave);
    ready_[rd] = leave;
    forward_reg_ = rd;
    forward_at_ = t;
  }

  /// Records a product.
  [[gnu::always_inline]] void multiplied(unsigned rd, Cycle& t, Cycle& leave) {
    if (!pipelines_products_) {
      finish(rd, multiply_cycles_, t, leave);
    } else {
      loaded(rd, room_at(t + 1, leave) - 1, multiply_cycles_, t, leave);
    }
  }
  /// The next instruction enters when all before it have retired.
  static Cycle retired(Cycle t, Cycle leave) { return std::max(t + 1, leave); }

  /// Sets the arbiter at which the tile's cores wait for each other. Without it they do not wait.
  void share_l1(L1Arbiter& arbiter);
  /// True if another agent could meet an L1 access at cycle t.
  [[gnu::always_inline]] bool is_heard(Cycle t) const {
    return holders_ != nullptr && holders_->hears(t);
  }

  /// Records a line of code from L1 at cycle c. The core may be ahead of other agents, so packets
  /// that meet it may become known later.
  void fetched(std::uint32_t address, Cycle c) {
    if (arbiter_ != nullptr) heard_read(address, c);
  }
  /// The arbiter that must know the L1 reads in turns that are not executed; null if none.
  L1Arbiter* l1_arbiter() const { return arbiter_; }
  support::BusMaster master() const { return master_; }

  /// Latency of a load of L1 that acts at cycle c. Call it once, before the load is in flight.
  [[gnu::always_inline]] Cycle l1_load_latency(std::uint32_t address, Cycle c) {
    if (is_heard(c)) [[unlikely]]
      heard_read(address, c);
    loads_waiting_ = c == slots_[slot_] ? loads_waiting_ + 1 : 0;
    if (loads_waiting_ < kStream || arbiter_ == nullptr) [[likely]]
      return l1_latency_;
    return contended_load(address, c);
  }

  /// Records a load that acts at cycle c.
  [[gnu::always_inline]] void loaded(unsigned rd, Cycle c, Cycle latency, Cycle& t, Cycle& leave) {
    t = c + 1;
    const Cycle done = std::max(c + latency, leave + 1);
    if (done > t + 1) retire_behind(done, leave);
    ready_[rd] = done;
  }
  /// First cycle at which one more load outside local data RAM can be in flight.
  [[gnu::always_inline]] Cycle slot_free() const { return slots_[slot_]; }
  [[gnu::always_inline]] void in_flight(Cycle c, Cycle latency) {
    slots_[slot_] = c + latency - 1;
    if (++slot_ >= slot_count_) slot_ = 0;
  }

  /// True if a load at e can find a store in the queue.
  [[gnu::always_inline]] bool has_stores_after(Cycle e) const { return last_emitted_ > e; }
  /// ISA MemoryOrdering.md: a load waits for a queued store with exactly the same start address.
  Cycle behind_same_address(std::uint32_t address, Cycle e) const;

  /// Queues a store that is emitted at `emitted` or later; returns the cycle of emission. A full
  /// queue delays the next instruction.
  [[gnu::always_inline]] Cycle stored(std::uint32_t address, Cycle e, Cycle emitted, Cycle& t,
                                      Cycle& leave) {
    emitted = std::max(emitted, last_emitted_ + 1);
    last_emitted_ = emitted;
    stores_[store_] = {emitted, address};
    if (++store_ >= store_depth_) store_ = 0;
    if (leave > e) [[unlikely]]
      retire_behind(std::max(e, leave) + 1, leave);
    t = std::max(e, stores_[store_].emitted - (stores_[store_].emitted != 0));
    return emitted;
  }
  /// The cycle at which earlier stores to L1 let the next store to L1, at e, be emitted.
  [[gnu::always_inline]] Cycle next_l1_emission(Cycle e) const {
    return std::max(e + 1, next_l1_store_);
  }
  [[gnu::always_inline]] void stored_l1(std::uint32_t address, Cycle e, Cycle& t, Cycle& leave) {
    if (merges_stores_ && joins_last(address, e, t, leave)) return;
    Cycle emitted = next_l1_emission(e);
    stores_waiting_ = emitted > e + 1 ? stores_waiting_ + 1 : 0;
    if (stores_waiting_ >= kStream && arbiter_ != nullptr) [[unlikely]]
      emitted = contended_store(address, e, emitted);
    else if (is_heard(e - 1)) [[unlikely]]
      heard_store(address, emitted);
    next_l1_store_ = stored(address, e, emitted, t, leave) + l1_store_period_;
  }
  [[gnu::always_inline]] void stored_register(std::uint32_t address, Cycle e, Cycle latency,
                                              Cycle& t, Cycle& leave) {
    const Cycle emitted = std::max(e + 1, next_bus_store_);
    next_bus_store_ = stored(address, e, emitted, t, leave) + latency;
  }

  /// True if other cores were asked since the last call. The times then depend on them.
  bool take_contended() { return std::exchange(contended_, false); }

  /// Cycles of a divide or remainder.
  unsigned divide_cycles(bool is_signed, std::uint32_t dividend, std::uint32_t divisor) const {
    return cycles_of_step(divide_step(is_signed, dividend, divisor));
  }
  /// A divide takes one of few times, which are numbered.
  static constexpr unsigned kDivideSteps = 8;
  unsigned divide_step(bool is_signed, std::uint32_t dividend, std::uint32_t divisor) const;
  unsigned cycles_of_step(unsigned step) const;

  // For the times of whole blocks, see BlockTimes.

  /// The last stores that entered the queue, the newest at `next - 1`.
  struct StoreAddresses {
    static constexpr unsigned kMask = 7;
    std::array<std::uint32_t, kMask + 1> at{};
    std::uint32_t next = 0;
    [[gnu::always_inline]] void push(std::uint32_t address) { at[next++ & kMask] = address; }
    std::uint32_t newest(unsigned index) const { return at[(next - 1 - index) & kMask]; }
  };
  /// False if a time is too far ahead.
  bool save(Cycle t, Cycle leave, PipelineState& state, StoreAddresses& addresses) const;
  void restore(const PipelineState& state, Cycle t, const StoreAddresses& addresses, Cycle& leave);
  /// A copy without other cores, for computing times.
  Pipeline alone() const;
  /// True if the last load (or store) asked other cores, or would have.
  bool load_asks() const { return shares_l1_ && loads_waiting_ >= kStream; }
  bool store_asks() const { return shares_l1_ && stores_waiting_ >= kStream; }
  bool begins_stream() const { return stores_waiting_ == kStream; }
  /// True if stores of the core alone have the same distance as stores that others delay.
  bool stores_pass_like_others() const;
  unsigned store_depth() const { return store_depth_; }
  /// True if a store of a stream to L1, made at cycle `now`, passes as in `alone()`. The other
  /// cores are then informed. False without informing them if they may delay it.
  [[gnu::always_inline]] bool streams_alone(std::uint32_t address, Cycle now, Cycle emitted) {
    contended_ = true;
    return now >= unlike_until_ && arbiter_->store_alone(master_, address, now, emitted);
  }
  [[gnu::always_inline]] bool loads_alone(std::uint32_t address, Cycle c) {
    contended_ = true;
    return arbiter_->load_alone(master_, address, c);
  }
  /// Announces a store in the queue, after streams_alone().
  void announce(std::uint32_t address, Cycle emitted);
  /// Takes over the state of `other`, which began as alone() of this one.
  void go_on_as(const Pipeline& other);
  /// Bit i: the i-th newest store in the queue is emitted after e.
  unsigned queued_after(Cycle e) const;
  /// The cycle at which the i-th newest store is emitted.
  Cycle emitted(unsigned index) const {
    return stores_[(store_ + 2 * store_depth_ - 1 - index) % store_depth_].emitted;
  }

  /// Everything that can delay an instruction, relative to cycle t.
  PollTiming seen_from(Cycle t, Cycle leave, const InstructionCache::Tags& cached) const;
  /// Moves all times at `from` or later, and `leave`, by `by` cycles.
  void shift(Cycle from, Cycle by, Cycle& leave);

 private:
  struct QueuedStore {
    Cycle emitted = 0;
    std::uint32_t address = 0;
  };

  /// So many consecutive accesses that wait for their predecessors are a stream.
  static constexpr unsigned kStream = 4;
  Cycle contended_load(std::uint32_t address, Cycle c);
  Cycle contended_store(std::uint32_t address, Cycle e, Cycle emitted);
  void heard_store(std::uint32_t address, Cycle emitted);
  static bool is_private(std::uint32_t address) { return address >= 0xFF000000; }
  void heard_read(std::uint32_t address, Cycle at);
  /// True if the store, at e, becomes part of the last one.
  bool joins_last(std::uint32_t address, Cycle e, Cycle& t, Cycle& leave);

  [[gnu::always_inline]] void retire_behind(Cycle when, Cycle& leave) {
    leave = when;
    retire_[retire_at_] = when;
    if (++retire_at_ >= retire_depth_) retire_at_ = 0;
  }

  std::uint32_t l1_latency_ = 8, local_latency_ = 2, l1_store_period_ = 5;
  std::uint32_t slot_count_ = 4, store_depth_ = 4, retire_depth_ = 8;
  std::uint32_t multiply_cycles_ = 2, atomic_latency_ = 12;
  bool pipelines_products_ = false, merges_stores_ = false;
  std::uint32_t merge_cycles_ = 0;
  /// Until this cycle a store that neighbors this address of L1 can join the store to it.
  Cycle merge_until_ = 0;
  std::uint32_t merge_address_ = 0;
  std::uint32_t divide_trivial_ = 2, divide_min_ = 6, divide_max_ = 33, divide_step_ = 9;

  L1Arbiter* arbiter_ = nullptr;
  const support::L1Holders* holders_ = nullptr;  ///< the same object as the arbiter
  bool shares_l1_ = false;
  support::BusMaster master_ = support::BusMaster::kB;
  bool contended_ = false;
  unsigned loads_waiting_ = 0, stores_waiting_ = 0;  ///< consecutive ones
  /// Until this cycle, queued stores of a stream have other times in the arbiter.
  Cycle unlike_until_ = 0;

  std::array<Cycle, 33> ready_{};
  /// While results queue up behind a slow load, one is also available at the cycle at which its
  /// instruction passes from the integer unit to the load/store unit.
  unsigned forward_reg_ = 0;
  Cycle forward_at_ = 0;
  unsigned retire_at_ = 0, slot_ = 0, store_ = 0;
  Cycle last_emitted_ = 0;
  Cycle next_l1_store_ = 0;
  Cycle next_bus_store_ = 0;
  std::array<Cycle, 8> slots_{};   ///< cycles at which loads in flight free their slots
  std::array<Cycle, 8> retire_{};  ///< cycles at which the last instructions leave
  std::array<QueuedStore, 8> stores_{};
};

}  // namespace tvp::riscv
