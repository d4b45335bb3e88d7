// Utilization of the matrix units in whole products on 8 x 8 cores. The setup is that of
// tests/ttnn/unit_tests/benchmarks/test_benchmark.py. Reference: silicon in
// tech_reports/GEMM_FLOPS/GEMM_FLOPS.md (N150, manually tuned, device based, without trace).

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "foundation/contract/memory_map.h"
#include "sw/runtime/block_float.h"
#include "sw/runtime/host_api.h"
#include "tests/system/benches/tile_matrix.h"

namespace tvp::test {
namespace {

using namespace runtime;

const std::string kKernels = "ttnn/cpp/ttnn/operations/matmul/device/kernels/";
constexpr unsigned kSide = 8;  ///< side of the square of cores

/// m x k times k x n tiles. The left side and the product are sharded over the cores; the right
/// side is interleaved in DRAM.
struct Product {
  std::string name;
  unsigned m, k, n;
  bool bfp8;
  MathFidelity fidelity;
  double silicon_percent;  ///< share of the cycles that MVMULs take

  unsigned high() const { return m / kSide; }  ///< height of a core's part
  unsigned wide() const { return n / kSide; }
  unsigned block() const {
    return k / kSide;
  }  ///< inner tiles of a block: a core's part of the left
  /// The largest number of tiles in a row of Dst that divides the part, as in get_subblock_sizes.
  unsigned sub_wide() const {
    unsigned most = 8;
    while (wide() % most != 0) --most;
    return most;
  }
  unsigned cycles_of_tile() const {
    return 16 * (fidelity == MathFidelity::LoFi ? 1 : static_cast<unsigned>(fidelity));
  }
};

class PublishedGemm : public testing::Test {
 protected:
  void SetUp() override {
    const char* const home = std::getenv("TT_METAL_HOME");
    if (home == nullptr || !std::filesystem::exists(std::string(home) + "/ttnn/cpp"))
      GTEST_SKIP() << "TT_METAL_HOME names no tree of tt-metal's";
  }
  /// Mean share of a math thread's cycles that its MVMULs take, in %.
  double utilization(const Product& p);
  void expect_as_on_silicon(const Product& p) {
    const double percent = utilization(p);
    RecordProperty(p.name, std::to_string(percent));
    EXPECT_NEAR(p.silicon_percent / percent, 1, 0.08) << p.name << ": " << percent << " %";
  }

 private:
  Words tiles(std::size_t count) {
    std::normal_distribution<float> of;
    if (bfp8_) {
      std::vector<float> numbers(count * 1024);
      for (float& number : numbers) number = of(random_);
      return pack_as_bfp8_tiles(numbers, false, false);
    }
    Words words(count * 512);
    for (Word& word : words) word = to_bf16(of(random_)) | to_bf16(of(random_)) << 16;
    return words;
  }
  Word page() const { return bfp8_ ? 1088 : 2048; }
  CoreCoord noc(unsigned x, unsigned y) const {
    return mesh_->device(0).worker_core_from_logical_core({x, y});
  }
  std::shared_ptr<MeshBuffer> filled(std::shared_ptr<MeshBuffer> buffer, const Words& words) {
    std::vector<std::uint8_t> bytes(words.size() * 4);
    std::memcpy(bytes.data(), words.data(), bytes.size());
    buffer->write(0, bytes);
    return buffer;
  }
  void buffer(Program& program, std::uint8_t cb, unsigned pages, const MeshBuffer* over = nullptr) {
    CircularBufferConfig config(pages * page(), {{cb, format()}});
    config.set_page_size(cb, page());
    if (over != nullptr) config.set_globally_allocated_address(*over);
    CreateCircularBuffer(program, all_, config);
  }
  DataFormat format() const { return bfp8_ ? DataFormat::Bfp8_b : DataFormat::Float16_b; }
  void results(Program& program, const Product& p, const MeshBuffer& out);
  void left_side(Program& program, const Product& p, const MeshBuffer& in);
  void right_side(Program& program, const Product& p, const MeshBuffer& in, const MeshBuffer& out);
  void compute(Program& program, const Product& p);

