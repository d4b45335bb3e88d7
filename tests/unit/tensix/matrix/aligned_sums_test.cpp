// The fast arithmetic of the matrix unit in all builds, compared with the oracle: random and
// adversarial operands in every combination of formats, phase, width of Dst and flags.

#include <gtest/gtest.h>

#include <array>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>

#include "models/tensix/coprocessor/matrix/float_sums.h"
#include "tests/unit/tensix/matrix/math_reference.h"
#include "tests/unit/tensix/matrix/matrix_oracle.h"

namespace aligned_sums_test {
namespace {

using math_reference::Random;
using matrix_oracle::Datum;
using matrix_oracle::Instruction;
using matrix_oracle::Pair;
using matrix_oracle::Setup;
using matrix_oracle::Src;
using matrix_oracle::Style;
using tvp::tensix::coprocessor::Dst;
using tvp::tensix::coprocessor::FloatSums;
using SrcStyle = tvp::tensix::coprocessor::datum::SrcStyle;

constexpr unsigned kColumns = 16;

SrcStyle style_of(Style style) {
  return style == Style::kBf16   ? SrcStyle::kBf16
         : style == Style::kTf32 ? SrcStyle::kTf32
                                 : SrcStyle::kFp16;
}
std::uint32_t cell_of(const Src& x) {
  return (x.negative ? 1u << 18 : 0) | static_cast<std::uint32_t>(x.mantissa) << 8 |
         static_cast<std::uint32_t>(x.exponent);
}

/// A kind of adversarial operand block.
struct Temper {
  int low, high;       ///< exponents of most operands
  unsigned zeros;      ///< number of 16
  unsigned mantissas;  ///< 0 any, 1 all ones, 2 none, 3 one bit, 4 few low bits
  bool extremes;       ///< some exponents at the ends of the range
  bool cancels;        ///< every other pair is the one before with the opposite sign
};

class Adversary {
 public:
  explicit Adversary(unsigned seed) : random_(seed) {}

  Temper temper(bool five_bits) {
    const int most = five_bits ? 31 : 255;
    static constexpr int kSpreads[] = {0, 1, 3, 8, 14, 30, 70, 255};
    const int spread = std::min(most, kSpreads[random_.below(8)]);
    const int low = std::min<int>(
        most - spread, random_.below(3) == 0
                           ? most / 2 - spread / 2
                           : static_cast<int>(random_.below(static_cast<std::uint32_t>(most))));
    return {
        std::max(0, low), std::max(0, low) + spread, random_.below(8) == 0 ? 12 : random_.below(3),
        random_.below(8), random_.below(6) == 0,     random_.below(4) == 0};
  }
  Src src(const Temper& t, bool five_bits) {
    Src x;
    x.negative = random_.below(2) != 0;
    x.exponent =
        t.low + static_cast<int>(random_.below(static_cast<std::uint32_t>(t.high - t.low + 1)));
    if (t.extremes && random_.below(4) == 0) {
      const int most = five_bits ? 31 : 255;
      const int ends[] = {0, 1, 2, most - 1, most};
      x.exponent = ends[random_.below(5)];
    }
    if (random_.below(16) < t.zeros) x.exponent = 0;
    switch (t.mantissas) {
      case 1:
        x.mantissa = 0x3FF;
        break;
      case 2:
        break;
      case 3:
        x.mantissa = 1 << random_.below(10);
        break;
      case 4:
        x.mantissa = static_cast<int>(random_.below(16));
        break;
      default:
        x.mantissa = static_cast<int>(random_.below(1024));
    }
    return x;
  }
  /// An ordinary word for Dst; `near` is the sum that would be added to it.
  std::uint32_t dst(const Setup& setup, std::uint32_t near, int e_low, int e_high) {
    const bool fp16 = !setup.dst32 && setup.a == Style::kFp16;
    const int width = setup.dst32 ? 23 : fp16 ? 10 : 7;
    const int most = fp16 ? 31 : 255;
    const std::uint32_t sign = 1u << (width + (fp16 ? 5 : 8));
    const std::uint32_t any = random_.bits() & (2 * sign - 1);
    switch (random_.below(8)) {
      case 0: {  // about to cancel
        const std::uint32_t ulps = random_.below(129);
        return ((near ^ sign) + ulps - 64) & (2 * sign - 1);
      }
      case 1:
        return any;
      case 2: {  // patterns of infinity and not a number, denormals, zeros
        const std::uint32_t exponent = random_.below(2) != 0 ? static_cast<std::uint32_t>(most) : 0;
        const std::uint32_t mantissa = random_.below(3) == 0 ? 0 : any & ((1u << width) - 1);
        return (any & sign) | exponent << width | mantissa;
      }
      case 3: {  // few bits
        return (near & ~((1u << width) - 1)) ^ (any & sign) ^
               (1u << random_.below(static_cast<unsigned>(width)));
      }
      default: {
        const int e = std::clamp(
            e_low + static_cast<int>(random_.below(static_cast<unsigned>(e_high - e_low + 1))), 0,
            most);
        return (any & (sign | ((1u << width) - 1))) | static_cast<std::uint32_t>(e) << width;
      }
    }
  }
  /// A word with an exponent in this range, or 0; it often cancels the sum to be added.
  std::uint32_t dst_between(const Setup& setup, std::uint32_t near,
                            const std::array<int, 2>& ends) {
    const bool fp16 = !setup.dst32 && setup.a == Style::kFp16;
    const int width = setup.dst32 ? 23 : fp16 ? 10 : 7;
    const std::uint32_t sign = 1u << (width + (fp16 ? 5 : 8));
    const auto exponent_of = [&](std::uint32_t word) {
      return static_cast<int>((word & (sign - 1)) >> width);
    };
    const std::uint32_t cancels = ((near ^ sign) + random_.below(9) - 4) & (2 * sign - 1);
    if (random_.below(3) == 0 && exponent_of(cancels) >= ends[0] && exponent_of(cancels) <= ends[1])
      return cancels;
    const auto range = static_cast<unsigned>(ends[1] - ends[0] + 1);
    const std::array<int, 4> exponents{ends[0], ends[1], 0,
                                       ends[0] + static_cast<int>(random_.below(range))};
    const int e = exponents[std::min(3u, random_.below(8))];
    const std::uint32_t others = random_.bits() & (sign | ((1u << width) - 1));
    return others | static_cast<std::uint32_t>(e) << width;
  }
  Random& random() { return random_; }

