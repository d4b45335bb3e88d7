// Sorting, sums and statistics of columns, random numbers and quantization. The C++ library
// provides the expected values.

#include "tests/firmware/programs/columns.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>

#include "tests/firmware/functions_bench.h"

namespace tvp::test {

TVP_DECLARE_PROGRAM(columns_full_fp32);
TVP_DECLARE_PROGRAM(columns_full_bf16);

namespace {

const ComputeProgram kWide = TVP_PROGRAM_OF(columns_full_fp32);
const ComputeProgram kNarrow = TVP_PROGRAM_OF(columns_full_bf16);

constexpr unsigned kDatums = 1024;

/// Elements column by column, through tiles on top of each other.
template <typename T>
using Columns = std::vector<std::vector<T>>;

std::size_t place(unsigned row, unsigned column) {
  return Tile(32).place(row % 32, column) + row / 32 * kDatums;
}

template <typename T>
void write(std::uint32_t address, const Columns<T>& columns) {
  for (unsigned c = 0; c < 32; ++c)
    for (unsigned r = 0; r < columns[c].size(); ++r)
      std::memcpy(functions_bench().l1() + address + place(r, c) * sizeof(T), &columns[c][r],
                  sizeof(T));
}
template <typename T>
Columns<T> read(std::uint32_t address, unsigned tiles) {
  Columns<T> columns(32, std::vector<T>(32 * tiles));
  for (unsigned c = 0; c < 32; ++c)
    for (unsigned r = 0; r < columns[c].size(); ++r)
      std::memcpy(&columns[c][r], functions_bench().l1() + address + place(r, c) * sizeof(T),
                  sizeof(T));
  return columns;
}
void buffer(const ComputeProgram& program, unsigned id, std::uint32_t address, std::uint32_t bytes,
            unsigned tiles, bool filled) {
  functions_bench().buffer(program, id, address, kDatums * bytes, tiles, filled ? tiles : 0);
}
void execute(const ComputeProgram& program, const ColumnsParameters& parameters) {
  columns_parameters = parameters;
  EXPECT_TRUE(functions_bench().execute(program)) << functions_bench().waiting();
}

constexpr std::uint32_t kIn = 0x20000, kIndices = 0x40000, kOut = 0x60000, kOutIndices = 0x80000;

Columns<float> random_columns(unsigned rows, double low, double high) {
  std::mt19937 engine(4);
  Columns<float> columns(32, std::vector<float>(rows));
  for (auto& column : columns)
    for (float& each : column)
      each = workloads::sdpa::round_bf16(std::uniform_real_distribution<double>(low, high)(engine));
  return columns;
}
Columns<std::uint16_t> as_bf16(const Columns<float>& columns) {
  Columns<std::uint16_t> out(32);
  for (unsigned c = 0; c < 32; ++c)
    for (const float each : columns[c]) out[c].push_back(workloads::sdpa::to_bf16(each));
  return out;
}

/// Values in the order that elements [0, length), … must have.
void check_sorted(const ColumnsParameters& parameters, unsigned checked,
                  const std::function<void(std::vector<float>&)>& golden) {
  const Columns<float> values = random_columns(64, -100, 100);
  Columns<std::uint16_t> indices(32, std::vector<std::uint16_t>(64));
  for (unsigned c = 0; c < 32; ++c)
    for (unsigned e = 0; e < 64; ++e) indices[c][e] = static_cast<std::uint16_t>(1000 * c + e);
  write(kIn, as_bf16(values));
  write(kIndices, indices);
  buffer(kNarrow, 4, kIn, 2, 2, true);
  buffer(kNarrow, 2, kIndices, 2, 2, true);
  buffer(kNarrow, 5, kOut, 2, 2, false);
  buffer(kNarrow, 17, kOutIndices, 2, 2, false);
  execute(kNarrow, parameters);
  const auto out = read<std::uint16_t>(kOut, 2), out_indices = read<std::uint16_t>(kOutIndices, 2);
  for (unsigned c = 0; c < 32; ++c) {
    std::vector<float> expected = values[c];
    golden(expected);
    std::vector<std::uint16_t> seen;
    for (unsigned e = 0; e < checked; ++e) {
      ASSERT_EQ(workloads::sdpa::from_bf16(out[c][e]), expected[e]) << "column " << c << ", " << e;
      const unsigned index = out_indices[c][e];
      ASSERT_EQ(index / 1000, c);
      ASSERT_LT(index % 1000, 64u);
      ASSERT_EQ(values[c][index % 1000], expected[e]) << "column " << c << ", " << e;
      seen.push_back(out_indices[c][e]);
    }
    std::sort(seen.begin(), seen.end());
    ASSERT_TRUE(std::adjacent_find(seen.begin(), seen.end()) == seen.end()) << "column " << c;
  }
}

TEST(Columns, AreSortedInSequences) {
  for (unsigned log_k = 1; log_k <= 6; ++log_k)
    for (const bool up : {false, true}) {
      SCOPED_TRACE(std::to_string(log_k) + (up ? " up" : " down"));
      const unsigned k = 1u << log_k;
      check_sorted({.op = ColumnsOp::kSort, .log_k = log_k, .up = up}, 64,
                   [&](std::vector<float>& v) {
                     for (unsigned first = 0; first < 64; first += k) {
                       const bool rising = up == (first / k % 2 == 0);
                       const auto from = v.begin() + first, to = from + k;
                       if (rising) std::sort(from, to);
                       if (!rising) std::sort(from, to, std::greater<>());
                     }
                   });
    }
}
TEST(Columns, GiveTheirLargestAndSmallest) {
  for (unsigned log_k = 2; log_k <= 5; ++log_k)
    for (const bool up : {false, true}) {
      SCOPED_TRACE(std::to_string(log_k) + (up ? " up" : " down"));
      check_sorted({.op = ColumnsOp::kTopK, .log_k = log_k, .up = up}, 1u << log_k,
                   [&](std::vector<float>& v) {
                     if (up) std::sort(v.begin(), v.end());
                     if (!up) std::sort(v.begin(), v.end(), std::greater<>());
                   });
    }
}

TEST(Columns, AreSummedUp) {
  const unsigned tiles = 3;
  const Columns<float> values = random_columns(32 * tiles, -10, 10);
  for (const ComputeProgram& program : {kWide, kNarrow}) {
    write(kIn, as_bf16(values));
    buffer(program, 4, kIn, 2, tiles, true);
    buffer(program, 18, kOut, 4, tiles, false);
    execute(program, {.op = ColumnsOp::kSum, .tiles = tiles});
    const auto out = read<float>(kOut, tiles);
    const bool wide = &*program.thread[0] == &*kWide.thread[0];
    for (unsigned c = 0; c < 32; ++c) {
      double sum = 0;
      for (unsigned r = 0; r < 32 * tiles; ++r) {
        sum += values[c][r];
        ASSERT_NEAR(out[c][r], sum, wide ? 96 * 0x1p-18 : std::fabs(sum) * 0x1p-8 + 1e-3)
            << c << ", " << r;
      }
    }
  }
}

TEST(Columns, HaveMeanAndVariance) {
  const unsigned tiles = 3;
  const Columns<float> values = random_columns(32 * tiles, 90, 110);
  for (const unsigned last : {32u, 17u}) {
    write(kIn, as_bf16(values));
    buffer(kWide, 4, kIn, 2, tiles, true);
    buffer(kWide, 18, kOut, 4, 2, false);
    execute(kWide, {.op = ColumnsOp::kWelford, .tiles = tiles, .last_rows = last});
    const auto out = read<float>(kOut, 2);
    const unsigned rows = 32 * (tiles - 1) + last;
    for (unsigned c = 0; c < 32; ++c) {
      double mean = 0, variance = 0;
      for (unsigned r = 0; r < rows; ++r) mean += double{values[c][r]} / rows;
      for (unsigned r = 0; r < rows; ++r) variance += std::pow(values[c][r] - mean, 2) / rows;
      ASSERT_NEAR(out[c][0], mean, 1e-4) << c;  // some 96 steps of 2^-24 * 100
      ASSERT_NEAR(out[c][32], variance, 1e-4 * variance) << c;
      for (unsigned r = 1; r < 32; ++r) ASSERT_EQ(out[c][r], 0);
    }
  }
}

TEST(Columns, OfIntegersAreSummed) {
  std::mt19937 engine(6);
  Columns<std::uint32_t> x(32, std::vector<std::uint32_t>(64));
  for (auto& column : x)
    for (auto& each : column) each = static_cast<std::uint32_t>(engine());
  for (const ColumnsOp op :
       {ColumnsOp::kIntegerColumns, ColumnsOp::kIntegerRows, ColumnsOp::kIntegerAdd}) {
    write(kIn, x);
    buffer(kWide, 0, kIn, 4, 2, true);
    buffer(kWide, 4, kIndices, 2, 1, true);
    buffer(kWide, 16, kOut, 4, 1, false);
    execute(kWide, {.op = op});
    const auto out = read<std::uint32_t>(kOut, 1);
    for (unsigned i = 0; i < 32; ++i) {
      std::uint32_t column = 0, row = 0;
      for (unsigned j = 0; j < 32; ++j) {
        column += x[i][j];
        row += x[j][i];
        if (op == ColumnsOp::kIntegerAdd) {
          ASSERT_EQ(out[i][j], x[i][j] + x[i][j + 32]);
        }
      }
      if (op == ColumnsOp::kIntegerColumns) {
        ASSERT_EQ(out[i][0] + out[i][1] + out[i][2] + out[i][3], column) << i;
      }
      if (op == ColumnsOp::kIntegerRows) {
        for (unsigned j = 0; j < 16; j += 2) {
          ASSERT_EQ(out[j][i], x[j][i] + x[j + 1][i] + x[j + 16][i] + x[j + 17][i]) << i;
          row -= out[j][i];
        }
        ASSERT_EQ(row, 0U) << i;
      }
    }
  }
}

std::vector<float> run_floats(ColumnsOp op, unsigned seed) {
  write(kIn, as_bf16(Columns<float>(32, std::vector<float>(32, 2.0f))));
  buffer(kWide, 4, kIn, 2, 1, true);
  buffer(kWide, 18, kOut, 4, 1, false);
  execute(kWide, {.op = op, .tiles = 1, .seed = seed});
  std::vector<float> out(kDatums);
  std::memcpy(out.data(), functions_bench().l1() + kOut, 4 * kDatums);
  return out;
}

TEST(RandomNumbers, AreUniform) {
  const std::vector<float> one = run_floats(ColumnsOp::kUniform, 12345);
  EXPECT_EQ(one, run_floats(ColumnsOp::kUniform, 12345));
  EXPECT_NE(one, run_floats(ColumnsOp::kUniform, 12346));
  unsigned quarter[4] = {};
  for (const float each : one) {
    ASSERT_GE(each, 3.0f);
    ASSERT_LT(each, 3.5f);
    ++quarter[static_cast<unsigned>((each - 3) * 8)];
  }
  for (const unsigned each : quarter)
    EXPECT_NEAR(each, kDatums / 4.0, 5 * std::sqrt(kDatums * 3 / 16.0));
}
TEST(RandomNumbers, DropAQuarter) {
  unsigned dropped = 0;
  for (const float each : run_floats(ColumnsOp::kDropout, 99)) {
    ASSERT_TRUE(each == 0 || each == 6) << each;
    dropped += each == 0;
  }
  EXPECT_NEAR(dropped, kDatums / 4.0, 5 * std::sqrt(kDatums * 3 / 16.0));
}

TEST(Quantization, GoesToIntegersAndBack) {
  const Columns<float> values = random_columns(32, -1000, 1000);
  std::mt19937 engine(8);
  Columns<std::uint32_t> integers(32, std::vector<std::uint32_t>(32));
  for (auto& column : integers)
    for (auto& each : column) each = static_cast<std::uint32_t>(engine() % 20001) - 10000;
  for (const ColumnsOp op :
       {ColumnsOp::kQuantize, ColumnsOp::kRequantize, ColumnsOp::kDequantize}) {
    write(kIn, as_bf16(values));
    write(kIndices, integers);
    buffer(kWide, 4, kIn, 2, 1, true);
    buffer(kWide, 0, kIndices, 4, 1, true);
    buffer(kWide, 16, kOut, 4, 1, false);
    buffer(kWide, 18, kOutIndices, 4, 1, false);
    execute(kWide, {.op = op, .tiles = 1});
    const auto whole = read<std::int32_t>(kOut, 1);
    const auto floats = read<float>(kOutIndices, 1);
    for (unsigned c = 0; c < 32; ++c)
      for (unsigned r = 0; r < 32; ++r) {
        const double integer = static_cast<std::int32_t>(integers[c][r]);
        const double from = op == ColumnsOp::kQuantize ? double{values[c][r]} : integer;
        if (op == ColumnsOp::kDequantize) {
          ASSERT_EQ(floats[c][r], (from - 3) * 0.5);
        } else {
          ASSERT_EQ(whole[c][r], std::nearbyint(from * 0.5 + 3)) << from;
        }
      }
  }
}

}  // namespace
}  // namespace tvp::test
