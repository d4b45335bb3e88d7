#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

// The matrix unit's arithmetic after models/tensix/coprocessor/matrix_arithmetic.md, datum by datum
// in integers. Words are in ordinary order (sign, exponent, mantissa).
namespace matrix_oracle {

enum class Style { kBf16, kTf32, kFp16, kInt8 };
enum class Instruction { kMvmul, kElwmul, kElwadd, kElwsub };

struct Setup {
  Style a = Style::kBf16;
  Style b = Style::kBf16;
  bool dst32 = false;
  unsigned phase = 0;
  bool add_dst = true;
  bool flush_b = true;
};

struct Src {
  bool negative = false;
  int exponent = 0;
  int mantissa = 0;  ///< ten bits
};
struct Pair {
  Src a, b;
};
struct Term {
  std::int64_t e = 0;
  std::int64_t s = 0;
};

inline std::int64_t floor_div(std::int64_t v, std::int64_t by) {
  const std::int64_t quotient = v / by;
  return v % by < 0 ? quotient - 1 : quotient;
}
/// floor(v / 2^d + 1/2)
inline std::int64_t up(std::int64_t v, std::int64_t d) {
  if (d > 40) return 0;  // |v| < 2^39
  const std::int64_t two_units = std::int64_t{2} << d;
  return floor_div(2 * v + (std::int64_t{1} << d), two_units);
}
inline std::int64_t away(std::int64_t v, std::int64_t d) { return v < 0 ? -up(-v, d) : up(v, d); }

class Datum {
 public:
  explicit Datum(const Setup& setup) : setup_(setup) {}

  /// MVMUL, DOTPV, GAPOOL of sixteen pairs.
  std::uint32_t multiply(const std::vector<Pair>& pairs, std::uint32_t dst) const {
    Term groups[2];
    for (unsigned g = 0; g < 2; ++g) {
      std::array<Term, 8> products;
      for (unsigned k = 0; k < 8; ++k) products[k] = product(pairs[8 * g + k], true);
      groups[g] = group(products);
    }
    return accumulate(groups[0], groups[1], dst);
  }

  std::uint32_t elementwise(Instruction instruction, const Pair& pair, std::uint32_t dst) const {
    if (instruction == Instruction::kElwmul) {
      const Term p = product(pair, setup_.flush_b);
      const bool zero = is_zero(pair.a, true) || is_zero(pair.b, setup_.flush_b);
      if (zero || p.e <= 0) return accumulate({z(), 0}, {}, dst);
      return accumulate({p.e, p.s * 8192}, {}, dst);
    }
    return add(pair, instruction == Instruction::kElwsub, dst);
  }

 private:
  bool fp16() const { return setup_.a == Style::kFp16; }
  std::int64_t phase_shift() const {
    static constexpr std::int64_t shifts[] = {0, 5, 7, 12};
    return shifts[setup_.phase];
  }
  std::int64_t k() const { return (!fp16() ? -127 : setup_.dst32 ? 97 : -15) - phase_shift(); }
  std::int64_t z() const { return std::max<std::int64_t>(k(), 0); }
  static bool is_zero(const Src& x, bool flush) { return flush && x.exponent == 0; }
  static int n_of(const Src& x, Style style) {
    return 1024 + (style == Style::kBf16 ? x.mantissa / 8 * 8 : x.mantissa);
  }

  Term product(const Pair& pair, bool flush_b) const {
    if (is_zero(pair.a, true) || is_zero(pair.b, flush_b)) return {z(), 0};
    const int n_a = n_of(pair.a, setup_.a);
    const int n_b = n_of(pair.b, setup_.b);
    const int alpha = setup_.phase % 2 == 0 ? n_a / 64 : n_a / 2 % 32;
    const int beta = setup_.phase < 2 ? n_b / 16 : 8 * (n_b % 16);
    const int p = alpha * beta;
    return {pair.a.exponent + pair.b.exponent + k(), pair.a.negative != pair.b.negative ? -p : p};
  }