 private:
  Random random_;
};

/// Sixteen rows of SrcA, eight of SrcB and of Dst, as cells and as numbers.
class Block {
 public:
  Block(const Setup& setup, const FloatSums& sums) : setup_(setup), sums_(sums) {}

  void fill(Adversary& adversary) {
    const bool five = setup_.a == Style::kFp16;
    fill(adversary, adversary.temper(five), adversary.temper(five));
    ends_.reset();
  }
  /// Products whose largest exponent is near a limit where builds switch methods, or between
  /// limits, and data of Dst that reach up to that limit or less.
  void fill_near_ends(Adversary& adversary) {
    const bool five = setup_.a == Style::kFp16;
    if (five) return fill(adversary);
    Random& random = adversary.random();
    const auto one_of = [&random](std::initializer_list<int> values) {
      return values.begin()[random.below(static_cast<unsigned>(values.size()))];
    };
    const int top = random.below(3) == 0
                        ? 60 + static_cast<int>(random.below(180))
                        : one_of({48, 50, 52, 57, 58, 59, 70, 71, 72, 73, 246, 247, 248, 249, 254});
    const int later = ((setup_.phase & 1) != 0 ? 5 : 0) + ((setup_.phase & 2) != 0 ? 7 : 0);
    const int sum = top + 127 + later;
    const int highest_a = std::clamp(sum / 2 + one_of({-9, 0, 9}), sum - 255, 255);
    // One datum alone may be much larger, so that builds must handle bits lost beside it.
    const int alone = std::min(highest_a - 1, one_of({0, 0, 0, 45, 46, 47, 48, 49}));
    const int spread = alone != 0 ? one_of({0, 0, 1}) : one_of({0, 1, 3, 12, 24});
    Temper of_a = adversary.temper(five);
    Temper of_b = adversary.temper(five);
    of_a.high = highest_a - alone;
    of_b.high = sum - highest_a;
    of_a.low = std::max(1, of_a.high - spread);
    of_b.low = std::max(1, of_b.high - spread);
    of_a.extremes = of_b.extremes = false;
    fill(adversary, of_a, of_b);
    const unsigned k = random.below(16);
    a_[k][random.below(kColumns)].exponent = highest_a;
    cells(a_[k], cells_a_[k]);
    const int lowest =
        one_of({1, 24, 25, 26, top - 91, top - 90, top - 89, top - 57, top - 24, top - 8});
    const int highest = one_of(
        {top + 1, top + 15, top + 31, top + 89, top + 90, top + 91, 246, 247, 248, 249, 254, 255});
    ends_ = {std::clamp(lowest, 1, 255), std::clamp(highest, std::max(1, lowest), 255)};
  }

