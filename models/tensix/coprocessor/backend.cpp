#include "models/tensix/coprocessor/backend.h"

#include <bit>

#include "foundation/regs/tensix_disassembler.h"
#include "foundation/regs/tensix_opcodes.h"
#include "models/tensix/coprocessor/config/math_config.h"
#include "models/tensix/coprocessor/frontend/issue_faults.h"

namespace tvp::tensix::coprocessor {

namespace op = regs::tensix;
namespace cfg = regs::config;
using foundation::Fault;
using foundation::FaultKind;
using support::Watch;

Backend::Backend(const std::string& where, const Connections& to, const MovementConfig& movement,
                 const CoprocessorConfig& config)
    : where_(where),
      state_(to.state),
      registers_(to.registers),
      agent_(to.agent),
      offered_(to.offered),
      watch_hub_(to.watch_hub),
      l1_(to.l1),
      unpackers_(movement, to.state.config, to.state.adcs, to.state.registers, to.l1, to.faults,
                 where),
      packers_(movement, to.state.config, to.state.adcs, to.state.registers, to.l1, to.faults,
               where),
      pipelines_(unpackers_),
      config_reports_(to.l1, unpackers_, packers_, to.state.config),
      effects_(to.client, vector_, unpackers_, config_reports_),
      sync_(where + ".sync", to.faults, to.generation),
      configuration_(where + ".config", to.state.config, to.state.gprs, to.state.write_back,
                     effects_, to.faults, to.generation),
      mover_(where + ".mover", to.l1, to.mover_client, to.watch_hub, to.faults),
      tdma_(where + ".tdma", mover_, to.watch_hub, to.faults),
      scalar_memory_(where + ".thcon",
                     {.gprs = to.state.gprs,
                      .write_back = to.state.write_back,
                      .config = to.state.config,
                      .registers = to.state.registers,
                      .l1 = to.l1,
                      .mmio = to.registers,
                      .agent = to.agent},
                     to.faults),
      scalar_(where + ".thcon",
              {.gprs = to.state.gprs,
               .config = to.state.config,
               .configuration_unit = configuration_,
               .adcs = to.state.adcs,
               .pipelines = pipelines_,
               .memory = scalar_memory_},
              to.faults),
      miscellaneous_(to.state.config, to.state.registers, to.state.adcs),
      matrix_(where + ".fpu", to.state.registers, to.state.config, to.faults,
              config.exact_sums ? FloatSums::exact() : FloatSums::aligned()),
      vector_(where + ".sfpu", to.state.registers, to.state.config, to.faults, VectorUnit::best(),
              to.generation) {
  unpackers_.set_pushed_at(&to.offered.pc);
  attach(Unit::kUnpacker0, unpackers_);
  attach(Unit::kUnpacker1, unpackers_);
  attach(Unit::kMatrix, matrix_);
  attach(Unit::kPackers, packers_);
  attach(Unit::kVector, vector_);
  attach(Unit::kScalar, scalar_);
  attach(Unit::kMiscellaneous, miscellaneous_);
  attach(packers_);
  matrix_.set_exponent_histograms(&histograms_);
  packers_.set_register_writer(&to.registers);
  packers_.attach(tdma_.pack_setreg());
}

void Backend::attach(PackerMetadata& packers) {
  scalar_.attach(&packers);
  tdma_.attach(&packers);
}

void Backend::stop_at(std::uint32_t instruction, unsigned t, Unit unit) const {
  std::string text = "instruction " + op::disassemble(instruction);
  text += unit == Unit::kNone ? " at the wait gate" : std::string(": no ") + unit_name(unit);
  if (instruction == 0)
    text += ": a REPLAY or MOP of instructions that were never recorded, or an invalid word";
  const FaultKind kind = instruction == 0 ? FaultKind::kFirmware : FaultKind::kUnmodelled;
  throw Fault(kind, where_ + ".T" + std::to_string(t),
              text + IssueFaults::text_of(t, instruction, offered_.pc));
}

Issue Backend::issue(std::uint32_t instruction, unsigned t, Unit unit, Cycle now,
                     WaitLatch& latch) {
  switch (unit) {
    case Unit::kSync: {
      const Issue result = sync_.issue(instruction, t, now, latch);
      if (result.kind != Issue::Kind::kStarted) return result;
      report_semaphores(instruction, t, now);
      if (sync_.semaphores_changed()) {
        watch_hub_.changed(Watch::kSemaphore, now, agent_.order());
      }
      return result;
    }
    case Unit::kConfiguration: {
      const Issue result = configuration_.issue(instruction, t, now);
      if (result.kind == Issue::Kind::kStarted) {
        report_selection(instruction, t, now);
        watch_hub_.changed(Watch::kConfig, now, agent_.order());
      }
      return result;
    }
    case Unit::kMover:
      return start_mover(t, now);
    case Unit::kNone:
      stop_at(instruction, t, unit);
    default:
      break;
  }
  ExecutionUnit* target = units_[static_cast<unsigned>(unit)];
  if (target == nullptr) stop_at(instruction, t, unit);
  if (unit != Unit::kScalar) return target->issue(instruction, t, now);
  const Issue result = target->issue(instruction, t, now);
  if (result.kind == Issue::Kind::kStarted) {
    if (op::opcode_of(instruction) == op::Opcode::kStorereg) {
      if (const support::Probe* const probe = probe_for(Kind::kAnnounce); probe != nullptr)
        probe->report({.kind = Kind::kAnnounce,
                       .pc = offered_.pc,
                       .instruction = instruction,
                       .thread = static_cast<std::uint8_t>(t),
                       .cycle = now,
                       .offered = offered_});
    }
    watch_hub_.changed(Watch::kGpr, now, agent_.order());
  }
  return result;
}

Issue Backend::start_mover(unsigned t, Cycle now) {
  if (mover_.busy()) return Issue::blocked();
  const auto& words = state_.config.of(t);
  const auto& fields = cfg::kMover[0];
  mover_.start(fields.destination_address.get(words) << 4, fields.source_address.get(words) << 4,
               (fields.buffer_size.get(words) & 0xFFFFU) << 4, fields.transfer_direction.get(words),
               now);
  watch_hub_.changed(Watch::kTdma, now, agent_.order());
  return Issue::started(now + 1, now + 1);
}

void Backend::started(std::uint32_t instruction, unsigned t, Unit unit, const Issue& issue) {
  if (unit != Unit::kNone) free_from_[static_cast<unsigned>(unit)] = issue.unit_free;
  switch (unit) {
    case Unit::kUnpacker0:
      config_reports_.started(ConfigReports::kUnpacker0, instruction, t);
      return pipelines_.occupy(t, Pipelines::kUnpack0, issue.done);
    case Unit::kUnpacker1:
      config_reports_.started(ConfigReports::kUnpacker1, instruction, t);
      return pipelines_.occupy(t, Pipelines::kUnpack1, issue.done);
    case Unit::kMatrix:
      report_math(instruction, t);
      return pipelines_.occupy(t, Pipelines::kMath, issue.done);
    case Unit::kVector:
      report_math(instruction, t);
      return pipelines_.occupy(t, Pipelines::kSfpu, issue.done);
    case Unit::kPackers:
      config_reports_.started(ConfigReports::kPackers, instruction, t);
      return occupy_packers(instruction, t, issue.done);
    default:
      break;
  }
}

void Backend::access_semaphore(unsigned i, std::uint32_t value, Cycle now) {
  sync_.access_from_core(i, value);
  if (const support::Probe* const probe = probe_for(Kind::kSemaphore); probe != nullptr)
    probe->report(
        {.kind = Kind::kSemaphore, .index = i, .value = sync_.semaphore(i).value, .cycle = now});
}

void Backend::report_semaphores(std::uint32_t instruction, unsigned t, Cycle now) const {
  const support::Probe* const probe = probe_for(Kind::kSemaphore);
  if (probe == nullptr) return;
  using O = op::Opcode;
  const O opcode = op::opcode_of(instruction);
  std::uint32_t mask = 0;
  if (opcode == O::kSemwait) {
    mask = op::Semwait::kSemaphoreMask.of(instruction);
  } else if (opcode == O::kSeminit || opcode == O::kSempost || opcode == O::kSemget) {
    mask = op::Sempost::kSemaphoreMask.of(instruction);
  }
  for (mask &= (1U << SyncUnit::kSemaphores) - 1; mask != 0; mask &= mask - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(mask));
    probe->report({.kind = Kind::kSemaphore,
                   .index = i,
                   .instruction = instruction,
                   .thread = static_cast<std::uint8_t>(t),
                   .value = sync_.semaphore(i).value,
                   .cycle = now,
                   .offered = offered_});
  }
}

