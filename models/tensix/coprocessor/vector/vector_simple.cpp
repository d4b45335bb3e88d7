// The simple sub-unit: bits, integers, fields of FP32, flags (one ISA page for each instruction).
// Every value is computed for all lanes; write() and set_flags() check the enabled lanes.

#include <bit>

#include "foundation/regs/tensix_disassembler.h"
#include "models/tensix/coprocessor/lanes/lanes.h"
#include "models/tensix/coprocessor/vector/vector_float.h"
#include "models/tensix/coprocessor/vector/vector_unit.h"

namespace tvp::tensix::coprocessor {

using namespace regs::tensix;

namespace {

constexpr std::uint32_t kMantissa = 0x7FFFFF;

template <typename Function>
VectorUnit::Lanes each_lane(Function function) {
  VectorUnit::Lanes out;
  for (unsigned lane = 0; lane < VectorUnit::kLanes; ++lane) out[lane] = function(lane);
  return out;
}

/// One bit for each lane whose value satisfies the predicate.
template <typename Predicate>
std::uint32_t lanes_where(const VectorUnit::Lanes& values, Predicate predicate) {
  std::uint32_t mask = 0;
  for (unsigned lane = 0; lane < VectorUnit::kLanes; ++lane) {
    mask |= static_cast<std::uint32_t>(predicate(values[lane])) << lane;
  }
  return mask;
}
bool is_negative(std::uint32_t x) { return (x & kSign) != 0; }

constexpr std::int32_t signed12(std::uint32_t imm) {
  return static_cast<std::int32_t>(imm << 20) >> 20;
}
constexpr std::uint32_t shifted(std::uint32_t value, std::int32_t amount) {
  const auto places = static_cast<std::uint32_t>(amount);
  return amount >= 0 ? value << (places & 31) : value >> ((0u - places) & 31);
}

/// -NaN is unchanged according to the page's text and code (its code would also leave -infinity,
/// ISA SFPABS.md).
constexpr std::uint32_t absolute(std::uint32_t x, bool is_float) {
  if ((x & kSign) == 0) return x;
  if (!is_float) return 0u - x;
  return x > 0xFF800000 ? x : x & ~kSign;
}

/// Sign-magnitude integer to FP32; `stochastic` has the bits to round with.
std::uint32_t cast_to_float(std::uint32_t c, bool stochastic, std::uint32_t random) {
  const std::uint32_t magnitude = c & ~kSign;
  const auto zeros =
      magnitude != 0 ? static_cast<std::uint32_t>(std::countl_zero(magnitude)) : 157u;
  const std::uint32_t normal = magnitude << (zeros & 31);
  const std::uint32_t value = (c & kSign) + ((157 - zeros) << 23) + (normal >> 8);
  if (stochastic) return value + ((normal & 0xFE) > ((random >> 9) & 0xFE) ? 1 : 0);
  return value + ((normal & 0x80) != 0 && (normal & 0x17F) != 0 ? 1 : 0);
}

}  // namespace

template <typename Function>
void VectorUnit::write_each(unsigned vd, Function function) {
  if (writable(vd)) write(vd, each_lane(function));
}

/// Operations on whole registers.
TVP_ALSO_WIDE void VectorUnit::execute_integer(const Operation& operation) noexcept {
  const Lanes& b = (*in_)[operation.vb];
  const Lanes& c = (*in_)[operation.vc];
  const unsigned mod = operation.mod;
  const std::uint32_t imm = operation.imm;
  const unsigned vd = operation.vd;
  switch (operation.opcode) {
    case Opcode::kSfpand:
      return write_each(vd, [&](unsigned lane) { return b[lane] & c[lane]; });
    case Opcode::kSfpor:
      return write_each(vd, [&](unsigned lane) { return b[lane] | c[lane]; });
    case Opcode::kSfpxor:
      return write_each(vd, [&](unsigned lane) { return b[lane] ^ c[lane]; });
    case Opcode::kSfpnot:
      return write_each(vd, [&](unsigned lane) { return ~c[lane]; });
    case Opcode::kSfpabs:
      return write_each(vd, [&](unsigned lane) { return absolute(c[lane], (mod & 1) != 0); });
    case Opcode::kSfpshft: {
      if ((mod & 1) == 0) {
        return write_each(vd, [&](unsigned lane) {
          return shifted(b[lane], static_cast<std::int32_t>(c[lane]));
        });
      }
      const std::int32_t amount = signed12(imm);
      const std::uint32_t places = static_cast<std::uint32_t>(amount >= 0 ? amount : -amount) & 31;
      if (amount >= 0) return write_each(vd, [&](unsigned lane) { return b[lane] << places; });
      return write_each(vd, [&](unsigned lane) { return b[lane] >> places; });
    }
    case Opcode::kSfpiadd: {
      if (!writable(vd)) return;
      const auto addend = static_cast<std::uint32_t>(signed12(imm));
      const Lanes sum = each_lane([&](unsigned lane) {
        if ((mod & 1) != 0) return c[lane] + addend;
        return (mod & 2) != 0 ? c[lane] - b[lane] : c[lane] + b[lane];
      });
      write(vd, sum);
      if (vd >= 8) return;
      const std::uint32_t values = (mod & 4) != 0 ? flags_ : lanes_where(sum, is_negative);
      return set_flags(enabled_, (mod & 8) != 0 ? ~values : values);
    }
    case Opcode::kSfplz: {
      if (!writable(vd)) return;
      const std::uint32_t mask = (mod & 4) != 0 ? ~kSign : ~0u;
      const std::uint32_t nonzero =
          lanes_where(c, [mask](std::uint32_t x) { return (x & mask) != 0; });
      write(vd, each_lane([&](unsigned lane) {
              return static_cast<std::uint32_t>(std::countl_zero(c[lane] & mask));
            }));
      if (vd >= 8) return;
      const std::uint32_t values = (mod & 2) != 0 ? nonzero : flags_;
      return set_flags(enabled_, (mod & 8) != 0 ? ~values : values);
    }
    default:
      return;
  }
}

/// Operations on sign, exponent and mantissa.
TVP_ALSO_WIDE void VectorUnit::execute_fields(const Operation& operation) noexcept {
  const Lanes& b = (*in_)[operation.vb];
  const Lanes& c = (*in_)[operation.vc];
  const unsigned mod = operation.mod;
  const std::uint32_t imm = operation.imm;
  const unsigned vd = operation.vd;
  switch (operation.opcode) {
    case Opcode::kSfpexexp: {
      if (!writable(vd)) return;
      const std::uint32_t bias = (mod & 1) != 0 ? 0 : 127;
      const Lanes exponent =
          each_lane([&](unsigned lane) { return ((c[lane] >> 23) & 0xFF) - bias; });
      write(vd, exponent);
      if (vd >= 8) return;
      const std::uint32_t values = (mod & 2) != 0 ? lanes_where(exponent, is_negative) : flags_;
      return set_flags(enabled_, (mod & 8) != 0 ? ~values : values);
    }
    case Opcode::kSfpexman: {
      const std::uint32_t hidden = (mod & 1) != 0 ? 0 : 1u << 23;
      return write_each(vd, [&](unsigned lane) { return hidden + (c[lane] & kMantissa); });
    }
    case Opcode::kSfpsetexp:
      return write_each(vd, [&](unsigned lane) {
        const std::uint32_t exponent = (mod & 1) != 0   ? imm
                                       : (mod & 2) != 0 ? b[lane] >> 23
                                                        : b[lane];
        return (c[lane] & (kSign | kMantissa)) | ((exponent & 0xFF) << 23);
      });
    case Opcode::kSfpsetman:
      return write_each(vd, [&](unsigned lane) {
        const std::uint32_t mantissa = (mod & 1) != 0 ? imm << 11 : b[lane];
        return (c[lane] & ~kMantissa) | (mantissa & kMantissa);
      });
    case Opcode::kSfpsetsgn:
      return write_each(vd, [&](unsigned lane) {
        const std::uint32_t sign = (mod & 1) != 0 ? imm << 31 : b[lane];
        return (c[lane] & ~kSign) | (sign & kSign);
      });
    case Opcode::kSfpdivp2:
      return write_each(vd, [&](unsigned lane) {
        const std::uint32_t old = (c[lane] >> 23) & 0xFF;
        const std::uint32_t exponent = (mod & 1) == 0 ? imm : old == 255 ? old : old + imm;
        return (c[lane] & (kSign | kMantissa)) | ((exponent & 0xFF) << 23);
      });
    case Opcode::kSfpcast: {
      const bool stochastic = (mod & 1) != 0;
      const Lanes drawn = prng_;
      if (stochastic) advance_prng();
      return write_each(
          vd, [&](unsigned lane) { return cast_to_float(c[lane], stochastic, drawn[lane]); });
    }
    default:
      return;
  }
}

void VectorUnit::execute_simple(const Operation& operation) {
  switch (operation.opcode) {
    case Opcode::kSfpand:
    case Opcode::kSfpor:
    case Opcode::kSfpxor:
    case Opcode::kSfpnot:
    case Opcode::kSfpabs:
    case Opcode::kSfpshft:
    case Opcode::kSfpiadd:
    case Opcode::kSfplz:
      return execute_integer(operation);
    case Opcode::kSfpexexp:
    case Opcode::kSfpexman:
    case Opcode::kSfpsetexp:
    case Opcode::kSfpsetman:
    case Opcode::kSfpsetsgn:
    case Opcode::kSfpdivp2:
    case Opcode::kSfpcast:
      return execute_fields(operation);
    case Opcode::kSfpmov:
      return move(operation);
    case Opcode::kSfpswap:
      return swap(operation);
    case Opcode::kSfptransp:
      return transpose();
    case Opcode::kSfpsetcc:
      return set_condition(operation);
    case Opcode::kSfpencc:
      return enable_condition(operation);
    case Opcode::kSfpcompc:
      return complement_condition();
    case Opcode::kSfppushc:
      return push_condition();
    case Opcode::kSfppopc:
      return pop_condition(operation);
    default: {
      faults_.raise(foundation::Fault(foundation::FaultKind::kUnmodelled, name_,
                                      "vector unit instruction " +
                                          regs::tensix::disassemble(operation.word) +
                                          " is not modeled"));
    }
  }
}

TVP_ALSO_WIDE void VectorUnit::move(const Operation& operation) noexcept {
  constexpr unsigned kNegate = 1;
  constexpr unsigned kAllLanes = 2;
  constexpr unsigned kFromSpecial = 8;
  constexpr unsigned kReserved = 4;  // silicon ignores it
  const bool all = (operation.mod & ~kReserved) == kAllLanes;
  const Lanes& c = (*in_)[operation.vc];
  if ((operation.mod & kFromSpecial) == 0) {
    if (!writable(operation.vd)) return;
    const std::uint32_t flip = (operation.mod & kNegate) != 0 ? kSign : 0;
    const Lanes values = each_lane([&](unsigned lane) { return c[lane] ^ flip; });
    return all ? void(lreg_[operation.vd] = values) : write(operation.vd, values);
  }
  const Lanes drawn = prng_;
  if (operation.vc == 9) advance_prng();
  const auto special = [&](unsigned lane) -> std::uint32_t {
    const LoadMacroConfig& macro = macro_config_[lane & 7];
    if (operation.vc < 4) return macro.instruction_template[operation.vc];
    if (operation.vc < 8) return macro.sequence[operation.vc - 4u];
    if (operation.vc == 8) return macro.misc;
    if (operation.vc == 9) return drawn[lane];
    return operation.vc == 15 ? lane_config_[lane & 7] : 0;
  };
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (enabled_mask_[lane] == 0) continue;
    const std::uint32_t x = special(lane);
    if (writable(operation.vd)) write(operation.vd, lane, x);
  }
}

