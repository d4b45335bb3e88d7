#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "models/riscv/core_config.h"
#include "models/riscv/execute/l1_arbiter.h"
#include "models/riscv/polls/poll_timing.h"
#include "models/riscv/timing/instruction_cache.h"
#include "models/riscv/timing/pipeline_state.h"
#include "models/support/bus_access.h"
#include "models/support/l1_holders.h"
#include "models/support/time.h"

namespace tvp::riscv {

/// When the instructions of a core get through its pipeline (ISA BabyRISCV/README.md,
/// MemoryOrdering.md).
///
/// For each instruction, t is the cycle at which it enters the integer unit, e the one at which it
/// passes to the load/store unit, and `leave` the one at which it leaves that. Instructions leave
/// in order, one a cycle. As long as nothing slow is in front, an instruction leaves at e + 1, and
/// then neither the retire queue nor forwarding can hold up anybody: one comparison (leave <= e)
/// keeps the common case short. A slow load raises `leave`; the instructions behind it then take
/// the longer way until they have caught up.
///
/// t and leave are the interpreter's, which keeps them in registers of the host.
class Pipeline {
 public:
  using Cycle = support::Cycle;

  void configure(const CoreConfig& config, support::BusMaster master);
  void clear();

  std::uint32_t local_latency() const { return local_latency_; }
  std::uint32_t multiply_cycles() const { return multiply_cycles_; }

  /// An instruction that reads both registers cannot enter at t.
  [[gnu::always_inline]] bool waits(unsigned rs1, unsigned rs2, Cycle t) const {
    return ready_[rs1] > t || ready_[rs2] > t;
  }
  /// When it can.
  Cycle stalled(Cycle t, unsigned rs1, unsigned rs2) const;

  /// First cycle, not before e, at which the retire queue has room.
  [[gnu::always_inline]] Cycle room_at(Cycle e, Cycle leave) const {
    if (leave <= e) [[likely]]
      return e;
    return std::max(e, retire_[retire_at_]);
  }

  /// The result of an instruction of the integer unit.
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

  /// Sets the arbiter at which the tile's cores wait for each other; without it they do not wait.
  void share_l1(L1Arbiter& arbiter);
  /// True if another agent could meet an L1 access at cycle t.
  [[gnu::always_inline]] bool is_heard(Cycle t) const {
    return holders_ != nullptr && holders_->hears(t);
  }

  /// A line of code comes from L1 at cycle c: ahead of what others do, perhaps before something is
  /// heard that meets it.
  void fetched(std::uint32_t address, Cycle c) {
    if (arbiter_ != nullptr) heard_read(address, c);
  }
  /// Whom to tell what of L1 is read in turns that are not executed; null where nobody asks.
  L1Arbiter* l1_arbiter() const { return arbiter_; }
  support::BusMaster master() const { return master_; }

  /// Latency of a load of L1 that acts at cycle c; to be asked once, before it is in flight.
  [[gnu::always_inline]] Cycle l1_load_latency(std::uint32_t address, Cycle c) {
    if (is_heard(c)) [[unlikely]]
      heard_read(address, c);
    loads_waiting_ = c == slots_[slot_] ? loads_waiting_ + 1 : 0;
    if (loads_waiting_ < kStream || arbiter_ == nullptr) [[likely]]
      return l1_latency_;
    return contended_load(address, c);
  }

  /// A load that acts at cycle c.
  [[gnu::always_inline]] void loaded(unsigned rd, Cycle c, Cycle latency, Cycle& t, Cycle& leave) {
    t = c + 1;
    const Cycle done = std::max(c + latency, leave + 1);
    if (done > t + 1) retire_behind(done, leave);
    ready_[rd] = done;
  }
  /// First cycle at which one more load outside local data RAM can be under way.
  [[gnu::always_inline]] Cycle slot_free() const { return slots_[slot_]; }
  [[gnu::always_inline]] void in_flight(Cycle c, Cycle latency) {
    slots_[slot_] = c + latency - 1;
    if (++slot_ >= slot_count_) slot_ = 0;
  }

  /// A load at e can find a store in the queue.
  [[gnu::always_inline]] bool has_stores_after(Cycle e) const { return last_emitted_ > e; }
  /// ISA MemoryOrdering.md: a load waits for a queued store with exactly the same start address.
  Cycle behind_same_address(std::uint32_t address, Cycle e) const;