void Backend::report_selection(std::uint32_t instruction, unsigned t, Cycle now) const {
  if (op::opcode_of(instruction) != op::Opcode::kSetc16 ||
      op::Setc16::kCfgIndex.of(instruction) != cfg::thread::kMathDestOffset.addr32)
    return;
  const support::Probe* const probe = probe_for(Kind::kDstSelected);
  if (probe == nullptr) return;
  const MathConfig config(state_.config, t);
  probe->report(
      {.kind = Kind::kDstSelected,
       .layout = state_.registers.dst.layout(config.fp32_enabled() || config.int8_enabled()),
       .index = config.math_dest_offset(),
       .instruction = instruction,
       .thread = static_cast<std::uint8_t>(t),
       .cycle = now,
       .offered = offered_});
}

void Backend::report_math(std::uint32_t instruction, unsigned t) const {
  const support::Probe* const probe = l1_.probe();
  if (probe == nullptr || !probe->wants_math()) [[likely]]
    return;
  probe->report({.kind = Kind::kMath,
                 .instruction = instruction,
                 .thread = static_cast<std::uint8_t>(t),
                 .offered = offered_});
}

void Backend::occupy_packers(std::uint32_t instruction, unsigned t, Cycle done) {
  if (units_[static_cast<unsigned>(Unit::kPackers)] == &packers_) {
    // The packers of one instruction end at different times.
    for (unsigned i = 0; i < Packers::kPackers; ++i) {
      pipelines_.occupy(t, Pipelines::kPack0 + i, packers_.idle_from(i, t));
    }
    return;
  }
  // PACR and PACR_SETREG have the mask at the same place; 0 stands for packer 0.
  const std::uint32_t mask = op::Pacr::kPackerMask.of(instruction);
  for (unsigned i = 0; i < Packers::kPackers; ++i) {
    if ((((mask == 0 ? 1U : mask) >> i) & 1U) != 0) {
      pipelines_.occupy(t, Pipelines::kPack0 + i, done);
    }
  }
}

void Backend::deliver(Cycle now) {
  state_.write_back.run(now, [this, now](const WriteBack::Entry& entry) { deliver(entry, now); });
}

void Backend::deliver(const WriteBack::Entry& entry, Cycle now) {
  switch (entry.target) {
    case WriteBack::Target::kGpr:
      for (unsigned i = 0; i < entry.words; ++i) {
        std::uint32_t& reg = state_.gprs[entry.thread_or_bank][(entry.index + i) % Gprs::kCount];
        reg = (reg & ~entry.mask) | (entry.data[i] & entry.mask);
      }
      watch_hub_.changed(Watch::kGpr, now, agent_.order());
      break;
    case WriteBack::Target::kConfig:
      for (unsigned i = 0; i < entry.words; ++i) {
        configuration_.deliver(entry.thread_or_bank, entry.index + i, entry.data[i], now);
      }
      watch_hub_.changed(Watch::kConfig, now, agent_.order());
      break;
    case WriteBack::Target::kRegister:
      if (registers_.store(entry.data[0], entry.data[1], now).blocked) {
        WriteBack::Entry again = entry;
        again.when = now + 1;
        state_.write_back.add(again);
      }
      break;
  }
}

}  // namespace tvp::tensix::coprocessor
