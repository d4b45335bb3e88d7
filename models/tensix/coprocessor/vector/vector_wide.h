#pragma once

#include <cstdint>

#include "models/tensix/coprocessor/lanes/lane_fused.h"
#include "models/tensix/coprocessor/vector/vector_immediate.h"
#include "models/tensix/coprocessor/vector/vector_unit.h"

namespace tvp::tensix::coprocessor {

/// The most frequent instructions of the vector unit with vectors of the host: a register is two
/// vectors of 64 bytes or four of 32. For files that are built for machines with these vectors.
///
/// Effects correspond to those of the same names in VectorUnit, and leave unusual cases to them.
template <unsigned kBytes>
struct VectorUnit::Wide {
  using Op = const Operation&;
  using Host = coprocessor::Lanes<kBytes>;
  using U32 = typename Host::U32;
  using I32 = typename Host::I32;
  using Mask = typename Host::Mask;
  using Masks = HostMasks<kBytes>;
  using Fused = LaneFused<kBytes>;
  static constexpr unsigned kVectors = kLanes / Host::kCount;
  static constexpr std::uint32_t kExponent = 0x7F800000;

  TVP_INLINE static U32 at(const Lanes& lanes, unsigned i) {
    return Host::template load<U32>(lanes.data() + i * Host::kCount);
  }
  TVP_INLINE static void put(Lanes& lanes, unsigned i, U32 value) {
    Host::store(lanes.data() + i * Host::kCount, value);
  }
  /// Select instead of a masked store, since the host cannot forward a masked store to a load.
  TVP_INLINE static void put_where(Mask mask, Lanes& lanes, unsigned i, U32 value) {
    put(lanes, i, Host::select(mask, value, at(lanes, i)));
  }
  /// Writes value(i) to the enabled lanes of each vector. `value` may read the same lanes of any
  /// register.
  template <typename Function>
  TVP_INLINE static void put_each(VectorUnit& unit, unsigned vd, Function value) {
    Lanes& out = unit.lreg_[vd];
    const std::uint32_t enabled = unit.enabled_;
    if (enabled == ~0U) {
#pragma GCC unroll 4
      for (unsigned i = 0; i < kVectors; ++i) put(out, i, value(i));
      return;
    }
#pragma GCC unroll 4
    for (unsigned i = 0; i < kVectors; ++i) put_where(Masks::of(enabled, i), out, i, value(i));
  }

  static void multiply_add(VectorUnit& unit, Op operation, Cycle) {
    const auto& in = *unit.in_;
    if (!writable(operation.vd)) return;
    Fused::execute(in[operation.va], in[operation.vb], in[operation.vc], unit.enabled_mask_,
                   unit.lreg_[operation.vd]);
  }
  static void add_immediate(VectorUnit& unit, Op operation, Cycle) {
    if (!writable(operation.vd)) return;
    Fused::execute(immediate_float(operation), constant(0x3F800000), (*unit.in_)[operation.vc],
                   unit.enabled_mask_, unit.lreg_[operation.vd]);
  }
  static void multiply_immediate(VectorUnit& unit, Op operation, Cycle) {
    if (!writable(operation.vd)) return;
    Fused::execute(immediate_float(operation), (*unit.in_)[operation.vc], constant(0),
                   unit.enabled_mask_, unit.lreg_[operation.vd]);
  }
  using Constant = typename Fused::Constant;
  TVP_INLINE static Constant constant(std::uint32_t value) { return {value}; }
  TVP_INLINE static Constant immediate_float(Op operation) { return {operation.imm << 16}; }

  template <std::uint8_t kMode>
  static void load_immediate(VectorUnit& unit, Op operation, Cycle) {
    if (operation.vd >= 8) return;
    Operation known;
    known.mod = kMode;
    known.imm = operation.imm;
    const Immediate immediate = immediate_of(known);
    const Lanes& old = (*unit.in_)[operation.vd];
    put_each(
        unit, operation.vd, [&](unsigned i) __attribute__((always_inline)) {
          return immediate.value | (at(old, i) & immediate.kept);
        });
  }
  /// A function for each mode, since the host cannot predict the next mode.
  static Effect load_immediate_in(unsigned mode) {
    switch (mode) {
      case 0:
        return load_immediate<0>;
      case 1:
        return load_immediate<1>;
      case 2:
        return load_immediate<2>;
      case 4:
        return load_immediate<4>;
      case 8:
        return load_immediate<8>;
      case 10:
        return load_immediate<10>;
      default:
        return nullptr;
    }
  }
  static void move(VectorUnit& unit, Op operation, Cycle) {
    if (!writable(operation.vd)) return;
    const std::uint32_t flip = operation.mod != 0 ? 0x80000000 : 0;
    const Lanes& c = (*unit.in_)[operation.vc];
    put_each(
        unit,
        operation.vd, [&](unsigned i) __attribute__((always_inline)) { return at(c, i) ^ flip; });
  }
  static void shift_by_immediate(VectorUnit& unit, Op operation, Cycle) {
    if (!writable(operation.vd)) return;
    const auto amount = static_cast<std::int32_t>(operation.imm << 20) >> 20;
    const auto places = static_cast<int>((amount >= 0 ? amount : -amount) & 31);
    const Lanes& b = (*unit.in_)[operation.vb];
    if (amount >= 0) {
      put_each(
          unit, operation.vd, [&](unsigned i) __attribute__((always_inline)) {
            return at(b, i) << places;
          });
    } else {
      put_each(
          unit, operation.vd, [&](unsigned i) __attribute__((always_inline)) {
            return at(b, i) >> places;
          });
    }
  }

