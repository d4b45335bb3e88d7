#include "models/pim/tasklets/tasklet_core.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "foundation/hex.h"
#include "models/riscv/core_generation.h"
#include "models/riscv/decode/instruction_meanings.h"
#include "models/riscv/decode/multiply_divide.h"
#include "models/support/tile_scheduler.h"

namespace tvp::pim {

namespace unit_regs = regs::pim;
namespace tasklet_regs = regs::pim::tasklet;
using riscv::Code;
using riscv::Op;
using support::Cycle;
using TaskletStep = support::ProbeEvent::TaskletStep;

namespace {

constexpr unsigned kDivisionSteps = 32;
/// __mulsi3: call, comparison, two moves, clearing of the result, move of the result, return.
constexpr unsigned kMultiplyCall = 7;

/// Fields of an instruction of form R4.
constexpr std::uint32_t rs1_of(std::uint32_t word) { return word >> 15 & 31; }
constexpr std::uint32_t rs2_of(std::uint32_t word) { return word >> 20 & 31; }
constexpr std::uint32_t rs3_of(std::uint32_t word) { return word >> 27; }
constexpr std::uint32_t funct3_of(std::uint32_t word) { return word >> 12 & 7; }
constexpr bool is_move(std::uint32_t word) {
  return (word & 0x7F) == tasklet_regs::kMoveOpcode && funct3_of(word) <= tasklet_regs::kMoveWrite;
}

}  // namespace

TaskletCore::TaskletCore(const sc_core::sc_module_name& name, std::string where,
                         const PimConfig& config, Wram& wram, DmaEngine& dma,
                         foundation::FaultPolicy& faults)
    : sc_module(name),
      bus("bus"),
      where_(std::move(where)),
      config_(config),
      shares_port_(config.wram_port == "shared"),
      wram_(wram),
      dma_(dma),
      faults_(faults),
      words_(unit_regs::kIramBytes / 4),
      code_(words_.size()),
      tasklets_(config.tasklets) {
  payload_.set_extension(&access_);
}

// The extension is a member, so the payload must not delete it.
TaskletCore::~TaskletCore() { payload_.clear_extension(&access_); }

void TaskletCore::write_iram(std::uint32_t offset, const std::uint8_t* data, std::uint32_t bytes) {
  std::memcpy(reinterpret_cast<std::uint8_t*>(words_.data()) + offset, data, bytes);
  for (std::uint32_t i = offset / 4; i < (offset + bytes + 3) / 4; ++i)
    code_[i] = riscv::CoreGeneration().decode(words_[i], unit_regs::kIram + 4 * i);
}

void TaskletCore::read_iram(std::uint32_t offset, std::uint8_t* data, std::uint32_t bytes) const {
  std::memcpy(data, reinterpret_cast<const std::uint8_t*>(words_.data()) + offset, bytes);
}

void TaskletCore::start(Cycle now, std::uint32_t entry) {
  for (Tasklet& t : tasklets_) t = {};
  holders_ = {};
  entry_ = entry;
  free_ = now;
  tasklets_[0].state = State::kReady;
  tasklets_[0].pc = entry;
  tasklets_[0].ready = now;
  if (observer_ != nullptr) observer_->started(now);
  scheduler().wake(*this, now);
}

void TaskletCore::halt() {
  for (Tasklet& t : tasklets_) t.state = State::kStopped;
}

/// The tasklet that has been ready for longest, those of low numbers first; null if none is.
TaskletCore::Tasklet* TaskletCore::next_tasklet() {
  Tasklet* first = nullptr;
  for (Tasklet& t : tasklets_) {
    if (t.state == State::kReady && (first == nullptr || t.ready < first->ready)) first = &t;
  }
  return first;
}

void TaskletCore::run() {
  while (Tasklet* const t = next_tasklet()) {
    const Cycle now = std::max(t->ready, free_);
    if (!may_act(now)) return set_next(now);
    free_ = now + 1;
    const std::uint32_t pc = t->pc;
    const TaskletObserver::Behind behind =
        std::exchange(t->behind, TaskletObserver::Behind::kInstruction);
    const bool has_progress = dispatch(*t, now);
    if (has_progress && t->state == State::kReady) t->ready = now + config_.dispatch_cycles;
    if (observer_ != nullptr) observer_->dispatched(number_of(*t), pc, now, behind, has_progress);
  }
  set_next(support::kNever);
}

bool TaskletCore::dispatch(Tasklet& t, Cycle now) {
  const std::uint32_t index = (t.pc - unit_regs::kIram) / 4;
  if (t.pc < unit_regs::kIram || index >= code_.size() || t.pc % 4 != 0) {
    raise(t, "no instruction can be fetched");
    t.state = State::kStopped;
    return true;
  }
  const Op& op = code_[index];
  const auto code = static_cast<Code>(op.code);
  // The access waits, and the pipeline with it.
  if (shares_port_ && (riscv::is_load(code) || riscv::is_store(code)) && dma_.uses_wram(now)) {
    ++stats_.port_waits;
    t.ready = now + 1;
    return false;
  }
  ++stats_.instructions;
  if (t.steps == 0) t.steps = steps_of(t, op);
  if (--t.steps != 0) return true;
  return execute(t, op, words_[index], now);
}

/// Number of instructions that a DPU needs for the operation.
unsigned TaskletCore::steps_of(const Tasklet& t, const Op& op) const {
  const auto code = static_cast<Code>(op.code);
  if (!config_.multiply_steps || code < Code::kMul || code > Code::kRemu) return 1;
  if (riscv::is_division(code)) return kDivisionSteps;
  const std::uint32_t smaller = std::min(t.x[op.rs1], t.x[op.rs2]);
  return kMultiplyCall + std::max(1U, static_cast<unsigned>(std::bit_width(smaller)));
}

// Cases of execute(). Operands are a and b, or a and imm.
#define TVP_IMMEDIATE(name, expression)                                   \
  case Code::k##name: {                                                   \
    const std::uint32_t a = t.x[op.rs1];                                  \
    [[maybe_unused]] const auto imm = static_cast<std::uint32_t>(op.imm); \
    t.x[op.rd] = static_cast<std::uint32_t>(expression);                  \
    break;                                                                \
  }
