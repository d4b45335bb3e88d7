// The most frequent instructions of the vector unit for machines with AVX-512, a register in two
// vectors of the host. Everything below the pragma is built for such machines only.

#include <array>
#include <cstdint>
#include <cstring>

#include "models/tensix/coprocessor/lane_products.h"
#include "models/tensix/coprocessor/vector_float.h"
#include "models/tensix/coprocessor/vector_immediate.h"
#include "models/tensix/coprocessor/vector_unit.h"

#ifdef __x86_64__
#pragma GCC push_options
#pragma GCC target("avx512f,avx512cd,avx512bw,avx512dq,avx512vl,fma")
#include "models/tensix/coprocessor/lanes_avx512.h"
//
#include "models/tensix/coprocessor/lane_fused.h"

namespace tvp::tensix::coprocessor {

using namespace regs::tensix;

/// Effects do what those of the same names in VectorUnit do; what is not usual they leave to them.
struct VectorUnit::Wide {
  using Op = const Operation&;
  struct Both {
    __m512i low, high;
  };

  TVP_INLINE static Both at(const Lanes& lanes) {
    return {_mm512_loadu_si512(lanes.data()), _mm512_loadu_si512(lanes.data() + kLanes / 2)};
  }
  TVP_INLINE static void put(VectorUnit& unit, unsigned vd, __m512i low, __m512i high) {
    std::uint32_t* const out = unit.lreg_[vd].data();
    const std::uint32_t enabled = unit.enabled_;
    if (enabled == ~0U) {
      _mm512_storeu_si512(out, low);
      _mm512_storeu_si512(out + kLanes / 2, high);
      return;
    }
    // (The host does not pass on what is stored by a mask to a load that follows.)
    const Both old = at(unit.lreg_[vd]);
    _mm512_storeu_si512(out, _mm512_mask_mov_epi32(old.low, lower(enabled), low));
    _mm512_storeu_si512(out + kLanes / 2, _mm512_mask_mov_epi32(old.high, upper(enabled), high));
  }
  /// Both halves by the same function.
  template <typename Function>
  TVP_INLINE static void put_each(VectorUnit& unit, unsigned vd, Function function, Both in) {
    put(unit, vd, function(in.low), function(in.high));
  }
  TVP_INLINE static __mmask16 lower(std::uint32_t lanes) { return static_cast<__mmask16>(lanes); }
  TVP_INLINE static __mmask16 upper(std::uint32_t lanes) {
    return static_cast<__mmask16>(lanes >> 16);
  }
  TVP_INLINE static std::uint32_t joined(__mmask16 low, __mmask16 high) {
    return std::uint32_t{high} << 16 | low;
  }
  TVP_INLINE static __m512i all(std::uint32_t value) {
    return _mm512_set1_epi32(static_cast<int>(value));
  }
  TVP_INLINE static __m512i masked(__m512i v, std::uint32_t bits) {
    return _mm512_and_si512(v, all(bits));
  }

  static void multiply_add(VectorUnit& unit, Op operation, Cycle) {
    const auto& in = *unit.in_;
    if (!writable(operation.vd)) return;
    LaneFused::execute(in[operation.va], in[operation.vb], in[operation.vc], unit.enabled_mask_,
                       unit.lreg_[operation.vd]);
  }
  static void multiply_add_immediate(VectorUnit& unit, Op operation, Cycle) {
    if (!writable(operation.vd)) return;
    Lanes immediate, constant;
    immediate.fill(operation.imm << 16);
    const Lanes& c = (*unit.in_)[operation.vc];
    const bool add = operation.opcode == Opcode::kSfpaddi;
    constant.fill(add ? 0x3F800000 : 0);
    LaneFused::execute(immediate, add ? constant : c, add ? c : constant, unit.enabled_mask_,
                       unit.lreg_[operation.vd]);
  }

