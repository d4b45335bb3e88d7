#pragma once

// Thread 1: the derivatives of ln gamma(x). They are kShift terms of their sums and the
// Euler-Maclaurin series of the rest at x + kShift. Bounds are for x > 0. Below zero digamma is
// valid down to -kShift.

#include "firmware/llk/sfpu/sfpu_math.h"

namespace tvp::llk::sfpu {

inline constexpr unsigned kGammaShift = 6;

/// LReg 1 = 1 / LReg 0. Changes LReg 2 to 4.
inline void reciprocal_of_argument() { reciprocal<0x7F80, 0, 1, 2, 3, 4>(); }

/// LReg 7 += p^`power` for p = 1 / (x + k) of all terms; LReg 0 becomes x + kGammaShift.
inline void add_powers(unsigned power) {
  for (unsigned k = 0; k < kGammaShift; ++k) {
    reciprocal_of_argument();
    mov<1, 2>();
    for (unsigned i = 1; i < power; ++i) mad_wait<2, 1, kZero, 2>();
    mad_wait<7, kOne, 2, 7>();
    mad_wait<0, kOne, kOne, 0>();
  }
}

/// ln y - 1/2y - 1/12y^2 + 1/120y^4 - 1/252y^6 at y = x + 6, minus the terms: 3e-6 absolute, 2e-6
/// relative.
inline void digamma_program() {
  loadi<7, kBf16, 0>();
  add_powers(1);
  reciprocal_of_argument();
  mov<1, 6>();
  mad_wait<6, 6, kZero, 5>();
  polynomial<1, 5, 2, 0.0833333333f, -0.00833333333f, 0.00396825397f>();
  mad_wait<1, 5, 7, 7>();
  loadi<1, kBf16, 0x3F00>();
  mad_wait<6, 1, 7, 7>();
  log_program();
  mad_wait<7, kMinusOne, 0, 0>();
}

/// Coefficients of an order's series: 1 / n, and those of y^-n-2, y^-n-4 and y^-n-6.
struct PolygammaTail {
  Word first, second, fourth, sixth;
};
inline constexpr unsigned kPolygammaOrders = 11;
consteval PolygammaTail polygamma_tail(double n) {
  const double third = (n + 1) * (n + 2) * (n + 3);
  return {bits(static_cast<float>(1 / n)), bits(static_cast<float>((n + 1) / 12)),
          bits(static_cast<float>(-third / 720)),
          bits(static_cast<float>(third * (n + 4) * (n + 5) / 30240))};
}
inline constexpr PolygammaTail kPolygammaTails[kPolygammaOrders] = {
    polygamma_tail(1), polygamma_tail(2),  polygamma_tail(3), polygamma_tail(4),
    polygamma_tail(5), polygamma_tail(6),  polygamma_tail(7), polygamma_tail(8),
    polygamma_tail(9), polygamma_tail(10), polygamma_tail(11)};

/// `scale` times the sum of (x + k)^-n-1 over all k, 1 <= n <= 11: 1e-5.
inline void polygamma_program(unsigned n, Word scale) {
  const PolygammaTail& tail = kPolygammaTails[n - 1];
  loadi<7, kBf16, 0>();
  add_powers(n + 1);
  reciprocal_of_argument();
  mov<1, 6>();
  for (unsigned i = 1; i < n; ++i) mad_wait<6, 1, kZero, 6>();  // y^-n
  mad_wait<1, 1, kZero, 5>();
  variable<2>(tail.sixth);
  variable<3>(tail.fourth);
  mad_wait<2, 5, 3, 2>();
  variable<3>(tail.second);
  mad_wait<2, 5, 3, 2>();
  loadi<3, kBf16, 0x3F00>();
  mad_wait<2, 1, 3, 2>();
  variable<3>(tail.first);
  mad_wait<2, 1, 3, 2>();
  mad_wait<6, 2, 7, 0>();
  variable<1>(scale);
  mad_wait<0, 1, kZero, 0>();
}

}  // namespace tvp::llk::sfpu