  static void add_integers(VectorUnit& unit, Op operation, Cycle) {
    if (!writable(operation.vd)) return;
    const Lanes& c = (*unit.in_)[operation.vc];
    const Lanes& b = (*unit.in_)[operation.vb];
    if ((operation.mod & 1) != 0) {
      const auto imm =
          static_cast<std::uint32_t>(static_cast<std::int32_t>(operation.imm << 20) >> 20);
      put_sum(
          unit,
          operation, [&](unsigned i) __attribute__((always_inline)) { return at(c, i) + imm; });
    } else if ((operation.mod & 2) != 0) {
      put_sum(
          unit, operation, [&](unsigned i) __attribute__((always_inline)) {
            return at(c, i) - at(b, i);
          });
    } else {
      put_sum(
          unit, operation, [&](unsigned i) __attribute__((always_inline)) {
            return at(c, i) + at(b, i);
          });
    }
  }
  template <typename Function>
  TVP_INLINE static void put_sum(VectorUnit& unit, Op operation, Function sum) {
    const unsigned mod = operation.mod;
    std::uint32_t negative = 0;
    put_each(
        unit, operation.vd, [&](unsigned i) __attribute__((always_inline)) {
          const U32 value = sum(i);
          negative |= Masks::signs(value, i);
          return value;
        });
    if (operation.vd >= 8 || (mod & 0xC) == 4) return;
    const std::uint32_t values = (mod & 4) != 0 ? unit.flags_ : negative;
    unit.set_flags(unit.enabled_, (mod & 8) != 0 ? ~values : values);
  }

  static void set_condition(VectorUnit& unit, Op operation, Cycle) {
    const Lanes& c = (*unit.in_)[operation.vc];
    const bool of_sign = (operation.mod & 2) == 0;
    std::uint32_t values = 0;
    if (of_sign) {
#pragma GCC unroll 4
      for (unsigned i = 0; i < kVectors; ++i) values |= Masks::signs(at(c, i), i);
    } else {
#pragma GCC unroll 4
      for (unsigned i = 0; i < kVectors; ++i)
        values |= Masks::bits(Host::not_zero(Host::integers(at(c, i))), i);
    }
    // Less or not equal; not less or equal.
    unit.set_flags(unit.enabled_, ((operation.mod & 4) != 0 ? ~values : values) & unit.use_flags_);
  }

  /// The smaller value to VD in some lanes, the larger one in the others.
  static void swap(VectorUnit& unit, Op operation, Cycle) {
    if (unit.dest_index_ != 0) return unit.swap(operation);
    const Lanes& in_c = (*unit.in_)[operation.vc];
    const Lanes& in_d = (*unit.in_)[operation.vb];
    const std::uint32_t larger = ~kVdGetsSmaller[operation.mod] ^ unit.exchange_compare_;
#pragma GCC unroll 4
    for (unsigned i = 0; i < kVectors; ++i) {
      const U32 c = at(in_c, i);
      const U32 d = at(in_d, i);
      const Mask smaller = Host::greater(ordered(d), ordered(c));
      const Mask swaps =
          Host::both(Masks::differ(smaller, Masks::of(larger, i)), Masks::of(unit.enabled_, i));
      if (operation.vd < 8) put_where(swaps, unit.lreg_[operation.vd], i, c);
      if (operation.vc < 8) put_where(swaps, unit.lreg_[operation.vc], i, d);
    }
  }
  /// Sign-magnitude integers and FP32 as integers in the same order, with -0 below +0.
  TVP_INLINE static I32 ordered(U32 v) {
    const I32 x = Host::integers(v);
    return x ^ ((x >> 31) & 0x7FFFFFFF);
  }

  /// Rounds to 10 or 7 mantissa bits, to nearest.
  static void round(VectorUnit& unit, Op operation, Cycle) {
    unit.advance_prng();
    if (!writable(operation.vd)) return;
    const std::uint32_t dropped = (operation.mod & 1) != 0 ? 0xFFFF : 0x1FFF;
    const Lanes& c = (*unit.in_)[operation.vc];
    put_each(
        unit, operation.vd, [&](unsigned i) __attribute__((always_inline)) {
          const U32 x = at(c, i);
          const U32 rounded = (x + (dropped / 2 + 1)) & ~dropped;
          const U32 special = x & 0xFF800000;
          const I32 exponent = Host::integers(x & kExponent);
          const Mask is_special = Host::equal(exponent, Host::all(kExponent));
          return Host::where(Host::not_zero(exponent), Host::select(is_special, special, rounded));
        });
  }

