// The round sub-unit: SFPSHFT2 and SFPSTOCHRND.

#include "models/tensix/coprocessor/lanes/lanes.h"
#include "models/tensix/coprocessor/vector/vector_float.h"
#include "models/tensix/coprocessor/vector/vector_unit.h"

namespace tvp::tensix::coprocessor {

using namespace regs::tensix;

namespace {

/// Keeps 10 or 7 mantissa bits. The threshold counts as many bits as are dropped.
std::uint32_t round_float(std::uint32_t x, bool to_bf16, std::uint32_t threshold) {
  const std::uint32_t exponent = (x >> 23) & 0xFF;
  const std::uint32_t dropped = x & (to_bf16 ? 0xFFFF : 0x1FFF);
  const bool up = dropped >= threshold >> (to_bf16 ? 7 : 10);
  const std::uint32_t rounded = x - dropped + (up ? (to_bf16 ? 0x10000 : 0x2000) : 0);
  return exponent == 0 ? 0 : exponent == 255 ? x & 0xFF800000 : rounded;
}

std::uint32_t float_to_integer(std::uint32_t c, bool keep_sign, std::uint32_t largest,
                               std::uint32_t threshold) {
  const std::uint32_t sign = keep_sign ? c & kSign : 0;
  const std::int32_t exponent = static_cast<std::int32_t>((c >> 23) & 0xFF) - 127;
  if (exponent < -1) return 0;
  if (exponent >= 16) return sign + largest;
  const std::uint64_t significand = 0x800000 | (c & 0x7FFFFF);
  const std::uint64_t fixed = exponent >= 0 ? significand << exponent : significand >> -exponent;
  std::uint64_t magnitude = (fixed >> 23) + ((fixed & 0x7FFFFF) >= threshold ? 1 : 0);
  if (magnitude > largest) magnitude = largest;
  return magnitude == 0 ? 0 : sign + static_cast<std::uint32_t>(magnitude);
}

std::uint32_t narrow_integer(std::uint32_t c, std::uint32_t shift, bool keep_sign,
                             std::uint32_t threshold) {
  const std::uint64_t fixed = (std::uint64_t{c & ~kSign} << 23) >> shift;
  std::uint64_t magnitude = (fixed >> 23) + ((fixed & 0x7FFFFF) >= threshold ? 1 : 0);
  const std::uint32_t largest = keep_sign ? 127 : 255;
  if (magnitude > largest) magnitude = largest;
  const std::uint32_t sign = keep_sign && magnitude != 0 ? c & kSign : 0;
  return sign + static_cast<std::uint32_t>(magnitude);
}

}  // namespace

void VectorUnit::execute_round(const Operation& operation) {
  if (operation.opcode == Opcode::kSfpshft2) {
    shift2(operation);
  } else {
    round(operation);
  }
}

TVP_ALSO_WIDE void VectorUnit::round(const Operation& operation) noexcept {
  enum Mode { kToFp16a, kToFp16b, kToUint8, kToInt8, kIntToUint8, kIntToInt8, kToUint16, kToInt16 };
  constexpr std::uint32_t kNearest = 0x400000;
  const unsigned mode = operation.mod & 7;
  const bool use_imm = (operation.mod & 8) != 0;
  const std::uint32_t imm5 = (operation.imm >> 4) & 0x1F;
  const bool stochastic = Sfpstochrnd::kStochasticRounding.of(operation.word) != 0;
  const Lanes& c = (*in_)[operation.vc];
  const Lanes& b = (*in_)[operation.vb];
  // The random numbers of all lanes advance, whether they are used or not.
  const Lanes drawn = prng_;
  advance_prng();
  Lanes result{};
  if (!stochastic && (mode == kToFp16a || mode == kToFp16b)) {
    if (!writable(operation.vd)) return;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      result[lane] = round_float(c[lane], mode == kToFp16b, kNearest);
    return write(operation.vd, result);
  }
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (enabled_mask_[lane] == 0) continue;
    const std::uint32_t threshold = stochastic ? drawn[lane] & 0x7FFFFF : kNearest;
    const std::uint32_t x = c[lane];
    switch (mode) {
      case kToFp16a:
      case kToFp16b:
        result[lane] = round_float(x, mode == kToFp16b, threshold);
        break;
      case kToUint8:
        result[lane] = float_to_integer(x, false, 255, threshold);
        break;
      case kToInt8:
        result[lane] = float_to_integer(x, true, 127, threshold);
        break;
      case kToUint16:
        result[lane] = float_to_integer(x, false, 65535, threshold);
        break;
      case kToInt16:
        result[lane] = float_to_integer(x, true, 32767, threshold);
        break;
      default:
        result[lane] =
            narrow_integer(x, use_imm ? imm5 : b[lane] & 31, mode == kIntToInt8, threshold);
        break;
    }
  }
  if (writable(operation.vd)) write(operation.vd, result);
}

TVP_ALSO_WIDE void VectorUnit::shift_each(const Operation& operation, bool by_immediate) noexcept {
  const auto imm = static_cast<std::uint32_t>(static_cast<std::int32_t>(operation.imm << 20) >> 20);
  Lanes out;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t amount = by_immediate ? imm : (*in_)[operation.vc][lane];
    const std::uint32_t x = (*in_)[operation.vb][lane];
    out[lane] = (amount & kSign) == 0 ? x << (amount & 31) : x >> ((0u - amount) & 31);
  }
  if (writable(operation.vd)) write(operation.vd, out);
}

void VectorUnit::shift2(const Operation& operation) {
  enum Mode {
    kCopy4,
    kChainedCopy4,
    kRotateAndCopy4,
    kRotate,
    kShiftLanes,
    kShiftByRegister,
    kShiftByImmediate,
  };
  const auto& in = *in_;
  const unsigned vd = operation.vd;
  const Lanes c = in[operation.vc];
  const auto copy_down = [&](const Lanes& last) {
    const Lanes one = in[1];
    const Lanes two = in[2];
    const Lanes three = in[3];
    write(0, one);
    write(1, two);
    write(2, three);
    write(3, last);
  };
  const auto rotated = [&c] {
    Lanes out;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      out[lane] = (lane & 7) != 0 ? c[lane - 1] : c[lane + 7];
    }
    return out;
  };
  switch (operation.mod) {
    case kCopy4:
      return copy_down(Lanes{});
    case kChainedCopy4: {
      Lanes last{};
      for (unsigned lane = 0; lane < 24; ++lane) last[lane] = in[0][lane + 8];
      return copy_down(last);
    }
    case kRotateAndCopy4:
      last_rotated_ = c;
      return copy_down(rotated());
    case kRotate:
      last_rotated_ = c;
      if (writable(vd)) write(vd, rotated());
      return;
    case kShiftLanes: {
      // The page means to shift in zero; silicon shifts in a value left over from the last
      // rotation.
      Lanes out = rotated();
      for (unsigned lane = 0; lane < kLanes; lane += 8) out[lane] = last_rotated_[lane + 7];
      if (writable(vd)) write(vd, out);
      return;
    }
    case kShiftByRegister:
    case kShiftByImmediate:
      return shift_each(operation, operation.mod == kShiftByImmediate);
    default:
      firmware_fault("SFPSHFT2 with undefined Mod1 " + std::to_string(operation.mod));
  }
}

}  // namespace tvp::tensix::coprocessor