  const CoreRange all_{{0, 0}, {kSide - 1, kSide - 1}};
  std::unique_ptr<DeviceLibrary> library_;
  std::unique_ptr<MeshDevice> mesh_;
  std::mt19937 random_{1};
  bool bfp8_ = false;
};

/// L1 adds up sums in BF16, in separate memory if the product has another format.
void PublishedGemm::results(Program& program, const Product& p, const MeshBuffer& out) {
  const unsigned pages = p.high() * p.wide();
  if (bfp8_) {
    buffer(program, 4, pages, &out);
    CircularBufferConfig sums(pages * 2048, {{std::uint8_t{5}, DataFormat::Float16_b}});
    CreateCircularBuffer(program, all_, sums.set_page_size(5, 2048));
    return;
  }
  CircularBufferConfig both(pages * page(),
                            {{std::uint8_t{4}, format()}, {std::uint8_t{5}, format()}});
  both.set_page_size(4, page()).set_page_size(5, page());
  CreateCircularBuffer(program, all_, both.set_globally_allocated_address(out));
}

/// Each core of a row multicasts its part in turn.
void PublishedGemm::left_side(Program& program, const Product& p, const MeshBuffer& in) {
  const unsigned block = p.high() * p.block();
  buffer(program, 0, 2 * block);
  buffer(program, 2, block, &in);
  CircularBufferConfig flags(64, {{std::uint8_t{6}, DataFormat::Float16_b}});
  CreateCircularBuffer(program, all_, flags.set_page_size(6, 64));
  const Word sent = CreateSemaphore(program, all_, 0), got = CreateSemaphore(program, all_, 0);
  Words compile = {1, 1,         block,    block * page(), 0,        kSide, 1,
                   1, sent,      got,      kSide,          kSide,    kSide, 1,
                   0, p.block(), p.high(), p.block(),      p.high(), 1,     0};
  for (int i = 0; i < 2; ++i) TensorAccessorArgs(in).append_to(compile);
  const auto kernel = CreateKernel(
      program,
      kKernels + "dataflow/reader_bmm_tile_layout_in0_sender_receiver_padding_block_sharded.cpp",
      all_,
      DataMovementConfig{
          .processor = DataMovementProcessor::RISCV_1, .noc = NOC::NOC_1, .compile_args = compile});
  for (unsigned y = 0; y < kSide; ++y) {
    const Word row = noc(0, y).y;
    Words run = {0, noc(kSide - 1, y).x, row, noc(0, y).x, row};
    for (unsigned x = 0; x < kSide; ++x) run.push_back(noc(x, y).x);
    run.push_back(row);
    for (unsigned x = 0; x < kSide; ++x) {
      run[0] = x;
      SetRuntimeArgs(program, kernel, CoreCoord{x, y}, run);
    }
  }
}

/// The first row reads from DRAM and multicasts down the columns.
void PublishedGemm::right_side(Program& program, const Product& p, const MeshBuffer& in,
                               const MeshBuffer& out) {
  const unsigned n = p.n, block = p.wide() * p.block();
  buffer(program, 1, 2 * block);
  const Word sent = CreateSemaphore(program, all_, 0), got = CreateSemaphore(program, all_, 0);
  const Words writes = {
      1, n, p.sub_wide(), n, p.wide(), p.high() * n, p.sub_wide(), 1, p.sub_wide(), p.m * n};
  const Words part = {p.high(),     1, 0, p.wide() / p.sub_wide(), p.wide() / p.sub_wide(),
                      p.sub_wide(), 0, 0};
  const std::map<std::string, std::string> defines = {{"OUT_SHARDED", "1"}};

  Words sends = {1,    n,   p.block() * n, p.wide(),  p.wide(), p.block(), block, kSide, 1, 1,
                 sent, got, kSide - 1,     kSide - 1, p.k * n,  1,         1,     0,     0};
  sends.insert(sends.end(), writes.begin(), writes.end());
  sends.insert(sends.end(), {0, 0, 0});
  for (const MeshBuffer* tensor : {&in, &in, &out}) TensorAccessorArgs(*tensor).append_to(sends);
  const auto sender = CreateKernel(
      program, kKernels + "dataflow/reader_bmm_tile_layout_in1_sender_writer_padding.cpp",
      CoreRange({0, 0}, {kSide - 1, 0}),
      DataMovementConfig{.processor = DataMovementProcessor::RISCV_0,
                         .noc = NOC::NOC_0,
                         .compile_args = sends,
                         .defines = defines});
  Words receives = {block, kSide, 1, 1, sent, got, 1};
  receives.insert(receives.end(), writes.begin(), writes.end());
  receives.insert(receives.end(), {0, 0});
  TensorAccessorArgs(out).append_to(receives);
  const auto receiver = CreateKernel(
      program, kKernels + "dataflow/reader_bmm_tile_layout_in1_receiver_writer_padding.cpp",
      CoreRange({0, 1}, {kSide - 1, kSide - 1}),
      DataMovementConfig{.processor = DataMovementProcessor::RISCV_0,
                         .noc = NOC::NOC_0,
                         .compile_args = receives,
                         .defines = defines});
  for (unsigned x = 0; x < kSide; ++x) {
    const CoreCoord first = noc(x, 0), next = noc(x, 1), last = noc(x, kSide - 1);
    Words run = {static_cast<Word>(in.address()),  p.wide() * x, next.x,  next.y, last.x, last.y, 0,
                 static_cast<Word>(out.address()), p.wide() * x, p.wide()};
    run.insert(run.end(), part.begin(), part.end());
    run.insert(run.end(), {0, 0});
    SetRuntimeArgs(program, sender, CoreCoord{x, 0}, run);
    for (unsigned y = 1; y < kSide; ++y) {
      Words receive = {first.x, first.y, static_cast<Word>(out.address()),
                       p.wide() * x + p.high() * y * n, p.high()};
      receive.insert(receive.end(), part.begin(), part.end());
      SetRuntimeArgs(program, receiver, CoreCoord{x, y}, receive);
    }
  }
}

/// The published kernel between two reads of the clock.
void PublishedGemm::compute(Program& program, const Product& p) {
  std::filesystem::create_directories(TVP_KERNEL_FOLDER);
  const std::string path = TVP_KERNEL_FOLDER "/timed_products.cpp";
  std::ofstream(path)
      << "#define kernel_main products\n#include \"" << kKernels
      << "compute/bmm_large_block_zm_fused_bias_activation.cpp\"\n"
         "#undef kernel_main\n#include \"tools/profiler/kernel_profiler.hpp\"\n"
         "void kernel_main() {\n  DeviceZoneScopedN(\"products\");\n  products();\n}\n";
  ComputeConfig config;
  config.math_fidelity = p.fidelity;
  config.math_approx_mode = true;
  config.defines = {{"PACKER_L1_ACC", "1"}};
  const unsigned subs = p.wide() / p.sub_wide();
  config.compile_args = {p.block(),
                         p.high(),
                         p.high() * p.block(),
                         p.block(),
                         subs,
                         p.wide() * p.block(),
                         p.wide(),
                         kSide,
                         1,
                         1,
                         1,
                         p.sub_wide(),
                         p.sub_wide(),
                         1,
                         p.high() * p.wide(),
                         0,
                         0,
                         0};
  CreateKernel(program, path, all_, config);
}

double PublishedGemm::utilization(const Product& p) {
  library_ = DeviceLibrary::open(TVP_LIBRARY);
  library_->configure("system=n300_chip");
  MeshDevice::Options options;
  options.profile = true;
  mesh_ = std::make_unique<MeshDevice>(*library_, options);
  bfp8_ = p.bfp8;

  const auto left = filled(
      MeshBuffer::create(*mesh_, ShardedBufferConfig{.cores = CoreRangeSet(all_),
                                                     .shard_bytes = p.high() * p.block() * page()}),
      tiles(std::size_t{p.m} * p.k));
  const auto right = filled(
      MeshBuffer::create(*mesh_, InterleavedBufferConfig{.size = std::uint64_t{p.k} * p.n * page(),
                                                         .page_size = page()}),
      tiles(std::size_t{p.k} * p.n));
  const auto out =
      MeshBuffer::create(*mesh_, ShardedBufferConfig{.cores = CoreRangeSet(all_),
                                                     .shard_bytes = p.high() * p.wide() * page()});
  Program program = CreateProgram();
  left_side(program, p, *left);
  right_side(program, p, *right, *out);
  results(program, p, *out);
  compute(program, p);
  mesh_->run(0, program);

  double cycles = 0;
  unsigned cores = 0;
  for (const Zone& zone : mesh_->zones()) {
    if (zone.name != "products" || zone.processor != contract::kTrisc1) continue;
    cycles += static_cast<double>(zone.end - zone.begin);
    ++cores;
  }
  EXPECT_EQ(cores, kSide * kSide);
  return 100.0 * p.m * p.k * p.n * p.cycles_of_tile() / cycles;
}

TEST_F(PublishedGemm, WhatComesInIsTheLimit) {
  expect_as_on_silicon(
      {"512 x 512 x 512, BF16, HiFi2", 16, 16, 16, false, MathFidelity::HiFi2, 22.62});
}
TEST_F(PublishedGemm, PagesOfBfp8ComeIn) {
  expect_as_on_silicon(
      {"512 x 1024 x 1024, BFP8, LoFi", 16, 32, 32, true, MathFidelity::LoFi, 24.59});
}
TEST_F(PublishedGemm, UnpackersAreTheLimit) {
  expect_as_on_silicon(
      {"1024 x 1024 x 1024, BF16, HiFi2", 32, 32, 32, false, MathFidelity::HiFi2, 49.69});
}
TEST_F(PublishedGemm, UnpackersOfBfp8AreTheLimit) {
  expect_as_on_silicon(
      {"1024 x 1024 x 1024, BFP8, LoFi", 32, 32, 32, true, MathFidelity::LoFi, 41.49});
}
TEST_F(PublishedGemm, MatrixUnitsAreTheLimit) {
  expect_as_on_silicon(
      {"1024 x 1024 x 1024, BF16, HiFi4", 32, 32, 32, false, MathFidelity::HiFi4, 79.19});
}
// Runs by name only, a minute each.
TEST_F(PublishedGemm, DISABLED_OfLargerMatrices) {
  expect_as_on_silicon(
      {"1024 x 2048 x 2048, BF16, HiFi2", 32, 64, 64, false, MathFidelity::HiFi2, 57.70});
}
TEST_F(PublishedGemm, DISABLED_OfLargerMatricesOfBfp8) {
  expect_as_on_silicon(
      {"2048 x 2048 x 2048, BFP8, LoFi", 64, 64, 64, true, MathFidelity::LoFi, 59.82});
}

}  // namespace
}  // namespace tvp::test
