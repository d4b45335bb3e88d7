#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "foundation/regs/tensix_opcodes.h"
#include "models/tensix/coprocessor/vector/vector_float.h"

// The vector unit after its pages (ISA TensixCoprocessor/SFP*.md), lane by lane.
namespace vector_oracle {

using tvp::regs::tensix::Opcode;
using tvp::regs::tensix::opcode_of;
using tvp::tensix::coprocessor::vector_multiply_add;  // vector_float_test.cpp has its oracle
using Word = std::uint32_t;

constexpr unsigned kLanes = 32, kRows = 1024, kColumns = 16;
constexpr Word kSign = 0x80000000;

class Machine {
 public:
  struct Flags {
    std::array<bool, kLanes> flags{}, use{};
  };

  Machine() {
    l_[8].fill(std::bit_cast<Word>(0.8373F));
    l_[10].fill(std::bit_cast<Word>(1.0F));
    for (unsigned lane = 0; lane < kLanes; ++lane) l_[15][lane] = 2 * lane;
  }
  void seed(Word value) {
    for (unsigned lane = 0; lane < kLanes; ++lane)
      prng_[lane] = std::rotl(value, static_cast<int>(lane));
  }
  std::array<std::array<std::uint16_t, kColumns>, kRows> dst{};
  const std::array<Word, kLanes>& lreg(unsigned index) const { return l_[index]; }
  std::size_t stack_size() const { return stack_.size(); }
  bool enabled(unsigned lane) const {
    if ((config_[lane % 8] >> (12 + lane / 8) & 1) != 0) return false;
    return !f_.use[lane] || f_.flags[lane];
  }

  void execute(Word word) {
    word_ = word;
    before_ = l_;
    vd_ = word >> 4 & 15;
    vc_ = word >> 8 & 15;
    mod_ = word & 15;
    imm_ = word >> 12 & 0xFFF;
    switch (opcode_of(word)) {
      case Opcode::kSfpload:
      case Opcode::kSfpstore:
        return access(opcode_of(word) == Opcode::kSfpload);
      case Opcode::kSfpconfig:
        return configure();
      case Opcode::kSfpencc:
        for (unsigned i = 0; i < kLanes; ++i) {
          f_.use[i] = (mod_ & 2) != 0 ? (imm_ & 1) != 0 : f_.use[i] != ((mod_ & 1) != 0);
          f_.flags[i] = (mod_ & 8) == 0 || (imm_ & 2) != 0;
        }
        return;
      case Opcode::kSfppushc:
        return stack_.push_back(f_);
      case Opcode::kSfppopc:
        return pop();
      case Opcode::kSfpcompc:
        for (unsigned i = 0; i < kLanes; ++i) {
          const bool top = stack_.empty() || stack_.back().flags[i];
          const bool uses = stack_.empty() || stack_.back().use[i];
          f_.flags[i] = uses && f_.use[i] && top && !f_.flags[i];
        }
        return;
      case Opcode::kSfptransp:
        return transpose();
      case Opcode::kSfpshft2:
        if (mod_ < 5) return shuffle();
        break;
      default:
        break;
    }
    std::array<bool, kLanes> active{};
    for (unsigned lane = 0; lane < kLanes; ++lane) active[lane] = enabled(lane);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const bool all = opcode_of(word) == Opcode::kSfpmov && (mod_ & 11) == 2;
      if (active[lane] || all) of_lane(opcode_of(word), lane);
    }
  }

 private:
  Word draw(unsigned lane) {
    const Word drawn = prng_[lane];
    const unsigned ones = (drawn & 1) + (drawn >> 1 & 1) + (drawn >> 21 & 1) + (drawn >> 31);
    prng_[lane] = (ones % 2 == 0 ? kSign : 0) | drawn >> 1;
    return drawn;
  }
  void put(unsigned vd, unsigned lane, Word value) {
    if (vd < 8) l_[vd][lane] = value;
  }
  /// Writes the instruction's register, or the one that LReg7 names.
  void put_product(unsigned lane, unsigned mod, Word value) {
    put((mod & 8) != 0 ? before_[7][lane] & 15 : vd_, lane, value);
  }
  void set_flag(unsigned lane, bool value, bool keeps, bool inverts) {
    if (!keeps) f_.flags[lane] = value;
    if (inverts) f_.flags[lane] = !f_.flags[lane];
  }
  static Word shift(Word x, int by) {
    return by >= 0 ? x << (by % 32) : x >> (static_cast<Word>(-static_cast<long>(by)) % 32);
  }
  int signed_imm() const { return static_cast<int>(imm_) - ((imm_ & 0x800) != 0 ? 0x1000 : 0); }
  static bool negative(Word x) { return (x & kSign) != 0; }

