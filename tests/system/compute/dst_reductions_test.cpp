// Reductions of columns and rows of a tile in DST, each compared with a loop over 32 x 32 numbers.

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "tests/system/compute/dst_rows.h"

namespace tvp::test {
namespace {

class DstReductions : public DstRows {};
/// Operations that need a 32-bit Dst.
class WideDstReductions : public DstRows {};

struct Reduction {
  const char* pool;
  std::function<double(const std::vector<double>&)> golden;
};
const Reduction kReductions[] = {
    {"SUM", [](const auto& v) { return std::accumulate(v.begin(), v.end(), 0.0); }},
    {"AVG", [](const auto& v) { return std::accumulate(v.begin(), v.end(), 0.0) / 32; }},
    {"MAX", [](const auto& v) { return *std::max_element(v.begin(), v.end()); }},
    {"MIN", [](const auto& v) { return *std::min_element(v.begin(), v.end()); }},
};

/// A kernel that packs each reduction of the tile in buffer 0 in order.
std::string all_reductions(const std::string& format, const std::string& after,
                           const std::string& dim = "COL") {
  std::string text =
      "#include \"compute_kernel_api.h\"\n"
      "template <PoolType kPool> void one() {\n"
      "  constexpr DataFormat kFormat = DataFormat::" +
      format +
      ";\n  tile_regs_acquire();\n  copy_tile(0, 0, 0);\n"
      "  sfpu_reduce_init<kPool, kFormat>(); sfpu_reduce<kPool, kFormat, "
      "ReduceDim::REDUCE_" +
      dim + ">(0);\n" + after +
      "  tile_regs_commit(); tile_regs_wait();\n"
      "  cb_reserve_back(16, 1); pack_tile(0, 16); cb_push_back(16, 1);\n"
      "  tile_regs_release();\n}\n"
      "void kernel_main() {\n  unary_op_init_common(0, 16);\n  cb_wait_front(0, 1);\n";
  for (const Reduction& each : kReductions)
    text += "  one<PoolType::" + std::string(each.pool) + ">();\n";
  return text + "}\n";
}

TEST_P(DstReductions, ColumnsAndRowsOfFloatsAreReduced) {
  const Matrix a = numbers(-8, 8);
  for (const bool rows : {false, true}) {
    const auto got = bench_->run(
        name(rows ? "rows" : "reduce"), all_reductions("Float32", "", rows ? "ROW" : "COL"),
        {in(0, tile16(a), DataFormat::Float16_b)}, {out(DataFormat::Float32, 4)}, options());
    for (std::size_t i = 0; i < 4; ++i) {
      const Matrix result = matrix(got[0], i);
      for (std::size_t k = 0; k < 32; ++k) {
        std::vector<double> line;
        for (std::size_t j = 0; j < 32; ++j) line.push_back(f(from_bf16(rows ? a[k][j] : a[j][k])));
        const double expected = kReductions[i].golden(line);
        ASSERT_NEAR(f(rows ? result[k][0] : result[0][k]), expected,
                    (wide() ? 2e-5 : std::abs(expected) / 256) + 1e-6)
            << kReductions[i].pool << (rows ? " of row " : " of column ") << k;
      }
    }
  }
}

/// Tests integers in each format of DST.
void check_integers(TileBench& bench, const std::string& name, const TileBench::Options& options,
                    const char* format, const Matrix& a, const std::function<double(Word)>& value,
                    const std::function<Word(double)>& stored, const TileBuffer& in,
                    const TileBuffer& out, const std::string& after = "") {
  for (const bool rows : {false, true}) {
    const auto got =
        bench.run(name + (rows ? "_rows" : ""), all_reductions(format, after, rows ? "ROW" : "COL"),
                  {in}, {out}, options);
    const bool small = out.page_bytes == 2048;
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t k = 0; k < 32; ++k) {
        std::vector<double> line;
        for (std::size_t j = 0; j < 32; ++j) line.push_back(value(rows ? a[k][j] : a[j][k]));
        const std::size_t at = 1024 * i + (rows ? place_in_tile(k, 0) : place_in_tile(0, k));
        ASSERT_EQ(small ? datum16(got[0], at) : got[0][at],
                  stored(std::trunc(kReductions[i].golden(line))))
            << kReductions[i].pool << " of " << format << (rows ? ", row " : ", column ") << k;
      }
    }
  }
}

TEST_P(DstReductions, ColumnsAndRowsOfIntegersAreReduced) {
  const auto same = [](Word bits) { return static_cast<double>(bits); };
  const auto to16 = [](double v) {
    return static_cast<Word>(static_cast<std::int64_t>(v)) & 0xFFFF;
  };
  const Matrix small = bits(0x7FF);  // sums fit into 16 bits
  check_integers(*bench_, name("uint16"), options(), "UInt16", small, same, to16,
                 in(0, tile16(small), DataFormat::UInt16), out(index_format(), 4),
                 wide() ? widened(0) : "");
  if (!wide()) return;
  const auto to32 = [](double v) { return static_cast<Word>(static_cast<std::int64_t>(v)); };
  Matrix wide_bits = bits(0xFFFFFFFF);
  wide_bits[0][0] = 0x80000000;
  for (auto& row : wide_bits)
    for (Word& bits : row) bits = static_cast<Word>(static_cast<std::int32_t>(bits) >> 5);
  check_integers(
      *bench_, name("int32"), options(), "Int32", wide_bits,
      [](Word bits) { return static_cast<double>(static_cast<std::int32_t>(bits)); }, to32,
      in(0, tile32(wide_bits), DataFormat::Int32), out(DataFormat::Int32, 4));
  const Matrix positive = each([&](auto r, auto c) { return wide_bits[r][c] & 0x07FFFFFF; });
  check_integers(*bench_, name("uint32"), options(), "UInt32", positive, same, to32,
                 in(0, tile32(positive), DataFormat::UInt32), out(DataFormat::UInt32, 4));
}
TEST_P(WideDstReductions, LargeUnsignedNumbersAreOrderedAsSuch) {
  const Matrix a = bits(0xFFFFFFFF);
  const auto got =
      bench_->run(name("uint32"), all_reductions("UInt32", ""),
                  {in(0, tile32(a), DataFormat::UInt32)}, {out(DataFormat::UInt32, 4)}, options());
  for (std::size_t c = 0; c < 32; ++c) {
    Word largest = a[0][c], smallest = a[0][c];
    for (std::size_t r = 1; r < 32; ++r) {
      largest = std::max(largest, a[r][c]);
      smallest = std::min(smallest, a[r][c]);
    }
    ASSERT_EQ(got[0][2 * 1024 + place_in_tile(0, c)], largest) << c;
    ASSERT_EQ(got[0][3 * 1024 + place_in_tile(0, c)], smallest) << c;
  }
}

INSTANTIATE_TEST_SUITE_P(Dst, WideDstReductions, testing::Values(true));
INSTANTIATE_TEST_SUITE_P(Dst, DstReductions, testing::Bool(),
                         [](const auto& wide) { return wide.param ? "Of32Bits" : "Of16Bits"; });

}  // namespace
}  // namespace tvp::test
