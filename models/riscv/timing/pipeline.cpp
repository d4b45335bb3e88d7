#include "models/riscv/timing/pipeline.h"

#include <bit>

#include "models/riscv/execute/l1_arbiter.h"

namespace tvp::riscv {

using support::Cycle;

void Pipeline::configure(const CoreConfig& config, support::BusMaster master,
                         const CoreGeneration& cores) {
  master_ = master;
  retire_depth_ = config.retire_queue;
  slot_count_ = config.loads_in_flight;
  store_depth_ = config.store_queue;
  local_latency_ = config.local_load_latency;
  l1_latency_ =
      master == support::BusMaster::kE ? config.ethernet_l1_load_latency : config.l1_load_latency;
  l1_store_period_ = config.l1_store_period;
  multiply_cycles_ = config.multiply_cycles;
  atomic_latency_ = config.atomic_latency;
  pipelines_products_ = cores.pipelines_products();
  constexpr std::uint32_t kMergeCycles = 16;  // value of cfg0 at reset
  set_merging(cores.merges_stores(), kMergeCycles);
  divide_trivial_ = config.divide_trivial_cycles;
  divide_min_ = config.divide_min_cycles;
  divide_max_ = config.divide_max_cycles;
  divide_step_ = std::max(1U, (std::max(divide_max_, divide_min_) - divide_min_) / 3);
}

void Pipeline::clear() {
  ready_.fill(0);
  forward_reg_ = 0;
  forward_at_ = 0;
  retire_.fill(0);
  retire_at_ = 0;
  slots_.fill(0);
  slot_ = 0;
  stores_.fill({});
  store_ = 0;
  last_emitted_ = 0;
  next_l1_store_ = 0;
  next_bus_store_ = 0;
  loads_waiting_ = 0;
  stores_waiting_ = 0;
  unlike_until_ = 0;
  merge_until_ = 0;
}

// ISA BlackholeA0 BabyRISCV/README.md, Load/Store Unit. A store to another memory between the two
// is newer than the one in the queue.
bool Pipeline::joins_last(std::uint32_t address, Cycle e, Cycle& t, Cycle& leave) {
  constexpr std::uint32_t kBlock = 16, kNear = 4;
  QueuedStore& last = stores_[(store_ + store_depth_ - 1) % store_depth_];
  const bool joins = e <= merge_until_ && last.address == merge_address_ &&
                     address / kBlock == merge_address_ / kBlock &&
                     address + kNear - merge_address_ <= 2 * kNear;
  merge_until_ = e + merge_cycles_;
  merge_address_ = address;
  if (!joins) return false;
  last.address = address;
  if (leave > e) retire_behind(std::max(e, leave) + 1, leave);
  t = e;
  return true;
}

void Pipeline::share_l1(L1Arbiter& arbiter) {
  arbiter_ = &arbiter;
  holders_ = &arbiter;
  shares_l1_ = true;
}

Cycle Pipeline::contended_load(std::uint32_t address, Cycle c) {
  if (loads_alone(address, c)) return l1_latency_;
  return l1_latency_ + arbiter_->load(master_, address, c);
}

void Pipeline::heard_store(std::uint32_t address, Cycle emitted) {
  arbiter_->note(address, emitted);
}

void Pipeline::heard_read(std::uint32_t address, Cycle at) {
  arbiter_->note_read(master_, address, at);
}

/// The queued stores to L1 pass at their currently expected times.
Cycle Pipeline::contended_store(std::uint32_t address, Cycle e, Cycle emitted) {
  contended_ = true;
  for (unsigned i = 0; i < store_depth_ && begins_stream(); ++i) {
    const QueuedStore& store = stores_[(store_ + i) % store_depth_];
    if (!is_private(store.address) && store.emitted > e + 1)
      arbiter_->note(store.address, store.emitted);
  }
  if (streams_alone(address, e - 1, emitted)) {
    if (last_emitted_ >= emitted) unlike_until_ = last_emitted_ + 2;
    return emitted;
  }
  const L1Arbiter::Passing passing = arbiter_->store(master_, address, e - 1, emitted);
  unsigned left = passing.count - 1;
  const Cycle last = passing.at[left];
  bool alike = true;
  for (unsigned i = 1; i < store_depth_ && left > 0; ++i) {
    QueuedStore& store = stores_[(store_ + store_depth_ - i) % store_depth_];
    if (!is_private(store.address)) {
      alike = alike && store.emitted == passing.at[left - 1];
      store.emitted = passing.at[--left];
    }
    if (i == 1) last_emitted_ = store.emitted;
  }
  if (!alike || last_emitted_ >= last) unlike_until_ = std::max(last, last_emitted_) + 2;
  return last;
}

bool Pipeline::stores_pass_like_others() const {
  return l1_store_period_ == L1Arbiter::kStoreCycles;
}

void Pipeline::announce(std::uint32_t address, Cycle emitted) {
  if (!is_private(address)) arbiter_->note(address, emitted);
}

void Pipeline::go_on_as(const Pipeline& other) {
  L1Arbiter* const arbiter = arbiter_;
  const support::L1Holders* const holders = holders_;
  *this = other;
  arbiter_ = arbiter;
  holders_ = holders;
}

Cycle Pipeline::stalled(Cycle t, unsigned rs1, unsigned rs2) const {
  if (forward_at_ == t) {
    const Cycle a = rs1 == forward_reg_ ? 0 : ready_[rs1];
    const Cycle b = rs2 == forward_reg_ ? 0 : ready_[rs2];
    if (a <= t && b <= t) return t;
  }
  return std::max({t, ready_[rs1], ready_[rs2]});
}

Cycle Pipeline::behind_same_address(std::uint32_t address, Cycle e) const {
  for (unsigned i = 0; i < store_depth_; ++i) {
    if (stores_[i].address == address) e = std::max(e, stores_[i].emitted);
  }
  return e;
}

unsigned Pipeline::divide_step(bool is_signed, std::uint32_t dividend,
                               std::uint32_t divisor) const {
  const bool overflow = is_signed && dividend == 0x80000000U && divisor == ~0U;
  if (divisor <= 1 || overflow) return 0;
  const bool negative = is_signed && (dividend >> 31) != 0;
  const std::uint32_t magnitude = negative ? 0U - dividend : dividend;
  const auto cycles = static_cast<std::uint32_t>(std::bit_width(magnitude)) + 1U;
  if (cycles <= divide_min_) return 1;
  return std::min((cycles - divide_min_ + divide_step_ - 1) / divide_step_, kDivideSteps - 2) + 1;
}

unsigned Pipeline::cycles_of_step(unsigned step) const {
  if (step == 0) return divide_trivial_;
  if (step == 1) return divide_min_;
  return std::min(divide_min_ + (step - 1) * divide_step_, divide_max_);
}

// An instruction that enters at t passes to the load/store unit at t + 1 at the earliest, so
// anything that ends by then delays no instruction. A store to L1 is emitted at t + 2 at the
// earliest.
bool Pipeline::save(Cycle t, Cycle leave, PipelineState& state, StoreAddresses& addresses) const {
  constexpr Cycle kMost = 0xFFFF;
  bool fits = true;
  const auto ahead = [&](Cycle c, Cycle done_by) {
    if (c <= done_by) return PipelineState::Ahead{0};
    fits = fits && c - t <= kMost;
    return static_cast<PipelineState::Ahead>(c - t);
  };
  const auto from = [&](Cycle c) {
    if (c < t) return PipelineState::Ahead{0};
    fits = fits && c - t < kMost;
    return static_cast<PipelineState::Ahead>(c - t + 1);
  };
  state = {};
  for (unsigned i = 1; i < 32; ++i) state.ready[i] = ahead(ready_[i], t);
  for (unsigned i = 0; i < retire_depth_; ++i) {
    state.retire[i] = ahead(retire_[(retire_at_ + i) % retire_depth_], t + 1);
  }
  for (unsigned i = 0; i < slot_count_; ++i)
    state.slots[i] = from(slots_[(slot_ + i) % slot_count_]);
  addresses.next = 0;
  for (unsigned i = 0; i < store_depth_; ++i) {
    const QueuedStore& store = stores_[(store_ + i) % store_depth_];
    state.stores[i] = ahead(store.emitted, t + 1);
    addresses.push(store.address);
  }
  state.leave = ahead(leave, t + 1);
  state.last_emitted = ahead(last_emitted_, t + 1);
  state.next_l1_store = ahead(next_l1_store_, t + 2);
  state.forward_at = from(forward_at_);
  state.forward_reg = state.forward_at == 0 ? PipelineState::Ahead{0}
                                            : static_cast<PipelineState::Ahead>(forward_reg_);
  // Without other cores, a stream of accesses is like any other accesses.
  if (shares_l1_) {
    state.loads_waiting = static_cast<PipelineState::Ahead>(std::min(loads_waiting_, kStream));
    state.stores_waiting = static_cast<PipelineState::Ahead>(std::min(stores_waiting_, kStream));
  }
  return fits;
}

void Pipeline::restore(const PipelineState& state, Cycle t, const StoreAddresses& addresses,
                       Cycle& leave) {
  const auto at = [t](PipelineState::Ahead ahead) { return ahead == 0 ? 0 : t + ahead; };
  for (unsigned i = 0; i < 32; ++i) ready_[i] = at(state.ready[i]);
  for (unsigned i = 0; i < 8; ++i) {
    retire_[i] = at(state.retire[i]);
    slots_[i] = state.slots[i] == 0 ? 0 : t + state.slots[i] - 1;
    stores_[i].emitted = at(state.stores[i]);
  }
  for (unsigned i = 0; i < store_depth_; ++i) {
    stores_[store_depth_ - 1 - i].address = addresses.newest(i);
  }
  retire_at_ = 0;
  slot_ = 0;
  store_ = 0;
  leave = at(state.leave);
  last_emitted_ = at(state.last_emitted);
  next_l1_store_ = at(state.next_l1_store);
  forward_at_ = state.forward_at == 0 ? 0 : t + state.forward_at - 1;
  forward_reg_ = state.forward_reg;
  loads_waiting_ = state.loads_waiting;
  stores_waiting_ = state.stores_waiting;
}

Pipeline Pipeline::alone() const {
  Pipeline copy = *this;
  copy.arbiter_ = nullptr;
  copy.holders_ = nullptr;
  return copy;
}

unsigned Pipeline::queued_after(Cycle e) const {
  unsigned queued = 0;
  for (unsigned i = 0; i < store_depth_; ++i) {
    if (emitted(i) > e) queued |= 1U << i;
  }
  return queued;
}

PollTiming Pipeline::seen_from(Cycle t, Cycle leave, const InstructionCache::Tags& cached) const {
  // States without effect on later times compare equal, so save() and restore() may omit them.
  const auto ahead = [t](Cycle c, Cycle done_by) { return c > done_by ? c - t : 0; };
  PollTiming p;
  for (unsigned i = 0; i < 32; ++i) p.ready[i] = ahead(ready_[i], t);
  for (unsigned i = 0; i < retire_depth_; ++i) {
    p.retire[i] = ahead(retire_[(retire_at_ + i) % retire_depth_], t + 1);
  }
  for (unsigned i = 0; i < slot_count_; ++i)
    p.slots[i] = ahead(slots_[(slot_ + i) % slot_count_], t);
  for (unsigned i = 0; i < store_depth_; ++i) {
    const QueuedStore& store = stores_[(store_ + i) % store_depth_];
    p.stores[i] = ahead(store.emitted, t + 1);
    p.store_addresses[i] = p.stores[i] == 0 ? 0 : store.address;
  }
  p.leave = ahead(leave, t + 1);
  p.last_emitted = ahead(last_emitted_, t + 1);
  p.next_l1_store = ahead(next_l1_store_, t + 2);
  p.next_bus_store = ahead(next_bus_store_, t);
  p.forward_at = forward_at_ >= t ? forward_at_ - t + 1 : 0;
  p.forward_reg = p.forward_at == 0 ? 0 : forward_reg_;
  p.merge_until = ahead(merge_until_, t);
  p.merge_address = p.merge_until == 0 ? 0 : merge_address_;
  p.cached = cached;
  if (shares_l1_) {
    p.loads_waiting = std::min(loads_waiting_, kStream);
    p.stores_waiting = std::min(stores_waiting_, kStream);
  }
  return p;
}

void Pipeline::shift(Cycle from, Cycle by, Cycle& leave) {
  const auto shift = [=](Cycle& c) {
    if (c >= from) c += by;
  };
  std::for_each(ready_.begin(), ready_.end(), shift);
  std::for_each(retire_.begin(), retire_.end(), shift);
  std::for_each(slots_.begin(), slots_.end(), shift);
  for (QueuedStore& store : stores_) shift(store.emitted);
  shift(leave);
  shift(forward_at_);
  shift(last_emitted_);
  shift(next_l1_store_);
  shift(next_bus_store_);
  shift(unlike_until_);
  shift(merge_until_);
}

}  // namespace tvp::riscv
