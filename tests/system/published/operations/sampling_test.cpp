// Operations after the last product of a language model: a random sample from the best tokens of a
// user, and gradients of embeddings.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "foundation/fault.h"
#include "tests/support/fault_of.h"
#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("operations/sampling.toml");

using runtime::CoreRange;
using runtime::DataFormat;

const std::string kOps = "ttnn/cpp/ttnn/operations/";
constexpr Word kTileBytes = 2048;
constexpr Word kOne = 0x3F803F80;

class PublishedSampling : public PublishedTest {
 protected:
  /// Rows of different numbers, 1/16 apart.
  Numbers distinct(std::size_t wide) {
    Numbers made(1, wide);
    std::vector<int> values(made.columns());
    for (std::size_t row = 0; row < 32; ++row) {
      std::iota(values.begin(), values.end(), -static_cast<int>(values.size()) / 2);
      std::shuffle(values.begin(), values.end(), random_);
      for (std::size_t c = 0; c < values.size(); ++c)
        made.set(row, c, static_cast<float>(values[c]) / 16);
    }
    return made;
  }
  static std::vector<std::size_t> best(const Numbers& of, std::size_t row) {
    std::vector<std::size_t> order(of.columns());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return of(row, a) > of(row, b); });
    return order;
  }
};

// One core per user; four of the 32 users of the tensors.
TEST_F(PublishedSampling, DrawsOneOfTheBestTokens) {
  constexpr Word kUsers = 32, kWide = 4, kTokens = 32 * kWide, kSeed = 77;
  const std::array<Word, 4> users{0, 5, 17, 31};
  const Numbers values = distinct(kWide);
  Words ids(kUsers * kTokens);
  std::iota(ids.begin(), ids.end(), 1000);
  std::shuffle(ids.begin(), ids.end(), random_);
  // Per user: number of candidates, total probability, temperature factor.
  Words among(kUsers, 32);
  std::vector<float> up_to(kUsers, 1), factor(kUsers, 1);
  among[5] = 1;
  up_to[17] = 0.5F;
  among[31] = 20;
  factor[31] = 4;
  const auto halves = [](const std::vector<float>& from) {
    Words words(from.size() / 2);
    for (std::size_t i = 0; i < from.size(); ++i) set_datum16(words, i, to_bf16(from[i]));
    return words;
  };
  const auto in = tensor(values), indices = bench_->tensor(ids, 4 * kTokens),
             k = bench_->tensor(among, 4 * kUsers), p = bench_->tensor(halves(up_to), 2 * kUsers),
             temperature = bench_->tensor(halves(factor), 2 * kUsers),
             out = bench_->result(1, 4 * kUsers);
  const CoreRange cores({0, 0}, {users.size() - 1, 0});
  const Words tile(512 * users.size());
  // The sample of each core and the probabilities, for inspection.
  const auto drawn = bench_->local(tile, cores),
             probable = bench_->local(Words(2 * tile.size()), cores);
  const std::string kernels = kOps + "reduction/sampling/device/kernels/";
  Operation operation(*bench_);
  operation.on(cores);
  kLaunches.describe(
      operation, "draws_one_of_the_best_tokens",
      TVP_VALUES(cores, kWide, probable, drawn, kTokens, kUsers, in, indices, kSeed));
  for (Word i = 0; i < users.size(); ++i)
    operation.on(CoreRange({i, 0}, {i, 0}))
        .writer(kernels + "dataflow/writer_interleaved.cpp",
                {.tensors = {out, temperature, k, p},
                 .after = {13, 4, 3, kOne, 12, 1, 8, 4 * kTokens, 4 * kUsers, 11, 14, 15, 16,
                           users[i], 32, kUsers},
                 .run = {address(out), address(temperature), address(k), address(p)}});
  operation.run();

  const Words got = bench_->words(out), draws = bench_->local_words(drawn);
  for (std::size_t i = 0; i < users.size(); ++i) {
    const Word user = users[i];
    const std::vector<std::size_t> order = best(values, user);
    const double draw = static_cast<double>(f(from_bf16(datum16(draws, 1024 * i))));
    ASSERT_GE(draw, 0);
    ASSERT_LT(draw, 1);
    double whole = 0;
    std::vector<double> probability(among[user]);
    for (std::size_t n = 0; n < probability.size(); ++n)
      whole += probability[n] = std::exp(static_cast<double>(factor[user]) *
                                         (values(user, order[n]) - values(user, order[0])));
    std::size_t kept = 0;
    double mass = 0;
    while (kept < probability.size() && mass <= static_cast<double>(up_to[user]))
      mass += probability[kept++] / whole;
    std::size_t rank = 0;
    while (rank < kept && ids[user * kTokens + order[rank]] != got[user]) ++rank;
    ASSERT_LT(rank, kept) << "user " << user << ": not one of the best";
    // The kernel adds probabilities in BF16 without rounding.
    double below = 0;
    for (std::size_t n = 0; n < rank; ++n) below += probability[n] / whole / mass;
    const double above = below + probability[rank] / whole / mass;
    EXPECT_LT(below, draw + 0.1) << "user " << user << ", rank " << rank;
    EXPECT_GT(above, draw - 0.1) << "user " << user << ", rank " << rank;
  }
}

