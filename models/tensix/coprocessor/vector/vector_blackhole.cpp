// Blackhole (ISA BlackholeA0): SFPGT, SFPLE, SFPARECIP and SFPMUL24, which Wormhole does not have,
// and new modes of SFPMAD, SFPSHFT, SFPCAST, SFPPUSHC and SFPPOPC.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "models/tensix/coprocessor/vector/vector_float.h"
#include "models/tensix/coprocessor/vector/vector_unit.h"

namespace tvp::tensix::coprocessor {

using namespace regs::tensix;

namespace {

// The tables have seven bits of fraction. Their formulas give every entry of SFPARECIP.md.

/// Reciprocals of 1 + (i + 1/2) / 128 in [1, 2), rounded to nearest, as fractions of their double.
const std::array<std::uint8_t, 128>& reciprocals() {
  static const std::array<std::uint8_t, 128> table = [] {
    std::array<std::uint8_t, 128> entries{};
    for (unsigned i = 0; i < entries.size(); ++i)
      entries[i] = static_cast<std::uint8_t>(std::lround(256 / (1 + (i + 0.5) / 128) - 128));
    return entries;
  }();
  return table;
}

constexpr std::uint32_t kFirstPower = 0x3C80;   // upper half of 2^-6
constexpr std::uint32_t kPowersOfTwo = 0x3F32;  // from here on e^x is 2 or more
constexpr std::uint32_t kEndOfPowers = 0x4000;  // upper half of 2

/// e^x for the upper half of x, cut: fractions of 1, or of 2 with the exponent above them.
const std::array<std::uint8_t, kEndOfPowers - kFirstPower>& powers() {
  static const std::array<std::uint8_t, kEndOfPowers - kFirstPower> table = [] {
    std::array<std::uint8_t, kEndOfPowers - kFirstPower> entries{};
    for (unsigned i = 0; i < entries.size(); ++i) {
      const std::uint32_t upper = kFirstPower + i;
      const double power = std::exp(static_cast<double>(std::bit_cast<float>(upper << 16)));
      const double fraction = upper < kPowersOfTwo ? power - 1
                              : power < 4          ? power / 2 - 1
                                                   : power / 4;
      entries[i] = static_cast<std::uint8_t>(fraction * 128);
    }
    return entries;
  }();
  return table;
}

/// `x` has no sign.
std::uint32_t approximate_reciprocal(std::uint32_t x) {
  if (x < 0x00800000) return 0x7F800000;
  if (x >= 0x7E800000) return 0;
  return (253 - (x >> 23)) << 23 | std::uint32_t{reciprocals()[x >> 16 & 0x7F]} << 16;
}
std::uint32_t approximate_power(std::uint32_t x) {
  if (x < 0x00800000) return 0x3F800000;
  const std::uint32_t upper = x >> 16, lower = x & 0xFFFF;
  if (upper < kFirstPower) return 0x3F810000 | lower;
  if (upper >= kEndOfPowers) return 0x40800000 | lower;
  const std::uint32_t base = upper < kPowersOfTwo ? 0x3F800000 : 0x40000000;
  return (base + (std::uint32_t{powers()[upper - kFirstPower]} << 16)) | lower;
}

/// The adder of the floating-point path changes a product of integers unless `z` is zero.
std::uint32_t add_as_float(std::uint32_t product, std::uint32_t z) {
  constexpr unsigned kProductExponent = 129;
  const unsigned exponent = z >> 23 & 0xFF;
  if (exponent == 0) return product;
  const unsigned larger = std::max(kProductExponent, exponent);
  const std::uint32_t exact = ((1U << 23) | (z & 0x7FFFFF)) << 3;
  const unsigned places = (larger - exponent) & 31;
  const std::uint32_t aligned = exact >> places;
  product >>= (larger - kProductExponent) & 31;
  if (aligned == 0) return product;
  const bool rounds = ((aligned << places) ^ exact) > 0xFFFF;
  return (product + aligned + (rounds ? 1U << 16 : 0)) & 0x7FFFFF;
}

}  // namespace

/// SFPGT and SFPLE.
void VectorUnit::compare(const Operation& operation) {
  constexpr unsigned kSetFlags = 1, kChangeStack = 2, kOr = 4, kSetVd = 8;
  const Lanes& c = (*in_)[operation.vc];
  const Lanes& d = (*in_)[operation.vb];
  std::uint32_t results = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    results |= static_cast<std::uint32_t>(sign_magnitude_smaller(c[lane], d[lane])) << lane;
  if (operation.opcode == Opcode::kSfple) results = ~results;

  if ((operation.mod & kSetVd) != 0 && writable(operation.vd)) {
    Lanes values;
    for (unsigned lane = 0; lane < kLanes; ++lane) values[lane] = 0U - (results >> lane & 1);
    write(operation.vd, values);
  }
  if ((operation.mod & kChangeStack) != 0 && stack_size_ != 0) {
    std::uint32_t& top = stack_[stack_size_ - 1].flags;
    top = (operation.mod & kOr) != 0 ? top | results : top & results;
  }
  if ((operation.mod & kSetFlags) != 0) set_flags(enabled_, results);
}

/// SFPARECIP.
void VectorUnit::approximate(const Operation& operation) {
  constexpr unsigned kReciprocal = 0, kReciprocalIfNegative = 1;
  if (!writable(operation.vd)) return;
  const Lanes& c = (*in_)[operation.vc];
  const Lanes& b = (*in_)[operation.vb];
  Lanes values;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t x = c[lane];
    const std::uint32_t sign = x & kSign;
    if (operation.mod == kReciprocalIfNegative) {
      values[lane] = (b[lane] & kSign) != 0 ? approximate_reciprocal(x ^ sign) : x;
    } else {
      values[lane] = sign + (operation.mod == kReciprocal ? approximate_reciprocal(x ^ sign)
                                                          : approximate_power(x ^ sign));
    }
  }
  write(operation.vd, values);
}