  template <std::uint8_t kMode>
  static void load_immediate(VectorUnit& unit, Op operation, Cycle) {
    if (operation.vd >= 8) return;
    Operation known;
    known.mod = kMode;
    known.imm = operation.imm;
    const Immediate immediate = immediate_of(known);
    const __m512i value = all(immediate.value);
    put_each(
        unit, operation.vd,
        [&](__m512i old) __attribute__((always_inline)) {
          return _mm512_or_si512(value, masked(old, immediate.kept));
        },
        at((*unit.in_)[operation.vd]));
  }
  /// A function for each mode: the host does not guess from one to the next which it will be.
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
    const __m512i flip = all(operation.mod != 0 ? 0x80000000 : 0);
    put_each(
        unit, operation.vd,
        [&](__m512i c) __attribute__((always_inline)) { return _mm512_xor_si512(c, flip); },
        at((*unit.in_)[operation.vc]));
  }
  static void shift_by_immediate(VectorUnit& unit, Op operation, Cycle) {
    if (!writable(operation.vd)) return;
    const auto amount = static_cast<std::int32_t>(operation.imm << 20) >> 20;
    const auto places = static_cast<unsigned>(amount >= 0 ? amount : -amount) & 31;
    const Both b = at((*unit.in_)[operation.vb]);
    if (amount >= 0) {
      put(unit, operation.vd, _mm512_slli_epi32(b.low, places), _mm512_slli_epi32(b.high, places));
    } else {
      put(unit, operation.vd, _mm512_srli_epi32(b.low, places), _mm512_srli_epi32(b.high, places));
    }
  }
  static void add_integers(VectorUnit& unit, Op operation, Cycle) {
    if (!writable(operation.vd)) return;
    const unsigned mod = operation.mod;
    const Both c = at((*unit.in_)[operation.vc]);
    Both other;
    if ((mod & 1) != 0) {
      other.low = other.high =
          all(static_cast<std::uint32_t>(static_cast<std::int32_t>(operation.imm << 20) >> 20));
    } else {
      other = at((*unit.in_)[operation.vb]);
    }
    const bool subtracts = (mod & 3) == 2;
    const Both sum = {
        subtracts ? _mm512_sub_epi32(c.low, other.low) : _mm512_add_epi32(c.low, other.low),
        subtracts ? _mm512_sub_epi32(c.high, other.high) : _mm512_add_epi32(c.high, other.high)};
    put(unit, operation.vd, sum.low, sum.high);
    if (operation.vd >= 8 || (mod & 0xC) == 4) return;
    const std::uint32_t values = (mod & 4) != 0 ? unit.flags_ : negative(sum);
    unit.set_flags(unit.enabled_, (mod & 8) != 0 ? ~values : values);
  }
  static void set_condition(VectorUnit& unit, Op operation, Cycle) {
    const Both c = at((*unit.in_)[operation.vc]);
    const bool of_sign = (operation.mod & 2) == 0;
    const std::uint32_t values = of_sign ? negative(c)
                                         : joined(_mm512_test_epi32_mask(c.low, c.low),
                                                  _mm512_test_epi32_mask(c.high, c.high));
    // Less, not equal; not less, equal.
    unit.set_flags(unit.enabled_, ((operation.mod & 4) != 0 ? ~values : values) & unit.use_flags_);
  }
  TVP_INLINE static std::uint32_t negative(Both v) {
    return joined(_mm512_movepi32_mask(v.low), _mm512_movepi32_mask(v.high));
  }

  /// The smaller value to VD in some lanes, the larger one in the others.
  static void swap(VectorUnit& unit, Op operation, Cycle) {
    if (unit.dest_index_ != 0) return unit.swap(operation);
    const Both c = at((*unit.in_)[operation.vc]);
    const Both d = at((*unit.in_)[operation.vb]);
    const auto ordered = [](__m512i x) __attribute__((always_inline)) {
      return _mm512_xor_si512(x, masked(_mm512_srai_epi32(x, 31), 0x7FFFFFFF));
    };
    const std::uint32_t smaller = joined(_mm512_cmplt_epi32_mask(ordered(c.low), ordered(d.low)),
                                         _mm512_cmplt_epi32_mask(ordered(c.high), ordered(d.high)));
    const std::uint32_t swaps = smaller ^ ~kVdGetsSmaller[operation.mod] ^ unit.exchange_compare_;
    const auto put_where_it_swaps = [&](unsigned vd, const Both& kept, const Both& other)
        __attribute__((always_inline)) {
      if (vd >= 8) return;
      put(unit, vd, _mm512_mask_mov_epi32(kept.low, lower(swaps), other.low),
          _mm512_mask_mov_epi32(kept.high, upper(swaps), other.high));
    };
    put_where_it_swaps(operation.vd, d, c);
    put_where_it_swaps(operation.vc, c, d);
  }