 private:
  void fill(Adversary& adversary, const Temper& of_a, const Temper& of_b) {
    const bool five = setup_.a == Style::kFp16;
    for (auto& row : a_)
      for (Src& x : row) x = adversary.src(of_a, five);
    for (auto& row : b_)
      for (Src& x : row) x = adversary.src(of_b, five);
    if (of_a.cancels) {
      for (unsigned k = 1; k < 16; k += 2) {
        a_[k] = a_[k - 1];
        for (unsigned i = 0; i < 8; ++i) {
          b_[i][k] = b_[i][k - 1];
          b_[i][k].negative ^= true;
        }
      }
    }
    e_low_ = of_a.low + of_b.low - (five ? (setup_.dst32 ? -97 : 15) : 127) - 4;
    e_high_ = e_low_ + 8 + of_a.high - of_a.low;
    for (unsigned k = 0; k < 16; ++k) cells(a_[k], cells_a_[k]);
    for (unsigned i = 0; i < 8; ++i) cells(b_[i], cells_b_[i]);
  }

 public:
  /// Compares every datum with the oracle. Returns their number.
  unsigned check(Instruction instruction, Adversary& adversary) {
    Setup from_zero = setup_;
    from_zero.add_dst = false;
    const unsigned rows = 8;
    for (unsigned i = 0; i < rows; ++i) {
      for (unsigned j = 0; j < kColumns; ++j) {
        const std::uint32_t alone = expected(from_zero, instruction, i, j, 0);
        before_[i][j] = ends_ ? adversary.dst_between(setup_, alone, *ends_)
                              : adversary.dst(setup_, alone, e_low_, e_high_);
        store(i, j, before_[i][j]);
      }
    }
    execute(instruction);
    for (unsigned i = 0; i < rows; ++i) {
      for (unsigned j = 0; j < kColumns; ++j) {
        const std::uint32_t wanted = expected(setup_, instruction, i, j, before_[i][j]);
        if (load(i, j) != wanted) {
          ADD_FAILURE() << "row " << i << ", column " << j << ": " << std::hex << load(i, j)
                        << " instead of " << wanted << ", Dst was " << before_[i][j];
          return 0;
        }
      }
    }
    return rows * kColumns;
  }

 private:
  using Row = std::array<Src, kColumns>;

