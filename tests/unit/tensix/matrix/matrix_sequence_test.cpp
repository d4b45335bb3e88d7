// MVMULs that the matrix unit executes as a sequence have the results of single ones.

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <random>
#include <vector>

#include "foundation/fault.h"
#include "foundation/regs/tensix_opcodes.h"
#include "models/tensix/coprocessor/matrix/matrix_unit.h"

namespace tvp::tensix::coprocessor {
namespace matrix_sequence_test {
namespace {

namespace op = regs::tensix;
using Words = std::array<std::uint32_t, MatrixUnit::kReplayed>;

class MatrixBench {
 public:
  explicit MatrixBench(unsigned seed) : unit_("matrix", *registers_, config_, faults_) {
    std::mt19937 random(seed);
    const auto below = [&random](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
    namespace alu = regs::config::alu;
    set(alu::kSrcAFormat, 5);
    set(alu::kSrcBFormat, 5);
    set(alu::kFp32Enabled, seed % 2);
    set(alu::kDestRegwBase, 8 * below(4));
    for (std::uint32_t& word : config_.thread[1]) word = below(65536);
    config_.thread[1][regs::config::thread::kStateId.addr32] = 0;
    config_.thread[1][regs::config::thread::kFp16aForce.addr32] = 0;
    for (SrcFile* file : {&registers_->srca, &registers_->srcb}) {
      file->bank[0].give(SrcClient::kMatrixUnit, 0);
      for (auto& row : file->bank[0].rows) {
        for (std::uint32_t& cell : row) cell = below(256) << 11 | (120 + below(16));
      }
    }
    for (unsigned row = 0; row < 256; ++row) registers_->dst.define(row);
    // This thread's sums wait for those of another thread.
    unit_.issue(op::encode_mvmul(0, 0, 0, 0, 8 * below(32)), 2, 96);
  }

  std::vector<Cycle> one_by_one(const Words& words, unsigned first, unsigned count) {
    std::vector<Cycle> times;
    Cycle now = 100;
    for (unsigned i = 0; i < count; ++i) {
      const std::uint32_t word = words[(first + i) % words.size()];
      Issue issue = unit_.issue(word, 1, now);
      while (issue.kind == Issue::Kind::kRetryAt) {
        now = issue.retry;
        issue = unit_.issue(word, 1, now);
      }
      times.push_back(now++);
    }
    return times;
  }
  /// Uses sequences as long as possible.
  std::vector<Cycle> in_rows(const Words& words, unsigned first, unsigned count) {
    std::vector<Cycle> times;
    Cycle now = 100;
    while (times.size() < count) {
      const unsigned done = static_cast<unsigned>(times.size());
      const bool any = unit_.issue_sequence(
          1, words, 1, (first + done) % MatrixUnit::kReplayed, count - done, now,
          [](std::uint32_t) {}, [&](std::uint32_t) { times.push_back(now); });
      if (any) {
        ++rows_;
        continue;
      }
      const std::uint32_t word = words[(first + done) % MatrixUnit::kReplayed];
      const Issue issue = unit_.issue(word, 1, now);
      if (issue.kind == Issue::Kind::kStarted) times.push_back(now++);
      if (issue.kind == Issue::Kind::kRetryAt) now = issue.retry;
    }
    return times;
  }
  unsigned taken(const Words& words, unsigned first, unsigned most, Cycle now) {
    const Cycle from = now;
    const auto nothing = [](std::uint32_t) {};
    unit_.issue_sequence(1, words, 1, first, most, now, nothing, nothing);
    return static_cast<unsigned>(now - from);
  }
  unsigned rows() const { return rows_; }
  const RegisterFiles& registers() const { return *registers_; }

 private:
  void set(regs::config::Field field, std::uint32_t value) {
    auto& word = config_.bank[0][field.addr32];
    word = field.insert(word, value);
  }

  std::unique_ptr<RegisterFiles> registers_ = std::make_unique<RegisterFiles>();
  BackendConfig config_;
  foundation::StopOnFault faults_;
  MatrixUnit unit_;
  unsigned rows_ = 0;
};

void expect_equal(const RegisterFiles& a, const RegisterFiles& b) {
  for (unsigned row = 0; row < Dst::kRows; ++row) {
    ASSERT_EQ(a.dst.storage(row), b.dst.storage(row)) << row;
    ASSERT_EQ(a.dst.readable_from16(row), b.dst.readable_from16(row)) << row;
    for (unsigned t = 0; t < kThreads; ++t)
      ASSERT_EQ(a.dst.accumulates_from16(row, t), b.dst.accumulates_from16(row, t)) << row;
  }
  const Rwc& x = a.rwc[1];
  const Rwc& y = b.rwc[1];
  EXPECT_EQ(x.dst, y.dst);
  EXPECT_EQ(x.dst_cr, y.dst_cr);
  EXPECT_EQ(x.srca, y.srca);
  EXPECT_EQ(x.srca_cr, y.srca_cr);
  EXPECT_EQ(x.srcb, y.srcb);
  EXPECT_EQ(x.srcb_cr, y.srcb_cr);
  EXPECT_EQ(x.fidelity_phase, y.fidelity_phase);
  EXPECT_EQ(x.extra_addr_mod_bit, y.extra_addr_mod_bit);
  EXPECT_EQ(a.srca.matrix_bank, b.srca.matrix_bank);
  EXPECT_EQ(a.srcb.matrix_bank, b.srcb.matrix_bank);
}

TEST(MatrixSequence, DoesWhatItsInstructionsDo) {
  unsigned rows = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(1000 + seed);
    Words words;
    for (std::uint32_t& word : words) {
      const auto r = static_cast<std::uint32_t>(random());
      word = r % 16 == 0   ? op::encode_incrwc(0, r >> 8 & 15, r >> 12 & 15, r >> 16 & 15, 0, 0)
             : r % 16 == 1 ? op::encode_mvmul(0, 0, 1, r >> 8 & 3, 8 * (r >> 10 & 31))
                           : op::encode_mvmul(0, 0, 0, r >> 8 & 3, 8 * (r >> 10 & 31));
    }
    const unsigned first = static_cast<unsigned>(random() % words.size());
    MatrixBench one(seed), other(seed);
    SCOPED_TRACE(seed);
    EXPECT_EQ(one.one_by_one(words, first, 40), other.in_rows(words, first, 40));
    expect_equal(one.registers(), other.registers());
    rows += other.rows();
  }
  EXPECT_GT(rows, 200U);
}

/// Instructions that return a bank have a separate test.
TEST(MatrixSequence, EndsInFrontOfWhatGivesABankBack) {
  MatrixBench bench(1);
  Words words;
  words.fill(op::encode_mvmul(0, 0, 0, 0, 0));
  words[9] = op::encode_mvmul(0, 1, 0, 0, 0);
  EXPECT_EQ(bench.taken(words, 0, 32, 200), 9U);
  EXPECT_EQ(bench.taken(words, 0, 5, 300), 5U);
  EXPECT_EQ(bench.taken(words, 9, 20, 400), 0U);
  EXPECT_EQ(bench.taken(words, 30, 20, 500), 11U) << "the first follows the last";
}

}  // namespace
}  // namespace matrix_sequence_test
}  // namespace tvp::tensix::coprocessor
