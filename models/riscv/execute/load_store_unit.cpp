#include "models/riscv/execute/load_store_unit.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace tvp::riscv {

using foundation::Fault;
using support::BusMaster;
using support::Cycle;
using support::Watch;
using Outcome = LoadStoreUnit::Outcome;

LoadStoreUnit::LoadStoreUnit(const Identity& identity, ExecutionState& state, CoreStatus& status,
                             PollSleep& sleep, support::WatchHub& watches, Socket& bus)
    : identity_(identity),
      s_(state),
      status_(status),
      sleep_(sleep),
      watches_(watches),
      bus_(bus),
      local_(identity.local_bytes, identity.master) {
  payload_.set_extension(&access_);
  access_.master = identity.master;
}

LoadStoreUnit::~LoadStoreUnit() {
  // The extension is a member, so the payload must not delete it.
  payload_.clear_extension(&access_);
}

// ---- Loads and stores ---------------------------------------------------------------------------

// ISA BabyRISCV/README.md, Faults: the address is rounded down.
std::uint32_t LoadStoreUnit::align(std::uint32_t address, unsigned bytes, const char* what) {
  if ((address & (bytes - 1)) == 0) return address;
  status_.raise("misaligned " + std::string(what) + " of " + std::to_string(bytes) +
                " bytes at address " + hex(address));
  return address & ~(bytes - 1);
}

Outcome LoadStoreUnit::load(std::uint32_t address, unsigned bytes, Cycle c) {
  address = align(address, bytes, "load");
  cycle_ = c;
  value_ = 0;
  if (is_local(address)) {
    latency_ = s_.pipeline.local_latency();
    local_.read(address - kLocalBase, &value_, bytes, c, c + latency_);
    return Outcome::kDone;
  }
  PollDetector& poll = sleep_.detector();
  cycle_ = std::max(c, s_.pipeline.slot_free());
  if (s_.activity & ExecutionState::kReplaying) {
    if (address < l1_size_) s_.pipeline.l1_load_latency(address, cycle_);
    const PollDetector::Load& load = poll.replay();
    value_ = load.value;
    latency_ = load.latency;
    if (!poll.replaying()) s_.activity &= ExecutionState::kRefetching;
    return Outcome::kDone;
  }
  if (s_.activity & ExecutionState::kRefetching || !s_.may_act(cycle_)) return Outcome::kLater;
  Watch watch = Watch::kL1;
  if (disturbs(address, bytes, false)) return Outcome::kLater;
  const Outcome outcome =
      address < l1_size_ ? load_l1(address, bytes) : load_register(address, bytes, watch);
  if (outcome != Outcome::kDone) return outcome;
  s_.activity |= ExecutionState::kLoaded;
  if (watch == Watch::kNone) s_.activity |= ExecutionState::kDirty;
  if (s_.activity & ExecutionState::kRecording) {
    const Cycle offset = cycle_ - poll.started();
    if (!poll.note({address, bytes, value_, latency_, offset, s_.executed, watch})) {
      s_.activity |= ExecutionState::kDirty;
    }
  }
  return Outcome::kDone;
}

Outcome LoadStoreUnit::load_register(std::uint32_t address, unsigned bytes, Watch& watch) {
  if (s_.activity & ExecutionState::kLate) [[unlikely]] {
    if (const PollDetector::Load* const load = sleep_.as_it_was(address, bytes, cycle_)) {
      value_ = load->value;
      latency_ = load->latency;
      watch = load->watch;
      return Outcome::kDone;
    }
  }
  const Outcome outcome = transport(tlm::TLM_READ_COMMAND, address, bytes);
  latency_ = std::max<std::uint32_t>(access_.latency, 2);
  watch = access_.watch;
  return outcome;
}

/// True if the access at cycle_ concerns a sleeping core. It is tried again when that core has
/// caught up.
bool LoadStoreUnit::disturbs(std::uint32_t address, unsigned bytes, bool write) {
  return s_.scheduler->has_left() &&
         s_.scheduler->disturbs(sleep_.agent(), cycle_, address, bytes, write);
}