  void of_lane(Opcode opcode, unsigned lane) {
    const auto& r = before_;
    const Word c = r[vc_][lane], d = r[vd_][lane];
    const auto with = [&](Word exponent, Word mantissa_of) {
      return (c & kSign) | (exponent & 0xFF) << 23 | (mantissa_of & 0x7FFFFF);
    };
    const Word exponent = c >> 23 & 0xFF;
    switch (opcode) {
      case Opcode::kSfpand:
        return put(vd_, lane, d & c);
      case Opcode::kSfpor:
        return put(vd_, lane, d | c);
      case Opcode::kSfpxor:
        return put(vd_, lane, d ^ c);
      case Opcode::kSfpnot:
        return put(vd_, lane, ~c);
      case Opcode::kSfpabs: {
        // -NaN stays negative; -infinity does not (text of the page).
        const bool nan = (c & 0x7FFFFFFF) > 0x7F800000;
        const Word positive = (mod_ & 1) != 0 ? (nan ? c : c & 0x7FFFFFFF) : 0u - c;
        return put(vd_, lane, negative(c) ? positive : c);
      }
      case Opcode::kSfpshft:
        return put(vd_, lane, shift(d, (mod_ & 1) != 0 ? signed_imm() : static_cast<int>(c)));
      case Opcode::kSfpshft2: {
        const Word b = r[imm_ & 15][lane];
        return put(vd_, lane, shift(b, mod_ == 6 ? signed_imm() : static_cast<int>(c)));
      }
      case Opcode::kSfpiadd: {
        if (vd_ >= 8) return;
        const Word sum = (mod_ & 1) != 0   ? c + static_cast<Word>(signed_imm())
                         : (mod_ & 2) != 0 ? c - d
                                           : c + d;
        put(vd_, lane, sum);
        return set_flag(lane, negative(sum), (mod_ & 4) != 0, (mod_ & 8) != 0);
      }
      case Opcode::kSfplz: {
        if (vd_ >= 8) return;
        Word x = (mod_ & 4) != 0 ? c & 0x7FFFFFFF : c;
        set_flag(lane, x != 0, (mod_ & 2) == 0, (mod_ & 8) != 0);
        Word zeros = 32;
        for (; x != 0; x >>= 1) --zeros;
        return put(vd_, lane, zeros);
      }
      case Opcode::kSfpexexp: {
        if (vd_ >= 8) return;
        const Word result = exponent - ((mod_ & 1) != 0 ? 0 : 127);
        put(vd_, lane, result);
        return set_flag(lane, negative(result), (mod_ & 2) == 0, (mod_ & 8) != 0);
      }
      case Opcode::kSfpexman:
        return put(vd_, lane, (c % 0x800000) + ((mod_ & 1) != 0 ? 0 : 0x800000));
      case Opcode::kSfpsetexp:
        return put(vd_, lane, with((mod_ & 1) != 0 ? imm_ : (mod_ & 2) != 0 ? d >> 23 : d, c));
      case Opcode::kSfpsetman:
        return put(vd_, lane, with(exponent, (mod_ & 1) != 0 ? imm_ << 11 : d));
      case Opcode::kSfpsetsgn: {
        const bool sign = (mod_ & 1) != 0 ? (imm_ & 1) != 0 : negative(d);
        return put(vd_, lane, (c & 0x7FFFFFFF) + (sign ? kSign : 0));
      }
      case Opcode::kSfpdivp2: {
        const bool kept = (mod_ & 1) != 0 && exponent == 255;
        return put(vd_, lane, kept ? c : with((mod_ & 1) != 0 ? exponent + imm_ : imm_, c));
      }
      case Opcode::kSfpcast:
        return put(vd_, lane, cast(c, lane));
      case Opcode::kSfpmov:
        return put(vd_, lane, (mod_ & 8) != 0 ? special(lane) : c ^ ((mod_ & 1) != 0 ? kSign : 0));
      case Opcode::kSfpsetcc: {
        const bool tests[] = {negative(c), false, c != 0, false, !negative(c), false, c == 0};
        const bool value = (mod_ & 8) != 0   ? false
                           : (mod_ & 1) != 0 ? (imm_ & 1) != 0
                                             : tests[mod_ & 6];
        f_.flags[lane] = f_.use[lane] && value;
        return;
      }
      case Opcode::kSfpswap:
        return swap(lane, c, d);
      case Opcode::kSfpstochrnd:
        return put(vd_, lane, rounded(c, lane));
      case Opcode::kSfploadi:
        return load_immediate(lane);
      default:
        return product(opcode, lane);
    }
  }