// The published kernel of a mixture of experts compares undefined data with zero: the vector unit
// reads rows of Dst that ZEROACC has made undefined (ISA ZEROACC.md). The run ends where they are
// packed.
TEST_F(PublishedSampling, OfExpertsReadsWhatNothingWrote) {
  {  // objects of the bench are destroyed first
    constexpr Word kWide = 2, kBest = 32, kChosen = 3;
    const Numbers values = distinct(kWide);
    Numbers chosen(1, 1);
    for (std::size_t r = 0; r < 32; ++r)
      for (std::size_t c = 0; c < 32; ++c) chosen.set(r, c, c < kChosen ? 0.0F : -INFINITY);
    const auto in = tensor(values), mask = tensor(chosen), experts = tensor(Numbers(1, kWide)),
               out = result(1);
    const std::string kernels = kOps + "reduction/moe/device/kernels/";
    Operation operation(*bench_);
    operation.buffer(0, 4)
        .buffer(1, 4)
        .buffer(2, 4)
        .buffer(3, 1)
        .buffer(4, 4, kTileBytes, DataFormat::UInt16)
        .buffer(5, kWide)
        .buffer(6, kWide, kTileBytes, DataFormat::UInt16)
        .buffer(7, 2)
        .buffer(8, 2, kTileBytes, DataFormat::UInt16)
        .buffer(9, 1)
        .buffer(10, 1)
        .buffer(11, 1)
        .reader(kernels + "dataflow/reader_create_index_tensor.cpp",
                {.compile = {0, 4, 2, 1, 1, kWide, kBest},
                 .tensors = {in, mask, experts},
                 .run = {address(in), address(mask), address(experts)}})
        .compute(kernels + "compute/moe.cpp",
                 {.compile = {0, 2, 1, 3, 4, 5, 6, 7, 8, 11, 1, kWide, kBest, 5, 1, 9, 10}})
        .writer(kernels + "dataflow/writer_unary_interleaved.cpp",
                {.compile = {11, 1, kBest, kOne}, .tensors = {out}, .run = {address(out)}});
    EXPECT_TRUE(faults([&] { operation.run(); }, {},
                       {"rows that nothing wrote since ZEROACC", "tensix(1,1)",
                        "in eqz_block_inplace (", "compute/moe.cpp:141): "}));
  }
  bench_.reset();
  bench_ = std::make_unique<OperationBench>();
}

// Adds rows of gradients at the embeddings of their tokens.
TEST_F(PublishedSampling, AddsGradientsOfEmbeddings) {
  constexpr Word kBatches = 2, kTokens = 64, kEmbeddings = 96, kWide = 2;
  const Numbers gradients = random(kBatches * kTokens / 32, kWide, -1, 1);
  std::uniform_int_distribution<Word> any(0, kEmbeddings - 1);
  Words tokens(kBatches * kTokens);
  for (Word& token : tokens) token = any(random_);
  const auto in = tensor(gradients), indices = bench_->tensor(tokens, 4 * kTokens),
             out = result(kEmbeddings / 32 * kWide);
  kLaunches.run(*bench_, "adds_gradients_of_embeddings",
                TVP_VALUES(kWide, kBatches, kTokens, kEmbeddings, in, indices, out));
  check(read(out, kWide), 0.03, [&](std::size_t row, std::size_t column) {
    double sum = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i)
      if (tokens[i] == row) sum += gradients(i, column);
    return sum;
  });
}

}  // namespace
}  // namespace tvp::test