/// Like disturbs(), for an access that can at once affect the whole tile, such as reading L1.
bool LoadStoreUnit::disturbs_all() {
  if (!s_.scheduler->has_left()) return false;
  s_.scheduler->catch_up(cycle_, s_.order);
  return true;
}

bool LoadStoreUnit::fetch_disturbs(std::uint32_t pc, Cycle t) {
  cycle_ = t;
  return disturbs(pc, 4, false);
}

Outcome LoadStoreUnit::load_l1(std::uint32_t address, unsigned bytes) {
  latency_ = static_cast<std::uint32_t>(s_.pipeline.l1_load_latency(address, cycle_));
  if (s_.l1 == nullptr) {
    const Outcome outcome = transport(tlm::TLM_READ_COMMAND, address, bytes);
    if (identity_.bus_timed) latency_ = std::max<std::uint32_t>(access_.latency, 2);
    return outcome;
  }
  if (address >= s_.l1_direct) report(tlm::TLM_READ_COMMAND, address, bytes);
  std::memcpy(&value_, s_.l1 + address, bytes);
  return Outcome::kDone;
}

Outcome LoadStoreUnit::store(std::uint32_t address, unsigned bytes, std::uint32_t value, Cycle c) {
  const std::uint32_t aligned = align(address, bytes, "store");
  cycle_ = c;
  latency_ = 1;
  if (is_local(aligned)) {
    const std::uint32_t offset = aligned - kLocalBase;
    // As in the interpreter: a store that changes nothing does not end a poll.
    if (aligned != address || std::memcmp(local_.data() + offset, &value, bytes) != 0) {
      s_.activity |= ExecutionState::kDirty;
    }
    local_.write(offset, &value, bytes, c);
    return Outcome::kDone;
  }
  s_.activity |= ExecutionState::kDirty;
  if (!s_.may_act(c)) return Outcome::kLater;
  if (aligned < l1_size_) {
    return disturbs(aligned, bytes, true) ? Outcome::kLater : store_l1(aligned, bytes, value);
  }
  if (disturbs_all()) return Outcome::kLater;
  value_ = value;
  const Outcome outcome = transport(tlm::TLM_WRITE_COMMAND, aligned, bytes);
  if (outcome == Outcome::kDone) latency_ = std::max<std::uint32_t>(access_.latency, 1);
  return outcome;
}

Outcome LoadStoreUnit::store_l1(std::uint32_t address, unsigned bytes, std::uint32_t value) {
  latency_ = 0;  // L1 keeps its own distance between stores
  s_.l1_stored = std::max(s_.l1_stored, address);
  if (s_.l1 == nullptr) {
    value_ = value;
    const Outcome outcome = transport(tlm::TLM_WRITE_COMMAND, address, bytes);
    if (identity_.bus_timed) latency_ = std::max<std::uint32_t>(access_.latency, 1);
    return outcome;
  }
  if (address >= s_.l1_direct) report(tlm::TLM_WRITE_COMMAND, address, bytes, value);
  std::memcpy(s_.l1 + address, &value, bytes);
  watches_.l1_written(address, bytes, cycle_, s_.order);
  return Outcome::kDone;
}

namespace {

std::uint32_t stored_by(Code code, std::uint32_t old, std::uint32_t operand) {
  const auto a = static_cast<std::int32_t>(old);
  const auto b = static_cast<std::int32_t>(operand);
  switch (code) {
    case Code::kAmoadd:
      return old + operand;
    case Code::kAmoxor:
      return old ^ operand;
    case Code::kAmoand:
      return old & operand;
    case Code::kAmoor:
      return old | operand;
    case Code::kAmomin:
      return a < b ? old : operand;
    case Code::kAmomax:
      return a > b ? old : operand;
    case Code::kAmominu:
      return std::min(old, operand);
    case Code::kAmomaxu:
      return std::max(old, operand);
    default:
      return operand;
  }
}

}  // namespace

