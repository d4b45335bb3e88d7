// Matrix multiplications of firmware/llk compared bit by bit with independent evaluations. They
// cover every fidelity, every shape of a block, adversarial operands and copies between block
// formats.

#include "tests/firmware/programs/matmul.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>

#include "tests/firmware/compute_bench.h"
#include "tests/unit/tensix/matrix/matrix_oracle.h"

namespace tvp::test {

TVP_DECLARE_PROGRAM(matmul_1_0);
TVP_DECLARE_PROGRAM(matmul_1_1);
TVP_DECLARE_PROGRAM(matmul_2_0);
TVP_DECLARE_PROGRAM(matmul_2_1);
TVP_DECLARE_PROGRAM(matmul_3_0);
TVP_DECLARE_PROGRAM(matmul_3_1);
TVP_DECLARE_PROGRAM(matmul_4_0);
TVP_DECLARE_PROGRAM(matmul_4_1);
TVP_DECLARE_PROGRAM(matmul_tiny);

namespace {

using Mode = MatmulParameters::Mode;
/// BF16 bits, row by row.
using Bits = std::vector<std::uint16_t>;

constexpr unsigned kSide = 32;
constexpr unsigned kDatums = kSide * kSide;
constexpr std::uint32_t kAddress[3] = {0x20000, 0x40000, 0x60000};
constexpr std::uint32_t kAddressOut = 0x80000;
constexpr unsigned kFp32Out = 18;

/// Programs by [phases - 1][FP32 in Dst].
const ComputeProgram kPrograms[4][2] = {{TVP_PROGRAM_OF(matmul_1_0), TVP_PROGRAM_OF(matmul_1_1)},
                                        {TVP_PROGRAM_OF(matmul_2_0), TVP_PROGRAM_OF(matmul_2_1)},
                                        {TVP_PROGRAM_OF(matmul_3_0), TVP_PROGRAM_OF(matmul_3_1)},
                                        {TVP_PROGRAM_OF(matmul_4_0), TVP_PROGRAM_OF(matmul_4_1)}};

ComputeBench& bench() {
  static ComputeBench instance;
  return instance;
}

double value_of(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

std::size_t place(unsigned row, unsigned column) {
  return (std::size_t{row / 16 * 2 + column / 16} * 16 + row % 16) * 16 + column % 16;
}

/// A matrix of BF16 that L1 holds as rows of tiles.
struct Operand {
  unsigned rows, columns;
  Bits bits;

  Operand(unsigned r, unsigned c) : rows(r), columns(c), bits(std::size_t{r} * c) {}
  std::uint16_t& at(unsigned r, unsigned c) { return bits[std::size_t{r} * columns + c]; }
  std::uint16_t at(unsigned r, unsigned c) const { return bits[std::size_t{r} * columns + c]; }
  unsigned tiles() const { return static_cast<unsigned>(bits.size() / kDatums); }

  void write(std::uint8_t* to) const {
    for (unsigned r = 0; r < rows; ++r)
      for (unsigned c = 0; c < columns; ++c) {
        const std::size_t tile = std::size_t{r / kSide} * (columns / kSide) + c / kSide;
        std::memcpy(to + 2 * (tile * kDatums + place(r % kSide, c % kSide)),
                    &bits[std::size_t{r} * columns + c], 2);
      }
  }
  Operand with_transposed_tiles() const {
    Operand result(rows, columns);
    for (unsigned r = 0; r < rows; ++r)
      for (unsigned c = 0; c < columns; ++c)
        result.at(r, c) = at(r / kSide * kSide + c % kSide, c / kSide * kSide + r % kSide);
    return result;
  }
};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::uint32_t below(std::uint32_t n) {
    return std::uniform_int_distribution<std::uint32_t>(0, n - 1)(engine_);
  }
  /// Random mantissas and signs, exponents from 2^-span to 2^span, some zeros.
  Operand operand(unsigned rows, unsigned columns, unsigned span) {
    Operand result(rows, columns);
    for (std::uint16_t& bits : result.bits) {
      if (below(16) == 0) continue;
      bits = static_cast<std::uint16_t>(below(2) << 15 | (127 - span + below(2 * span + 1)) << 7 |
                                        below(128));
    }
    return result;
  }

 private:
  std::mt19937 engine_;
};

/// Runs a program on A, B and optional partial results. Returns the output as floats, row by row.
std::vector<float> run(const ComputeProgram& program, MatmulParameters p, const Operand& a,
                       const Operand& b, const Operand* partials = nullptr) {
  ComputeBench& machine = bench();
  const bool fp32 = p.out == kFp32Out;
  const std::uint32_t bytes = fp32 ? 4 : 2;
  p.rt = a.rows / kSide;
  p.kt = a.columns / kSide;
  p.ct = b.columns / kSide;
  p.partials = partials != nullptr;
  matmul_parameters = p;
  const Operand stored = p.transpose ? b.with_transposed_tiles() : b;
  a.write(machine.l1() + kAddress[0]);
  stored.write(machine.l1() + kAddress[1]);
  machine.buffer(program, 0, kAddress[0], 2 * kDatums, a.tiles(), a.tiles());
  machine.buffer(program, 1, kAddress[1], 2 * kDatums, b.tiles(), b.tiles());
  if (partials != nullptr) {
    partials->write(machine.l1() + kAddress[2]);
    machine.buffer(program, 2, kAddress[2], 2 * kDatums, partials->tiles(), partials->tiles());
  }
  const unsigned tiles = p.rt * p.ct;
  std::memset(machine.l1() + kAddressOut, 0xA5, std::size_t{tiles} * kDatums * bytes + 64);
  machine.buffer(program, p.out, kAddressOut, kDatums * bytes, tiles, 0);
  EXPECT_TRUE(machine.execute(program)) << machine.waiting();
  EXPECT_EQ(machine.received(p.out), tiles);
  for (unsigned i = 0; i < 64; ++i)
    EXPECT_EQ(machine.l1()[kAddressOut + tiles * kDatums * bytes + i], 0xA5);

  std::vector<float> result(std::size_t{a.rows} * b.columns);
  for (unsigned r = 0; r < a.rows; ++r)
    for (unsigned c = 0; c < b.columns; ++c) {
      const std::size_t tile = std::size_t{r / kSide} * p.ct + c / kSide;
      const std::uint8_t* at =
          machine.l1() + kAddressOut + (tile * kDatums + place(r % kSide, c % kSide)) * bytes;
      std::uint32_t bits = 0;
      std::memcpy(&bits, at, bytes);
      result[std::size_t{r} * b.columns + c] = std::bit_cast<float>(fp32 ? bits : bits << 16);
    }
  return result;
}

// ---- Bit by bit ---------------------------------------------------------------------------------

matrix_oracle::Src src_of(std::uint16_t bits) {
  return {(bits & 0x8000) != 0, bits >> 7 & 0xFF, (bits & 0x7F) << 3};
}

/// A datum of a product as Dst holds it: accumulated over tiles of the inner dimension, phases, and
/// halves of a tile. `later_half_first` selects the order of the halves, which is not specified.
float expected(const Operand& a, const Operand& b, unsigned row, unsigned column, unsigned phases,
               bool fp32, bool later_half_first, std::uint16_t partial = 0) {
  matrix_oracle::Setup setup;
  setup.dst32 = fp32;
  std::uint32_t dst = fp32 ? std::uint32_t{partial} << 16 : partial;
  std::vector<matrix_oracle::Pair> pairs(16);
  for (unsigned tile = 0; tile < a.columns / kSide; ++tile) {
    for (setup.phase = 0; setup.phase < phases; ++setup.phase) {
      for (unsigned half = 0; half < 2; ++half) {
        const unsigned first = tile * kSide + 16 * ((half == 0) == later_half_first ? 1 : 0);
        for (unsigned k = 0; k < 16; ++k)
          pairs[k] = {src_of(b.at(first + k, column)), src_of(a.at(row, first + k))};
        dst = matrix_oracle::Datum(setup).multiply(pairs, dst);
      }
    }
  }
  return std::bit_cast<float>(fp32 ? dst : dst << 16);
}

TEST(Matmul, EveryFidelityBitByBit) {
  constexpr unsigned kSpan = 6;
  Random random(1);
  for (unsigned phases = 1; phases <= 4; ++phases) {
    for (const bool fp32 : {false, true}) {
      for (const bool transpose : {false, true}) {
        for (const Mode mode : {Mode::kTiles, Mode::kBlock}) {
          SCOPED_TRACE(std::to_string(phases) + " phases" + (fp32 ? ", FP32" : ", BF16") +
                       (transpose ? ", transposed" : "") + (mode == Mode::kBlock ? ", block" : ""));
          const Operand a = random.operand(kSide, kSide, kSpan);
          const Operand b = random.operand(kSide, kSide, kSpan);
          MatmulParameters p;
          p.mode = mode;
          p.transpose = transpose;
          p.out = fp32 ? kFp32Out : 16;
          const std::vector<float> out = run(kPrograms[phases - 1][fp32], p, a, b);
          for (unsigned r = 0; r < kSide; ++r)
            for (unsigned c = 0; c < kSide; ++c) {
              const float one = expected(a, b, r, c, phases, fp32, false);
              const float other = expected(a, b, r, c, phases, fp32, true);
              const float got = out[r * kSide + c];
              ASSERT_TRUE(got == one || got == other)
                  << "(" << r << ", " << c << "): " << got << " instead of " << one;
            }
        }
      }
    }
  }
}

TEST(Matmul, PhasesDiffer) {
  Random random(2);
  const Operand a = random.operand(kSide, kSide, 3);
  const Operand b = random.operand(kSide, kSide, 3);
  std::array<std::vector<float>, 4> out;
  for (unsigned i = 0; i < 4; ++i) out[i] = run(kPrograms[i][1], {.out = kFp32Out}, a, b);
  for (unsigned i = 0; i < 3; ++i) EXPECT_NE(out[i], out[i + 1]) << i;
}

// ---- Blocks -------------------------------------------------------------------------------------

TEST(Matmul, BlocksOfEveryShape) {
  Random random(3);
  constexpr unsigned kShapes[][2] = {{1, 1}, {1, 2}, {2, 1}, {2, 2}, {1, 3}, {3, 1},
                                     {2, 3}, {3, 2}, {1, 4}, {4, 1}, {4, 2}, {2, 4},
                                     {8, 1}, {1, 8}, {1, 7}, {5, 1}};
  for (const auto& [rt, ct] : kShapes) {
    for (const bool fp32 : {false, true}) {
      if (fp32 && rt * ct > 4) continue;
      for (const Mode mode : {Mode::kBlock, Mode::kTiles}) {
        SCOPED_TRACE(std::to_string(rt) + "x" + std::to_string(ct) + (fp32 ? ", FP32" : ", BF16"));
        const unsigned kt = 1 + random.below(3);
        const Operand a = random.operand(rt * kSide, kt * kSide, 2);
        const Operand b = random.operand(kt * kSide, ct * kSide, 2);
        const Operand partials = random.operand(rt * kSide, ct * kSide, 4);
        MatmulParameters p;
        p.mode = mode;
        p.transpose = random.below(2) != 0;
        p.out = fp32 ? kFp32Out : 16;
        const std::vector<float> out = run(kPrograms[3][fp32], p, a, b, &partials);
        for (unsigned r = 0; r < a.rows; ++r)
          for (unsigned c = 0; c < b.columns; ++c) {
            const float one = expected(a, b, r, c, 4, fp32, false, partials.at(r, c));
            const float other = expected(a, b, r, c, 4, fp32, true, partials.at(r, c));
            const float got = out[std::size_t{r} * b.columns + c];
            ASSERT_TRUE(got == one || got == other)
                << "(" << r << ", " << c << "): " << got << " instead of " << one;
          }
      }
    }
  }
}

TEST(Matmul, TakesItsBanksBackForWhatFollows) {
  // A block that keeps banks, then copies, then single tiles: no state of the block may remain.
  Random random(4);
  const Operand a = random.operand(2 * kSide, kSide, 2);
  const Operand b = random.operand(kSide, 2 * kSide, 2);
  const Operand zero(2 * kSide, 2 * kSide);
  const MatmulParameters block{.mode = Mode::kBlock, .out = kFp32Out};
  const MatmulParameters tiles{.mode = Mode::kTiles, .out = kFp32Out};
  const std::vector<float> first = run(kPrograms[3][1], block, a, b);
  EXPECT_EQ(run(kPrograms[3][1], tiles, a, b, &zero), first);
  EXPECT_EQ(run(kPrograms[3][1], block, a, b, &zero), first);
}

TEST(Matmul, ResultsAddUpInL1) {
  Random random(5);
  const Operand a = random.operand(kSide, 2 * kSide, 2);
  const Operand b = random.operand(2 * kSide, 2 * kSide, 2);
  MatmulParameters p;
  p.mode = Mode::kBlock;
  p.out = kFp32Out;
  const std::vector<float> once = run(kPrograms[3][1], p, a, b);
  p.accumulations = 3;
  const std::vector<float> thrice = run(kPrograms[3][1], p, a, b);
  for (std::size_t i = 0; i < once.size(); ++i)
    ASSERT_EQ(thrice[i], (once[i] + once[i]) + once[i]) << i;  // FP32 rounds after each addition
}

// ---- Operands that are no ordinary numbers ------------------------------------------------------

TEST(Matmul, InfinitiesAreLargeNumbersAndDenormalsAreZero) {
  constexpr std::uint16_t kOne = 0x3F80, kInfinity = 0x7F80, kLargest = 0x7F7F, kDenormal = 0x007F;
  Operand a(kSide, kSide);
  Operand b(kSide, kSide);
  for (unsigned i = 0; i < kSide; ++i) b.at(i, i) = kOne;
  a.at(0, 0) = kInfinity;  // 2^128, which Dst stores as infinity
  a.at(1, 1) = 0x8000 | kInfinity;
  a.at(2, 2) = kLargest;
  a.at(3, 3) = kDenormal;
  a.at(4, 4) = 0x8000;  // minus zero
  a.at(5, 5) = 0x0080;  // the smallest normal number
  a.at(6, 6) = 0x7FC0;  // NaN elsewhere
  a.at(7, 7) = a.at(7, 8) = kLargest;
  b.at(8, 7) = kOne;  // makes the sum of row 7 overflow
  a.at(9, 9) = kInfinity;
  a.at(9, 10) = 0x8000 | kInfinity;
  b.at(10, 9) = kOne;  // infinity minus infinity
  const std::vector<float> out = run(kPrograms[3][1], {.out = kFp32Out}, a, b);
  const auto at = [&](unsigned r, unsigned c) { return out[r * kSide + c]; };
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(at(0, 0), infinity);
  EXPECT_EQ(at(0, 1), 0);  // infinity times zero
  EXPECT_EQ(at(1, 1), -infinity);
  EXPECT_EQ(at(2, 2), std::bit_cast<float>(0x7F7F0000u));
  EXPECT_EQ(at(3, 3), 0);
  EXPECT_EQ(at(4, 4), 0);
  EXPECT_EQ(at(5, 5), 0x1p-126f);
  EXPECT_EQ(at(6, 6), infinity);  // 1.5 * 2^128
  EXPECT_EQ(at(7, 7), infinity);
  EXPECT_EQ(at(9, 9), 0);  // both are 2^128
  for (const float value : out) EXPECT_FALSE(std::isnan(value));
}

TEST(Matmul, ProductsBelowTheSmallestNormalAreZero) {
  Operand a(kSide, kSide);
  Operand b(kSide, kSide);
  a.at(0, 0) = 0x2000;  // 2^-63
  b.at(0, 0) = 0x2000;  // makes the product 2^-126
  b.at(0, 1) = 0x1F80;  // 2^-127
  const std::vector<float> out = run(kPrograms[3][1], {.out = kFp32Out}, a, b);
  EXPECT_EQ(out[0], 0x1p-126f);
  EXPECT_EQ(out[1], 0);
}

// ---- Block formats ------------------------------------------------------------------------------

struct BlockFormat {
  unsigned buffer;
  unsigned bits;
};
constexpr BlockFormat kBlockFormats[] = {{29, 8}, {30, 4}, {31, 2}};

std::uint32_t tile_bytes(unsigned rows, unsigned bits) {
  return rows * 32 * bits / 8 + std::max(rows * 2, 16u);
}
/// The bits of datum i of a tile with `rows` rows, and of its shared exponent.
std::uint32_t datum_of(const std::uint8_t* tile, unsigned rows, unsigned bits, unsigned i) {
  const unsigned bit = i * bits;
  return tile[std::max(rows * 2, 16u) + bit / 8] >> (bit % 8) & ((1u << bits) - 1);
}

TEST(Matmul, BlockFormatsBecomeWhatTheyStandFor) {
  Random random(6);
  for (const unsigned rows : {32u, 8u}) {
    const ComputeProgram program = rows == 32 ? kPrograms[3][0] : TVP_PROGRAM_OF(matmul_tiny);
    for (const auto& [buffer, bits] : kBlockFormats) {
      SCOPED_TRACE(std::to_string(rows) + " rows, " + std::to_string(bits) + " bits");
      ComputeBench& machine = bench();
      const std::uint32_t bytes = tile_bytes(rows, bits);
      std::uint8_t* const in = machine.l1() + kAddress[0];
      for (unsigned i = 0; i < 2 * bytes; ++i) in[i] = static_cast<std::uint8_t>(random.below(256));
      for (unsigned t = 0; t < 2; ++t)
        for (unsigned i = 0; i < rows * 2; ++i)
          in[t * bytes + i] = static_cast<std::uint8_t>(100 + random.below(50));
      matmul_parameters = {.mode = Mode::kCopy, .ct = 2, .in = buffer, .out = 16};
      machine.buffer(program, buffer, kAddress[0], bytes, 2, 2);
      machine.buffer(program, 16, kAddressOut, rows * 64, 2, 0);
      ASSERT_TRUE(machine.execute(program)) << machine.waiting();
      for (unsigned t = 0; t < 2; ++t)
        for (unsigned i = 0; i < rows * 32; ++i) {
          const std::uint8_t* tile = in + t * bytes;
          const std::uint32_t datum = datum_of(tile, rows, bits, i);
          const std::uint32_t magnitude = datum & ((1u << (bits - 1)) - 1);
          const bool negative = datum >> (bits - 1) != 0;
          const double size =
              std::ldexp(magnitude, tile[i / 16] - 127 - static_cast<int>(bits - 2));
          std::uint16_t got;
          std::memcpy(&got, machine.l1() + kAddressOut + t * rows * 64 + 2 * i, 2);
          if (magnitude == 0 && negative) {
            ASSERT_EQ(got, 0xFF80) << i;  // the hardware has no minus zero here
          } else {
            ASSERT_EQ(value_of(got), negative ? -size : size) << i;
          }
        }
    }
  }
}

/// Rounds ties away from zero, as the packers' first conversion does by default in tt-metal.
double to_seven_digits(double value) {
  const double unit = std::ldexp(1.0, std::ilogb(value) - 6);
  return std::copysign(std::floor(std::abs(value) / unit + 0.5) * unit, value);
}

TEST(Matmul, BlockFormatsAreRoundedOnTheWayOut) {
  Random random(7);
  for (const unsigned rows : {32u, 8u}) {
    const ComputeProgram program = rows == 32 ? kPrograms[3][0] : TVP_PROGRAM_OF(matmul_tiny);
    for (const auto& [buffer, bits] : kBlockFormats) {
      SCOPED_TRACE(std::to_string(rows) + " rows, " + std::to_string(bits) + " bits");
      ComputeBench& machine = bench();
      Bits values(std::size_t{rows} * 32 * 2);
      for (std::uint16_t& value : values)
        value = static_cast<std::uint16_t>(random.below(2) << 15 | (122 + random.below(10)) << 7 |
                                           random.below(128));
      std::memcpy(machine.l1() + kAddress[0], values.data(), 2 * values.size());
      const std::uint32_t bytes = tile_bytes(rows, bits);
      std::memset(machine.l1() + kAddressOut, 0xA5, 2 * bytes + 64);
      matmul_parameters = {.mode = Mode::kCopy, .ct = 2, .in = 0, .out = buffer};
      machine.buffer(program, 0, kAddress[0], rows * 64, 2, 2);
      machine.buffer(program, buffer, kAddressOut, bytes, 2, 0);
      ASSERT_TRUE(machine.execute(program)) << machine.waiting();
      for (unsigned i = 0; i < 64; ++i) ASSERT_EQ(machine.l1()[kAddressOut + 2 * bytes + i], 0xA5);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t t = i / (rows * 32);
        const unsigned in_tile = static_cast<unsigned>(i % (rows * 32));
        const std::uint8_t* tile = machine.l1() + kAddressOut + t * bytes;
        int exponent = 0;
        for (std::size_t j = i / 16 * 16; j < i / 16 * 16 + 16; ++j)
          exponent = std::max(exponent, 127 + std::ilogb(to_seven_digits(value_of(values[j]))));
        ASSERT_EQ(tile[in_tile / 16], exponent) << i;
        // The packer rounds again relative to the largest datum and then truncates
        // (FormatConversion.md).
        const double scaled =
            std::ldexp(std::abs(to_seven_digits(value_of(values[i]))), 6 + 127 - exponent);
        const auto eight = static_cast<unsigned>(std::min(std::floor(scaled + 0.5), 127.0));
        const unsigned magnitude = eight >> (8 - bits);
        const bool negative = magnitude != 0 && (values[i] & 0x8000) != 0;
        ASSERT_EQ(datum_of(tile, rows, bits, in_tile),
                  magnitude | (negative ? 1u << (bits - 1) : 0u))
            << i;
      }
    }
  }
}

}  // namespace
}  // namespace tvp::test
