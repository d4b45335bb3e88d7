// What a program and its parts refuse, before anything runs; addresses that allocators give.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <optional>

#include "sw/runtime/errors.h"
#include "sw/runtime/host_api.h"
#include "tests/unit/runtime/fake_library.h"

namespace tvp::runtime::program_test {
namespace {

template <typename Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const foundation::Fault& fault) {
    EXPECT_EQ(fault.kind(), foundation::FaultKind::kDescription);
    return fault.what();
  }
  return "nothing is refused";
}
#define EXPECT_REFUSED(action, text) \
  EXPECT_NE(refusal([&] { action; }).find(text), std::string::npos) << refusal([&] { action; })

const CoreCoord kCore{1, 1};
const CoreRangeSet kCores = CoreRange({0, 0}, {1, 1});

CircularBufferConfig buffer_of(std::uint32_t bytes, std::uint8_t index) {
  return CircularBufferConfig(bytes, {{index, DataFormat::Float16_b}});
}

TEST(ProgramTest, KernelsRunSomewhereOfTheProgram) {
  Program program = CreateProgram();
  EXPECT_REFUSED(CreateKernel(program, "k.cpp", CoreRangeSet(), ComputeConfig{}),
                 "k.cpp: is to run on no core");
  const auto kernel = CreateKernel(program, "k.cpp", kCores, ComputeConfig{});
  EXPECT_REFUSED(SetRuntimeArgs(program, kernel, CoreCoord{2, 0}, {1}),
                 "does not run on core (2, 0)");
  EXPECT_REFUSED(SetRuntimeArgs(program, kernel + 1, kCore, {1}), "kernel 1: is not one of this");
  EXPECT_REFUSED(SetRuntimeArgs(program, kernel, kCore, std::vector<std::uint32_t>(342)),
                 "342 runtime arguments; at most 341");
  EXPECT_REFUSED(SetCommonRuntimeArgs(program, kernel, std::vector<std::uint32_t>(342)),
                 "342 common runtime arguments; at most 341");
  SetRuntimeArgs(program, kernel, kCores, std::vector<std::uint32_t>(341, 5));
  EXPECT_EQ(GetRuntimeArgs(program, kernel, kCore).at(340), 5U);
}

TEST(ProgramTest, CircularBuffersOfACoreDiffer) {
  Program program = CreateProgram();
  CreateCircularBuffer(program, kCores, buffer_of(4096, 3));
  EXPECT_REFUSED(CreateCircularBuffer(program, kCore, buffer_of(2048, 3)),
                 "circular buffer 3: is there already on some of its cores");
  CreateCircularBuffer(program, CoreCoord{2, 2}, buffer_of(2048, 3));
  CreateCircularBuffer(program, kCore, buffer_of(2048, 4));
  EXPECT_REFUSED(CreateCircularBuffer(program, kCore, buffer_of(3000, 5)),
                 "pages of 2048 bytes do not divide the total of 3000");
  EXPECT_REFUSED(buffer_of(2048, 32), "circular buffer 32: indices are 0 to 31");
  EXPECT_REFUSED(CircularBufferConfig(2048, {}), "needs an index and its format");
  EXPECT_REFUSED(buffer_of(2048, 3).set_page_size(4, 1024), "4: is not an index of this");
  EXPECT_REFUSED(buffer_of(2048, 3).set_page_size(3, 1022), "1022 is not a positive multiple of 4");
  EXPECT_REFUSED(buffer_of(2048, 3).set_page_size(3, 1000),
                 "1000 does not divide the total of 2048");
  EXPECT_REFUSED(buffer_of(2048, 3).set_address(0x100008), "is not a multiple of 16");
}

TEST(ProgramTest, ACoreHasSixteenSemaphores) {
  Program program = CreateProgram();
  for (std::uint32_t number = 0; number < contract::kSemaphores; ++number)
    EXPECT_EQ(CreateSemaphore(program, kCores, 0), number);
  EXPECT_REFUSED(CreateSemaphore(program, kCore, 0), "a core has no more than 16");
  EXPECT_EQ(CreateSemaphore(program, CoreCoord{5, 5}, 0), 0U) << "another core";
}

