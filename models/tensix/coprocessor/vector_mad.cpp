// SFPMAD, SFPADD, SFPMUL, SFPADDI, SFPMULI, SFPLUT, SFPLUTFP32.

#include "models/tensix/coprocessor/lanes.h"
#include "models/tensix/coprocessor/vector_float.h"
#include "models/tensix/coprocessor/vector_unit.h"

namespace tvp::tensix::coprocessor {

using namespace regs::tensix;

namespace {

constexpr std::uint32_t kFloatOne = 0x3F800000;

constexpr std::uint32_t lut8_to_fp32(std::uint32_t x) {
  x &= 0xFF;
  if (x == 0xFF) return 0;
  return ((x >> 7) << 31) | ((127 - ((x >> 4) & 7)) << 23) | ((x & 0xF) << 19);
}
constexpr std::uint32_t lut16_to_fp32(std::uint32_t x) {
  x &= 0xFFFF;
  const std::uint32_t exponent = (x >> 10) & 0x1F;
  return ((x >> 15) << 31) | ((exponent == 0x1F ? 0 : 112 + exponent) << 23) | ((x & 0x3FF) << 13);
}

struct Coefficients {
  std::uint32_t slope;
  std::uint32_t offset;
};

/// Magnitudes compare as integers, and NaN as the largest, which is how the pages' comparisons of
/// floats fall through.
constexpr unsigned third_of(std::uint32_t magnitude) {
  return magnitude < kFloatOne ? 0 : magnitude < 0x40000000 ? 1 : 2;
}

}  // namespace

/// SFPLUT and SFPLUTFP32: a line through each third (or sixth) of the magnitudes.
VectorUnit::Lanes VectorUnit::look_up(const Operation& operation) const {
  constexpr unsigned kRetainSign = 4;
  const auto& in = *in_;
  Lanes result;
  const auto coefficients = [&](unsigned lane, std::uint32_t magnitude) -> Coefficients {
    const unsigned third = third_of(magnitude);
    if (operation.opcode == Opcode::kSfplut) {
      const std::uint32_t packed = in[third][lane];
      return {lut8_to_fp32(packed >> 8), lut8_to_fp32(packed)};
    }
    if ((operation.mod & 2) == 0) return {in[third][lane], in[4 + third][lane]};
    if ((operation.mod & 10) == 10) {
      return {lut16_to_fp32(in[third][lane] >> 16), lut16_to_fp32(in[third][lane])};
    }
    // Halves of the thirds: 0.5, 1.5, and 3 or 4.
    const std::uint32_t cuts[] = {0x3F000000, 0x3FC00000,
                                  (operation.mod & 1) != 0 ? 0x40800000u : 0x40400000u};
    const unsigned shift = magnitude < cuts[third] ? 0 : 16;
    return {lut16_to_fp32(in[third][lane] >> shift), lut16_to_fp32(in[4 + third][lane] >> shift)};
  };
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t x = in[3][lane];
    const Coefficients line = coefficients(lane, x & ~kSign);
    result[lane] = vector_multiply_add(line.slope, x & ~kSign, line.offset);
    if ((operation.mod & kRetainSign) != 0) result[lane] = (result[lane] & ~kSign) | (x & kSign);
  }
  return result;
}

TVP_ALSO_AVX2 void VectorUnit::execute_mad(const Operation& operation) {
  const auto& in = *in_;
  constexpr unsigned kIndirectVa = 4;
  constexpr unsigned kIndirectVd = 8;

  Lanes result;
  switch (operation.opcode) {
    case Opcode::kSfpaddi:
    case Opcode::kSfpmuli: {
      Lanes immediate, constant;
      immediate.fill(operation.imm << 16);
      const Lanes& c = in[operation.vc];
      const bool add = operation.opcode == Opcode::kSfpaddi;
      constant.fill(add ? kFloatOne : 0);
      add ? multiply_add_(immediate, constant, c, result)
          : multiply_add_(immediate, c, constant, result);
      break;
    }
    case Opcode::kSfplut:
    case Opcode::kSfplutfp32:
      result = look_up(operation);
      break;
    default: {
      const Lanes* a = &in[operation.va];
      Lanes gathered;
      if ((operation.mod & kIndirectVa) != 0) {
        for (unsigned lane = 0; lane < kLanes; ++lane) gathered[lane] = in[in[7][lane] & 15][lane];
        a = &gathered;
      }
      multiply_add_(*a, in[operation.vb], in[operation.vc], result);
      break;
    }
  }

  if ((operation.mod & kIndirectVd) == 0 || operation.vd == 16) {
    if (writable(operation.vd)) write(operation.vd, result);
    return;
  }
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned vd = in[7][lane] & 15;
    if (vd < 8 && enabled_mask_[lane] != 0) write(vd, lane, result[lane]);
  }
}

}  // namespace tvp::tensix::coprocessor
