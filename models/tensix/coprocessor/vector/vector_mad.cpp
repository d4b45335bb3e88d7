// SFPMAD, SFPADD, SFPMUL, SFPADDI, SFPMULI, SFPLUT, SFPLUTFP32.

#include "models/tensix/coprocessor/lanes/lanes.h"
#include "models/tensix/coprocessor/vector/vector_float.h"
#include "models/tensix/coprocessor/vector/vector_unit.h"

namespace tvp::tensix::coprocessor {

using namespace regs::tensix;

namespace {

constexpr std::uint32_t kFloatOne = 0x3F800000;

const VectorUnit::Lanes& all_lanes() {
  static const VectorUnit::Lanes lanes = [] {
    VectorUnit::Lanes all;
    all.fill(~0U);
    return all;
  }();
  return lanes;
}

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

/// Magnitudes compare as integers, with NaN as the largest. This matches the float comparisons of
/// the pages.
constexpr unsigned third_of(std::uint32_t magnitude) {
  return magnitude < kFloatOne ? 0 : magnitude < 0x40000000 ? 1 : 2;
}

}  // namespace

/// SFPLUT and SFPLUTFP32: a line for each third (or sixth) of the magnitudes.
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

/// SFPADDI and SFPMULI.
void VectorUnit::multiply_add_immediate(const Operation& operation) {
  Lanes immediate, constant;
  immediate.fill(operation.imm << 16);
  const Lanes& c = (*in_)[operation.vc];
  const bool add = operation.opcode == Opcode::kSfpaddi;
  constant.fill(add ? kFloatOne : 0);
  write_products(operation, immediate, add ? constant : c, add ? c : constant);
}

/// SFPMAD, SFPADD and SFPMUL.
void VectorUnit::multiply_add(const Operation& operation) {
  constexpr unsigned kIndirectVa = 4;
  const auto& in = *in_;
  const Lanes* a = &in[operation.va];
  Lanes gathered;
  if ((operation.mod & kIndirectVa) != 0) [[unlikely]] {
    for (unsigned lane = 0; lane < kLanes; ++lane) gathered[lane] = in[in[7][lane] & 15][lane];
    a = &gathered;
  }
  write_products(operation, *a, in[operation.vb], in[operation.vc]);
}

void VectorUnit::write_products(const Operation& operation, const Lanes& x, const Lanes& y,
                                const Lanes& z) {
  constexpr unsigned kIndirectVd = 8;
  if ((operation.mod & kIndirectVd) == 0 || operation.vd == 16) [[likely]] {
    if (writable(operation.vd)) multiply_add_(x, y, z, enabled_mask_, lreg_[operation.vd]);
    return;
  }
  Lanes result;
  multiply_add_(x, y, z, all_lanes(), result);
  write_indirect(result);
}

void VectorUnit::execute_table(const Operation& operation) {
  constexpr unsigned kIndirectVd = 8;
  const Lanes result = look_up(operation);
  if ((operation.mod & kIndirectVd) != 0 && operation.vd != 16) return write_indirect(result);
  if (writable(operation.vd)) write(operation.vd, result);
}

/// Writes to the register whose number is in LReg7, lane by lane.
void VectorUnit::write_indirect(const Lanes& result) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned vd = (*in_)[7][lane] & 15;
    if (vd < 8 && enabled_mask_[lane] != 0) write(vd, lane, result[lane]);
  }
}

}  // namespace tvp::tensix::coprocessor
