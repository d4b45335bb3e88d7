// Sums and norms along rows and columns that end within a tile (moreh).

#include <gtest/gtest.h>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("operations/moreh.toml");

using runtime::DataFormat;

const std::string kMoreh = "ttnn/cpp/ttnn/operations/moreh/";
constexpr Word kOnes = 0x3F803F80;

class PublishedMoreh : public PublishedTest {
 protected:
  void sum(bool along_rows, unsigned high, unsigned wide, bool fp32);
  void norm(const std::string& of, unsigned size);
  void sum_integers(bool along_rows, unsigned size);
};

constexpr unsigned up(unsigned value) { return (value + 31) / 32; }

void PublishedMoreh::sum(bool along_rows, unsigned high, unsigned wide, bool fp32) {
  const unsigned ht = up(high), wt = up(wide);
  const Numbers x = random(ht, wt, -1, 2);
  const auto in = tensor(x), out = result(along_rows ? ht : wt);
  const unsigned size = along_rows ? wide : high;
  const std::string axis = along_rows ? "w" : "h";
  const std::string kernels = kMoreh + "moreh_sum/device/moreh_sum_" + axis + "_impl_kernels/";
  Operation::Defines reads{{"REDUCE_SCALER", "1"}};
  if (size % 32 != 0) reads[along_rows ? "DO_MASK_W" : "DO_MASK_H"] = "1";
  Operation::Defines computes{
      {"REDUCE_OP", "PoolType::SUM"},
      {"REDUCE_DIM", along_rows ? "ReduceDim::REDUCE_ROW" : "ReduceDim::REDUCE_COL"}};
  if (fp32) computes["FP32_DEST_ACC_EN"] = "1";
  Operation operation(*bench_);
  operation.buffer(0, 2).buffer(2, 1).buffer(3, 1).buffer(16, 2).buffer(25, 1);
  operation.buffer(24, 1, fp32 ? 4096 : 2048, fp32 ? DataFormat::Float32 : DataFormat::Float16_b);
  if (along_rows) {
    operation.reader(kernels + "reader_moreh_sum_w.cpp",
                     {.tensors = {in},
                      .after = {kOnes},
                      .run = {address(in), ht * wt, 0, size % 32},
                      .defines = reads});
  } else {
    operation.reader(kernels + "reader_moreh_sum_h.cpp", {.compile = {ht, wt, ht * wt},
                                                          .tensors = {in},
                                                          .after = {kOnes},
                                                          .run = {address(in), 0, 0, wt, size % 32},
                                                          .defines = reads});
  }
  operation.writer(
      kernels + "writer_moreh_sum_" + axis + ".cpp",
      {.compile = {16}, .tensors = {out}, .run = {address(out), along_rows ? ht : wt, 0}});
  operation.compute(kernels + "moreh_sum_" + axis + ".cpp",
                    {.compile = {ht, wt, 1, size}, .defines = computes, .fp32_dst = fp32});
  operation.run();
  const Numbers got = read(out, along_rows ? 1 : wt);
  for (unsigned i = 0; i < (along_rows ? 32 * ht : 32 * wt); ++i) {
    double wanted = 0;
    for (unsigned k = 0; k < size; ++k) wanted += along_rows ? x(i, k) : x(k, i);
    const double bound = fp32 ? 0.005 * std::abs(wanted) + 0.1 : 0.02 * std::abs(wanted) + 0.5;
    ASSERT_NEAR(along_rows ? got(i, 0) : got(0, i), wanted, bound) << axis << size << ": " << i;
  }
}

TEST_F(PublishedMoreh, Sums) {
  for (const bool along_rows : {true, false}) {
    for (const bool fp32 : {false, true}) {
      sum(along_rows, 64, 64, fp32);
      sum(along_rows, 20, 20, fp32);
      sum(along_rows, 75, 90, fp32);
    }
  }
}