  // Four rows of every other column, which are contiguous: a column and its neighbor form one lane.
  static constexpr unsigned kBf16 = 2;
  static constexpr unsigned kRowsOfVector = 4 / kVectors;
  TVP_INLINE static int first_bit(unsigned address) { return (address & 2) != 0 ? 16 : 0; }

  static void load(VectorUnit& unit, Op operation, Cycle now) {
    if (operation.vd >= 8 || unit.resolve_format(operation.mod, operation.thread) != kBf16)
      return unit.load(operation, now);
    const unsigned address = unit.dst_address(kBf16, operation.imm, operation.thread);
    const Dst& dst = unit.registers_.dst;
    const unsigned row = dst.storage16(address & ~3U);
    const bool usual = (unit.enabled_ & ~unit.no_load_) == ~0U && !unit.any_undefined_ &&
                       unit.load_odd_ == 0 && (unit.dest_index_ & unit.capture_index_) == 0;
    if (!usual || !dst.defines_four(row)) return unit.load(operation, now);
    unit.check_readable(address, false, now);
    const int places = first_bit(address);
#pragma GCC unroll 4
    for (unsigned i = 0; i < kVectors; ++i) {
      const U32 x = Host::template load<U32>(dst.storage(row + i * kRowsOfVector).data()) >> places;
      put(unit.lreg_[operation.vd], i, (x & 0x8000) << 16 | (x & 0xFF) << 23 | (x & 0x7F00) << 8);
    }
    apply_addr_mod(unit.registers_.rwc[operation.thread], unit.config_, operation.thread,
                   operation.addr_mod, false);
  }
  static void store(VectorUnit& unit, Op operation, Cycle now) {
    if (operation.scheduled || unit.resolve_format(operation.mod, operation.thread) != kBf16)
      return unit.store(operation, now);
    const unsigned address = unit.dst_address(kBf16, operation.imm, operation.thread);
    Dst& dst = unit.registers_.dst;
    const unsigned row = dst.storage16(address & ~3U);
    const bool usual =
        (unit.enabled_ & ~unit.no_store_) == ~0U && !unit.any_undefined_ && unit.store_odd_ == 0;
    if (!usual || !dst.defines_four(row)) return unit.store(operation, now);
    unit.tell_changes(address, false, now);
    const int places = first_bit(address);
    const std::uint32_t kept = 0xFFFF0000 >> places;
    const Lanes& source = (*unit.in_)[operation.vd];
#pragma GCC unroll 4
    for (unsigned i = 0; i < kVectors; ++i) {
      const U32 x = at(source, i);
      const Mask normal = Host::not_zero(Host::integers(x & kExponent));
      const U32 mantissa = Host::where(normal, (x >> 8) & 0x7F00);
      const U32 value = (mantissa | (x >> 16 & 0x8000) | (x >> 23 & 0xFF)) << places;
      std::uint16_t* const out = dst.storage(row + i * kRowsOfVector).data();
      Host::store(out, (Host::template load<U32>(out) & kept) | value);
    }
    apply_addr_mod(unit.registers_.rwc[operation.thread], unit.config_, operation.thread,
                   operation.addr_mod, false);
  }

  static Effect effect_of(Op operation) {
    const unsigned mod = operation.mod;
    switch (operation.opcode) {
      case Opcode::kSfpmad:
      case Opcode::kSfpadd:
      case Opcode::kSfpmul:
        return (mod & 0xC) == 0 ? multiply_add : nullptr;
      case Opcode::kSfpaddi:
        return (mod & 8) == 0 ? add_immediate : nullptr;
      case Opcode::kSfpmuli:
        return (mod & 8) == 0 ? multiply_immediate : nullptr;
      case Opcode::kSfploadi:
        return load_immediate_in(mod);
      case Opcode::kSfpmov:
        return mod <= 1 ? move : nullptr;
      case Opcode::kSfpshft:
        return (mod & 1) != 0 ? shift_by_immediate : nullptr;
      case Opcode::kSfpiadd:
        return add_integers;
      case Opcode::kSfpsetcc:
        return (mod & 9) == 0 ? set_condition : nullptr;
      case Opcode::kSfpswap:
        return mod >= 1 && mod <= 9 && operation.vb == operation.vd ? swap : nullptr;
      case Opcode::kSfpstochrnd:
        return (mod & 6) == 0 && !stochastic(operation) ? round : nullptr;
      case Opcode::kSfpload:
        return load;
      case Opcode::kSfpstore:
        return store;
      default:
        return nullptr;
    }
  }
  static bool stochastic(Op operation) {
    return regs::tensix::Sfpstochrnd::kStochasticRounding.of(operation.word) != 0;
  }
};

}  // namespace tvp::tensix::coprocessor
