#include "models/tensix/coprocessor/vector/vector_unit.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "models/tensix/coprocessor/lanes/lanes.h"
#include "models/tensix/coprocessor/unit.h"

namespace tvp::tensix::coprocessor {

using namespace regs::tensix;
using foundation::Fault;
using foundation::FaultKind;

VectorUnit::VectorUnit(std::string name, RegisterFiles& registers, const BackendConfig& config,
                       foundation::FaultPolicy& faults, Build build, Generation generation)
    : name_(std::move(name)),
      registers_(registers),
      config_(config),
      faults_(faults),
      build_(build),
      rules_(generation),
      multiply_add_(products_of(build)) {
  lreg_[8].fill(std::bit_cast<std::uint32_t>(0.8373F));
  lreg_[10].fill(std::bit_cast<std::uint32_t>(1.0F));
  for (unsigned lane = 0; lane < kLanes; ++lane) lreg_[15][lane] = 2 * lane;
  derive_lane_config();
}

VectorUnit::Build VectorUnit::best() {
  return has(Build::kAvx512) ? Build::kAvx512 : has(Build::kAvx2) ? Build::kAvx2 : Build::kPortable;
}

LaneProducts::Function VectorUnit::products_of(Build build) {
  switch (build) {
    case Build::kAvx512:
      return LaneProducts::wide<64>();
    case Build::kAvx2:
      return LaneProducts::wide<32>();
    default:
      return LaneProducts::portable();
  }
}

namespace {

/// No gate waits for state of Dst or of this unit.
Issue quiet(Cycle unit_free, Cycle done) {
  Issue answer = Issue::started(unit_free, done);
  answer.quiet = true;
  return answer;
}

}  // namespace

Issue VectorUnit::issue(std::uint32_t instruction, unsigned thread, Cycle now) {
  const Operation& operation = decoded(instruction, thread);
  if (now < swap_until_ && operation.opcode != Opcode::kSfpnop) {
    return Issue::retry_at(swap_until_);
  }
  if (now == late_cycle_ && waits_for_late(operation)) return Issue::retry_at(now + 1);
  if (scheduled_ != 0) settle(now);
  if (operation.may_be_template && store_template(operation, now)) return quiet(now + 1, now + 1);
  if (scheduled_ != 0) [[unlikely]]
    return issue_beside_scheduled(operation, now);
  check_hazards(operation, now);
  execute(operation, now);
  settled_ = now + 1;
  if (scheduled_ == 0) [[likely]] {
    registers_.pending_stores = nullptr;
    return quiet(now + 1, now + operation.latency);
  }
  registers_.pending_stores = this;
  return quiet(now + 1, std::max(now + operation.latency, scheduled_until(now)));
}

Issue VectorUnit::issue_beside_scheduled(const Operation& operation, Cycle now) {
  step(now, &operation);
  settled_ = now + 1;
  registers_.pending_stores = scheduled_ != 0 ? this : nullptr;
  return quiet(now + 1, std::max(now + operation.latency, scheduled_until(now)));
}

/// End of the last scheduled one if an instruction comes every cycle.
Cycle VectorUnit::scheduled_until(Cycle now) const {
  Cycle until = now;
  for (const auto& unit : slots_) {
    for (unsigned delay = 0; delay < kDelays; ++delay) {
      if (!unit[delay].valid) continue;
      until = std::max(until, now + 1 + delay + unit[delay].operation.latency);
    }
  }
  return until;
}

VectorUnit::Operation VectorUnit::decode(std::uint32_t word, unsigned thread) const {
  Operation operation = with_fields(word, thread);
  operation.vb = rules_.vb(word, operation.mod, operation.vb);
  operation.latency = latency_of(operation);
  operation.may_be_template = operation.vd >= 12 && has_backdoor(operation.opcode);
  operation.is_plain = !operation.may_be_template && operation.opcode != Opcode::kSfploadmacro &&
                       kDispatchTable[word >> 24].unit == Unit::kVector;
  if (!rules_.has(operation.opcode)) {
    operation.effect = [](VectorUnit& unit, const Operation& o, Cycle) {
      unit.firmware_fault(std::string(opcode_name(o.opcode)) +
                          " is an instruction of Blackhole, and this is a vector unit of Wormhole");
    };
  } else if (rules_.changes(operation.opcode, operation.mod)) {
    operation.effect = changed_effect(operation.opcode);
  } else if (build_ == Build::kAvx512) {
    operation.effect = wide_effect<64>(operation);
  } else if (build_ == Build::kAvx2) {
    operation.effect = wide_effect<32>(operation);
  }
  if (operation.effect == nullptr) operation.effect = effect_of(operation.opcode);
  operation.touches = registers_touched(operation);
  const bool indirect = (operation.mod & 8) != 0 && operation.vd != 16;
  if (sub_unit_of(operation.opcode) == SubUnit::kMad && !indirect && writable(operation.vd))
    operation.late = 1u << operation.vd;
  return operation;
}

/// True if only register names, a product's late cycle and SFPSWAP's second cycle can cause its
/// hazards.
bool VectorUnit::is_regular(const Operation& operation) {
  return operation.is_plain &&
         (operation.latency == 1 || operation.late != 0 || operation.opcode == Opcode::kSfpswap);
}

void VectorUnit::decode(Sequence& sequence, ReplayBuffer words, std::uint64_t changes,
                        unsigned thread) const {
  for (unsigned i = 0; i < kReplayed; ++i) {
    if (sequence.changes == 0 || sequence.operations[i].word != words[i])
      sequence.operations[i] = decode(words[i], thread);
  }
  sequence.changes = changes;
  unsigned plain = 0;
  for (unsigned i = 2 * kReplayed; i-- > 0;) {
    const Operation& operation = sequence.operations[i % kReplayed];
    const Operation& next = sequence.operations[(i + 1) % kReplayed];
    const bool follows = operation.latency == 1 || (operation.late & next.touches) == 0;
    plain = !is_regular(operation) ? 0 : follows ? std::min(plain + 1, kReplayed) : 1;
    sequence.plain[i % kReplayed] = static_cast<std::uint8_t>(plain);
    sequence.waits[i % kReplayed] =
        operation.opcode == Opcode::kSfpswap && next.opcode != Opcode::kSfpnop;
  }
}

VectorUnit::Operation VectorUnit::with_fields(std::uint32_t word, unsigned thread) {
  Operation operation;
  operation.opcode = opcode_of(word);
  operation.word = word;
  operation.thread = static_cast<std::uint8_t>(thread);
  const auto bits = [word](unsigned low, unsigned width) {
    return static_cast<std::uint8_t>((word >> low) & ((1u << width) - 1));
  };
  switch (operation.opcode) {
    case Opcode::kSfpload:
    case Opcode::kSfpstore:
    case Opcode::kSfploadmacro:
      operation.vd = bits(20, 4);
      operation.mod = bits(16, 4);
      operation.addr_mod = static_cast<std::uint8_t>(Sfpload::kAddrMod.of(word));
      operation.imm = word & 0x3FF;
      if (operation.opcode == Opcode::kSfploadmacro) {
        operation.vd = static_cast<std::uint8_t>((bits(0, 1) << 2) | bits(20, 2));
      }
      return operation;
    case Opcode::kSfploadi:
    case Opcode::kSfplut:
      operation.vd = bits(20, 4);
      operation.mod = bits(16, 4);
      operation.imm = word & 0xFFFF;
      return operation;
    case Opcode::kSfpaddi:
    case Opcode::kSfpmuli:
    case Opcode::kSfpconfig:
      operation.vd = operation.vb = operation.vc = bits(4, 4);
      operation.mod = bits(0, 4);
      operation.imm = (word >> 8) & 0xFFFF;
      return operation;
    default:
      break;
  }
  operation.mod = bits(0, 4);
  operation.vd = bits(4, 4);
  operation.vc = bits(8, 4);
  operation.imm = (word >> 12) & 0xFFF;
  switch (operation.opcode) {
    case Opcode::kSfpmad:
    case Opcode::kSfpadd:
    case Opcode::kSfpmul:
    case Opcode::kSfpmul24:
      operation.va = bits(16, 4);
      [[fallthrough]];
    case Opcode::kSfpshft2:
    case Opcode::kSfpstochrnd:
    case Opcode::kSfparecip:
      operation.vb = bits(12, 4);
      break;
    case Opcode::kSfplutfp32:
      operation.vb = operation.vc = operation.vd;
      break;
    default:
      operation.vb = operation.vd;
      break;
  }
  return operation;
}

constinit const std::array<VectorUnit::SubUnit, 256> VectorUnit::kSubUnits = [] {
  std::array<SubUnit, 256> units{};
  units.fill(SubUnit::kSimple);
  const auto set = [&units](SubUnit unit, std::initializer_list<Opcode> opcodes) {
    for (const Opcode opcode : opcodes) units[static_cast<unsigned>(opcode)] = unit;
  };
  using O = Opcode;
  set(SubUnit::kLoad, {O::kSfpload, O::kSfploadi, O::kSfploadmacro, O::kSfpnop});
  set(SubUnit::kStore, {O::kSfpstore});
  set(SubUnit::kMad, {O::kSfpmad, O::kSfpadd, O::kSfpmul, O::kSfpaddi, O::kSfpmuli, O::kSfplut,
                      O::kSfplutfp32, O::kSfpmul24});
  set(SubUnit::kRound, {O::kSfpshft2, O::kSfpstochrnd});
  return units;
}();

bool VectorUnit::has_backdoor(Opcode opcode) {
  switch (opcode) {
    case Opcode::kSfpload:
    case Opcode::kSfploadi:
    case Opcode::kSfploadmacro:
    case Opcode::kSfpconfig:
      return false;
    default:
      return true;
  }
}

namespace {

enum Shift2Mode : std::uint8_t {
  kCopy4,
  kChainedCopy4,
  kRotateAndCopy4,
  kRotate,
  kShiftLanes,
  kShiftByRegister,
  kShiftByImmediate,
};

bool moves_across_lanes(std::uint8_t mode) {
  return mode >= kRotateAndCopy4 && mode <= kShiftLanes;
}

/// Instructions that must not follow a cross-lane SFPSHFT2 (SFPSHFT2.md, instruction scheduling).
bool collides_with_rotation(Opcode opcode, std::uint8_t mode) {
  switch (opcode) {
    case Opcode::kSfpabs:
    case Opcode::kSfpand:
    case Opcode::kSfpcast:
    case Opcode::kSfpdivp2:
    case Opcode::kSfpexexp:
    case Opcode::kSfpexman:
    case Opcode::kSfpiadd:
    case Opcode::kSfplz:
    case Opcode::kSfpmov:
    case Opcode::kSfpnot:
    case Opcode::kSfpor:
    case Opcode::kSfpsetexp:
    case Opcode::kSfpsetman:
    case Opcode::kSfpsetsgn:
    case Opcode::kSfpshft:
    case Opcode::kSfpstochrnd:
    case Opcode::kSfpxor:
      return true;
    case Opcode::kSfpshft2:
      return !moves_across_lanes(mode);
    default:
      return false;
  }
}

}  // namespace

std::uint8_t VectorUnit::latency_of(const Operation& operation) {
  if (operation.opcode == Opcode::kSfpswap || sub_unit_of(operation.opcode) == SubUnit::kMad) {
    return 2;
  }
  return operation.opcode == Opcode::kSfpshft2 && moves_across_lanes(operation.mod) ? 2 : 1;
}

bool VectorUnit::store_template(const Operation& operation, Cycle now) {
  if (now == width_changed_) {
    firmware_fault("VD of 12 or more right after SFPCONFIG of DISABLE_BACKDOOR_LOAD");
  }
  if (full_width_) return false;
  if (mixed_width_) {
    faults_.raise(Fault(FaultKind::kUnmodelled, name_,
                        "DISABLE_BACKDOOR_LOAD that differs between lanes is not modeled"));
  }
  for (LoadMacroConfig& column : macro_config_) {
    column.instruction_template[operation.vd - 12u] = operation.word;
  }
  return true;
}

std::uint32_t VectorUnit::registers_read(const Operation& operation) const {
  std::uint32_t mask = registers_named(operation);
  if (gathers(operation)) {
    for (unsigned lane = 0; lane < kLanes; ++lane) mask |= 1u << (lreg_[7][lane] & 15);
  }
  return mask;
}

std::uint32_t VectorUnit::registers_touched(const Operation& operation) {
  if (gathers(operation)) return ~0u;
  return registers_named(operation) | 1u << operation.vd;
}

std::uint32_t VectorUnit::registers_named(const Operation& operation) {
  const auto bit = [](unsigned index) { return 1u << index; };
  switch (operation.opcode) {
    case Opcode::kSfpmad:
    case Opcode::kSfpadd:
    case Opcode::kSfpmul:
    case Opcode::kSfpmul24: {
      std::uint32_t mask = bit(operation.vb) | bit(operation.vc);
      if ((operation.mod & 0xC) != 0) mask |= bit(7);
      return (operation.mod & 4) == 0 ? mask | bit(operation.va) : mask;
    }
    case Opcode::kSfpaddi:
    case Opcode::kSfpmuli:
      return bit(operation.vc) | ((operation.mod & 8) != 0 ? bit(7) : 0);
    case Opcode::kSfplut:
      return 0xF | ((operation.mod & 8) != 0 ? bit(7) : 0);
    case Opcode::kSfplutfp32:
      return ((operation.mod & 0xA) == 0xA ? 0xF : 0x7F) | ((operation.mod & 8) != 0 ? bit(7) : 0);
    case Opcode::kSfpstore:
      return bit(operation.vd);
    case Opcode::kSfpswap:
      return bit(operation.vb) | bit(operation.vc) | bit(operation.vd);
    case Opcode::kSfptransp:
      return 0xFF;
    case Opcode::kSfpconfig:
      return bit(0);
    case Opcode::kSfpand:
    case Opcode::kSfpor:
    case Opcode::kSfpxor:
    case Opcode::kSfple:
    case Opcode::kSfpgt:
    case Opcode::kSfparecip:
      return bit(operation.vb) | bit(operation.vc);
    case Opcode::kSfpiadd:
    case Opcode::kSfpsetexp:
    case Opcode::kSfpsetman:
    case Opcode::kSfpsetsgn:
      return bit(operation.vc) | ((operation.mod & 1) != 0 ? 0 : bit(operation.vb));
    case Opcode::kSfpshft:
      return bit(operation.vb) | ((operation.mod & 1) != 0 ? 0 : bit(operation.vc));
    case Opcode::kSfpshft2:
      switch (operation.mod) {
        case kCopy4:
        case kChainedCopy4:
          return 0xF;
        case kRotateAndCopy4:
          return 0xF | bit(operation.vc);
        case kShiftByRegister:
          return bit(operation.vb) | bit(operation.vc);
        case kShiftByImmediate:
          return bit(operation.vb);
        default:
          return bit(operation.vc);
      }
    case Opcode::kSfpstochrnd:
      return bit(operation.vc) | (operation.mod == 4 || operation.mod == 5 ? bit(operation.vb) : 0);
    case Opcode::kSfpsetcc:
    case Opcode::kSfpmov:
      return (operation.mod & 8) != 0 ? 0 : bit(operation.vc);
    case Opcode::kSfpcast:
    case Opcode::kSfpabs:
    case Opcode::kSfpnot:
    case Opcode::kSfplz:
    case Opcode::kSfpdivp2:
    case Opcode::kSfpexexp:
    case Opcode::kSfpexman:
      return bit(operation.vc);
    default:
      return 0;
  }
}

void VectorUnit::check_late(const Operation& operation) {
  const std::uint32_t clash = registers_read(operation) & late_reads_;
  if (clash != 0) {
    firmware_fault(std::string(opcode_name(operation.opcode)) + " reads LReg" +
                   std::to_string(std::countr_zero(clash)) +
                   " in the cycle before the result of the previous instruction is there");
  }
  if (operation.opcode != Opcode::kSfpnop && operation.vd < 16 &&
      ((late_writes_ >> operation.vd) & 1) != 0 && operation.opcode != Opcode::kSfpstore) {
    firmware_fault(std::string(opcode_name(operation.opcode)) +
                   " writes what SFPSHFT2 is still writing");
  }
  if (late_round_ && collides_with_rotation(operation.opcode, operation.mod)) {
    firmware_fault(std::string(opcode_name(operation.opcode)) +
                   " in the cycle after a cross-lane SFPSHFT2");
  }
}

void VectorUnit::note_late(const Operation& operation, Cycle now) {
  if (operation.opcode == Opcode::kSfpswap) {
    if (!operation.scheduled) swap_until_ = now + 2;
    return;
  }
  begin_late(now + 1);
  if (operation.opcode == Opcode::kSfpshft2) {
    late_round_ = true;
    if (operation.mod == kRotateAndCopy4) {
      late_reads_ |= 0xF;
      late_writes_ |= 0xE;
    } else if (operation.vd < 8) {
      late_reads_ |= 1u << operation.vd;
    }
    return;
  }
  const bool indirect = (operation.mod & 8) != 0 && operation.vd != 16;
  if (!indirect) {
    if (writable(operation.vd)) late_reads_ |= 1u << operation.vd;
    return;
  }
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (((enabled_ >> lane) & 1) != 0) late_reads_ |= 1u << ((*in_)[7][lane] & 15);
  }
  late_reads_ &= 0xFF;
}