  void product(Opcode opcode, unsigned lane) {
    const auto& r = before_;
    const Word wide = (word_ >> 8 & 0xFFFF) << 16;
    const Word size = r[3][lane] & 0x7FFFFFFF;
    const unsigned third = size < 0x3F800000 ? 0 : size < 0x40000000 ? 1 : 2;
    switch (opcode) {
      case Opcode::kSfpaddi:
        return put_product(lane, mod_, vector_multiply_add(wide, 0x3F800000, r[vd_][lane]));
      case Opcode::kSfpmuli:
        return put_product(lane, mod_, vector_multiply_add(wide, r[vd_][lane], 0));
      case Opcode::kSfplut: {
        const auto of = [](Word x) -> Word {
          x &= 0xFF;
          if (x == 0xFF) return 0;
          const double value = (1 + (x & 15) / 16.0) * std::ldexp(1, -static_cast<int>(x >> 4 & 7));
          return std::bit_cast<Word>(static_cast<float>(x >= 128 ? -value : value));
        };
        vd_ = word_ >> 20 & 15;
        const Word pair = r[third][lane];
        return put_line(lane, word_ >> 16 & 15, of(pair >> 8), of(pair));
      }
      case Opcode::kSfplutfp32: {
        const auto of = [](Word x) -> Word {
          x &= 0xFFFF;
          const int e = static_cast<int>(x >> 10 & 31);
          const double value = e == 31 ? 0 : std::ldexp(1 + (x & 1023) / 1024.0, e - 15);
          // A zero keeps its mantissa, like a denormal that counts as zero.
          const Word bits = std::bit_cast<Word>(static_cast<float>(value)) | (x >> 15) << 31;
          return e == 31 ? bits | (x & 1023) << 13 : bits;
        };
        if ((mod_ & 2) == 0) return put_line(lane, mod_, r[third][lane], r[4 + third][lane]);
        if ((mod_ & 8) != 0)
          return put_line(lane, mod_, of(r[third][lane] >> 16), of(r[third][lane]));
        const double x = std::bit_cast<float>(size);
        const double cuts[] = {0.5, 1.5, (mod_ & 1) != 0 ? 4.0 : 3.0};
        const unsigned half = x < cuts[third] ? 0 : 16;
        return put_line(lane, mod_, of(r[third][lane] >> half), of(r[4 + third][lane] >> half));
      }
      default: {
        const unsigned va = (mod_ & 4) != 0 ? r[7][lane] & 15 : word_ >> 16 & 15;
        return put_product(lane, mod_,
                           vector_multiply_add(r[va][lane], r[imm_ & 15][lane], r[vc_][lane]));
      }
    }
  }
  void put_line(unsigned lane, unsigned mod, Word slope, Word offset) {
    const Word x = before_[3][lane];
    const Word y = vector_multiply_add(slope, x & 0x7FFFFFFF, offset);
    put_product(lane, mod, (mod & 4) != 0 ? (y & 0x7FFFFFFF) | (x & kSign) : y);
  }

