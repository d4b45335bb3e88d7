// A product of two 32x32 tiles through the whole coprocessor: T0 unpacks, T1 multiplies, T2 packs.

#include <bit>

#include "tests/unit/tensix/frontend/coprocessor_bench.h"
#include "tests/unit/tensix/movement/movement_bench.h"

namespace tvp::tensix::coprocessor::test {
namespace {

constexpr std::uint32_t kA = 0x10000, kB = 0x12000, kC = 0x14000;
constexpr unsigned kSide = 32, kFace = 16, kDatums = kSide * kSide;

/// Index of datum (row, column) in a tile of four faces.
unsigned place(unsigned row, unsigned column) {
  return ((row / kFace) * 2 + column / kFace) * 256 + (row % kFace) * kFace + column % kFace;
}

/// The matrix unit, with the cycles at which it was given MVMULs.
class Tap : public ExecutionUnit {
 public:
  explicit Tap(MatrixUnit& to) : to_(to) {}
  Issue issue(std::uint32_t instruction, unsigned thread, Cycle now) override {
    const Issue result = to_.issue(instruction, thread, now);
    if (result.kind == Issue::Kind::kStarted) times.push_back(now);
    return result;
  }
  std::vector<Cycle> times;

 private:
  MatrixUnit& to_;
};

/// Sixteen MVMULs in the order K face, column of faces, row of faces, half of a face. Four address
/// modifiers lead from each to the next: within a face, down, right, on to the second half of K.
std::vector<std::uint32_t> multiply() {
  std::vector<std::uint32_t> program;
  for (unsigned i = 1; i <= 16; ++i) {
    const unsigned step = i % 2 != 0 ? 0 : (i % 4 != 0 ? 1 : (i % 8 != 0 ? 2 : 3));
    const bool last = i == 16;
    program.push_back(op::encode_mvmul(last, last, 0, step, 0));
  }
  return program;
}

void configure_steps(BackendConfig& config, unsigned thread) {
  const unsigned a[] = {0, 0, 16, 16};
  const unsigned b[] = {8, 24, 64 - 40, 64 - 24};
  const unsigned d[] = {8, 24, 1024 - 24, 1024 - 56};
  for (unsigned i = 0; i < 4; ++i) {
    auto& words = config.thread[thread];
    const auto ab = cfg::thread::addr_mod_ab(i);
    const auto dst = cfg::thread::addr_mod_dst(i);
    words[ab.src_a_incr.addr32] = ab.src_a_incr.place(a[i]) | ab.src_b_incr.place(b[i]);
    words[dst.dest_incr.addr32] = dst.dest_incr.place(d[i]);
  }
}

struct Product {
  std::vector<std::uint16_t> result;
  std::vector<Cycle> times;
  Cycle idle = 0;
};

Product run(bool lockstep, const std::vector<unsigned>& a, const std::vector<unsigned>& b) {
  Bench bench("matmul", Units::kReal);
  MatrixUnit matrix("fpu", bench.coprocessor.state().registers, bench.coprocessor.state().config,
                    bench.faults);
  Tap tap(matrix);
  bench.coprocessor.backend().attach(Unit::kMatrix, tap);

  // Movement's own bench knows how to configure unpackers and packers.
  MovementBench movement;
  movement.unpack_source(0, kA, DataFormat::kBf16, DataFormat::kBf16, kDatums);
  movement.unpack_source(1, kB, DataFormat::kBf16, DataFormat::kBf16, kDatums);
  movement.pack_target(kC, DataFormat::kBf16, DataFormat::kBf16, DataFormat::kBf16, 256, 512);
  movement.set(cfg::alu::kSrcAFormat, static_cast<std::uint32_t>(DataFormat::kBf16));
  movement.set(cfg::alu::kSrcBFormat, static_cast<std::uint32_t>(DataFormat::kBf16));
  movement.set_thread(0, cfg::thread::kSrcASetOverrideWithAddr, 1);  // a whole bank at once
  configure_steps(movement.backend, 1);
  bench.coprocessor.state().config = movement.backend;
  bench.coprocessor.state().adcs = movement.adcs;

  const auto store = [&](std::uint32_t base, const std::vector<unsigned>& values) {
    for (unsigned r = 0; r < kSide; ++r) {
      for (unsigned c = 0; c < kSide; ++c) {
        const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(values[r * kSide + c]));
        const auto half = static_cast<std::uint16_t>(bits >> 16);
        std::memcpy(bench.l1.bytes() + base + 2 * place(r, c), &half, 2);
      }
    }
  };
  store(kA, a);
  store(kB, b);

  const auto unpack = [](unsigned which) {
    return op::encode_unpacr(which, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0);
  };
  bench.push(0, 0, {unpack(1), unpack(0)});
  constexpr unsigned kWhileMax = 2;
  std::vector<std::uint32_t> math{op::encode_seminit(1, 0, 2),
                                  op::encode_semwait(0x1FF, 2, kWhileMax)};
  const std::vector<std::uint32_t> products = multiply();
  math.insert(math.end(), products.begin(), products.end());
  math.push_back(op::encode_stallwait(kBlockSync, 1U << 7));
  math.push_back(op::encode_sempost(2));
  bench.push(1, 0, math);
  bench.push(2, 0,
             {op::encode_setadcxx(1, 0, 0, 255, 0), op::encode_semwait(0x1FF, 2, 1), pacr(0xF),
              op::encode_stallwait(kBlockSync, 0x78), op::encode_semget(2)});
  Product product;
  for (Cycle now = 0; now < 3000; now += 10) {
    bench.run(now + 10, lockstep);
    bool idle = true;
    for (unsigned t = 0; t < 3; ++t) idle &= bench.coprocessor.thread_idle(t);
    if (idle && now > 100 && product.idle == 0) product.idle = now;
  }
  product.result.resize(kDatums);
  std::memcpy(product.result.data(), bench.l1.bytes() + kC, 2 * kDatums);
  product.times = tap.times;
  return product;
}

TEST(TileMatmul, ThreeThreadsMultiplyTiles) {
  std::vector<unsigned> a(kDatums), b(kDatums);
  for (unsigned i = 0; i < kDatums; ++i) {
    a[i] = i * 7 / 5 % 3;
    b[i] = (i / 3 + i / 32) % 3;
  }
  const Product product = run(false, a, b);
  for (unsigned r = 0; r < kSide; ++r) {
    for (unsigned c = 0; c < kSide; ++c) {
      unsigned sum = 0;
      for (unsigned k = 0; k < kSide; ++k) sum += b[r * kSide + k] * a[k * kSide + c];
      const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(sum));
      ASSERT_EQ(product.result[place(r, c)], bits >> 16) << r << ", " << c << ": " << sum;
    }
  }
  // 2048 MACs a cycle: a tile product takes 16 (ISA MatrixUnit.md).
  ASSERT_EQ(product.times.size(), 16U);
  EXPECT_EQ(product.times.back() - product.times.front(), 15U);
  EXPECT_NE(product.idle, 0U);

  const Product lockstep = run(true, a, b);
  EXPECT_EQ(product.result, lockstep.result);
  EXPECT_EQ(product.times, lockstep.times);
  EXPECT_EQ(product.idle, lockstep.idle);
}

}  // namespace
}  // namespace tvp::tensix::coprocessor::test
