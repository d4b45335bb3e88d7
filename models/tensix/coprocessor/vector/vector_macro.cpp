// SFPLOADMACRO (ISA TensixCoprocessor/SFPLOADMACRO.md): a load, and up to four instructions that
// move down a pipeline of eight places before each sub-unit.

#include <algorithm>

#include "models/tensix/coprocessor/vector/vector_unit.h"

namespace tvp::tensix::coprocessor {

using namespace regs::tensix;
using foundation::Fault;
using foundation::FaultKind;

namespace {
constexpr unsigned kStoreUnit = 3;
}

void VectorUnit::load_macro(const Operation& operation, Cycle now) {
  const unsigned format = resolve_format(operation.mod, operation.thread);
  const unsigned address = dst_address(format, operation.imm, operation.thread);
  load(operation, now);

  if (std::any_of(macro_config_.begin(), macro_config_.end(),
                  [&](const LoadMacroConfig& each) { return each != macro_config_[0]; })) {
    faults_.raise(Fault(FaultKind::kUnmodelled, name_,
                        "LoadMacroConfig that differs between lanes is not modeled"));
  }
  for (unsigned unit = 0; unit < kScheduledUnits; ++unit) {
    schedule_one(operation, unit, address);
  }
}

void VectorUnit::schedule_one(const Operation& macro, unsigned unit, unsigned address) {
  const LoadMacroConfig& config = macro_config_[0];
  const unsigned index = Sfploadmacro::kMacroIndex.of(macro.word);
  const std::uint32_t sequence = (config.sequence[index] >> (8 * unit)) & 0xFF;
  const unsigned delay = (sequence >> 3) & 7;
  Slot& slot = slots_[unit][delay];
  if (delay != 7 && slot.valid) {
    slot.valid = false;
    --scheduled_;
  }

  Operation operation;
  switch (sequence & 7) {
    case 0:
      return;
    case 1:
      firmware_fault("SFPLOADMACRO sequence selects the undefined instruction 1");
      return;
    case 2:
      operation = decode(word(Opcode::kSfpnop), macro.thread);
      break;
    case 3:
      operation = decode(word(Opcode::kSfpstore), macro.thread);
      break;
    default:
      operation = decode(config.instruction_template[(sequence & 7) - 4], macro.thread);
      break;
  }
  const bool nop = operation.opcode == Opcode::kSfpnop && unit != kStoreUnit;
  if (!nop && sub_unit_of(operation.opcode) != static_cast<SubUnit>(unit)) {
    if (unit == kStoreUnit) {
      firmware_fault("SFPLOADMACRO schedules something else than SFPSTORE to the store sub-unit");
      return;
    }
    operation = decode(word(Opcode::kSfpnop), macro.thread);
  }

  operation.scheduled = true;
  const std::uint8_t loaded = macro.vd;
  const bool bonus = (sequence & 0x40) != 0;
  const bool alternative = (sequence & 0x80) != 0;
  if (unit != kStoreUnit) {
    (alternative ? operation.vb : operation.vc) = loaded;
    operation.vd = bonus ? 16 : loaded;
  } else {
    if (bonus) {
      operation.vd = 16;
    } else if (!alternative) {
      operation.vd = loaded;
    }
    const bool load_mode = (config.misc >> (4 + index) & 1) != 0;
    operation.mod = load_mode ? macro.mod : static_cast<std::uint8_t>(config.misc & 0xF);
    operation.address = static_cast<std::uint16_t>(address);
  }

  if (slot.valid) --scheduled_;
  slot = {true, (config.misc >> (8 + unit) & 1) != 0, operation};
  ++scheduled_;
}

void VectorUnit::settle(Cycle now) {
  while (scheduled_ != 0 && settled_ < now) {
    const bool waits = std::any_of(slots_.begin(), slots_.end(), [](const auto& unit) {
      return std::any_of(unit.begin() + 1, unit.end(), [](const Slot& slot) {
        return slot.valid && slot.waits_for_instructions;
      });
    });
    const bool due =
        std::any_of(slots_.begin(), slots_.end(), [](const auto& unit) { return unit[0].valid; });
    if (waits && !due) break;  // nothing moves until the next instruction
    step(settled_++, nullptr);
  }
  settled_ = std::max(settled_, now);
  if (scheduled_ == 0) registers_.pending_stores = nullptr;
}

void VectorUnit::step(Cycle cycle, const Operation* regular) {
  Operation due[kScheduledUnits + 1];
  unsigned count = 0;
  bool discarded = false;
  // Instructions that change flags run last, since all sub-units see the state before the cycle.
  for (const unsigned unit : {3u, 2u, 1u, 0u}) {
    Slot& slot = slots_[unit][0];
    if (!slot.valid) continue;
    slot.valid = false;
    --scheduled_;
    due[count++] = slot.operation;
    if (regular != nullptr && sub_unit_of(regular->opcode) == static_cast<SubUnit>(unit)) {
      discarded = true;
    }
  }
  if (discarded) {
    firmware_fault(std::string(opcode_name(regular->opcode)) +
                   " is discarded: SFPLOADMACRO has scheduled that sub-unit");
  } else if (regular != nullptr) {
    due[count++] = *regular;
    // A load ignores flags that the simple sub-unit changes in the same cycle.
    if (count > 1 && sub_unit_of(regular->opcode) != SubUnit::kSimple) {
      std::rotate(due, due + count - 1, due + count);
    }
  }
  shift_slots(regular != nullptr);

  if (count > 1) {
    before_ = lreg_;
    in_ = &before_;
    undefined_before_ = undefined_;
    undefined_in_ = &undefined_before_;
  }
  for (unsigned i = 0; i < count; ++i) check_hazards(due[i], cycle);
  for (unsigned i = 0; i < count; ++i) execute(due[i], cycle);
  in_ = &lreg_;
  undefined_in_ = &undefined_;
}

void VectorUnit::shift_slots(bool instruction_issued) {
  bool waits = false;
  for (const auto& unit : slots_) {
    for (const Slot& slot : unit) waits |= slot.valid && slot.waits_for_instructions;
  }
  if (waits && !instruction_issued) return;
  for (auto& unit : slots_) {
    for (unsigned delay = 1; delay < kDelays; ++delay) {
      unit[delay - 1] = unit[delay];
      unit[delay].valid = false;
    }
  }
}

}  // namespace tvp::tensix::coprocessor
