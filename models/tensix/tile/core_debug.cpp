#include "models/tensix/tile/core_debug.h"

#include "foundation/hex.h"
#include "foundation/regs/tensix_tile.h"

namespace tvp::tensix {

using foundation::FaultKind;
using support::Cycle;

namespace {

// Registers of a core's debug unit.
constexpr std::uint32_t kStatus = 0;
constexpr std::uint32_t kCommand = 1;
constexpr std::uint32_t kArgument0 = 2;
constexpr std::uint32_t kArgument1 = 3;
constexpr std::uint32_t kResult = 4;
constexpr std::uint32_t kWatchpointSettings = 5;
constexpr std::uint32_t kFirstWatchpoint = 10;

// Bits of a command.
constexpr std::uint32_t kHalt = 1U << 0;
constexpr std::uint32_t kStep = 1U << 1;
constexpr std::uint32_t kContinue = 1U << 2;
constexpr std::uint32_t kReadRegister = 1U << 3;
constexpr std::uint32_t kWriteRegister = 1U << 4;
constexpr std::uint32_t kReadMemory = 1U << 5;
constexpr std::uint32_t kWriteMemory = 1U << 6;
constexpr std::uint32_t kFlushRegisters = 1U << 7;
constexpr std::uint32_t kFlush = 1U << 8;
constexpr std::uint32_t kDebugMode = 1U << 31;

// Bits of the status.
constexpr std::uint32_t kIsHalted = 1U << 0;
constexpr std::uint32_t kPcWatchpoint = 1U << 1;
constexpr std::uint32_t kMemoryWatchpoint = 1U << 2;
constexpr std::uint32_t kBreak = 1U << 3;
constexpr unsigned kFirstWatchpointBit = 8;

// Four bits of a watchpoint.
constexpr std::uint32_t kOnRead = 1;
constexpr std::uint32_t kOnWrite = 2;
constexpr std::uint32_t kEnabled = 8;

constexpr std::uint32_t kPc = 32;  // as the number of a register

}  // namespace

void CoreDebug::raise(FaultKind kind, const std::string& text) const {
  faults_.raise({kind, core_.where(), text});
}

std::uint32_t CoreDebug::read(std::uint32_t index, Cycle) const {
  switch (index) {
    case kStatus:
      if (!halted()) return 0;
      return kIsHalted | (reasons_ != 0 || commanded_ ? reasons_ : kBreak);
    case kArgument0:
    case kArgument1:
      return arguments_[index - kArgument0];
    case kResult:
      return result_;
    case kWatchpointSettings:
      return settings_;
    default:
      break;
  }
  if (index - kFirstWatchpoint < kWatchpoints) return watchpoints_[index - kFirstWatchpoint];
  raise(FaultKind::kUnmodelled,
        "read of debug register " + std::to_string(index) + " of a core is not modelled");
  return 0;
}

void CoreDebug::write(std::uint32_t index, std::uint32_t value, Cycle now) {
  switch (index) {
    case kCommand:
      return command(value, now);
    case kArgument0:
    case kArgument1:
      arguments_[index - kArgument0] = value;
      return;
    case kWatchpointSettings:
      settings_ = value;
      if (settings_ != 0) observe(true);
      return;
    default:
      break;
  }
  if (index - kFirstWatchpoint < kWatchpoints) {
    watchpoints_[index - kFirstWatchpoint] = value;
    return;
  }
  raise(FaultKind::kUnmodelled,
        "write of debug register " + std::to_string(index) + " of a core is not modelled");
}

void CoreDebug::command(std::uint32_t word, Cycle now) {
  const bool debugged = (word & kDebugMode) != 0;
  if (debugged) observe(true);
  switch (word & ~kDebugMode) {
    case 0:
      break;
    case kHalt:
      if (halted()) break;
      reasons_ = 0;
      core_.halt(now);
      commanded_ = halted();
      break;
    case kStep:
      go_on(true, now);
      break;
    case kContinue:
      if (!debugged) observe(false);
      go_on(false, now);
      break;
    case kReadRegister:
      result_ = read_register();
      break;
    case kWriteRegister:
      write_register();
      break;
    case kReadMemory:
      access_memory(false, now);
      break;
    case kWriteMemory:
      access_memory(true, now);
      break;
    case kFlushRegisters:  // registers are always up to date
      break;
    case kFlush:
      core_.set_pc(arguments_[1]);
      break;
    default:
      raise(FaultKind::kUnmodelled,
            "debug command " + foundation::hex(word, 8) + " of a core is not modelled");
  }
}

void CoreDebug::reset_with_core() {
  if (core_.state() != riscv::CoreState::kInReset) return;
  settings_ = reasons_ = result_ = 0;
  commanded_ = stepping_ = accessed_ = false;
  if (core_.hooks().observer() == this) observe(false);
}

void CoreDebug::go_on(bool step, Cycle now) {
  if (!halted()) return;
  stepping_ = step;
  reasons_ = 0;
  commanded_ = accessed_ = false;
  core_.resume(now);
}

/// A debugger of the host or a trace can be the core's observer, too.
void CoreDebug::observe(bool on) {
  riscv::CoreObserver* const observer = core_.hooks().observer();
  if (observer != nullptr && observer != this)
    return raise(FaultKind::kDescription,
                 "a core's debug registers are used while gdb or a trace observes it; expected one "
                 "of them");
  core_.hooks().set_observer(on ? this : nullptr);
}

std::uint32_t CoreDebug::read_register() const {
  if (arguments_[0] <= kPc) return arguments_[0] == kPc ? core_.pc() : core_.reg(arguments_[0]);
  raise(FaultKind::kFirmware, "debug command reads register " + std::to_string(arguments_[0]) +
                                  "; expected 0 to 31, or 32 for the pc");
  return 0;
}

void CoreDebug::write_register() {
  if (!halted())
    return raise(FaultKind::kFirmware,
                 "debug command writes a register of a core that is not halted; halt it first");
  if (arguments_[0] == kPc) return core_.set_pc(arguments_[1]);
  if (arguments_[0] > kPc)
    return raise(FaultKind::kFirmware, "debug command writes register " +
                                           std::to_string(arguments_[0]) +
                                           "; expected 0 to 31, or 32 for the pc");
  core_.set_reg(arguments_[0], arguments_[1]);
}

void CoreDebug::access_memory(bool write, Cycle now) {
  const std::uint32_t address = arguments_[0];
  std::uint32_t& word = write ? arguments_[1] : result_;
  // Local data RAM and instruction RAM of the core, then memory and registers of the tile.
  const bool own = address >= riscv::Core::kLocalBase && address % 4 == 0 &&
                   (address - riscv::Core::kLocalBase < core_.local_bytes() ||
                    address - tvp::regs::tensix_tile::kIram < core_.iram_bytes());
  const bool done =
      own ? (write ? core_.debug_write(address, &word, 4) : core_.debug_read(address, &word, 4))
          : bus_.debug_access(address, reinterpret_cast<std::uint8_t*>(&word), 4, write, now,
                              core_.master());
  if (!done)
    raise(FaultKind::kFirmware, std::string("debug command ") + (write ? "writes" : "reads") +
                                    " address " + foundation::hex(address, 8) +
                                    ", which the core cannot access now");
}

void CoreDebug::committed(const riscv::Core&, const riscv::Commit& commit) {
  if (commit.load_bytes == 0 && commit.store_bytes == 0) return;
  const std::uint32_t kind = commit.load_bytes != 0 ? kOnRead : kOnWrite;
  for (unsigned i = 0; i < kWatchpoints; ++i) {
    const std::uint32_t of = setting(i);
    if ((of & kEnabled) == 0 || (of & kind) == 0 || watchpoints_[i] != commit.address) continue;
    accessed_ = true;
    reasons_ |= kMemoryWatchpoint | 1U << (kFirstWatchpointBit + i);
  }
}

bool CoreDebug::stop_before(const riscv::Core&, std::uint32_t pc) {
  bool stops = stepping_ || accessed_;
  for (unsigned i = 0; i < kWatchpoints; ++i)
    if (setting(i) == kEnabled && watchpoints_[i] == pc) {
      stops = true;
      reasons_ |= kPcWatchpoint | 1U << (kFirstWatchpointBit + i);
    }
  if (!stops) return false;
  stepping_ = accessed_ = false;
  commanded_ = true;
  return true;
}

bool CoreDebug::handles_break(const riscv::Core&, std::uint32_t) {
  stepping_ = false;
  reasons_ |= kBreak;
  return true;
}

}  // namespace tvp::tensix