/// SFPMUL24, which multiplies integers of 23 bits.
void VectorUnit::multiply_integers(const Operation& operation) {
  constexpr unsigned kUpper = 1, kIndirectVa = 4, kIndirectVd = 8;
  constexpr std::uint32_t kBits = 0x7FFFFF;
  const auto& in = *in_;
  Lanes values;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned va = (operation.mod & kIndirectVa) != 0 ? in[7][lane] & 15 : operation.va;
    const std::uint64_t product =
        std::uint64_t{in[va][lane] & kBits} * (in[operation.vb][lane] & kBits);
    const auto half =
        static_cast<std::uint32_t>((operation.mod & kUpper) != 0 ? product >> 23 : product & kBits);
    values[lane] = add_as_float(half, in[operation.vc][lane]);
  }
  if ((operation.mod & kIndirectVd) != 0 && operation.vd != 16) return write_indirect(values);
  if (writable(operation.vd)) write(operation.vd, values);
}

/// SFPMAD, SFPADD and SFPMUL with changed signs.
void VectorUnit::multiply_add_negated(const Operation& operation) {
  constexpr unsigned kNegateVa = 1, kNegateVc = 2, kIndirectVa = 4;
  const auto& in = *in_;
  const std::uint32_t flip_a = (operation.mod & kNegateVa) != 0 ? kSign : 0;
  const std::uint32_t flip_c = (operation.mod & kNegateVc) != 0 ? kSign : 0;
  Lanes a, c;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned va = (operation.mod & kIndirectVa) != 0 ? in[7][lane] & 15 : operation.va;
    a[lane] = in[va][lane] ^ flip_a;
    c[lane] = in[operation.vc][lane] ^ flip_c;
  }
  write_products(operation, a, in[operation.vb], c);
}

/// SFPSHFT with an arithmetic shift, or of VC by an immediate.
void VectorUnit::shift_arithmetically(const Operation& operation) {
  constexpr unsigned kImmediate = 1, kArithmetic = 2;
  if (!writable(operation.vd)) return;
  const Lanes& c = (*in_)[operation.vc];
  const Lanes& x = (*in_)[operation.vb];
  const bool immediate = (operation.mod & kImmediate) != 0;
  const auto given = static_cast<std::int32_t>(operation.imm << 20) >> 20;
  Lanes values;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const std::int32_t amount = immediate ? given : static_cast<std::int32_t>(c[lane]);
    const std::uint32_t places = static_cast<std::uint32_t>(amount);
    if (amount >= 0) {
      values[lane] = x[lane] << (places & 31);
    } else if ((operation.mod & kArithmetic) != 0) {
      values[lane] =
          static_cast<std::uint32_t>(static_cast<std::int32_t>(x[lane]) >> ((0U - places) & 31));
    } else {
      values[lane] = x[lane] >> ((0U - places) & 31);
    }
  }
  write(operation.vd, values);
}