  void cells(const Row& row, FloatSums::SrcRow& out) {
    for (unsigned j = 0; j < kColumns; ++j) out[j] = cell_of(row[j]);
  }
  std::uint32_t expected(const Setup& setup, Instruction instruction, unsigned i, unsigned j,
                         std::uint32_t dst) const {
    const Datum oracle(setup);
    if (instruction != Instruction::kMvmul)
      return oracle.elementwise(instruction, {a_[i][j], b_[i][j]}, dst);
    std::vector<Pair>& pairs = pairs_;
    pairs.clear();
    for (unsigned k = 0; k < 16; ++k) pairs.push_back({a_[k][j], b_[i][k]});
    return oracle.multiply(pairs, dst);
  }
  bool fp16_dst() const { return !setup_.dst32 && setup_.a == Style::kFp16; }
  void store(unsigned i, unsigned j, std::uint32_t word) {
    if (setup_.dst32) {
      const std::uint32_t high = word >> 16;
      high_[i][j] =
          static_cast<std::uint16_t>((high & 0x8000) | (high & 0x7F) << 8 | (high >> 7 & 0xFF));
      low_[i][j] = static_cast<std::uint16_t>(word);
    } else if (fp16_dst()) {
      high_[i][j] =
          static_cast<std::uint16_t>((word & 0x8000) | (word & 0x3FF) << 5 | (word >> 10 & 0x1F));
    } else {
      high_[i][j] =
          static_cast<std::uint16_t>((word & 0x8000) | (word & 0x7F) << 8 | (word >> 7 & 0xFF));
    }
  }
  std::uint32_t load(unsigned i, unsigned j) const {
    const std::uint32_t cell = high_[i][j];
    if (fp16_dst()) return (cell & 0x8000) | (cell & 0x1F) << 10 | (cell >> 5 & 0x3FF);
    const std::uint32_t word = (cell & 0x8000) | (cell & 0xFF) << 7 | (cell >> 8 & 0x7F);
    return setup_.dst32 ? word << 16 | low_[i][j] : word;
  }
  FloatSums::DstRow row(unsigned i) { return {&high_[i], setup_.dst32 ? &low_[i] : nullptr}; }
  void execute(Instruction instruction) {
    const FloatSums::Formats formats{style_of(setup_.a), style_of(setup_.b), setup_.dst32,
                                     setup_.phase};
    if (instruction == Instruction::kMvmul) {
      FloatSums::Product product;
      product.formats = formats;
      product.rows = 8;
      product.srca = {&cells_a_[0], &cells_a_[8]};
      product.srcb = &cells_b_[0];
      product.srcb_step = 1;
      product.dst = row(0);
      product.dst_step = 1;
      sums_.multiply(product);
      return;
    }
    FloatSums::Elementwise rows;
    rows.formats = formats;
    rows.combine = instruction == Instruction::kElwmul   ? FloatSums::Combine::kMultiply
                   : instruction == Instruction::kElwadd ? FloatSums::Combine::kAdd
                                                         : FloatSums::Combine::kSubtract;
    rows.add_dst = setup_.add_dst;
    rows.flush_srcb = setup_.flush_b;
    for (unsigned i = 0; i < 8; ++i) {
      rows.srca[i] = &cells_a_[i];
      rows.srcb[i] = &cells_b_[i];
      rows.dst[i] = row(i);
    }
    sums_.combine(rows);
  }

  const Setup& setup_;
  const FloatSums& sums_;
  std::array<Row, 16> a_;
  std::array<Row, 8> b_;
  std::array<FloatSums::SrcRow, 16> cells_a_;
  std::array<FloatSums::SrcRow, 8> cells_b_;
  std::uint32_t before_[8][kColumns];
  Dst::Row high_[8], low_[8];
  int e_low_ = 0, e_high_ = 0;
  std::optional<std::array<int, 2>> ends_;
  mutable std::vector<Pair> pairs_;
};

struct Mix {
  const char* name;
  Style a, b;
};
constexpr Mix kMixes[] = {{"BF16", Style::kBf16, Style::kBf16},
                          {"TF32", Style::kTf32, Style::kTf32},
                          {"BF16 and TF32", Style::kBf16, Style::kTf32},
                          {"TF32 and BF16", Style::kTf32, Style::kBf16},
                          {"FP16", Style::kFp16, Style::kFp16}};
constexpr const char* kNames[] = {"MVMUL", "ELWMUL", "ELWADD", "ELWSUB"};

void expect_equal(const FloatSums& sums, unsigned seed) {
  Adversary adversary(seed);
  unsigned cases = 0;
  for (unsigned variant = 0; variant < 5 * 2 * 4 * 4 * 4; ++variant) {
    const auto instruction = static_cast<Instruction>(variant % 4);
    Setup setup;
    const Mix& mix = kMixes[variant / 4 % 5];
    setup.a = mix.a;
    setup.b = mix.b;
    setup.dst32 = variant / 20 % 2 != 0;
    setup.phase = variant / 40 % 4;
    const bool adds = instruction == Instruction::kElwadd || instruction == Instruction::kElwsub;
    setup.add_dst = !adds || variant / 160 % 2 != 0;
    setup.flush_b = instruction == Instruction::kMvmul || variant / 320 % 2 == 0;
    SCOPED_TRACE(std::string(kNames[variant % 4]) + " " + mix.name + " phase " +
                 std::to_string(setup.phase) + (setup.dst32 ? ", 32-bit Dst" : ", 16-bit Dst") +
                 (setup.add_dst ? "" : ", replacing") +
                 (setup.flush_b ? "" : ", SrcB not flushed"));
    Block block(setup, sums);
    for (unsigned i = 0; i < 40; ++i) {
      i % 4 == 0 ? block.fill(adversary) : block.fill_near_ends(adversary);
      const unsigned checked = block.check(instruction, adversary);
      ASSERT_NE(checked, 0u);
      cases += checked;
    }
  }
  EXPECT_GE(cases, 1000000u);
}

/// MVMULs of BF16 in two builds, into both widths of Dst, with eight rows and with four, with and
/// without kept factors. Groups and Dst are some places apart, so that every shift distance occurs.
/// Sums are near ties, and some groups and rows are zero.
class Apart {
 public:
  explicit Apart(unsigned seed) : random_(seed) {}

