#include "tests/unit/tensix/matrix/matrix_bench.h"
#include "tests/unit/tensix/matrix/matrix_oracle.h"

namespace {

using namespace math_reference;
using namespace tvp::regs::tensix;
namespace thread_config = tvp::regs::config::thread;

/// Start times of instructions, and their waits.
class MatrixTiming : public MatrixBench {
 protected:
  using Kind = Issue::Kind;
  Random random{99};
};

// ---- Timing -------------------------------------------------------------------------------------

TEST_F(MatrixTiming, MultipliesATileIn16CyclesAPhase) {
  set_formats(Format::kBf16, true);
  // in0 in SrcB, in1 in SrcA, four faces of 16 rows each, products summed over two faces.
  Fields a[32][32];
  Fields b[32][32];
  for (unsigned r = 0; r < 32; ++r) {
    for (unsigned c = 0; c < 32; ++c) {
      a[r][c] = random.fields(kBf16, 122, 132);
      b[r][c] = random.fields(kBf16, 122, 132);
      const unsigned row = (r / 16 * 2 + c / 16) * 16 + r % 16;
      srca().rows[row][c % 16] = in_src(a[r][c], kBf16);
      srcb().rows[row][c % 16] = in_src(b[r][c], kBf16);
    }
  }
  run(encode_zeroacc(0, 3, 0, 0, 0));
  const Cycle start = now;
  unsigned issued = 0;
  for (unsigned k = 0; k < 2; ++k) {
    for (unsigned block = 0; block < 8; ++block) {
      const unsigned face_row = block / 4;
      const unsigned face_column = block / 2 % 2;
      auto& rwc = registers->rwc[0];
      rwc.srcb = static_cast<std::uint8_t>((face_row * 2 + k) * 16 + block % 2 * 8);
      rwc.srca = static_cast<std::uint8_t>((k * 2 + face_column) * 16);
      rwc.dst = static_cast<std::uint16_t>(block * 8);
      EXPECT_EQ(run(encode_mvmul(0, 0, 0, 0, 0)), start + issued++);
    }
  }
  EXPECT_EQ(issued, 16u);
  EXPECT_EQ(now - start, 16u);
  matrix_oracle::Setup setup;
  setup.dst32 = true;
  const auto src = [](const Fields& f) {
    return matrix_oracle::Src{f.negative, f.exponent, static_cast<int>(f.mantissa << 3)};
  };
  for (unsigned r = 0; r < 32; ++r) {
    for (unsigned c = 0; c < 32; ++c) {
      std::uint32_t wanted = 0;
      for (unsigned half = 0; half < 2; ++half) {
        std::vector<matrix_oracle::Pair> pairs;
        for (unsigned k = 16 * half; k < 16 * half + 16; ++k)
          pairs.push_back({src(a[k][c]), src(b[r][k])});
        wanted = matrix_oracle::Datum(setup).multiply(pairs, wanted);
      }
      const unsigned row = (r / 16 * 2 + c / 16) * 16 + r % 16;
      const std::uint32_t cells = registers->dst.read32(row, c % 16);
      const std::uint32_t got =
          (cells & 0x8000FFFF) | (cells >> 16 & 0xFF) << 23 | (cells >> 24 & 0x7F) << 16;
      ASSERT_EQ(got, wanted) << r << "," << c;
    }
  }
}

TEST_F(MatrixTiming, AddsToOneBlockOnceACycle) {
  for (const bool dst32 : {false, true}) {
    set_formats(Format::kBf16, dst32);
    now += 10;
    const Cycle first = run(encode_mvmul(0, 0, 0, 0, 0));
    EXPECT_EQ(run(encode_mvmul(0, 0, 0, 0, 0)), first + 1);
    EXPECT_EQ(run(encode_elwmul(0, 0, 0, 0, 0, 0)), first + 2);
    EXPECT_EQ(run(encode_elwadd(0, 0, 1, 0, 0, 0, 0)), first + 3);
    EXPECT_EQ(run(encode_elwsub(0, 0, 1, 0, 0, 0, 0)), first + 4);
    EXPECT_EQ(run(encode_gapool(0, 0, 0, 0)), first + 5);
  }
}

TEST_F(MatrixTiming, SumsOfAnotherThreadWaitAndHoldTheUnit) {
  set_formats(Format::kBf16, false);
  const Cycle first = run(encode_mvmul(0, 0, 0, 0, 0));
  const Issue other = issue(encode_mvmul(0, 0, 0, 0, 0), 1);
  EXPECT_EQ(other.kind, Kind::kRetryAt);
  EXPECT_EQ(other.retry, first + 5);
  EXPECT_EQ(issue(encode_mvmul(0, 0, 0, 0, 0), 0).retry, first + 5);  // its turn is over
  now = first + 5;
  EXPECT_EQ(issue(encode_mvmul(0, 0, 0, 0, 0), 1).kind, Kind::kStarted);
  EXPECT_EQ(issue(encode_mvmul(0, 0, 0, 0, 0), 0).retry, first + 10);
}

TEST_F(MatrixTiming, StallsReadersOfABlockForFourCycles) {
  set_formats(Format::kBf16, false);
  const Cycle first = run(encode_mvmul(0, 0, 0, 0, 0));
  const Issue moved = issue(encode_movd2a(0, 0, 0, 1, 0));
  EXPECT_EQ(moved.kind, Kind::kRetryAt);
  EXPECT_EQ(moved.retry, first + 5);
  EXPECT_EQ(run(encode_mvmul(0, 0, 0, 0, 8)), first + 1);         // another block
  EXPECT_EQ(run(encode_elwadd(0, 0, 0, 0, 0, 0, 0)), first + 2);  // does not read
  EXPECT_EQ(run(encode_gmpool(0, 0, 0, 0, 0)), first + 2 + 5);
  EXPECT_EQ(run(encode_mvmul(0, 0, 0, 0, 0)), first + 2 + 5 + 5);  // not a sum that is forwarded
  const Issue answer = issue(encode_gmpool(0, 0, 0, 0, 16));
  EXPECT_EQ(answer.done, now + 5);
  EXPECT_EQ(answer.unit_free, now + 1);
}

TEST_F(MatrixTiming, StallsBothHalvesOfA32BitBlock) {
  set_formats(Format::kBf16, true);
  const Cycle first = run(encode_elwmul(0, 0, 0, 0, 0, 8));
  EXPECT_EQ(registers->dst.readable_from16(16), first + 5);  // rows 16.. and 24.. of storage
  EXPECT_EQ(registers->dst.readable_from16(24), first + 5);
  EXPECT_EQ(registers->dst.readable_from16(8), 0u);
  EXPECT_EQ(run(encode_movd2a(0, 0, 0, 1, 8)), first + 5);
}

TEST_F(MatrixTiming, HoldsReadersOfDstBackAfterMovesToDst) {
  set_formats(Format::kBf16, false);
  Cycle moved = run(encode_mova2d(0, 0, 0, 1, 0));
  EXPECT_EQ(run(encode_movb2d(0, 0, 0, 1, 0, 0, 8)), moved + 1);
  EXPECT_EQ(run(encode_setrwc(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), moved + 2);
  EXPECT_EQ(run(encode_mvmul(0, 0, 0, 0, 512)), moved + 5);  // four after MOVB2D
}

TEST_F(MatrixTiming, HoldsOthersBackAfterMovesToSrc) {
  set_formats(Format::kBf16, false);
  Cycle moved = run(encode_movd2a(0, 0, 0, 1, 0));
  EXPECT_EQ(run(encode_movd2a(0, 4, 0, 1, 4)), moved + 1);
  const Issue to_srca = issue(encode_movb2a(8, 0, 1, 0));
  EXPECT_EQ(now, moved + 2);
  EXPECT_EQ(to_srca.done, now + 4);
  now += 1;
  EXPECT_EQ(run(encode_incrwc(0, 0, 0, 0, 0, 0)), moved + 4);
  moved = run(encode_movd2b(0, 0, 0, 1, 0));
  EXPECT_EQ(run(encode_movd2b(0, 4, 0, 1, 4)), moved + 1);
  EXPECT_EQ(run(encode_movd2a(0, 4, 0, 1, 4)), moved + 5);
  now += 10;
  const Cycle shifted = run(encode_shiftxb(0, 0, 0));
  EXPECT_EQ(now, shifted + 2);
}

// ---- Source banks -------------------------------------------------------------------------------

TEST_F(MatrixTiming, WaitsForSourcesAndGivesThemBack) {
  set_formats(Format::kBf16, false);
  srca(0).give(SrcClient::kMatrixUnit, now + 7);
  srcb(0).give(SrcClient::kUnpackers, 0);
  const std::uint32_t word = encode_elwadd(1, 1, 0, 0, 0, 0, 0);
  EXPECT_EQ(issue(word).kind, Kind::kBlocked);
  EXPECT_EQ(issue(encode_movb2d(0, 0, 0, 0, 0, 0, 0)).kind, Kind::kBlocked);
  srcb(0).give(SrcClient::kMatrixUnit, now + 3);
  EXPECT_EQ(issue(word).retry, now + 7);
  const Cycle issued = run(word);
  EXPECT_EQ(srca(0).allowed_client, SrcClient::kUnpackers);
  EXPECT_EQ(srca(0).allowed_from, issued + 1);
  EXPECT_EQ(srcb(0).allowed_client, SrcClient::kUnpackers);
  EXPECT_EQ(registers->srca.matrix_bank, 1);
  EXPECT_EQ(registers->srcb.matrix_bank, 1);

  set_thread(thread_config::kClearDvalidSrcADisable, 1);
  run(encode_setrwc(1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_EQ(srca(1).allowed_client, SrcClient::kMatrixUnit);  // kept, but flipped
  EXPECT_EQ(srcb(1).allowed_client, SrcClient::kUnpackers);
  EXPECT_EQ(registers->srca.matrix_bank, 0);
}

TEST_F(MatrixTiming, ClearsDataValid) {
  run(encode_cleardvalid(0, 1, 1, 0));
  EXPECT_EQ(srca(0).allowed_client, SrcClient::kUnpackers);
  EXPECT_EQ(registers->srca.matrix_bank, 0);
  run(encode_cleardvalid(1, 0, 0, 0));
  EXPECT_EQ(registers->srcb.matrix_bank, 1);
  const Cycle set = now;
  registers->srcb.unpacker_flip(1, 2, set + 1);
  EXPECT_EQ(srcb(0).allowed_client, SrcClient::kMatrixUnit);
  EXPECT_EQ(srcb(0).allowed_from, set + 1);
  EXPECT_EQ(registers->srcb.unpacker_bank, 1);
  EXPECT_EQ(registers->srcb.unpacker_row[1], 32);
  run(encode_cleardvalid(0, 0, 0, 1));
  for (const auto* file : {&registers->srca, &registers->srcb}) {
    EXPECT_EQ(file->matrix_bank, 0);
    EXPECT_EQ(file->unpacker_bank, 0);
    for (const auto& bank : file->bank) EXPECT_EQ(bank.allowed_client, SrcClient::kUnpackers);
  }
}

}  // namespace
