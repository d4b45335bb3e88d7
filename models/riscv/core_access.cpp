// Loads and stores that are not plain ones of aligned L1 or local data RAM, faults, and sleeping.
#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>

#include "models/riscv/core.h"
#include "models/support/tile_scheduler.h"

namespace tvp::riscv {

using foundation::Fault;
using foundation::FaultKind;
using support::Cycle;
using support::kNever;
using support::Watch;

std::string Core::hex(std::uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", value);
  return text;
}

void Core::raise(const std::string& text) {
  faults_.raise(Fault(FaultKind::kFirmware, identity_.where, text + ", pc " + hex(pc_)));
}

// ISA BabyRISCV/README.md, Faults: the address is rounded down.
std::uint32_t Core::align(std::uint32_t address, unsigned bytes, const char* what) {
  if ((address & (bytes - 1)) == 0) return address;
  raise("misaligned " + std::string(what) + " of " + std::to_string(bytes) + " bytes at address " +
        hex(address));
  return address & ~(bytes - 1);
}

Core::Outcome Core::load_elsewhere(std::uint32_t address, unsigned bytes, Cycle c) {
  address = align(address, bytes, "load");
  access_cycle_ = c;
  value_ = 0;
  if (address - kLocalBase < local_.size()) {
    std::memcpy(&value_, local_.data() + (address - kLocalBase), bytes);
    access_latency_ = local_latency_;
    return Outcome::kDone;
  }
  if (activity_ & kReplaying) {
    const PollDetector::Load& load = poll_.replay();
    value_ = load.value;
    access_latency_ = load.latency;
    if (!poll_.replaying()) activity_ = 0;
    return Outcome::kDone;
  }
  access_cycle_ = std::max(c, slots_[slot_]);
  if (!may_act(access_cycle_)) return Outcome::kLater;
  Watch watch = Watch::kL1;
  if (address < l1_bytes_) {
    std::memcpy(&value_, l1_ + address, bytes);
    access_latency_ = l1_latency_;
  } else {
    const Outcome outcome = transport(tlm::TLM_READ_COMMAND, address, bytes, access_cycle_);
    if (outcome != Outcome::kDone) return outcome;
    access_latency_ = std::max<std::uint32_t>(access_.latency, 2);
    watch = access_.watch;
  }
  activity_ |= kLoaded | (watch == Watch::kNone ? unsigned{kDirty} : 0U);
  if (activity_ & kRecording) {
    const Cycle offset = access_cycle_ - poll_.started();
    if (!poll_.note({address, bytes, value_, access_latency_, offset, watch})) activity_ |= kDirty;
  }
  return Outcome::kDone;
}

Core::Outcome Core::store_elsewhere(std::uint32_t address, unsigned bytes, std::uint32_t value,
                                    Cycle c) {
  address = align(address, bytes, "store");
  access_cycle_ = c;
  access_latency_ = 1;
  activity_ |= kDirty;
  if (address - kLocalBase < local_.size()) {
    std::memcpy(local_.data() + (address - kLocalBase), &value, bytes);
    return Outcome::kDone;
  }
  if (!may_act(c)) return Outcome::kLater;
  if (address < l1_bytes_) {
    std::memcpy(l1_ + address, &value, bytes);
    watches_.l1_written(address, bytes, c, order());
    access_latency_ = 0;  // L1 keeps its own distance between stores
    return Outcome::kDone;
  }
  value_ = value;
  const Outcome outcome = transport(tlm::TLM_WRITE_COMMAND, address, bytes, c);
  if (outcome == Outcome::kDone) access_latency_ = std::max<std::uint32_t>(access_.latency, 1);
  return outcome;
}

// ISA PushTensixInstruction.md: exactly a store to INSTRN_BUF_BASE.
Core::Outcome Core::push_instruction(std::uint32_t instruction, Cycle c) {
  const unsigned thread =
      static_cast<unsigned>(identity_.master) - static_cast<unsigned>(support::BusMaster::kT0);
  if (instructions_ == nullptr || thread > 2) {
    return store_elsewhere(kPushAddress, 4, instruction, c);
  }
  access_cycle_ = c;
  access_latency_ = 1;
  activity_ |= kDirty;
  if (!may_act(c)) return Outcome::kLater;
  if (instructions_->push(thread, instruction, c, order())) return Outcome::kDone;
  return block(Watch::kCoprocessor, kPushAddress);
}

Core::Outcome Core::transport(tlm::tlm_command command, std::uint32_t address, unsigned bytes,
                              Cycle c) {
  payload_.set_command(command);
  payload_.set_address(address);
  payload_.set_data_ptr(reinterpret_cast<unsigned char*>(&value_));
  payload_.set_data_length(bytes);
  payload_.set_streaming_width(bytes);
  payload_.set_byte_enable_ptr(nullptr);
  payload_.set_dmi_allowed(false);
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  access_.now = c;
  access_.latency = 0;
  access_.order = static_cast<std::uint8_t>(order());
  access_.blocked = false;
  access_.watch = Watch::kNone;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  try {
    bus->b_transport(payload_, delay);
  } catch (const Fault& fault) {
    // A block stops the run for what this access made it do: the report needs to know who did.
    const std::string what =
        fault.where() == identity_.where ? fault.message() : std::string(fault.what());
    throw Fault(fault.kind(), identity_.where,
                (command == tlm::TLM_READ_COMMAND ? "load from " : "store to ") + hex(address) +
                    ": " + what + ", pc " + hex(pc_));
  }
  if (access_.blocked) return block(access_.watch, address);
  // The access may have put this very core into reset.
  if (state_ != CoreState::kRunning) return Outcome::kStopped;
  if (payload_.is_response_ok()) return Outcome::kDone;

  const bool read = command == tlm::TLM_READ_COMMAND;
  const std::string what = read ? "load from " : "store to ";
  if (payload_.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE) {
    raise(what + "unmapped address " + hex(address));
  } else {
    raise(what + "address " + hex(address) + " refused: " + payload_.get_response_string());
  }
  if (!read) return Outcome::kDone;  // dropped
  blocked_address_ = address;
  enter(CoreState::kHung, time_);
  return Outcome::kStopped;
}

Core::Outcome Core::block(Watch watch, std::uint32_t address) {
  blocked_on_ = watch;
  blocked_address_ = address;
  activity_ = kDirty;
  enter(CoreState::kBlocked, access_cycle_);
  if (watch != Watch::kNone) watches_.sleep(*this, 1U << static_cast<unsigned>(watch), {});
  return Outcome::kStopped;
}

Cycle Core::stalled(Cycle t, unsigned rs1, unsigned rs2) const {
  if (forward_at_ == t) {
    const Cycle a = rs1 == forward_reg_ ? 0 : ready_[rs1];
    const Cycle b = rs2 == forward_reg_ ? 0 : ready_[rs2];
    if (a <= t && b <= t) return t;
  }
  return std::max({t, ready_[rs1], ready_[rs2]});
}

// ISA MemoryOrdering.md: a load waits for a queued store with exactly the same start address.
Cycle Core::behind_same_address(std::uint32_t address, Cycle e) const {
  for (unsigned i = 0; i < store_depth_; ++i) {
    if (stores_[i].address == address) e = std::max(e, stores_[i].emitted);
  }
  return e;
}

unsigned Core::divide_cycles(Code code, std::uint32_t dividend, std::uint32_t divisor) const {
  const bool is_signed = code == Code::kDiv || code == Code::kRem;
  const bool overflow = is_signed && dividend == 0x80000000U && divisor == ~0U;
  if (divisor <= 1 || overflow) return config_.divide_trivial_cycles;
  const bool negative = is_signed && (dividend >> 31) != 0;
  const std::uint32_t magnitude = negative ? 0U - dividend : dividend;
  const auto cycles = static_cast<std::uint32_t>(std::bit_width(magnitude)) + 1U;
  return std::max(config_.divide_min_cycles.value(),
                  std::min(cycles, config_.divide_max_cycles.value()));
}

// True when the core falls asleep at the jump to `pc`.
bool Core::at_backward_jump(std::uint32_t pc, Cycle t, Cycle leave) {
  if (activity_ & kReplaying) return false;
  const bool recording = (activity_ & kRecording) != 0;
  const bool dirty = (activity_ & kDirty) != 0;
  if (recording && !dirty && pc != poll_.target() && poll_.inner_jump()) return false;
  activity_ = 0;
  if (!poll_sleep_ || (observer_ != nullptr && observer_->wants_polls())) return false;
  if (!recording) {
    if (!dirty && poll_.candidate(pc)) {
      poll_.begin(t, executed_, regs_, timing(t, leave));
      activity_ = kRecording;
    }
    return false;
  }
  if (!dirty && pc == poll_.target() && poll_.proves(t, executed_, regs_, timing(t, leave))) {
    return true;
  }
  poll_.failed();
  return false;
}

PollTiming Core::timing(Cycle t, Cycle leave) const {
  const auto ahead = [t](Cycle c) { return c > t ? c - t : 0; };
  PollTiming p;
  for (unsigned i = 0; i < 32; ++i) p.ready[i] = ahead(ready_[i]);
  for (unsigned i = 0; i < retire_depth_; ++i) {
    p.retire[i] = ahead(retire_[(retire_at_ + i) % retire_depth_]);
  }
  for (unsigned i = 0; i < slot_count_; ++i) p.slots[i] = ahead(slots_[(slot_ + i) % slot_count_]);
  for (unsigned i = 0; i < store_depth_; ++i) {
    const QueuedStore& store = stores_[(store_ + i) % store_depth_];
    p.stores[i] = ahead(store.emitted);
    p.store_addresses[i] = p.stores[i] == 0 ? 0 : store.address;
  }
  p.leave = ahead(leave);
  p.last_emitted = ahead(last_emitted_);
  p.next_l1_store = ahead(next_l1_store_);
  p.next_bus_store = ahead(next_bus_store_);
  p.forward_at = forward_at_ >= t ? forward_at_ - t + 1 : 0;
  p.forward_reg = p.forward_at == 0 ? 0 : forward_reg_;
  p.cached = cache_.tags();
  return p;
}

void Core::shift_timing(Cycle from, Cycle by) {
  const auto shift = [=](Cycle& c) {
    if (c >= from) c += by;
  };
  std::for_each(ready_.begin(), ready_.end(), shift);
  std::for_each(retire_.begin(), retire_.end(), shift);
  std::for_each(slots_.begin(), slots_.end(), shift);
  for (QueuedStore& store : stores_) shift(store.emitted);
  shift(leave_);
  shift(forward_at_);
  shift(last_emitted_);
  shift(next_l1_store_);
  shift(next_bus_store_);
  ahead_until_ += by;
  time_ += by;
}

void Core::location_changed(Cycle when, unsigned change_order) {
  watches_.cancel(*this);
  if (state_ == CoreState::kSleepingOnPoll) {
    const PollDetector::Resume resume = poll_.after_change(when, change_order, order());
    slept_ += resume.iterations * poll_.instructions();
    shift_timing(poll_.asleep_since(), resume.iterations * poll_.period());
    waited_ += time_ - waiting_since_;
    poll_.start_replay(resume.replayed);
    activity_ = resume.replayed > 0 ? unsigned{kReplaying} : 0U;
    enter(CoreState::kRunning, resume.cycle);
    scheduler().wake(*this, resume.cycle);
  } else if (state_ == CoreState::kBlocked) {
    const Cycle retry = when + 1;
    if (retry > waiting_since_) waited_ += retry - waiting_since_;
    time_ = std::max(time_, retry);
    enter(CoreState::kRunning, std::max(retry, waiting_since_));
    scheduler().wake(*this, retry);
  } else {
    guarded_ = false;
    poll_.spoil();
  }
}

}  // namespace tvp::riscv
