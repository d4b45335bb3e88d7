#include "models/rtl/rtl_ca_barrier.h"

#include <algorithm>
#include <utility>

#include "Vca_barrier.h"
#include "Vca_barrier___024root.h"
#include "foundation/fault.h"
#include "models/rtl/refuse.h"

namespace tvp::rtl {

using ddr::BarrierScheme;
using ddr::MemCycle;
using foundation::Fault;
using foundation::FaultKind;
using support::Cycle;

namespace {

/// More cycles than this after the last granted slot mean that the module hangs.
constexpr MemCycle kPatience = 64;

/// Refuses features that the RTL lacks.
void check(const RtlModule::Barrier& barrier) {
  const unsigned ranks = barrier.bus.ranks();
  if (ranks < 2 || ranks > RtlCaBarrier::kRanks) {
    refuse("pim.ca_barrier", "rtl joins 2 to " + std::to_string(RtlCaBarrier::kRanks) +
                                 " ranks of a channel, pim.hierarchy has " + std::to_string(ranks));
  }
  if (barrier.request_cycles == 0 || barrier.request_cycles > RtlCaBarrier::kMostRequestCycles) {
    refuse("pim.bus_request_cycles", std::to_string(barrier.request_cycles) +
                                         " with pim.ca_barrier=rtl: expected 1 to " +
                                         std::to_string(RtlCaBarrier::kMostRequestCycles));
  }
  if (barrier.slots_of_word != 1) {
    refuse("pim.dram", "with pim.ca_barrier=rtl: expected commands of one slot, not of " +
                           std::to_string(barrier.slots_of_word));
  }
}

}  // namespace

RtlCaBarrier::RtlCaBarrier(const sc_core::sc_module_name& name, const RtlModule::Barrier& barrier)
    : sc_module(name),
      bus_(barrier.bus),
      scheme_(barrier.scheme),
      request_cycles_(barrier.request_cycles),
      to_wave_(barrier.to_wave),
      rtl_(std::make_unique<Vca_barrier>("rtl")) {
  check(barrier);
  connect();
  add_wave_rows();
  SC_THREAD(run);
}

RtlCaBarrier::~RtlCaBarrier() = default;

void RtlCaBarrier::connect() {
  rtl_->clk(clk_);
  rtl_->rst(rst_);
  rtl_->broadcasts(broadcasts_);
  rtl_->request_cycles(request_);
  rtl_->present(present_);
  rtl_->arrive(arrive_);
  rtl_->ca_busy(ca_busy_);
  rtl_->ca_valid(ca_valid_);
  rtl_->ca_select(ca_select_);
  rtl_->ca_payload(ca_payload_);
  rtl_->released(released_);
  rtl_->twice(twice_);
}

void RtlCaBarrier::add_wave_rows() {
  constexpr unsigned kPayloadBits = 18;
  pin_waves_.add_pin({"present", kRanks}, present_);
  pin_waves_.add({"arrive", kRanks}, [this] { return std::uint64_t{shown_.arrive}; });
  pin_waves_.add({"waiting", kRanks},
                 [this] { return std::uint64_t{rtl_->rootp->ca_barrier__DOT__waiting}; });
  pin_waves_.add({"seen", kRanks},
                 [this] { return std::uint64_t{rtl_->rootp->ca_barrier__DOT__seen}; });
  pin_waves_.add({"ca_valid", 1}, [this] { return std::uint64_t{shown_.valid}; });
  pin_waves_.add({"ca_select", kRanks}, [this] { return std::uint64_t{shown_.select}; });
  pin_waves_.add({"ca_payload", kPayloadBits}, [this] { return std::uint64_t{shown_.payload}; });
  pin_waves_.add({"released", 1}, [this] { return std::uint64_t{shown_.released}; });
}

void RtlCaBarrier::watch(support::WaveRecorder& recorder, const std::string& path) {
  watched_ = true;
  const auto attach = [&](auto& signal, const PinWaves::Row& row) {
    recorder.watch(signal, {.path = path + "." + row.name, .width = row.width});
  };
  pin_waves_.watch(attach, attach);
}

void RtlCaBarrier::rethrow() {
  if (failed_) std::rethrow_exception(std::exchange(failed_, nullptr));
}

void RtlCaBarrier::begin(std::uint32_t ranks) {
  ranks_ = ranks;
  arrived_ = 0;
  granted_.clear();
  arrivals_.clear();
  fresh_ = true;
}

/// Requests bus slots at once, in order with all other users: one for each rank's word, or one when
/// the last line is received.
void RtlCaBarrier::arrive(unsigned rank, MemCycle at, ddr::ReleaseListener& listener) {
  rethrow();
  const std::uint32_t bit = 1U << rank;
  if ((ranks_ & bit) == 0 || (arrived_ & bit) != 0) {
    throw Fault(FaultKind::kInternal, name(),
                "rank " + std::to_string(rank) + " is twice at one barrier, or not of its group");
  }
  arrived_ |= bit;
  latest_ = std::max(latest_, at);
  listener_ = &listener;
  const bool all = arrived_ == ranks_;
  if (scheme_ == BarrierScheme::kBroadcasts) {
    granted_.push_back(bus_.issue_pim(1, at + request_cycles_));
    std::ranges::sort(granted_);
  } else if (all) {
    granted_.push_back(bus_.issue_pim(1, latest_ + request_cycles_));
  }
  if (all) {
    arrived_ = 0;
    latest_ = 0;
  }
  arrivals_.push_back({bit, at});
  go_.notify(sc_core::SC_ZERO_TIME);
}

/// One delta cycle for the signals to change, one for the module to see them.
void RtlCaBarrier::settle() {
  wait(sc_core::SC_ZERO_TIME);
  wait(sc_core::SC_ZERO_TIME);
}

void RtlCaBarrier::reset() {
  fresh_ = false;
  seen_ = 0;
  present_.write(ranks_);
  request_.write(request_cycles_);
  broadcasts_.write(scheme_ == BarrierScheme::kBroadcasts);
  arrive_.write(0);
  ca_busy_.write(true);
  rst_.write(true);
  settle();
  for (const bool level : {true, false}) {
    clk_.write(level);
    settle();
  }
  rst_.write(false);
  settle();
}

/// True if a line is in transit or a word must be sent.
bool RtlCaBarrier::may_change() const {
  return !granted_.empty() || now_ <= last_line_ + kMostRequestCycles;
}

bool RtlCaBarrier::clock_once(std::uint32_t arrive) {
  const bool granted = !granted_.empty() && granted_.front() == now_;
  if (granted) granted_.pop_front();
  arrive_.write(arrive);
  ca_busy_.write(!granted);
  settle();
  const bool spoken = ca_valid_.read();
  if (spoken != granted) {
    throw Fault(FaultKind::kInternal, name(),
                "slot " + std::to_string(now_) + " of the bus: " +
                    (granted ? "was asked for, and nothing is spoken" : "is spoken in unasked"));
  }
  words_ += spoken;
  const bool released = released_.read();
  if (watched_) {
    show_until(to_wave_.down(now_));
    shown_.arrive |= arrive;
    shown_.valid |= spoken;
    shown_.released |= released;
    if (spoken) shown_.select |= ca_select_.read();
    if (spoken) shown_.payload = ca_payload_.read();
  }
  for (const bool level : {true, false}) {
    clk_.write(level);
    settle();
  }
  if (twice_.read()) throw Fault(FaultKind::kInternal, name(), "a rank is twice at one barrier");
  ++now_;
  return released;
}

void RtlCaBarrier::show() {
  pin_waves_.show(shown_cycle_);
  shown_ = {};
}

/// Shows the wave file's cycles before `end`: the cycle of the last CK, and unchanged values after
/// it.
void RtlCaBarrier::show_until(Cycle end) {
  if (end == shown_cycle_) return;
  show();
  if (end > shown_cycle_ + 1) {
    ++shown_cycle_;
    show();
  }
  shown_cycle_ = end;
}

void RtlCaBarrier::clock_until(MemCycle end) {
  while (now_ < end && may_change()) clock_once(0);
  now_ = std::max(now_, end);
}

void RtlCaBarrier::run() {
  while (true) {
    if (arrivals_.empty()) wait(go_);
    try {
      if (fresh_) reset();
      while (!arrivals_.empty()) {
        Arrival arrival = arrivals_.front();
        arrivals_.pop_front();
        while (!arrivals_.empty() && arrivals_.front().at == arrival.at) {
          arrival.ranks |= arrivals_.front().ranks;
          arrivals_.pop_front();
        }
        clock_until(arrival.at);
        clock_once(arrival.ranks);
        seen_ |= arrival.ranks;
        last_line_ = arrival.at;
      }
      if (seen_ != ranks_) continue;
      // No rank can arrive before all are released.
      seen_ = 0;
      const MemCycle patience = granted_.back() + kPatience;
      while (!clock_once(0)) {
        if (now_ > patience) throw Fault(FaultKind::kInternal, name(), "releases nobody");
      }
      ++releases_;
      if (watched_) show_until(to_wave_.down(now_) + 1);
      listener_->released(now_ - 1);
    } catch (...) {
      failed_ = std::current_exception();
      arrivals_.clear();
    }
  }
}

}  // namespace tvp::rtl