Outcome LoadStoreUnit::atomic(Code code, std::uint32_t address, std::uint32_t operand, Cycle c) {
  const std::uint32_t aligned = align(address, 4, "atomic operation");
  cycle_ = std::max(c, s_.pipeline.slot_free());
  if (aligned >= l1_size_) {
    status_.raise("atomic operation on address " + hex(address) + ", which is not in L1");
    value_ = 0;
    latency_ = s_.pipeline.atomic_latency();
    return Outcome::kDone;
  }
  s_.activity |= ExecutionState::kDirty;
  if (!s_.may_act(cycle_) || disturbs(aligned, 4, true)) return Outcome::kLater;
  if (const Outcome loaded = load_l1(aligned, 4); loaded != Outcome::kDone) return loaded;
  const std::uint32_t old = value_;
  const Outcome stored = store_l1(aligned, 4, stored_by(code, old, operand));
  value_ = old;
  latency_ = s_.pipeline.atomic_latency();
  return stored;
}

// ISA PushTensixInstruction.md: exactly a store to INSTRN_BUF_BASE.
Outcome LoadStoreUnit::push(std::uint32_t instruction, Cycle c) {
  const unsigned thread =
      static_cast<unsigned>(identity_.master) - static_cast<unsigned>(BusMaster::kT0);
  if (instructions_ == nullptr || thread > 2) return store(kPushAddress, 4, instruction, c);
  cycle_ = c;
  latency_ = 1;
  s_.activity |= ExecutionState::kDirty;
  if (!s_.may_act(c) || disturbs_all()) return Outcome::kLater;
  if (instructions_->push(thread, instruction, c, s_.order)) return Outcome::kDone;
  return block(Watch::kCoprocessor, kPushAddress);
}

// ---- The bus ------------------------------------------------------------------------------------