  /// To 10 or 7 bits of mantissa, to nearest.
  static void round(VectorUnit& unit, Op operation, Cycle) {
    if (!writable(operation.vd)) return;
    const std::uint32_t dropped = (operation.mod & 1) != 0 ? 0xFFFF : 0x1FFF;
    put_each(
        unit, operation.vd,
        [&](__m512i x) __attribute__((always_inline)) {
          const __m512i infinity = all(0x7F800000);
          const __m512i exponent = _mm512_and_si512(x, infinity);
          const __m512i rounded = masked(_mm512_add_epi32(x, all(dropped / 2 + 1)), ~dropped);
          const __m512i special = masked(x, 0xFF800000);
          return _mm512_maskz_mov_epi32(
              _mm512_test_epi32_mask(exponent, exponent),
              _mm512_mask_mov_epi32(rounded, _mm512_cmpeq_epi32_mask(exponent, infinity), special));
        },
        at((*unit.in_)[operation.vc]));
  }

  // Four rows of every other column, which lie side by side: a column and its neighbor are one
  // lane.
  static constexpr unsigned kBf16 = 2;
  TVP_INLINE static unsigned first_bit(unsigned address) { return (address & 2) != 0 ? 16 : 0; }

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
    const unsigned places = first_bit(address);
    const auto value_of = [places](const Dst::Row& rows) __attribute__((always_inline)) {
      const __m512i x = _mm512_srli_epi32(_mm512_loadu_si512(&rows), places);
      return _mm512_or_si512(_mm512_or_si512(_mm512_slli_epi32(masked(x, 0x8000), 16),
                                             _mm512_slli_epi32(masked(x, 0xFF), 23)),
                             _mm512_slli_epi32(masked(x, 0x7F00), 8));
    };
    std::uint32_t* const out = unit.lreg_[operation.vd].data();
    _mm512_storeu_si512(out, value_of(dst.storage(row)));
    _mm512_storeu_si512(out + kLanes / 2, value_of(dst.storage(row + 2)));
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
    const unsigned places = first_bit(address);
    const __m512i kept = all(0xFFFF0000 >> places);
    const auto change = [&](Dst::Row & rows, __m512i x) __attribute__((always_inline)) {
      const __mmask16 normal = _mm512_test_epi32_mask(x, all(0x7F800000));
      const __m512i mantissa = _mm512_maskz_and_epi32(normal, _mm512_srli_epi32(x, 8), all(0x7F00));
      const __m512i sign = masked(_mm512_srli_epi32(x, 16), 0x8000);
      const __m512i exponent = masked(_mm512_srli_epi32(x, 23), 0xFF);
      const __m512i value =
          _mm512_slli_epi32(_mm512_or_si512(_mm512_or_si512(mantissa, sign), exponent), places);
      const __m512i old = _mm512_and_si512(_mm512_loadu_si512(&rows), kept);
      _mm512_storeu_si512(&rows, _mm512_or_si512(old, value));
    };
    const Both source = at((*unit.in_)[operation.vd]);
    change(dst.storage(row), source.low);
    change(dst.storage(row + 2), source.high);
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
      case Opcode::kSfpmuli:
        return (mod & 8) == 0 ? multiply_add_immediate : nullptr;
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
        return (mod & 6) == 0 && Sfpstochrnd::kStochasticRounding.of(operation.word) == 0 ? round
                                                                                          : nullptr;
      case Opcode::kSfpload:
        return load;
      case Opcode::kSfpstore:
        return store;
      default:
        return nullptr;
    }
  }
};

}  // namespace tvp::tensix::coprocessor
#pragma GCC pop_options

namespace tvp::tensix::coprocessor {

VectorUnit::Effect VectorUnit::wide_effect_of(const Operation& operation) {
  static const bool has = LaneProducts::avx512() != nullptr;
  return has ? Wide::effect_of(operation) : nullptr;
}

}  // namespace tvp::tensix::coprocessor
#else
namespace tvp::tensix::coprocessor {

VectorUnit::Effect VectorUnit::wide_effect_of(const Operation&) { return nullptr; }

}  // namespace tvp::tensix::coprocessor
#endif