  void expect_equal(const FloatSums& sums, unsigned blocks) {
    for (unsigned block = 0; block < blocks; ++block) {
      ++changes_;
      fill();
      if (block % 2 == 0) sum_near_a_tie();
      shape_ = kShapes[random_.below(8) == 0 ? random_.below(4) : 0];
      for (const bool dst32 : {false, true}) {
        Rows expected = dst_;
        Rows made = dst_;
        execute(FloatSums::aligned_portable(), dst32, nullptr, expected);
        execute(sums, dst32, nullptr, made);
        ASSERT_EQ(made, expected) << "block " << block << (dst32 ? ", 32 bits" : ", 16 bits");
        made = dst_;
        execute(sums, dst32, kept_.get(), made);
        ASSERT_EQ(made, expected) << "block " << block << ", with factors that are kept";
      }
    }
  }

 private:
  using Rows = std::array<Dst::Row, 16>;  ///< high halves, then low ones
  /// Number of added rows, and steps between rows in SrcB and in Dst.
  struct Shape {
    unsigned rows, srcb_step, dst_step;
  };
  static constexpr Shape kShapes[] = {{8, 1, 1}, {4, 1, 1}, {4, 0, 2}, {2, 0, 2}};

  std::uint32_t mantissa(unsigned kind) {
    const std::uint32_t any = random_.below(128);
    return kind == 0 ? any : kind == 1 ? 127 : kind == 2 ? any & 0x48 : 0;
  }
  std::uint32_t cell(unsigned exponent, unsigned spread, unsigned kind, unsigned zeros) {
    if (random_.below(16) < zeros) return 0;
    return random_.below(2) << 18 | mantissa(kind) << 11 | (exponent + random_.below(spread));
  }
  void fill() {
    phase_ = random_.below(4);
    const unsigned spread = 1 + random_.below(1u << random_.below(4));
    const unsigned base = 40 + random_.below(150);
    const unsigned zeros = random_.below(4) == 0 ? random_.below(16) : 0;
    const unsigned kind_a = random_.below(4), kind_b = random_.below(4);
    const unsigned second = random_.below(24);
    const bool none = random_.below(8) == 0;
    for (unsigned k = 0; k < 16; ++k) {
      const unsigned of_group = k < 8 ? base : base + second;
      for (auto& x : a_[k]) x = none && k < 8 ? 0 : cell(of_group, spread, kind_a, zeros);
    }
    for (auto& row : b_)
      for (auto& x : row) x = cell(127, spread, kind_b, zeros);
    const unsigned from = random_.below(2) == 0 ? base : base + second;
    const unsigned to = std::min(255u, from + 1 + random_.below(20));
    fill_low_halves();
    for (unsigned i = 0; i < 8; ++i) {
      for (auto& x : dst_[i]) {
        const std::uint32_t e = random_.below(8) == 0 ? 0 : from + random_.below(to - from + 1);
        x = static_cast<std::uint16_t>(random_.below(2) << 15 | mantissa(0) << 8 |
                                       (random_.below(512) == 0 ? random_.below(256) : e));
      }
    }
  }
  /// Makes the first group a sum at which the last rounding of 12 to 15 places changes, or the
  /// rounding below 2^-23 before it. The sum has three products of phase 0 with equal exponents.
  void sum_near_a_tie() {
    phase_ = 0;
    const unsigned places = 12 + random_.below(4);
    const unsigned wanted = (1u << (places - 1)) - 4 + random_.below(8);
    const std::uint32_t sign = random_.below(2) << 18;
    unsigned left = wanted;
    std::array<std::array<unsigned, 2>, 8> parts{};  // parts of SrcA and SrcB
    for (unsigned k = 0; k < 8; ++k) {
      const unsigned others = std::max(1u, (left + 3936) / 3937) - 1;
      for (unsigned tries = 0; tries < 500; ++tries) {
        const std::array<unsigned, 2> part{16 + random_.below(16), 64 + random_.below(64)};
        const unsigned product = part[0] * part[1];
        if (product > left || left - product > others * 3937) continue;
        if (others == 0 ? product != left : left - product < others * 1024) continue;
        parts[k] = part;
        left -= product;
        break;
      }
      if (left == 0) break;
    }
    const unsigned base = 60 + random_.below(120);
    for (unsigned k = 0; k < 8; ++k) {
      const auto [a, b] = parts[k];
      a_[k].fill(a == 0 ? 0 : sign | (a - 16) << 14 | base);
      for (auto& row : b_) row[k] = b == 0 ? 0 : (b - 64) << 12 | 127;
    }
    for (unsigned k = 8; k < 16; ++k) {
      for (auto& x : a_[k]) x = cell(base + places, 1, 0, 4);
      for (auto& row : b_) row[k] = cell(127, 1, 0, 4);
    }
    for (unsigned i = 0; i < 8; ++i) {
      for (auto& x : dst_[i])
        x = static_cast<std::uint16_t>(random_.below(2) << 15 | mantissa(0) << 8 |
                                       (base + random_.below(places + 2)));
    }
  }
  void fill_low_halves() {
    const unsigned kind = random_.below(3);
    for (unsigned i = 8; i < 16; ++i) {
      for (auto& x : dst_[i]) {
        const std::uint32_t any = random_.bits() & 0xFFFF;
        x = static_cast<std::uint16_t>(kind == 0 ? any : kind == 1 ? any & 0x8001 : 0xFFFF);
      }
    }
  }
  void execute(const FloatSums& sums, bool dst32, FloatSums::Kept* kept, Rows& dst) {
    FloatSums::Product product;
    product.formats = {SrcStyle::kBf16, SrcStyle::kBf16, dst32, phase_};
    product.rows = shape_.rows;
    // Factors are kept for eight rows only; others would be mistaken for those of eight.
    product.kept = shape_.rows == 8 ? kept : nullptr;
    product.srca_changes = product.srcb_changes = changes_;
    product.srca = {&a_[0], &a_[8]};
    product.srcb = &b_[0];
    product.srcb_step = shape_.srcb_step;
    product.dst = {&dst[0], dst32 ? &dst[8] : nullptr};
    product.dst_step = shape_.dst_step;
    sums.multiply(product);
  }