/// In SFPLOADMACRO the loaded value is in VC and VD. The other operand is then the template's
/// register, and the result for VC is dropped. tt-llk clamps values this way (ckernel_sfpu_exp.h).
void VectorUnit::swap(const Operation& operation) {
  if (operation.mod > 9) {
    firmware_fault("SFPSWAP with undefined Mod1 " + std::to_string(operation.mod));
    return;
  }
  const Lanes swapped = lanes_to_swap(operation);
  const Lanes c = (*in_)[operation.vc];
  const Lanes d = (*in_)[operation.vb];
  if (dest_index_ == 0) {
    write_where(swapped, operation.vd, c);
    write_where(swapped, operation.vc, d);
    return;
  }
  const Lanes* const in = in_->data();
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (swapped[lane] == 0) continue;
    if ((dest_index_ >> lane & 1) == 0) {
      if (operation.vd < 8) write(operation.vd, lane, c[lane]);
      if (operation.vc < 8) write(operation.vc, lane, d[lane]);
      continue;
    }
    // The index in LReg4..7 follows the minimum or maximum in LReg0..3.
    const unsigned vc_index = 4 + (operation.vc & 3);
    const unsigned vd_index = 4 + (operation.vd & 3);
    const std::uint32_t index_c = in[vc_index][lane];
    const std::uint32_t index_d = in[vd_index][lane];
    if (operation.vc < 4) write(operation.vc, lane, d[lane]);
    if (operation.vd < 4) write(operation.vd, lane, c[lane]);
    write(vc_index, lane, index_d);
    write(vd_index, lane, index_c);
  }
}

