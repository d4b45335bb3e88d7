// The norm of a decoder's rows in two steps, between which chips would gather sums. The setup is
// that of models/demos/llama3_70b_galaxy/tests/unit_tests/test_llama_ops.py (LayerNorm). Reference,
// within 5 %: …/tg_perf_unit_tests/test_llama_ops_perf_TG_llama.py.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/system/published/times/published_times.h"

namespace tvp::test {
namespace {

using runtime::CoreCoord;
using runtime::CoreRange;
using runtime::CoreRangeSet;
using runtime::DataFormat;
using runtime::NOC;

constexpr auto kFast = runtime::KernelBuildOptLevel::O3;
/// Two columns of eight cores have four tiles of a row each. The two cores of a row add first; then
/// the first core adds the results of the eight rows.
constexpr Word kColumns = 2, kRows = 8, kCores = kColumns * kRows, kEach = 4,
               kWide = kCores * kEach;
constexpr CoreCoord kFirst{1, 0}, kLast{2, 7};
constexpr float kEpsilon = 1e-6F;

class PublishedDecoderNorm : public PublishedTimes {
 protected:
  static std::string kernels() { return operations() + "normalization/layernorm/device/kernels/"; }
  static Word index(CoreCoord core) { return core.x - kFirst.x + core.y * kColumns; }
  /// The cores that add the numbers of a row of cores, or those that only send.
  static std::vector<CoreCoord> column(Word which) {
    std::vector<CoreCoord> made;
    for (Word y = 0; y < kRows; ++y) made.push_back({kFirst.x + which, y});
    return made;
  }
  static Words places() {
    Words made;
    for (Word x = 0; x < kColumns; ++x) made.push_back(bench_->noc({kFirst.x + x, 0}).x);
    for (Word y = 0; y < kRows; ++y) made.push_back(bench_->noc({kFirst.x, y}).y);
    return made;
  }
  /// The sender of multicasts, the other adding cores, and the sending cores.
  void readers(Operation& operation, const std::string& step);
  struct Compute {
    Word scaled;
    std::string step;
    Words more{};  ///< for cores that add
  };
  void compute(Operation& operation, const Compute& of);
  static Word packed(float value) {
    const Word bits = to_bf16(value);
    return bits << 16 | bits;
  }
};

void PublishedDecoderNorm::readers(Operation& operation, const std::string& step) {
  operation.on(CoreRange(kFirst, kLast));
  const Word given = operation.semaphore(0), sent = operation.semaphore(0),
             second = operation.semaphore(0);
  const std::string reader = kernels() + "dataflow/reader_mcast_";
  const Words both = places();
  const auto with_places = [&](Words args) {
    args.insert(args.end(), both.begin(), both.end());
    return args;
  };
  const CoreCoord from = bench_->noc(kFirst), to = bench_->noc(kLast);
  operation.on(kFirst).writer(reader + "sender_unary_sharded_ln_" + step + "_allgather.cpp",
                              {.compile = {given, sent, kCores, 1, 2048, 1, 1, 2048, 1, 2048, 1,
                                           kColumns, kRows, 1, kColumns, kRows, second, 1, 0},
                               .run = with_places({from.x, from.y, to.x, to.y, 0, 0}),
                               .noc = NOC::NOC_0});
  const std::string receiver = reader + "receiver_unary_sharded_ln_" + step + "_allgather.cpp";
  std::vector<CoreCoord> adding = column(0);
  adding.erase(adding.begin());
  operation.on(CoreRangeSet(adding))
      .writer(receiver, {.compile = {given, sent, kCores, 1, 1, 1, 1, 1, 1, kColumns, kRows, 1,
                                     kColumns, kRows, second, 1, 0},
                         .run_at =
                             [&](CoreCoord core) {
                               return with_places({1, 0, 0, 0, core.y});
                             },
                         .noc = NOC::NOC_0});
  operation.on(CoreRangeSet(column(1)))
      .writer(receiver,
              {.compile = {given, sent, kCores, 1, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, second, 1, 0},
               .run = {0, 2048, 0, 0, 0, from.x, from.y},
               .noc = NOC::NOC_0});
}

void PublishedDecoderNorm::compute(Operation& operation, const Compute& of) {
  for (const Word adds : {1U, 0U})
    operation.on(CoreRangeSet(column(1 - adds)))
        .compute(kernels() + "compute/layernorm_sharded_" + of.step + "_allgather.cpp",
                 {.compile = {0, of.scaled, 0, kColumns, 1, kEach, kEach, 1, adds, kEach, 0, 0, 0,
                              kRows},
                  .run_at =
                      [&](CoreCoord core) {
                        if (adds == 0) return Words{kEach};
                        Words args{kEach, 1, 1, index(core) == 0 ? 1U : 0U};
                        args.insert(args.end(), of.more.begin(), of.more.end());
                        return args;
                      },
                  .defines = {{"RMSNORM", "1"}},
                  .approximate = true,
                  .optimization = kFast});
}

TEST_F(PublishedDecoderNorm, InTwoSteps) {
  const CoreRangeSet all(CoreRange(kFirst, kLast));
  const Numbers x = random(1, kWide, -2, 2), gamma = random(1, kWide, -2, 2);
  const auto in = bench_->local(x.words(), all);
  const auto sums = bench_->local(Words(512, 0), CoreRangeSet(std::vector<CoreCoord>{kFirst}));
  const auto temporary = [](Operation& operation) {
    for (const std::uint8_t cb : {std::uint8_t{24}, std::uint8_t{18}}) operation.buffer(cb, kEach);
    for (const std::uint8_t cb :
         {std::uint8_t{2}, std::uint8_t{3}, std::uint8_t{4}, std::uint8_t{11}, std::uint8_t{12},
          std::uint8_t{20}, std::uint8_t{15}})
      operation.buffer(cb, 1);
    operation.buffer(13, kColumns + kRows - 1);
  };
  // Scales of the means of a core's numbers, of cores' means, and of rows' sums.
  const auto scales = [&](CoreCoord core) -> Words {
    const float cores = index(core) == 0 || core.x != kFirst.x ? 1.0F / kCores : 1.0F;
    return {packed(cores), packed(1.0F / (32 * kEach))};
  };
  Operation pre(*bench_);
  pre.on(all).buffer(0, in, DataFormat::Float16_b, 2048);
  temporary(pre);
  pre.on(kFirst).buffer(16, sums, DataFormat::Float16_b, 2048);
  readers(pre, "pre");
  for (const Word adds : {1U, 0U})
    pre.on(CoreRangeSet(column(1 - adds)))
        .reader(kernels() + "dataflow/writer_unary_sharded_ln_pre_all_gather.cpp",
                {.compile = {adds, 0, 0, kEach, 0},
                 .run_at =
                     [&](CoreCoord core) {
                       Words args = scales(core);
                       args.insert(args.end(), {w(kEpsilon), 0, 0, 0, 0});
                       return args;
                     },
                 .defines = {{"RMSNORM", "1"}},
                 .noc = NOC::NOC_1});
  compute(pre, {0, "pre"});
  pre.run();
  const std::uint64_t before = bench_->kernel_cycles();
  RecordProperty("first step", std::to_string(before));
  const Numbers mean(1, bench_->local_words(sums));
  std::vector<double> squares(32);
  for (std::size_t row = 0; row < squares.size(); ++row) {
    for (std::size_t c = 0; c < x.columns(); ++c)
      squares[row] += x(row, c) * x(row, c) / static_cast<double>(x.columns());
    ASSERT_NEAR(mean(row, 0), squares[row], 0.03 * squares[row]) << row;
  }

  // The output goes to two other columns of cores, one of which also computes.
  const CoreRangeSet beside(CoreRange({0, 0}, {1, kRows - 1}));
  const CoreRangeSet either(CoreRange({0, 0}, kLast));
  const auto scale = tensor(gamma, {false});
  const auto out = bench_->local(Words(either.num_cores() * kEach * 512, 0), either);
  Operation post(*bench_);
  post.on(all).buffer(0, in, DataFormat::Float16_b, 2048).buffer(5, kEach).buffer(16, kEach);
  temporary(post);
  post.on(kFirst).buffer(7, sums, DataFormat::Float16_b, 2048).buffer(21, 1).buffer(19, 1);
  post.on(either).buffer(17, out, DataFormat::Float16_b, 2048);
  readers(post, "post");
  for (const Word adds : {1U, 0U})
    post.on(CoreRangeSet(column(1 - adds)))
        .reader(kernels() + "dataflow/writer_unary_sharded_ln.cpp",
                {.compile = {adds, 1, 0, kEach, 0},
                 .tensors = {scale, scale},
                 .after = {0, 0, kEach * 2048, kEach * 2048, 1, 0},
                 .run_at = [&](CoreCoord core) -> Words {
                   const Word i = index(core);
                   const CoreCoord to = bench_->noc(beside.cores()[i]);
                   return {packed(1),   packed(1.0F / (32 * kEach)),
                           w(kEpsilon), address(scale),
                           0,           i * kEach,
                           i * kEach,   1,
                           0,           kEach * 2048,
                           to.x,        to.y};
                 },
                 .defines = {{"RMSNORM", "1"}},
                 .noc = NOC::NOC_1});
  compute(post, {1, "post", {1}});
  post.run();
  const auto both = static_cast<double>(before + bench_->kernel_cycles());
  RecordProperty("both steps", std::to_string(both));
  // Short operations are fast, since all cores start at the same time
  // (platform/validation/README.md).
  EXPECT_NEAR(both / 10900, 0.89, 0.05)
      << both << " cycles, of which " << before << " the first step";

  const Words got = bench_->local_words(out);
  const std::vector<CoreCoord> order = either.cores(), holders = beside.cores();
  for (std::size_t i = 0; i < holders.size(); ++i) {
    const auto at =
        static_cast<std::size_t>(std::find(order.begin(), order.end(), holders[i]) - order.begin());
    for (std::size_t r = 0; r < 32; ++r)
      for (std::size_t c = 0; c < 32 * kEach; ++c) {
        const std::size_t column = i * 32 * kEach + c;
        const double wanted =
            x(r, column) * gamma(0, column) / std::sqrt(squares[r] + double{kEpsilon});
        const std::size_t place = (at * kEach + c / 32) * 1024 + place_in_tile(r, c % 32);
        ASSERT_NEAR(double{f(from_bf16(datum16(got, place)))}, wanted,
                    0.04 * (std::abs(wanted) + 1))
            << r << ", " << column;
      }
  }
}

}  // namespace
}  // namespace tvp::test