  Random random_;
  unsigned phase_ = 0;
  Shape shape_{};
  std::uint64_t changes_ = 0;
  const std::unique_ptr<FloatSums::Kept> kept_ = std::make_unique<FloatSums::Kept>();
  std::array<FloatSums::SrcRow, 16> a_{};
  std::array<FloatSums::SrcRow, 8> b_{};
  alignas(64) Rows dst_{};
};

constexpr unsigned kBlocksApart = 12000;

TEST(AlignedSums, EqualTheOracleOnEveryMachine) { expect_equal(FloatSums::aligned_portable(), 1); }
TEST(AlignedSums, EqualTheOracleWithAvx2) {
  if (FloatSums::aligned_wide<32>() == nullptr) GTEST_SKIP() << "no AVX2 here";
  expect_equal(*FloatSums::aligned_wide<32>(), 2);
  Apart(2).expect_equal(*FloatSums::aligned_wide<32>(), kBlocksApart);
}
TEST(AlignedSums, EqualTheOracleWithAvx512) {
  if (FloatSums::aligned_wide<64>() == nullptr) GTEST_SKIP() << "no AVX-512 here";
  expect_equal(*FloatSums::aligned_wide<64>(), 3);
  Apart(3).expect_equal(*FloatSums::aligned_wide<64>(), kBlocksApart);
}

}  // namespace
}  // namespace aligned_sums_test