/// All ones in the enabled lanes whose values are exchanged.
TVP_ALSO_WIDE VectorUnit::Lanes VectorUnit::lanes_to_swap(
    const Operation& operation) const noexcept {
  constexpr unsigned kPlainSwap = 0;
  if (operation.mod == kPlainSwap) return enabled_mask_;
  const Lanes& c = (*in_)[operation.vc];
  const Lanes& d = (*in_)[operation.vb];
  const std::uint32_t larger = ~kVdGetsSmaller[operation.mod] ^ exchange_compare_;
  return each_lane([&](unsigned lane) {
    const std::uint32_t smaller = sign_magnitude_smaller(c[lane], d[lane]) ? 1 : 0;
    return enabled_mask_[lane] & (0 - (smaller ^ (larger >> lane & 1)));
  });
}
TVP_ALSO_WIDE void VectorUnit::write_where(const Lanes& mask, unsigned vd,
                                           const Lanes& values) noexcept {
  if (vd >= 8) return;
  Lanes& out = lreg_[vd];
  out = each_lane(
      [&](unsigned lane) { return (values[lane] & mask[lane]) | (out[lane] & ~mask[lane]); });
}

void VectorUnit::transpose() {
  for (unsigned base = 0; base < 8; base += 4) {
    for (unsigned column = 0; column < 8; ++column) {
      for (unsigned i = 0; i < 4; ++i) {
        for (unsigned j = 0; j < i; ++j) {
          const unsigned lane_j = j * 8 + column;
          const unsigned lane_i = i * 8 + column;
          const std::uint32_t ij = (*in_)[base + i][lane_j];
          const std::uint32_t ji = (*in_)[base + j][lane_i];
          if (enabled_mask_[lane_j] != 0) write(base + i, lane_j, ji);
          if (enabled_mask_[lane_i] != 0) write(base + j, lane_i, ij);
        }
      }
    }
  }
}

}  // namespace tvp::tensix::coprocessor