void PublishedMoreh::norm(const std::string& of, unsigned size) {
  constexpr unsigned kHigh = 2;
  const unsigned wide = up(size);
  Numbers x = random(kHigh, wide, -4, 4);
  for (unsigned r = 0; r < 32 * kHigh; ++r)
    for (unsigned c = r % 7; c < 32 * wide; c += 7) x.set(r, c, of == "zero" ? 0.0F : 3.5F);
  const auto in = tensor(x), out = result(kHigh);
  Operation::Defines computes{{"REDUCE_OP", of == "zero" ? "PoolType::SUM" : "PoolType::MAX"},
                              {"REDUCE_DIM", "ReduceDim::REDUCE_ROW"}};
  if (of == "zero") computes["IS_ZERO"] = "1";
  if (of == "least") computes["MINUS_INF"] = "1";
  kLaunches.run(*bench_, "norm", TVP_VALUES(in, kHigh, wide, size, out, computes));
  const Numbers got = read(out, 1);
  for (unsigned r = 0; r < 32 * kHigh; ++r) {
    double wanted = of == "least" ? 100 : 0;
    for (unsigned c = 0; c < size; ++c) {
      const double value = std::abs(x(r, c));
      if (of == "zero") wanted += value != 0;
      if (of == "most") wanted = std::max(wanted, value);
      if (of == "least") wanted = std::min(wanted, value);
    }
    ASSERT_EQ(got(r, 0), wanted) << of << " " << size << ": " << r;
  }
}

TEST_F(PublishedMoreh, Norms) {
  for (const unsigned size : {20U, 64U, 90U}) {
    norm("zero", size);
    norm("most", size);
    norm("least", size);
  }
}

void PublishedMoreh::sum_integers(bool along_rows, unsigned size) {
  const unsigned ht = along_rows ? 2 : up(size), wt = along_rows ? up(size) : 2;
  Words x(1024 * std::size_t{ht} * wt);
  std::uniform_int_distribution<int> of(-1000000, 1000000);
  for (Word& each : x) each = static_cast<Word>(of(random_));
  const unsigned results = along_rows ? ht : wt;
  const auto in = bench_->tensor(x, 4096), out = bench_->result(results, 4096);
  const std::string axis = along_rows ? "w" : "h";
  const std::string kernels = kMoreh + "moreh_sum/device/moreh_sum_" + axis + "_impl_kernels/";
  Operation::Defines reads;
  if (size % 32 != 0) reads[along_rows ? "DO_MASK_W" : "DO_MASK_H"] = "1";
  Operation operation(*bench_);
  for (const std::uint8_t cb : std::initializer_list<std::uint8_t>{0, 1, 16, 24})
    operation.buffer(cb, 2, 4096, DataFormat::Int32);
  operation
      .reader(kernels + "reader_moreh_int_sum_" + axis + ".cpp",
              along_rows ? Operation::Arguments{.tensors = {in},
                                                .run = {address(in), ht * wt, 0, size % 32},
                                                .defines = reads}
                         : Operation::Arguments{.compile = {ht, wt},
                                                .tensors = {in},
                                                .run = {address(in), 0, 0, wt, size % 32},
                                                .defines = reads})
      .writer(kernels + "writer_moreh_int_sum_" + axis + ".cpp",
              {.tensors = {out}, .run = {address(out), results, 0}})
      .compute(kernels + "moreh_int_sum_" + axis + ".cpp",
               {.compile = {results, along_rows ? wt : ht, size},
                .defines = {{"FP32_DEST_ACC_EN", "1"}},
                .fp32_dst = true});
  operation.run();
  const Words got = bench_->words(out);
  const auto at = [&](unsigned row, unsigned column, unsigned wide) {
    return (row / 32 * wide + column / 32) * 1024 + place_in_tile(row % 32, column % 32);
  };
  for (unsigned i = 0; i < 32 * results; ++i) {
    int wanted = 0;
    for (unsigned k = 0; k < size; ++k)
      wanted += static_cast<int>(along_rows ? x[at(i, k, wt)] : x[at(k, i, wt)]);
    ASSERT_EQ(static_cast<int>(along_rows ? got[at(i, 0, 1)] : got[at(0, i, wt)]), wanted)
        << axis << size << ": " << i;
  }
}

TEST_F(PublishedMoreh, SumsOfIntegers) {
  for (const unsigned size : {20U, 32U, 75U}) {
    sum_integers(true, size);
    sum_integers(false, size);
  }
}

}  // namespace
}  // namespace tvp::test