  Word cast(Word c, unsigned lane) {
    const Word sign = c & kSign, size = c & 0x7FFFFFFF;
    const bool stochastic = (mod_ & 1) != 0;
    const Word drawn = stochastic ? draw(lane) >> 9 & 0xFE : 0;
    if (!stochastic || size < 1 << 24)  // the host rounds to nearest, ties to even
      return sign | std::bit_cast<Word>(static_cast<float>(size));
    const int places = std::ilogb(static_cast<double>(size)) - 23;
    const Word kept = size >> places << places;
    const Word lost = (size - kept) << (8 - places);
    return (sign | std::bit_cast<Word>(static_cast<float>(kept))) + ((lost & 0xFE) > drawn ? 1 : 0);
  }
  Word special(unsigned lane) {
    if (vc_ < 9) return macro_[vc_][lane % 8];
    return vc_ == 9 ? draw(lane) : vc_ == 15 ? config_[lane % 8] : 0;
  }
  /// SFPSTOCHRND compares a fraction with 23 random bits, or with a half.
  Word rounded(Word c, unsigned lane) {
    const Word drawn = draw(lane) % 0x800000;
    const Word threshold = (word_ >> 21 & 1) != 0 ? drawn : 0x400000;
    const unsigned mode = mod_ & 7;
    const double size = std::bit_cast<float>(c & 0x7FFFFFFF);
    if (mode < 2) {
      if ((c & 0x7F800000) == 0) return 0;
      if ((c & 0x7F800000) == 0x7F800000) return c & 0xFF800000;
      const unsigned places = mode == 0 ? 13 : 16;
      const Word lost = c % (1u << places);
      return c - lost + (lost >= threshold >> (23 - places) ? 1u << places : 0);
    }
    const Word most[] = {0, 0, 255, 127, 255, 127, 65535, 32767};
    Word whole, fraction;  // in units of 2^-23
    if (mode == 4 || mode == 5) {
      const unsigned by = (mod_ & 8) != 0 ? word_ >> 16 & 31 : before_[imm_ & 15][lane] & 31;
      const double scaled = std::ldexp(c & 0x7FFFFFFF, -static_cast<int>(by));
      whole = static_cast<Word>(scaled);
      fraction = static_cast<Word>((scaled - std::floor(scaled)) * 0x1p23);
    } else {
      if (size < 0.5) return 0;
      if (!(size < 65536)) return most[mode] | (mode % 2 != 0 ? c & kSign : 0);
      whole = static_cast<Word>(size);
      fraction = static_cast<Word>((size - std::floor(size)) * 0x1p23);
    }
    const Word result = std::min(whole + (fraction >= threshold ? 1 : 0), most[mode]);
    return result | (mode % 2 != 0 && result != 0 ? c & kSign : 0);
  }
  void load_immediate(unsigned lane) {
    const unsigned vd = word_ >> 20 & 15;
    const Word imm = word_ & 0xFFFF;
    if (vd >= 8) return;
    Word& x = l_[vd][lane];
    switch (word_ >> 16 & 15) {
      case 0:
        x = imm * 65536;
        break;
      case 1:
        x = (imm >> 15) * kSign + ((imm >> 10 & 31) + 112) * 0x800000 + imm % 1024 * 8192;
        break;
      case 2:
        x = imm;
        break;
      case 4:
        x = static_cast<Word>(static_cast<std::int16_t>(imm));
        break;
      case 8:
        x = imm * 65536 + x % 65536;
        break;
      default:
        x = x / 65536 * 65536 + imm;
    }
  }
  void swap(unsigned lane, Word c, Word d) {
    const auto order = [](Word x) {
      const auto size = static_cast<std::int64_t>(x & 0x7FFFFFFF);
      return negative(x) ? -1 - size : size;
    };
    constexpr unsigned kRowsOfSmaller[] = {0, 15, 3, 5, 9, 1, 2, 4, 8, 0};
    const Word config = config_[lane % 8];
    const bool smaller = (kRowsOfSmaller[mod_] >> lane / 8 & 1) != 0;
    bool swaps = smaller ? order(c) < order(d) : order(c) >= order(d);
    if ((config >> 8 & 1) != 0) swaps = !swaps;
    if (mod_ != 0 && !swaps) return;
    if ((config >> 2 & 1) == 0) {
      put(vc_, lane, d);
      return put(vd_, lane, c);
    }
    if (vc_ < 4) put(vc_, lane, d);
    if (vd_ < 4) put(vd_, lane, c);
    put(4 + vc_ % 4, lane, before_[4 + vd_ % 4][lane]);
    put(4 + vd_ % 4, lane, before_[4 + vc_ % 4][lane]);
  }
  void shuffle() {
    if (mod_ == 2 || mod_ == 3) {
      for (unsigned lane = 0; lane < kLanes; ++lane) rotated_[lane] = before_[vc_][lane];
    }
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (!enabled(lane)) continue;
      const Word right = before_[vc_][lane % 8 != 0 ? lane - 1 : lane + 7];
      if (mod_ < 3) {
        for (unsigned i = 0; i < 3; ++i) l_[i][lane] = before_[i + 1][lane];
        l_[3][lane] = mod_ == 2 ? right : mod_ == 1 && lane < 24 ? before_[0][lane + 8] : 0;
      } else {
        put(vd_, lane, mod_ == 4 && lane % 8 == 0 ? rotated_[lane + 7] : right);
      }
    }
  }
  void transpose() {
    for (unsigned base : {0u, 4u}) {
      for (unsigned i = 0; i < 4; ++i) {
        for (unsigned lane = 0; lane < kLanes; ++lane) {
          if (enabled(lane)) l_[base + i][lane] = before_[base + lane / 8][i * 8 + lane % 8];
        }
      }
    }
  }
  void pop() {
    const Flags top = stack_.empty() ? Flags{} : stack_.back();
    if (mod_ == 0) stack_.pop_back();
    for (unsigned i = 0; i < kLanes; ++i) {
      const bool a = f_.flags[i], b = top.flags[i];
      const bool results[] = {b,       b,       !b,      a && b,   a || b,   a && !b,
                              a || !b, !a && b, !a || b, !a && !b, !a || !b, a != b,
                              a == b,  !a,      true,    false};
      f_.flags[i] = results[mod_];
      if (mod_ != 13) f_.use[i] = mod_ > 13 || top.use[i];
    }
  }
  void configure() {
    const Word imm = word_ >> 8 & 0xFFFF;
    for (unsigned column = 0; column < 8; ++column) {
      if ((mod_ & 8) != 0 && (imm >> 2 * column & 1) == 0) continue;
      if (f_.use[column] && !f_.flags[column]) continue;
      const Word given = before_[0][column];
      const Word value = (mod_ & 1) != 0 ? imm : given;
      const auto mixed = [&](Word old, Word mask) {
        const Word x = value & mask;
        return (mod_ & 6) == 0   ? x
               : (mod_ & 6) == 2 ? old | x
               : (mod_ & 6) == 4 ? old & x
                                 : old ^ x;
      };
      if (vd_ < 8) macro_[vd_][column] = vd_ < 4 ? given : value;
      if (vd_ == 8) macro_[8][column] = mixed(macro_[8][column], 0xFFF);
      if (vd_ == 15) {
        const Word high = (mod_ & 1) != 0 ? config_[column] & 0x30000 : 0;
        config_[column] = mixed(config_[column], 0x3FFFF) | high;
      }
      if (vd_ < 11 || vd_ == 15) continue;
      constexpr float kConstants[] = {-1.0F, 1 / 512.0F, -0.67487759F, -0.34484843F};
      for (unsigned lane = column; lane < kLanes; lane += 8)
        l_[vd_][lane] = (mod_ & 1) != 0 ? std::bit_cast<Word>(kConstants[vd_ - 11]) : given;
    }
  }

  // ---- Dst --------------------------------------------------------------------------------------

  static unsigned adjusted(unsigned row) { return (row & 0x1F8) << 1 | (row & 0x207); }
  static Word in_order16(Word x) { return (x & 0x8000) | (x & 0xFF) << 7 | (x >> 8 & 0x7F); }
  static Word as_stored16(Word x) { return (x & 0x8000) | (x & 0x7F) << 8 | (x >> 7 & 0xFF); }

  void access(bool loads) {
    const unsigned vd = word_ >> 20 & 15, mode = word_ >> 16 & 15, address = word_ & 0x3FF;
    const unsigned format = mode == 0 ? 2 : mode;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const Word config = config_[lane % 8];
      if ((config >> (loads ? 5 : 4) & 1) != 0 || (!enabled(lane) && format != 10)) continue;
      const unsigned row = address / 4 * 4 + lane / 8;
      const bool odd = (address & 2) != 0 || (config >> (loads ? 6 : 7) & 1) != 0;
      const unsigned column = lane % 8 * 2 + (odd ? 1 : 0);
      if (!loads) {
        store(format, row, column, l_[vd][lane]);
        continue;
      }
      if (vd >= 8) continue;
      l_[vd][lane] = loaded(format, row, column, before_[vd][lane], (config & 1) != 0);
      if (vd < 4 && (config & 12) == 12) l_[vd + 4][lane] = row * 16 + column;
    }
  }
  Word loaded(unsigned format, unsigned row, unsigned column, Word old, bool infinity) const {
    const Word x = dst[row][column];
    const unsigned high = adjusted(row);
    const Word wide = in_order16(dst[high][column]) << 16 | dst[high + 8][column];
    const Word sign = x >> 15 << 31;
    const auto twos = [](Word sign_and_size) {
      const Word size = sign_and_size & 0x7FFFFFFF;
      return negative(sign_and_size) ? 0u - size : size;
    };
    switch (format) {
      case 1: {
        const Word exponent = x & 31, mantissa = x >> 5 & 1023;
        if (infinity && (x & 0x7FFF) == 0x7FFF) return sign | 0x7F800000;
        return sign | (exponent == 0 ? 0 : exponent + 112) << 23 | mantissa << 13;
      }
      case 2:
        return in_order16(x) << 16;
      case 3:
      case 4:
      case 10:
        return wide;
      case 5:
        return sign | (x >> 5 & 127);
      case 6:
      case 9:
        return x;
      case 7:
        return x << 16;
      case 8:
        return sign | (x & 0x7FFF);
      case 12:
        return twos(wide);
      case 13:
        return twos(sign | (x >> 5 & 1023));
      case 14:
        return old / 65536 * 65536 + x;
      case 15:
        return x * 65536 + old % 65536;
      default:
        return 0;
    }
  }
  void store(unsigned format, unsigned row, unsigned column, Word x) {
    const auto put16 = [&](Word value) { dst[row][column] = static_cast<std::uint16_t>(value); };
    const auto put32 = [&](Word value) {
      dst[adjusted(row)][column] = static_cast<std::uint16_t>(value >> 16);
      dst[adjusted(row) + 8][column] = static_cast<std::uint16_t>(value);
    };
    const auto put_number = [&](Word value) {
      put32(as_stored16(value >> 16) << 16 | (value & 0xFFFF));
    };
    const auto int8 = [](Word value) { return value >> 31 << 15 | (value & 1023) << 5 | 16; };
    const Word size = negative(x) ? 0u - x : x;
    const Word sign_and_size = (x & kSign) | (size & 0x7FFFFFFF);
    const bool denormal = (x & 0x7F800000) == 0;
    switch (format) {
      case 1: {
        const double value = std::bit_cast<float>(x & 0x7FFFFFFF);
        Word bits = 0x7FFF;  // too large, or no number
        if (value < 0x1p-14) {
          bits = 0;
        } else if (value < 131072) {
          const int e = std::ilogb(value);
          bits = static_cast<Word>((std::ldexp(value, -e) - 1) * 1024) << 5 |
                 static_cast<Word>(e + 15);
        }
        return put16(x >> 31 << 15 | bits);
      }
      case 2:
        return put16(as_stored16(denormal ? x >> 31 << 15 : x >> 16));
      case 3:  // (flushed, too: the vendor's functional simulator)
        return put_number(denormal ? x & kSign : x);
      case 4:
      case 10:
        return put_number(x);
      case 5:
        return put16(int8(x));
      case 6:
      case 14:
        return put16(x);
      case 7:
        return put32(x);
      case 8:
        return put16(x >> 31 << 15 | (x & 0x7FFF));
      case 9:
        return put32(x << 16 | x >> 16);
      case 11:
        return put16(0);
      case 12:
        return put_number(sign_and_size);
      case 13:
        return put16(int8(sign_and_size));
      default:
        return put16(x >> 16);
    }
  }

  Word word_ = 0, imm_ = 0;
  unsigned vd_ = 0, vc_ = 0, mod_ = 0;
  std::array<std::array<Word, kLanes>, 17> l_{}, before_{};
  Flags f_;
  std::vector<Flags> stack_;
  std::array<Word, 8> config_{};
  std::array<std::array<Word, 8>, 9> macro_{};
  std::array<Word, kLanes> prng_{}, rotated_{};
};

}  // namespace vector_oracle
