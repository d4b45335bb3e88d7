#include "models/tensix/coprocessor/scalar/scalar_unit.h"

#include <algorithm>

#include "foundation/regs/tensix_config.h"
#include "foundation/regs/tensix_opcodes.h"

namespace tvp::tensix::coprocessor {

namespace op = regs::tensix;
namespace cfg = regs::config;
using foundation::Fault;
using foundation::FaultKind;

Issue ScalarUnit::issue(std::uint32_t instruction, unsigned thread, Cycle now) {
  if (to_.memory.held_against(thread)) {
    return Issue::retry_at(std::max(now + 1, to_.memory.next_attempt()));
  }
  switch (op::opcode_of(instruction)) {
    case op::Opcode::kDmanop:
      return Issue::started(now + 1, now + 1);
    case op::Opcode::kSetdmareg:
      return set_register(instruction, thread, now);
    case op::Opcode::kAdddmareg:
    case op::Opcode::kSubdmareg:
    case op::Opcode::kMuldmareg:
    case op::Opcode::kBitwopdmareg:
    case op::Opcode::kShiftdmareg:
    case op::Opcode::kCmpdmareg:
      return arithmetic(instruction, thread, now);
    case op::Opcode::kFlushdma:
      return flush(instruction, thread, now);
    case op::Opcode::kReg2flop:
      return to_flop(instruction, thread, now);
    case op::Opcode::kLoadind:
    case op::Opcode::kStoreind:
    case op::Opcode::kLoadreg:
    case op::Opcode::kStorereg:
    case op::Opcode::kAtincget:
    case op::Opcode::kAtswap:
    case op::Opcode::kAtcas:
    case op::Opcode::kAtincgetptr:
      return to_.memory.issue(instruction, thread, now);
    default:
      break;
  }
  throw Fault(FaultKind::kInternal, where_, "instruction of another unit");
}

Issue ScalarUnit::undefined(const std::string& what, unsigned thread, Cycle now) {
  faults_.raise(Fault(FaultKind::kFirmware, where_,
                      "thread T" + std::to_string(thread) + ": " + what + " (undefined)"));
  return Issue::started(now + 1, now + 1);
}

std::uint32_t ScalarUnit::compute(std::uint32_t instruction, std::uint32_t left,
                                  std::uint32_t right) {
  const unsigned mode = op::Bitwopdmareg::kMode.of(instruction);
  switch (op::opcode_of(instruction)) {
    case op::Opcode::kAdddmareg:
      return left + right;
    case op::Opcode::kSubdmareg:
      return left - right;
    case op::Opcode::kMuldmareg:
      return (left & 0xFFFFU) * (right & 0xFFFFU);
    case op::Opcode::kBitwopdmareg:
      return mode == 0 ? left & right : (mode == 1 ? left | right : left ^ right);
    case op::Opcode::kShiftdmareg:
      return mode == 0 ? left << (right & 31) : left >> (right & 31);
    default:
      return (mode == 0 ? left > right : (mode == 1 ? left < right : left == right)) ? 1 : 0;
  }
}

Issue ScalarUnit::arithmetic(std::uint32_t instruction, unsigned thread, Cycle now) {
  const op::Opcode opcode = op::opcode_of(instruction);
  const unsigned mode = op::Bitwopdmareg::kMode.of(instruction);
  if ((opcode == op::Opcode::kShiftdmareg && mode > 1) ||
      ((opcode == op::Opcode::kBitwopdmareg || opcode == op::Opcode::kCmpdmareg) && mode > 2)) {
    return undefined(std::string(op::opcode_name(opcode)) + " with mode " + std::to_string(mode),
                     thread, now);
  }
  const bool immediate = op::Adddmareg::kRightIsImmediate.of(instruction) != 0;
  const unsigned left = op::Adddmareg::kLeftReg.of(instruction);
  const unsigned right = op::Adddmareg::kRight.of(instruction);
  Gprs::Thread& gprs = to_.gprs[thread];
  gprs[op::Adddmareg::kResultReg.of(instruction)] =
      compute(instruction, gprs[left], immediate ? right : gprs[right]);
  const Cycle cycles = immediate || left / 4 == right / 4 ? 3 : 4;
  return Issue::started(now + cycles, now + cycles);
}

Issue ScalarUnit::set_register(std::uint32_t instruction, unsigned thread, Cycle now) {
  if (op::Setdmareg::kSpecial.of(instruction) != 0) {
    return set_from_packers(instruction, thread, now);
  }
  to_.gprs.set_half(thread, op::Setdmareg::kResultHalfReg.of(instruction),
                    static_cast<std::uint16_t>(op::Setdmareg::kNewValue.of(instruction)));
  return Issue::started(now + 1, now + 1);
}

namespace {

// Fields of a tile header (SETDMAREG_Special.md).
constexpr std::uint32_t kTileSizeMask = 0xFFFF;          // word 0
constexpr unsigned kDataFormatShift = 16;                // word 1
constexpr unsigned kDisableZeroCompressionShift = 20;    // word 1
constexpr std::uint32_t kHeaderWord1Mask = 0xFFU << 16;  // including the spare bits
enum : unsigned {
  kAccumulated = 0,
  kZeroFlags = 1,
  kHeader0 = 2,
  kHistogram = 6,
  kFirstFlags = 8,
  kMaxExponent = 9
};

}  // namespace

std::array<std::uint32_t, 4> ScalarUnit::tile_header(unsigned packer, unsigned thread) const {
  const auto& words = to_.config.of(thread);
  // REG1 and REG8 of both sections configure the four packers; see SETDMAREG_Special.md.
  const auto& fields = cfg::kPacker[packer];
  const bool all = cfg::kAllPackDisableZeroCompressOverride.get(words) != 0;
  const std::uint32_t disable = all ? (cfg::kAllPackDisableZeroCompress.get(words) >> packer) & 1U
                                    : fields.disable_zero_compress.get(words);
  std::array<std::uint32_t, 4> values{};
  values[0] = (packers_->tile_size(packer, thread) + 1U) & kTileSizeMask;
  values[1] = fields.out_data_format.get(words) << kDataFormatShift |
              disable << kDisableZeroCompressionShift;
  values[2] = packers_->all_zero_flags(packer);
  return values;
}

std::array<std::uint32_t, 4> ScalarUnit::packer_values(std::uint32_t instruction, unsigned thread) {
  std::array<std::uint32_t, 4> values{};
  const unsigned source = op::SetdmaregSpecial::kInputSource.of(instruction);
  const unsigned which = op::SetdmaregSpecial::kWhichPackers.of(instruction);
  if (source <= kMaxExponent && packers_ == nullptr) {
    throw Fault(FaultKind::kUnmodelled, where_,
                "SETDMAREG reads packer state (source " + std::to_string(source) + ")");
  }
  if (source >= kHeader0 && source < kHistogram) return tile_header(source - kHeader0, thread);
  if (source == kHistogram || source == kHistogram + 1) {
    for (unsigned i = 0; i < 16; ++i) {
      const unsigned bin = (source - kHistogram) * 16 + i;
      values[i / 4] |= std::uint32_t{packers_->exponent_histogram(which & 3, bin)} << (i % 4 * 8);
    }
    return values;
  }
  for (unsigned i = 0; i < 4 && source <= kFirstFlags; ++i) {
    if (source == kAccumulated) {
      values[i] = std::uint32_t{packers_->accumulated_tile_size(i, thread)} << 16 |
                  packers_->tile_size(i, thread);
    } else if (source == kZeroFlags) {
      values[i] = packers_->all_zero_flags(i);
    } else {
      values[0] |= (packers_->all_zero_flags(i) & 1U) << i;
      if (((which >> i) & 1U) != 0) packers_->reset_accumulated_tile_size(i);
    }
  }
  if (source == kMaxExponent) values[0] = packers_->exponent_histogram_max();
  return values;  // other sources write zeros
}

Issue ScalarUnit::set_from_packers(std::uint32_t instruction, unsigned thread, Cycle now) {
  const std::array<std::uint32_t, 4> values = packer_values(instruction, thread);
  const unsigned half = op::SetdmaregSpecial::kResultHalfReg.of(instruction);
  const unsigned input = op::SetdmaregSpecial::kInputHalfReg.of(instruction);
  Gprs::Thread& gprs = to_.gprs[thread];
  const unsigned group = (half >> 1) & 0x3CU;
  switch (op::SetdmaregSpecial::kResultSize.of(instruction)) {
    case 0:
      to_.gprs.set_half(thread, half,
                        static_cast<std::uint16_t>(values[input >> 1] >> ((input & 1U) * 16)));
      break;
    case 1:
      gprs[half >> 1] = values[input >> 1];
      break;
    case 2:
      std::copy(values.begin(), values.end(), gprs.begin() + group);
      break;
    default:  // reserved fields of the tile header are kept
      gprs[group] = (gprs[group] & ~kTileSizeMask) | (values[0] & kTileSizeMask);
      gprs[group + 1] = (gprs[group + 1] & ~kHeaderWord1Mask) | (values[1] & kHeaderWord1Mask);
      gprs[group + 2] = values[2];
      break;
  }
  return Issue::started(now + 1, now + 1);
}

Issue ScalarUnit::flush(std::uint32_t instruction, unsigned thread, Cycle now) {
  const std::uint32_t field = op::Flushdma::kConditionMask.of(instruction);
  const std::uint32_t mask = field == 0 ? 0xFU : field;
  // The first check is in the second cycle. Meanwhile the thread cannot add work.
  Cycle met = now + 1;
  if ((mask & 1U) != 0) met = std::max(met, memory_idle_from(thread));
  for (unsigned condition = 1; condition < 4; ++condition) {
    if (((mask >> condition) & 1U) == 0) continue;
    met = std::max(met, to_.pipelines.pipeline_idle_from(thread, condition));
  }
  return Issue::started(met + 1, met + 1);
}

void ScalarUnit::to_adc(std::uint32_t instruction, unsigned thread) {
  const unsigned shift = op::Reg2flopAdc::kShift8.of(instruction);
  std::uint32_t value = to_.gprs[thread][op::Reg2flop::kInputReg.of(instruction)];
  switch (op::Reg2flop::kSizeSel.of(instruction)) {
    case 0:
      value = 0;
      break;  // 128 bits are invalid here
    case 1:
      value = shift == 0 ? value : 0;
      break;
    case 2:
      value = shift == 0 ? value & 0xFFFFU : (shift == 2 ? value >> 16 : 0);
      break;
    default:
      value = (value >> (shift * 8)) & 0xFFU;
      break;
  }
  unsigned target = thread;
  if (op::Reg2flopAdc::kOverrideThread.of(instruction) != 0) {
    target = op::Reg2flopAdc::kThreadSel.of(instruction);
  }
  const unsigned user = op::Reg2flopAdc::kAdcSel.of(instruction);
  if (target >= 3 || user == 3) return;
  to_.adcs.set_one(target, user, op::Reg2flopAdc::kChannel.of(instruction),
                   op::Reg2flopAdc::kXyzw.of(instruction),
                   op::Reg2flopAdc::kCr.of(instruction) != 0, value);
}

Issue ScalarUnit::to_flop(std::uint32_t instruction, unsigned thread, Cycle now) {
  // Two cycles; contention with the configuration unit's writes is not modelled.
  const Issue done = Issue::started(now + 2, now + 2);
  if (op::Reg2flop::kToAdc.of(instruction) != 0) {
    to_adc(instruction, thread);
    return done;
  }
  const unsigned index = op::Reg2flop::kThconCfgIndex.of(instruction);
  const ConfigLayout& layout = to_.configuration_unit.layout();
  if (index >= layout.global_base() - layout.thcon_base()) {
    return undefined("REG2FLOP beyond the THCON section", thread, now);
  }
  const unsigned bank = to_.config.state_id(thread);
  const unsigned reg = op::Reg2flop::kInputReg.of(instruction);
  if (op::Reg2flop::kSizeSel.of(instruction) != 0) {
    to_.configuration_unit.write(bank, layout.thcon_base() + index, to_.gprs[thread][reg], now);
    return done;
  }
  for (unsigned i = 0; i < 4; ++i) {
    to_.configuration_unit.write(bank, layout.thcon_base() + (index & ~3U) + i,
                                 to_.gprs[thread][(reg & ~3U) + i], now);
  }
  return done;
}

}  // namespace tvp::tensix::coprocessor