TEST(AllocatorTest, GivesTheFirstGapThatFits) {
  Allocator up("up", 0x1000, 0x1400, 32, false);
  EXPECT_EQ(up.allocate(0x100), 0x1000U);
  EXPECT_EQ(up.allocate(1), 0x1100U);
  EXPECT_EQ(up.allocate(0x100), 0x1120U);
  EXPECT_TRUE(up.release(0x1000));
  EXPECT_FALSE(up.release(0x1000));
  EXPECT_EQ(up.allocate(0x120), 0x1220U) << "the gap is too small";
  EXPECT_EQ(up.allocate(0x80), 0x1000U);
  EXPECT_REFUSED(up.allocate(0x200), "up: no room for 512 bytes");
  EXPECT_REFUSED(up.allocate(0), "a buffer of no bytes");

  Allocator down("down", 0x1000, 0x1400, 32, true);
  EXPECT_FALSE(down.in_use());
  EXPECT_EQ(down.lowest(), 0x1400U);
  EXPECT_EQ(down.allocate(0x100), 0x1300U);
  EXPECT_EQ(down.allocate(0x80), 0x1280U);
  EXPECT_EQ(down.lowest(), 0x1280U);
  EXPECT_REFUSED(down.set_base(0x12A0), "down: is to begin at 4768, but has a buffer at 4736");
  down.set_base(0x1280);
  EXPECT_REFUSED(down.allocate(32), "no room");
  down.set_base(0x1000);
  EXPECT_EQ(down.allocate(32), 0x1260U);
}

/// A mesh of memory without chips.
class BufferTest : public testing::Test {
 protected:
  BufferTest() : library_(test::FakeLibrary::functions(), "fake") {
    MeshDevice::Options options;
    options.cache = folder_.string();
    mesh_.emplace(library_, options);
  }
  ~BufferTest() override {
    mesh_.reset();
    std::filesystem::remove_all(folder_);
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("tvp_program_" + std::to_string(getpid()));
  test::FakeLibrary fake_;
  DeviceLibrary library_;
  std::optional<MeshDevice> mesh_;
};

TEST_F(BufferTest, RefusesWhatDoesNotFit) {
  EXPECT_REFUSED(CreateBuffer(*mesh_, InterleavedBufferConfig{1000, 64}),
                 "1000 bytes is not a multiple of the page size 64");
  EXPECT_REFUSED(CreateBuffer(*mesh_, InterleavedBufferConfig{64, 0}), "the page size 0");
  EXPECT_REFUSED(CreateBuffer(*mesh_, InterleavedBufferConfig{64ULL << 30, 1 << 20}),
                 "DRAM: no room for");
  EXPECT_REFUSED(CreateBuffer(*mesh_, ShardedBufferConfig{kCore, 2 << 20}), "L1: no room for");
  const auto pages = CreateBuffer(*mesh_, InterleavedBufferConfig{128, 64});
  EXPECT_REFUSED(pages->write(0, std::vector<std::uint8_t>(64)), "takes 128 bytes, not 64");
  EXPECT_REFUSED(pages->read_shard(0, kCore), "an interleaved buffer has no shards");
  const auto shard = CreateBuffer(*mesh_, ShardedBufferConfig{kCore, 64});
  EXPECT_REFUSED(shard->write_shard(0, kCore, std::vector<std::uint8_t>(32), 48),
                 "32 bytes at offset 48 exceed a shard of 64");
  EXPECT_REFUSED(shard->read_shard(0, {0, 0}), "has no shard on core (0, 0)");
  EXPECT_REFUSED(buffer_of(64, 0).set_globally_allocated_address(*pages),
                 "only a buffer in L1 can be aliased");
}

TEST_F(BufferTest, AProgramNeedsKernels) {
  EXPECT_REFUSED(mesh_->enqueue(0, CreateProgram()), "program: has no kernels");
}

}  // namespace
}  // namespace tvp::runtime::program_test