  static Term group(const std::array<Term, 8>& products) {
    std::int64_t g = products[0].e;
    for (const Term& each : products) g = std::max(g, each.e);
    if (g <= 0) return {};
    std::int64_t sum = 0;
    for (const Term& each : products) sum += away(each.s, g - each.e);
    return {g, 8192 * sum};
  }

  std::uint32_t add(const Pair& pair, bool subtract, std::uint32_t dst) const {
    const bool negative_b = pair.b.negative != subtract;
    const int n_a = pair.a.exponent == 0 ? 0 : n_of(pair.a, setup_.a);
    int n_b = n_of(pair.b, setup_.b);
    if (pair.b.exponent == 0 && (setup_.flush_b || (!negative_b && n_b == 1024))) n_b = 0;
    const std::int64_t g = std::max(pair.a.exponent, pair.b.exponent);
    const std::int64_t sum = away(pair.a.negative ? -n_a : n_a, g - pair.a.exponent) +
                             away(negative_b ? -n_b : n_b, g - pair.b.exponent);
    const std::int64_t shift = phase_shift();
    if (!fp16() || !setup_.dst32) {
      // Beyond phase 0: assumed, as in ELWMUL.
      if (shift != 0 && g <= shift) return accumulate({}, {}, dst);
      return accumulate({g - shift, sum * 8192}, {}, dst);
    }
    return accumulate({(g == 0 ? 97 : g + 112) - shift, sum * 8192}, {}, dst);
  }

  std::uint32_t accumulate(Term first, Term second, std::uint32_t word) const {
    const int width = setup_.dst32 ? 23 : fp16() ? 10 : 7;
    const int exponent_bits = !setup_.dst32 && fp16() ? 5 : 8;
    const auto exponent_of_dst =
        static_cast<std::int64_t>(word >> width & ((1u << exponent_bits) - 1));
    const std::int64_t m = word & ((1u << width) - 1);
    std::int64_t e_dst = 0;
    std::int64_t d = 0;
    if (setup_.add_dst && exponent_of_dst != 0) {
      e_dst = exponent_of_dst;
      d = (1 << 23) + m * (1 << (23 - width));
      if ((word >> (width + exponent_bits)) != 0) d = -d;
    }
    const std::int64_t e = std::max({first.e, second.e, e_dst});  // 1
    if (e <= 0) return 0;
    first.s = up(first.s, e - first.e);  // 2
    second.s = up(second.s, e - second.e);
    d = away(d, e - e_dst);
    if (!setup_.dst32) {  // 3
      first.s = 8192 * up(first.s, 13);
      second.s = 8192 * up(second.s, 13);
      d = 8192 * away(d, 13);
    }
    const std::int64_t t = first.s + second.s + d;  // 4
    if (t == 0) return 0;                           // 5
    const std::uint32_t sign = t < 0 ? 1u << (width + exponent_bits) : 0;
    std::int64_t x = e + 4;
    std::int64_t mantissa = 0;
    if (!setup_.dst32 || t != -1) {  // 6 and 7
      int h = 0;
      while ((std::int64_t{2} << h) <= std::abs(t)) ++h;
      x = e + h - 23;
      std::int64_t significand = std::abs(t);
      significand = h > width ? up(significand, h - width) : significand << (width - h);
      if (significand == std::int64_t{2} << width) {
        significand /= 2;
        ++x;
      }
      mantissa = significand - (std::int64_t{1} << width);
    }
    if (x <= 0) return 0;  // 8
    if (exponent_bits == 8 && x >= 255) return sign | 255u << width;
    if (exponent_bits == 5 && x >= 32) return sign | ((1u << (width + exponent_bits)) - 1);
    return sign | static_cast<std::uint32_t>(x << width) | static_cast<std::uint32_t>(mantissa);
  }

  const Setup& setup_;
};

}  // namespace matrix_oracle