#define TVP_REGISTERS(name, expression)                  \
  case Code::k##name: {                                  \
    const std::uint32_t a = t.x[op.rs1];                 \
    const std::uint32_t b = t.x[op.rs2];                 \
    t.x[op.rd] = static_cast<std::uint32_t>(expression); \
    break;                                               \
  }
#define TVP_DIVIDE(name, is_signed, expression) TVP_REGISTERS(name, expression)
#define TVP_BRANCH(name, condition)                           \
  case Code::k##name: {                                       \
    const std::uint32_t a = t.x[op.rs1];                      \
    const std::uint32_t b = t.x[op.rs2];                      \
    if (condition) next = static_cast<std::uint32_t>(op.imm); \
    break;                                                    \
  }
#define TVP_LOAD(name, type)                                           \
  case Code::k##name: {                                                \
    std::uint32_t value = 0;                                           \
    if (!load(t, op, sizeof(type), now, value)) return false;          \
    t.x[op.rd] = static_cast<std::uint32_t>(static_cast<type>(value)); \
    break;                                                             \
  }
#define TVP_STORE(name, type)                                        \
  case Code::k##name:                                                \
    if (!store(t, op, sizeof(type), t.x[op.rs2], now)) return false; \
    break;

bool TaskletCore::execute(Tasklet& t, const Op& op, std::uint32_t word, Cycle now) {
  using riscv::divide_signed;
  using riscv::high_mixed;
  using riscv::high_signed;
  using riscv::high_unsigned;
  using riscv::remainder_signed;
  std::uint32_t next = t.pc + 4;
  switch (static_cast<Code>(op.code)) {
    TVP_RISCV_MEANINGS(TVP_IMMEDIATE, TVP_REGISTERS, TVP_REGISTERS, TVP_DIVIDE, TVP_BRANCH,
                       TVP_LOAD, TVP_STORE)
    case Code::kNop:
      break;
    case Code::kConstant:
      t.x[op.rd] = static_cast<std::uint32_t>(op.imm);
      break;
    case Code::kJal:
      t.x[op.rd] = next;
      next = static_cast<std::uint32_t>(op.imm);
      break;
    case Code::kJalr: {
      const std::uint32_t target = t.x[op.rs1] + static_cast<std::uint32_t>(op.imm);
      t.x[op.rd] = next;
      next = target & ~1U;
      break;
    }
    default:
      if (is_move(word)) {
        move(t, word, now);
      } else {
        raise(t, "instruction " + foundation::hex(word) + ": the unit has RV32IM and moves");
      }
  }
  t.pc = next;
  return true;
}