  /// Queues a store that is emitted no earlier than `emitted`; returns when it is. A full queue
  /// holds up whatever comes next.
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
  /// When the next store of L1, one at e, is emitted by the stores of L1 before it.
  [[gnu::always_inline]] Cycle next_l1_emission(Cycle e) const {
    return std::max(e + 1, next_l1_store_);
  }
  [[gnu::always_inline]] void stored_l1(std::uint32_t address, Cycle e, Cycle& t, Cycle& leave) {
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

  /// Others have been asked since this was called last: what the core did cannot be taken for the
  /// same without them.
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
  /// False when something lies too far ahead.
  bool save(Cycle t, Cycle leave, PipelineState& state, StoreAddresses& addresses) const;
  void restore(const PipelineState& state, Cycle t, const StoreAddresses& addresses, Cycle& leave);
  /// To find out times with: the same, but for what other cores do.
  Pipeline alone() const;
  /// Where the last load, or store, asked other cores, or would have.
  bool load_asks() const { return shares_l1_ && loads_waiting_ >= kStream; }
  bool store_asks() const { return shares_l1_ && stores_waiting_ >= kStream; }
  bool begins_stream() const { return stores_waiting_ == kStream; }
  /// Alone, a core's stores come as far apart as those that others hold up.
  bool stores_pass_like_others() const;
  unsigned store_depth() const { return store_depth_; }
  /// That store of a stream, of L1 at cycle `now`, comes as in `alone()`, at that cycle, and the
  /// others have been told of it. False, without telling them, when they perhaps hold it up.
  [[gnu::always_inline]] bool streams_alone(std::uint32_t address, Cycle now, Cycle emitted) {
    contended_ = true;
    return now >= unlike_until_ && arbiter_->store_alone(master_, address, now, emitted);
  }
  [[gnu::always_inline]] bool loads_alone(std::uint32_t address, Cycle c) {
    contended_ = true;
    return arbiter_->load_alone(master_, address, c);
  }
  /// Announces a store in the queue, after streams_alone().
  void tell(std::uint32_t address, Cycle emitted);
  /// Becomes that one, which began alone() as this one was.
  void go_on_as(const Pipeline& other);
  /// Bit i: of the stores in the queue, the i-th newest is emitted after e.
  unsigned queued_after(Cycle e) const;
  /// When the i-th newest store is emitted.
  Cycle emitted(unsigned index) const {
    return stores_[(store_ + 2 * store_depth_ - 1 - index) % store_depth_].emitted;
  }

  /// Everything that can delay an instruction, as it looks from cycle t.
  PollTiming seen_from(Cycle t, Cycle leave, const InstructionCache::Tags& cached) const;
  /// Moves what lies at `from` or later by as many cycles; `leave` as well.
  void shift(Cycle from, Cycle by, Cycle& leave);

 private:
  struct QueuedStore {
    Cycle emitted = 0;
    std::uint32_t address = 0;
  };

  /// So many in a row that act just when those before them make room are a stream.
  static constexpr unsigned kStream = 4;
  Cycle contended_load(std::uint32_t address, Cycle c);
  Cycle contended_store(std::uint32_t address, Cycle e, Cycle emitted);
  void heard_store(std::uint32_t address, Cycle emitted);
  static bool is_private(std::uint32_t address) { return address >= 0xFF000000; }
  void heard_read(std::uint32_t address, Cycle at);

  [[gnu::always_inline]] void retire_behind(Cycle when, Cycle& leave) {
    leave = when;
    retire_[retire_at_] = when;
    if (++retire_at_ >= retire_depth_) retire_at_ = 0;
  }

  std::uint32_t l1_latency_ = 8, local_latency_ = 2, l1_store_period_ = 5;
  std::uint32_t slot_count_ = 4, store_depth_ = 4, retire_depth_ = 8;
  std::uint32_t multiply_cycles_ = 2;
  std::uint32_t divide_trivial_ = 2, divide_min_ = 6, divide_max_ = 33, divide_step_ = 9;

  L1Arbiter* arbiter_ = nullptr;
  const support::L1Holders* holders_ = nullptr;  ///< the same
  bool shares_l1_ = false;
  support::BusMaster master_ = support::BusMaster::kB;
  bool contended_ = false;
  unsigned loads_waiting_ = 0, stores_waiting_ = 0;  ///< in a row
  /// Until then stores of a stream are in the queue that the arbiter has at other times.
  Cycle unlike_until_ = 0;

  std::array<Cycle, 33> ready_{};
  /// While results queue up behind a slow load, one is also available at the very cycle at which
  /// its instruction passes from the integer unit to the load/store unit.
  unsigned forward_reg_ = 0;
  Cycle forward_at_ = 0;
  unsigned retire_at_ = 0, slot_ = 0, store_ = 0;
  Cycle last_emitted_ = 0;
  Cycle next_l1_store_ = 0;
  Cycle next_bus_store_ = 0;
  std::array<Cycle, 8> slots_{};   ///< when a load in flight makes room
  std::array<Cycle, 8> retire_{};  ///< when the last instructions leave
  std::array<QueuedStore, 8> stores_{};
};

}  // namespace tvp::riscv
