// What the rest of the tile sees of the coprocessor, and what it sees of the tile.

#include "models/tensix/coprocessor/coprocessor.h"

namespace tvp::tensix::coprocessor {

using foundation::Fault;
using foundation::FaultKind;
using support::BusMaster;
using support::MmioAccess;
using support::Watch;

namespace {

constexpr unsigned kNotAThread = 3;

/// Thread of a T core, kNotAThread for everybody else.
unsigned thread_of(BusMaster master) {
  switch (master) {
    case BusMaster::kT0:
      return 0;
    case BusMaster::kT1:
      return 1;
    case BusMaster::kT2:
      return 2;
    default:
      return kNotAThread;
  }
}

}  // namespace

bool Coprocessor::push(unsigned t, std::uint32_t instruction, Cycle now, unsigned other_order) {
  Thread& thread = threads_[t];
  if (!thread.frontend.push_from_t(instruction)) return false;
  thread.idle = false;
  wake_at(other_order < order() ? now : now + 1);
  return true;
}

bool Coprocessor::push_from_b(unsigned t, std::uint32_t instruction, Cycle now,
                              unsigned other_order) {
  Thread& thread = threads_[t];
  bool collided = false;
  const bool pushed = thread.frontend.push_from_b(instruction, now, collided);
  if (collided) {
    faults_.raise(Fault(FaultKind::kFirmware, where_ + ".T" + std::to_string(t),
                        "B pushes an instruction in the cycle in which one of the thread's own "
                        "leaves the MOP expander: the latter is lost"));
  }
  if (!pushed) return false;
  thread.idle = false;
  wake_at(other_order < order() ? now : now + 1);
  return true;
}

void Coprocessor::access_push(MmioAccess& access) {
  const unsigned window = (access.offset >> 16) - 0xE4U;
  const unsigned own = thread_of(access.master);
  if (!access.write || window >= kThreads || (own != kNotAThread && window != 0)) {
    access.unmapped = true;
    return;
  }
  const bool pushed = own != kNotAThread
                          ? push(own, access.data, access.now, access.order)
                          : push_from_b(window, access.data, access.now, access.order);
  if (!pushed) {
    access.blocked = true;
    access.watch = Watch::kCoprocessor;
  }
}

void Coprocessor::access_mop_config(MmioAccess& access) {
  const unsigned t = thread_of(access.master);
  const unsigned index = access.offset / 4;
  if (t == kNotAThread || index >= MopExpander::kConfigWords || !access.write) {
    access.unmapped = true;
    return;
  }
  MopExpander& expander = threads_[t].frontend.mop_expander();
  if (expander.expanding()) {
    faults_.raise(Fault(FaultKind::kFirmware, where_ + ".T" + std::to_string(t),
                        "MOP configuration written while a MOP is being expanded"));
  }
  expander.set_config(index, access.data);
}

void Coprocessor::access_gprs(MmioAccess& access) {
  const unsigned own = thread_of(access.master);
  unsigned index = access.offset / 4;
  if (index >= (own != kNotAThread ? 1U : kThreads) * Gprs::kCount) {
    access.unmapped = true;
    return;
  }
  const unsigned t = own != kNotAThread ? own : index / Gprs::kCount;
  index %= Gprs::kCount;
  if (!access.write) {
    access.data = gprs_[t][index];
    access.watch = Watch::kGpr;
    return;
  }
  gprs_[t][index] = access.data;
  watch_hub_.changed(Watch::kGpr, access.now, access.order);
}

void Coprocessor::access_config(MmioAccess& access) {
  const unsigned word = access.offset / 4;
  if (!access.write) {
    access.unmapped = !configuration_.read_window(word, access.data);
    access.watch = Watch::kConfig;
    return;
  }
  access.unmapped = !configuration_.write_window(word, access.data, access.now);
  if (access.unmapped) return;
  watch_hub_.changed(Watch::kConfig, access.now, access.order);
  touched(access.now, access.order);
}

std::uint32_t Coprocessor::config_word(unsigned word) const {
  std::uint32_t value = 0;
  configuration_.read_window(word, value);
  return value;
}

void Coprocessor::access_semaphore(unsigned i, MmioAccess& access) {
  if (i >= SyncUnit::kSemaphores) {
    access.unmapped = true;
    return;
  }
  if (!access.write) {
    access.data = sync_.semaphore(i).value;
    access.watch = Watch::kSemaphore;
    return;
  }
  sync_.access_from_core(i, access.data);
  if (signals_) [[unlikely]]
    signals_->semaphore(i, sync_.semaphore(i).value, access.now);
  watch_hub_.changed(Watch::kSemaphore, access.now, access.order);
  touched(access.now, access.order);
}

void Coprocessor::mover_writes_config(unsigned word, std::uint32_t value, Cycle now) {
  if (!configuration_.write_window(word, value, now)) return;
  watch_hub_.changed(Watch::kConfig, now, mover_.order());
  touched(now, mover_.order());
}

void Coprocessor::mover_writes_instruction_ram(std::uint32_t offset, const std::uint8_t* data,
                                               Cycle now) {
  client_.write_instruction_ram(offset, data, now);
}

void Coprocessor::mover_idle(Cycle now) { touched(now, mover_.order()); }

void Coprocessor::invalidate_instruction_caches(std::uint32_t mask, Cycle now) {
  client_.invalidate_instruction_caches(mask, now);
}

void Coprocessor::seed_prng(std::uint32_t seed) { vector_.seed(seed); }

void Coprocessor::reset_context_counters(unsigned thread) {
  unpackers_.reset_context_counters(thread);
}

void Coprocessor::write_register(std::uint32_t address, std::uint32_t value, Cycle when) {
  WriteBack::Entry entry;
  entry.when = when;
  entry.target = WriteBack::Target::kRegister;
  entry.data = {address, value, 0, 0};
  write_back_.add(entry);
}

MmioPort::Result Coprocessor::load(std::uint32_t address, Cycle now) {
  return transport(false, address, 0, now);
}

MmioPort::Result Coprocessor::store(std::uint32_t address, std::uint32_t data, Cycle now) {
  return transport(true, address, data, now);
}

MmioPort::Result Coprocessor::transport(bool write, std::uint32_t address, std::uint32_t data,
                                        Cycle now) {
  Result result;
  result.data = data;
  bus_access_ = support::BusAccess{};
  bus_access_.now = now;
  bus_access_.master = BusMaster::kThcon;
  bus_access_.order = static_cast<std::uint8_t>(order());
  payload_.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload_.set_address(address);
  payload_.set_data_ptr(reinterpret_cast<unsigned char*>(&result.data));
  payload_.set_data_length(4);
  payload_.set_streaming_width(4);
  payload_.set_byte_enable_ptr(nullptr);
  payload_.set_dmi_allowed(false);
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  thcon->b_transport(payload_, delay);
  result.blocked = bus_access_.blocked;
  result.latency = bus_access_.latency;
  if (!result.blocked && payload_.is_response_error()) {
    faults_.raise(Fault(FaultKind::kFirmware, where_ + ".thcon",
                        std::string(write ? "store" : "load") + " at " + std::to_string(address) +
                            ": " + payload_.get_response_string()));
  }
  return result;
}

}  // namespace tvp::tensix::coprocessor