bool TaskletCore::load(Tasklet& t, const Op& op, std::uint32_t bytes, Cycle now,
                       std::uint32_t& value) {
  const std::uint32_t address = t.x[op.rs1] + static_cast<std::uint32_t>(op.imm);
  if (address % bytes != 0) {
    return raise(t, "load of " + std::to_string(bytes) + " bytes at " + foundation::hex(address) +
                        ": expected a multiple");
  }
  if (Wram::contains(address, bytes)) {
    wram_.read(address, reinterpret_cast<std::uint8_t*>(&value), bytes,
               {.agent = support::BusMaster::kB, .now = now, .order = order()});
    if (is_observed()) report_access(t, address, bytes, false, now);
    return true;
  }
  if (bytes != 4) return raise(t, "load of part of the register " + foundation::hex(address));
  if (address - unit_regs::kTasklets < unit_regs::kWindowBytes)
    return access_own(t, address, value, false, now);
  return access_bus(t, address, value, false, now);
}

bool TaskletCore::store(Tasklet& t, const Op& op, std::uint32_t bytes, std::uint32_t value,
                        Cycle now) {
  const std::uint32_t address = t.x[op.rs1] + static_cast<std::uint32_t>(op.imm);
  if (address % bytes != 0) {
    return raise(t, "store of " + std::to_string(bytes) + " bytes at " + foundation::hex(address) +
                        ": expected a multiple");
  }
  if (Wram::contains(address, bytes)) {
    wram_.write(address, reinterpret_cast<const std::uint8_t*>(&value), bytes,
                {.agent = support::BusMaster::kB, .now = now, .order = order()});
    if (is_observed()) report_access(t, address, bytes, true, now);
    return true;
  }
  if (bytes != 4) return raise(t, "store of part of the register " + foundation::hex(address));
  if (address - unit_regs::kTasklets < unit_regs::kWindowBytes)
    return access_own(t, address, value, true, now);
  return access_bus(t, address, value, true, now);
}

/// False if the register blocks: the tasklet tries again with its next instruction.
bool TaskletCore::access_bus(Tasklet& t, std::uint32_t address, std::uint32_t& value, bool write,
                             Cycle now) {
  payload_.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload_.set_address(address);
  payload_.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
  payload_.set_data_length(4);
  payload_.set_streaming_width(4);
  payload_.set_byte_enable_ptr(nullptr);
  payload_.set_dmi_allowed(false);
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  access_.now = now;
  access_.master = support::BusMaster::kB;
  access_.order = static_cast<std::uint8_t>(order());
  access_.blocked = false;
  sc_core::sc_time delay;
  bus->b_transport(payload_, delay);
  if (access_.blocked) {
    t.ready = now + config_.dispatch_cycles;
    return false;
  }
  if (payload_.is_response_ok()) return true;
  return raise(t, std::string(write ? "store to" : "load of") + " the register " +
                      foundation::hex(address) + ": " + payload_.get_response_string());
}

bool TaskletCore::access_own(Tasklet& t, std::uint32_t address, std::uint32_t& value, bool write,
                             Cycle now) {
  const std::uint32_t offset = address - unit_regs::kTasklets;
  const std::uint32_t mutex = (offset - tasklet_regs::kMutex) / 4;
  const unsigned number = number_of(t);
  if (offset >= tasklet_regs::kMutex && mutex < tasklet_regs::kMutexes) {
    std::uint8_t& holder = holders_[mutex];
    if (!write) {
      value = holder == 0 ? 1 : 0;
      if (holder != 0) return true;
      holder = static_cast<std::uint8_t>(number + 1);
      if (is_observed()) report(t, TaskletStep::kLock, mutex, now);
      return true;
    }
    if (holder != number + 1)
      return raise(t, "frees mutex " + std::to_string(mutex) + ", which it does not hold");
    holder = 0;
    if (is_observed()) report(t, TaskletStep::kUnlock, mutex, now);
    return true;
  }
  if (!write && offset == tasklet_regs::kId) {
    value = number;
  } else if (!write && offset == tasklet_regs::kCount) {
    value = tasklets();
  } else if (write && offset == tasklet_regs::kStart) {
    start_tasklet(t, value, now);
  } else if (write && offset == tasklet_regs::kStop) {
    t.state = State::kStopped;
    release_if_all_met(t, now);
  } else if (write && offset == tasklet_regs::kMeet) {
    t.state = State::kMeets;
    release_if_all_met(t, now);
  } else {
    return raise(t, std::string(write ? "store to" : "load of") + " the register " +
                        foundation::hex(address) + ": there is none");
  }
  return true;
}