/// SFPCAST to a magnitude, or between sign and magnitude and two's complement.
void VectorUnit::cast_integers(const Operation& operation) {
  if (!writable(operation.vd)) return;
  const Lanes& c = (*in_)[operation.vc];
  const std::uint32_t kept = (operation.mod & 1) != 0 ? kSign : 0;
  Lanes values;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const bool negative = (c[lane] & kSign) != 0;
    values[lane] = negative ? (0U - c[lane]) | kept : c[lane];
  }
  write(operation.vd, values);
}

/// SFPPUSHC with Mod1: changes the top instead of pushing.
void VectorUnit::change_stack_top(const Operation& operation) {
  if (stack_size_ == 0) {
    firmware_fault("SFPPUSHC that changes the top of an empty stack");
    return;
  }
  StackEntry& top = stack_[stack_size_ - 1];
  constexpr unsigned kInvert = 13;
  if (operation.mod == kInvert) {
    flags_ = ~flags_;
    top = {flags_, use_flags_, undefined_flags_};
    update_enabled();
    return;
  }
  top.flags = combined_flags(operation.mod, top.flags, flags_);
  top.use_flags = operation.mod < kInvert ? use_flags_ : ~0U;
  top.undefined = operation.mod < kInvert ? top.undefined | undefined_flags_ : 0;
}

/// For operations that VectorRules::changes().
VectorUnit::Effect VectorUnit::changed_effect(Opcode opcode) {
  using O = const Operation&;
  switch (opcode) {
    case Opcode::kSfparecip:
      return [](VectorUnit& unit, O operation, Cycle) { unit.approximate(operation); };
    case Opcode::kSfpmul24:
      return [](VectorUnit& unit, O operation, Cycle) { unit.multiply_integers(operation); };
    case Opcode::kSfpshft:
      return [](VectorUnit& unit, O operation, Cycle) { unit.shift_arithmetically(operation); };
    case Opcode::kSfpcast:
      return [](VectorUnit& unit, O operation, Cycle) { unit.cast_integers(operation); };
    case Opcode::kSfppushc:
      return [](VectorUnit& unit, O operation, Cycle) { unit.change_stack_top(operation); };
    case Opcode::kSfpmad:
    case Opcode::kSfpadd:
    case Opcode::kSfpmul:
      return [](VectorUnit& unit, O operation, Cycle) { unit.multiply_add_negated(operation); };
    default:
      return [](VectorUnit& unit, O operation, Cycle) { unit.compare(operation); };
  }
}

/// Registers of which the unit knows that the instruction reads them; it does not know the others
/// (SFPMAD.md, Instruction scheduling, hardware bugs).
std::uint32_t VectorUnit::reads_waited_for(const Operation& operation) const {
  const std::uint32_t vc = 1U << operation.vc;
  switch (operation.opcode) {
    case Opcode::kSfpand:
    case Opcode::kSfpor:
      return vc | 1U << operation.vd;
    case Opcode::kSfpiadd:
      return vc;
    case Opcode::kSfpshft:
      return (operation.mod & 1) != 0 && (operation.mod & 4) == 0 ? 0 : vc;
    case Opcode::kSfpconfig:
      return 0;
    case Opcode::kSfpswap:
      return operation.mod == 0 ? registers_read(operation) : 0;
    case Opcode::kSfpshft2: {
      constexpr unsigned kFirstAcross = 2, kShiftByRegister = 5, kShiftByImmediate = 6;
      if (operation.mod < kFirstAcross) return registers_read(operation);
      if (operation.mod < kShiftByRegister) return 0;
      return 1U << operation.vd | (operation.mod < kShiftByImmediate ? vc : 0);
    }
    default:
      return registers_read(operation);
  }
}

}  // namespace tvp::tensix::coprocessor