VectorUnit::Effect VectorUnit::effect_of(Opcode opcode) {
  using O = const Operation&;
  switch (opcode) {
    case Opcode::kSfpload:
      return [](VectorUnit& unit, O operation, Cycle now) { unit.load(operation, now); };
    case Opcode::kSfploadmacro:
      return [](VectorUnit& unit, O operation, Cycle now) { unit.load_macro(operation, now); };
    case Opcode::kSfploadi:
      return [](VectorUnit& unit, O operation, Cycle) { unit.load_immediate(operation); };
    case Opcode::kSfpstore:
      return [](VectorUnit& unit, O operation, Cycle now) { unit.store(operation, now); };
    case Opcode::kSfpnop:
      return [](VectorUnit&, O, Cycle) {};
    case Opcode::kSfpconfig:
      return [](VectorUnit& unit, O operation, Cycle now) { unit.configure(operation, now); };
    case Opcode::kSfpmad:
    case Opcode::kSfpadd:
    case Opcode::kSfpmul:
      return [](VectorUnit& unit, O operation, Cycle) { unit.multiply_add(operation); };
    case Opcode::kSfpaddi:
    case Opcode::kSfpmuli:
      return [](VectorUnit& unit, O operation, Cycle) { unit.multiply_add_immediate(operation); };
    case Opcode::kSfplut:
    case Opcode::kSfplutfp32:
      return [](VectorUnit& unit, O operation, Cycle) { unit.execute_table(operation); };
    case Opcode::kSfpmov:
      return [](VectorUnit& unit, O operation, Cycle) { unit.move(operation); };
    case Opcode::kSfpshft:
    case Opcode::kSfpiadd:
      return [](VectorUnit& unit, O operation, Cycle) { unit.execute_integer(operation); };
    case Opcode::kSfpsetcc:
      return [](VectorUnit& unit, O operation, Cycle) { unit.set_condition(operation); };
    case Opcode::kSfpencc:
      return [](VectorUnit& unit, O operation, Cycle) { unit.enable_condition(operation); };
    default:
      if (sub_unit_of(opcode) == SubUnit::kRound)
        return [](VectorUnit& unit, O operation, Cycle) { unit.execute_round(operation); };
      return [](VectorUnit& unit, O operation, Cycle) { unit.execute_simple(operation); };
  }
}

void VectorUnit::seed(std::uint32_t value) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    prng_[lane] = std::rotl(value, static_cast<int>(lane));
  }
}

TVP_ALSO_WIDE void VectorUnit::advance_prng() noexcept {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t x = prng_[lane];
    const std::uint32_t taps = x ^ x >> 1 ^ x >> 21 ^ x >> 31;
    prng_[lane] ^= ((~taps << 31 | x >> 1) ^ x) & enabled_mask_[lane];
  }
}

void VectorUnit::firmware_fault(const std::string& text) {
  faults_.raise(Fault(FaultKind::kFirmware, name_, text));
}

}  // namespace tvp::tensix::coprocessor