void TaskletCore::start_tasklet(const Tasklet& by, std::uint32_t number, Cycle now) {
  if (number >= tasklets()) {
    raise(by, "starts tasklet " + std::to_string(number) + ": expected one of 0 to " +
                  std::to_string(tasklets() - 1) + " (pim.tasklets)");
    return;
  }
  Tasklet& t = tasklets_[number];
  if (t.state != State::kStopped) {
    raise(by, "starts tasklet " + std::to_string(number) + ", which runs");
    return;
  }
  t = {};
  t.state = State::kReady;
  t.pc = entry_;
  t.ready = now + config_.dispatch_cycles;
  if (is_observed()) report(by, TaskletStep::kStart, number, now);
}

/// Lets the tasklets that meet continue, unless another one runs.
void TaskletCore::release_if_all_met(const Tasklet& last, Cycle now) {
  const bool others = std::ranges::any_of(tasklets_, [](const Tasklet& other) {
    return other.state == State::kReady || other.state == State::kMoves;
  });
  if (others) return;
  if (is_observed()) report(last, TaskletStep::kMeet, 0, now);
  for (Tasklet& other : tasklets_) {
    if (other.state != State::kMeets) continue;
    other.state = State::kReady;
    other.behind = TaskletObserver::Behind::kMeeting;
    other.ready = std::max(other.ready, now + config_.dispatch_cycles);
  }
}

void TaskletCore::move(Tasklet& t, std::uint32_t word, Cycle now) {
  const std::uint32_t bytes = t.x[rs3_of(word)];
  if (bytes > tasklet_regs::kMoveBytes) {
    raise(t, "moves " + std::to_string(bytes) + " bytes: expected at most " +
                 std::to_string(tasklet_regs::kMoveBytes));
    return;
  }
  const std::uint32_t wram = t.x[rs1_of(word)];
  const bool to_bank = funct3_of(word) == tasklet_regs::kMoveWrite;
  const bool moves =
      dma_.move(wram, t.x[rs2_of(word)], bytes, to_bank, *this, number_of(t), t.pc, now);
  if (!moves) return;
  t.state = State::kMoves;
  if (is_observed()) report_access(t, wram, bytes, !to_bank, now);
}

void TaskletCore::dma_done(unsigned number, Cycle now) {
  Tasklet& t = tasklets_[number];
  if (t.state != State::kMoves) return;  // the program has ended
  t.state = State::kReady;
  t.behind = TaskletObserver::Behind::kMove;
  t.ready = std::max(t.ready, now + 1);
  scheduler().wake(*this, t.ready);
}

void TaskletCore::report(const Tasklet& t, TaskletStep step, std::uint32_t index, Cycle now) const {
  probe_->report({.kind = support::ProbeEvent::Kind::kTasklet,
                  .agent = support::BusMaster::kB,
                  .step = step,
                  .pc = t.pc,
                  .index = index,
                  .thread = static_cast<std::uint8_t>(number_of(t)),
                  .cycle = now});
}

void TaskletCore::report_access(const Tasklet& t, std::uint32_t address, std::uint32_t bytes,
                                bool is_write, Cycle now) const {
  probe_->report({.kind = support::ProbeEvent::Kind::kTasklet,
                  .agent = support::BusMaster::kB,
                  .memory = support::MemoryKind::kWram,
                  .step = is_write ? TaskletStep::kStore : TaskletStep::kLoad,
                  .pc = t.pc,
                  .bytes = bytes,
                  .thread = static_cast<std::uint8_t>(number_of(t)),
                  .address = address,
                  .cycle = now});
}

bool TaskletCore::raise(const Tasklet& t, const std::string& text) {
  faults_.raise(foundation::Fault(
      foundation::FaultKind::kFirmware, where_,
      "tasklet " + std::to_string(number_of(t)) + " at pc " + foundation::hex(t.pc) + ": " + text));
  return true;
}

std::string TaskletCore::waits_for() const {
  std::string moving;
  std::string meeting;
  for (const Tasklet& t : tasklets_) {
    if (t.state == State::kMoves) moving += " " + std::to_string(number_of(t));
    if (t.state == State::kMeets) meeting += " " + std::to_string(number_of(t));
  }
  if (!moving.empty()) moving = "tasklets" + moving + " wait for the DMA engine";
  if (!meeting.empty()) meeting = "tasklets" + meeting + " wait for the others to meet";
  return moving + (moving.empty() || meeting.empty() ? "" : ", ") + meeting;
}

}  // namespace tvp::pim