void LoadStoreUnit::fill_payload(tlm::tlm_command command, std::uint32_t address, unsigned bytes) {
  payload_.set_command(command);
  payload_.set_address(address);
  payload_.set_data_ptr(reinterpret_cast<unsigned char*>(&value_));
  payload_.set_data_length(bytes);
  payload_.set_streaming_width(bytes);
  payload_.set_byte_enable_ptr(nullptr);
  payload_.set_dmi_allowed(false);
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

Outcome LoadStoreUnit::transport(tlm::tlm_command command, std::uint32_t address, unsigned bytes) {
  fill_payload(command, address, bytes);
  access_.now = cycle_;
  access_.latency = address < l1_size_ ? latency_ : 0;
  access_.order = static_cast<std::uint8_t>(s_.order);
  access_.blocked = false;
  access_.watch = Watch::kNone;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  try {
    bus_->b_transport(payload_, delay);
  } catch (const Fault& fault) {
    stop(fault, command, address);
  }
  if (access_.blocked) return block(access_.watch, address);
  // The access may have put this core itself into reset.
  if (s_.state != CoreState::kRunning) return Outcome::kStopped;
  if (!payload_.is_response_ok()) return refused(command, address);
  // The observer of L1 has been removed.
  if (address < l1_size_ && payload_.is_dmi_allowed()) map_l1();
  return Outcome::kDone;
}

/// A block stops the run because of this access. The report needs the core that made it.
void LoadStoreUnit::stop(const Fault& fault, tlm::tlm_command command,
                         std::uint32_t address) const {
  const std::string what =
      fault.where() == identity_.where ? fault.message() : std::string(fault.what());
  throw Fault(fault.kind(), identity_.where,
              (command == tlm::TLM_READ_COMMAND ? "load from " : "store to ") + hex(address) +
                  ": " + what + ", pc " + hex(s_.pc));
}

void LoadStoreUnit::report(tlm::tlm_command command, std::uint32_t address, unsigned bytes,
                           std::uint32_t value) {
  using Kind = support::ProbeEvent::Kind;
  const Kind kind = command == tlm::TLM_WRITE_COMMAND ? Kind::kWritten : Kind::kRead;
  if (probe_ == nullptr || !probe_->wants(kind)) return;
  const auto awaited = kind == Kind::kRead ? probe_->awaited() : std::nullopt;
  try {
    probe_->report({.kind = kind,
                    .agent = identity_.master,
                    .core = identity_.master,
                    .is_local = awaited.has_value(),
                    .pc = s_.pc,
                    .bytes = bytes,
                    .value = value,
                    .pushed = awaited.value_or(0),
                    .address = address,
                    .cycle = cycle_,
                    .done = cycle_});
  } catch (const Fault& fault) {
    stop(fault, command, address);
  }
}

Outcome LoadStoreUnit::refused(tlm::tlm_command command, std::uint32_t address) {
  const bool read = command == tlm::TLM_READ_COMMAND;
  const std::string what = read ? "load from " : "store to ";
  if (payload_.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE) {
    // A stack overflow leaves the local memory at its low end.
    constexpr std::uint32_t kBelow = 0x10000;
    const bool stack = address < kLocalBase && address >= kLocalBase - kBelow;
    status_.raise(what + "unmapped address " + hex(address) +
                  (stack ? ", below the core's local memory: its stack has no room" : ""));
  } else {
    status_.raise(what + "address " + hex(address) + " refused: " + payload_.get_response_string());
  }
  if (!read) return Outcome::kDone;  // dropped
  status_.hang(address);
  return Outcome::kStopped;
}

Outcome LoadStoreUnit::block(Watch watch, std::uint32_t address) {
  s_.activity = ExecutionState::kDirty;
  status_.block(address, cycle_);
  sleep_.wait_for(watch);
  return Outcome::kStopped;
}

void LoadStoreUnit::set_probe(support::Probe* probe) {
  probe_ = probe;
  if (probe == nullptr) return;
  probe->add({.master = identity_.master,
              .pc = &s_.pc,
              .stored = &s_.l1_stored,
              .direct = &s_.l1_direct,
              .mapped = &s_.l1_free,
              .beyond = &s_.l1_beyond});
}

void LoadStoreUnit::map_l1() {
  if (s_.l1 != nullptr) return;
  tlm::tlm_dmi dmi;
  payload_.set_command(tlm::TLM_READ_COMMAND);
  payload_.set_address(0);
  const bool granted = bus_->get_direct_mem_ptr(payload_, dmi) && dmi.is_read_write_allowed();
  // A target without memory there does not report its end.
  constexpr std::uint64_t kNoMemory = 1ULL << 32;
  if (dmi.get_start_address() == 0 && dmi.get_end_address() + 1 < kNoMemory) {
    l1_size_ = static_cast<std::uint32_t>(dmi.get_end_address() + 1);
  }
  if (!granted) return;
  s_.l1 = dmi.get_dmi_ptr();
  s_.l1_bytes = l1_size_;
  remapped();
}

void LoadStoreUnit::unmap_l1() {
  s_.l1 = nullptr;
  s_.l1_bytes = 0;
  remapped();
}

void LoadStoreUnit::remapped() {
  s_.l1_free = s_.l1_below_left();
  s_.l1_direct = s_.l1_free;
  if (probe_ != nullptr) probe_->remapped();
}

// ---- Debug accesses, without time ---------------------------------------------------------------

bool LoadStoreUnit::read_code(std::uint32_t pc, std::uint32_t& word) {
  if (pc >= l1_size_ || l1_size_ - pc < sizeof word) return false;
  if (s_.l1 == nullptr) return debug_read(pc, &word, sizeof word);
  std::memcpy(&word, s_.l1 + pc, sizeof word);
  return true;
}

bool LoadStoreUnit::debug_read(std::uint32_t address, void* data, std::uint32_t bytes) {
  if (is_local(address) && bytes <= local_.size() - (address - kLocalBase)) {
    std::memcpy(data, local_.data() + (address - kLocalBase), bytes);
    return true;
  }
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_address(address);
  payload.set_data_ptr(static_cast<unsigned char*>(data));
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  return bus_->transport_dbg(payload) == bytes;
}

bool LoadStoreUnit::debug_write(std::uint32_t address, const void* data, std::uint32_t bytes) {
  if (is_local(address) && bytes <= local_.size() - (address - kLocalBase)) {
    std::memcpy(local_.data() + (address - kLocalBase), data, bytes);
    return true;
  }
  std::vector<unsigned char> copy(bytes);
  std::memcpy(copy.data(), data, bytes);
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(address);
  payload.set_data_ptr(copy.data());
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  return bus_->transport_dbg(payload) == bytes;
}

}  // namespace tvp::riscv
