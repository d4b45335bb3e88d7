// Command queues, events, traces and workloads over a mesh, and changes between runs.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "sw/runtime/distributed.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/host_api.h"
#include "tests/support/fault_of.h"
#include "tests/unit/runtime/devices/fake_library.h"

namespace tvp::runtime::command_queue_test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::uint32_t>;

constexpr std::uint64_t kGo = contract::kMailboxBase + offsetof(contract::Mailboxes, go_messages);
constexpr std::uint64_t kCbTable =
    contract::kKernelConfigBase + contract::kSemaphores * contract::kSemaphoreStride;
constexpr std::uint64_t kFirstArg =
    kCbTable + contract::kCircularBuffers * sizeof(contract::CbConfig);

/// Two devices of plain memory. Their firmware finishes a program at the next clock() call, unless
/// it is held, and records the program's first argument.
class CommandQueueTest : public testing::Test {
 protected:
  // All tests share the compiled kernels.
  static void SetUpTestSuite() {
    fs::create_directories(folder_);
    std::ofstream(kernel_) << "void kernel_main() {}\n";
  }
  static void TearDownTestSuite() { fs::remove_all(folder_); }

  CommandQueueTest() : library_(test::FakeLibrary::functions(), "fake") {
    MeshDevice::Options options;
    options.cache = (folder_ / "cache").string();
    mesh_ = std::make_unique<MeshDevice>(library_, options);
    fake_.on_clock = [this] { run_firmware(); };
  }
  ~CommandQueueTest() override { mesh_.reset(); }

  void run_firmware() {
    for (unsigned d = 0; d < 2; ++d)
      for (const unsigned x : {1U, 2U, 3U}) {  // logical columns 0 to 2 of row 0
        std::uint8_t& signal = fake_.byte(d, x, 1, kGo + 3);
        const std::uint32_t name = fake_.word(d, x, 1, kFirstArg);
        if (signal == contract::kRunGo && name == held_) continue;
        if (signal == contract::kRunGo) ran_.push_back(name);
        signal = 0;
      }
  }
  /// A core of the mesh's device 1, which is the library's device 0 without a harvested row above.
  Program program(std::uint32_t name, CoreCoord core = {0, 0}) {
    Program p = CreateProgram();
    SetRuntimeArgs(p, CreateKernel(p, kernel_, core, DataMovementConfig{}), core, {name});
    return p;
  }
  MeshWorkload workload(std::uint32_t name, CoreCoord core = {0, 0}) {
    MeshWorkload w;
    w.add_program(MeshCoordinateRange(MeshCoordinate{0, 1}), program(name, core));
    return w;
  }
  /// Loads the firmware first, so that a test does not spend time on it.
  void load_firmware() {
    MeshWorkload all;
    Program p = CreateProgram();
    CreateKernel(p, kernel_, CoreRangeSet(CoreRange({0, 0}, {2, 0})), DataMovementConfig{});
    all.add_program(MeshCoordinateRange(MeshCoordinate{0, 1}), std::move(p));
    EnqueueMeshWorkload(queue(), all, true);
    ran_.clear();
  }
  MeshCommandQueue& queue(std::uint32_t id = 0) { return mesh_->mesh_command_queue(id); }

  static inline const fs::path folder_ =
      fs::temp_directory_path() / ("tvp_queue_" + std::to_string(getpid()));
  static inline const std::string kernel_ = (folder_ / "k.cpp").string();
  test::FakeLibrary fake_;
  DeviceLibrary library_;
  std::unique_ptr<MeshDevice> mesh_;
  Words ran_;
  std::uint32_t held_ = ~0U;
};

TEST_F(CommandQueueTest, WorkloadsFollowEachOtherWithoutTheHostWaiting) {
  load_firmware();
  const std::uint64_t before = fake_.time_ps;
  for (std::uint32_t name : {1U, 2U, 3U}) EnqueueMeshWorkload(queue(), workload(name), false);
  EXPECT_EQ(fake_.time_ps, before);
  EXPECT_TRUE(ran_.empty());
  Finish(queue());
  EXPECT_EQ(ran_, (Words{1, 2, 3}));
  EXPECT_FALSE(mesh_->running());
}

TEST_F(CommandQueueTest, ALaterChangeOfAProgramDoesNotReachWhatIsEnqueued) {
  load_firmware();
  MeshWorkload w = workload(5);
  EnqueueMeshWorkload(queue(), w, false);
  EnqueueMeshWorkload(queue(), w, false);
  GetRuntimeArgs(w.get_programs().begin()->second, 0, {0, 0})[0] = 6;
  EnqueueMeshWorkload(queue(), w, true);
  EXPECT_EQ(ran_, (Words{5, 5, 6}));
}

TEST_F(CommandQueueTest, SubDevicesDoNotWaitForEachOther) {
  load_firmware();
  mesh_->load_sub_device_manager(mesh_->create_sub_device_manager(
      {SubDevice{CoreRangeSet(CoreCoord{0, 0})}, SubDevice{CoreRangeSet(CoreCoord{1, 0})}}, 0));
  held_ = 1;
  EnqueueMeshWorkload(queue(), workload(1, {0, 0}), false);
  EnqueueMeshWorkload(queue(), workload(2, {1, 0}), false);
  EnqueueMeshWorkload(queue(), workload(3, {1, 0}), false);
  const std::vector<SubDeviceId> second{SubDeviceId{1}};
  Finish(queue(), second);
  EXPECT_EQ(ran_, (Words{2, 3}));
  // Dispatch is in order: a command that waits for sub-device 0 delays later commands.
  EnqueueMeshWorkload(queue(), workload(4, {0, 0}), false);
  EnqueueMeshWorkload(queue(), workload(5, {1, 0}), false);
  library_.clock(1);
  mesh_->give_commands();
  library_.clock(1);
  EXPECT_EQ(ran_, (Words{2, 3}));
  held_ = ~0U;
  Finish(queue());
  EXPECT_EQ(ran_, (Words{2, 3, 1, 4, 5}));
  EXPECT_REFUSED(Finish(queue(), std::vector<SubDeviceId>{SubDeviceId{2}}), "sub-device 2");
}

TEST_F(CommandQueueTest, WorkloadsOfASubDeviceFollowEachOtherOnDifferentCores) {
  load_firmware();
  held_ = 1;
  EnqueueMeshWorkload(queue(), workload(1, {0, 0}), false);
  EnqueueMeshWorkload(queue(), workload(2, {1, 0}), false);
  for (int i = 0; i < 2; ++i) {
    library_.clock(1);
    mesh_->give_commands();
  }
  EXPECT_TRUE(ran_.empty());
  held_ = ~0U;
  Finish(queue());
  EXPECT_EQ(ran_, (Words{1, 2}));
}

TEST_F(CommandQueueTest, QueuesWaitForEachOthersEvents) {
  load_firmware();
  held_ = 1;
  EnqueueMeshWorkload(queue(0), workload(1), false);
  const MeshEvent event = EnqueueRecordEvent(queue(0));
  EnqueueWaitForEvent(queue(1), event);
  EnqueueMeshWorkload(queue(1), workload(2, {1, 0}), false);
  EXPECT_FALSE(EventQuery(event));
  library_.clock(1);
  EXPECT_FALSE(EventQuery(event));
  held_ = ~0U;
  EventSynchronize(event);
  EXPECT_TRUE(EventQuery(event));
  Synchronize(mesh_.get(), 1);
  EXPECT_EQ(ran_, (Words{1, 2}));
  EXPECT_REFUSED(mesh_->mesh_command_queue(2), "a mesh has queues 0 to 1");
}

TEST_F(CommandQueueTest, WaitingForWhatNeverComesIsAHang) {
  load_firmware();
  const MeshEvent never(*mesh_, 9, 0);
  EnqueueWaitForEvent(queue(), never);
  fake_.state = TENSIX_VP_IDLE;
  EXPECT_THROW(Finish(queue()), HangError);
}

TEST_F(CommandQueueTest, ReadsAndWritesComeInTheirPlace) {
  load_firmware();
  const auto buffer = CreateBuffer(*mesh_, InterleavedBufferConfig{.size = 256, .page_size = 64});
  const Words first(64, 1);
  const Words second(64, 2);
  held_ = 1;
  EnqueueWriteMeshBuffer(queue(), buffer, first, true);
  EnqueueMeshWorkload(queue(), workload(1), false);
  WriteShard(queue(), buffer, second, {0, 1});
  EXPECT_EQ(buffer->read(1)[0], 1) << "the program before it runs";
  held_ = ~0U;
  Words back;
  ReadShard(queue(), back, buffer, {0, 1});
  EXPECT_EQ(back, second);
  EnqueueReadMeshBuffer(queue(), back, buffer);
  EXPECT_EQ(back, first) << "device 0";
  // A smaller source fills the beginning.
  EnqueueWriteMeshBuffer(queue(), buffer, Words(3, 77), true);
  EnqueueReadMeshBuffer(queue(), back, buffer);
  Words mixed = first;
  std::fill_n(mixed.begin(), 3, 77);
  EXPECT_EQ(back, mixed);
  EXPECT_REFUSED(WriteShard(queue(), buffer, second, {1, 0}), "outside the mesh of 1 x 2");
}

TEST_F(CommandQueueTest, ATraceIsReplayedWithoutRunningAtCapture) {
  load_firmware();
  const MeshTraceId id = BeginTraceCapture(mesh_.get(), 0);
  for (std::uint32_t name : {1U, 2U}) EnqueueMeshWorkload(queue(), workload(name), false);
  const auto buffer = CreateBuffer(*mesh_, InterleavedBufferConfig{.size = 64, .page_size = 64});
  EXPECT_REFUSED(EnqueueWriteMeshBuffer(queue(), buffer, Words(16)), "a write while it captures");
  Words back;
  EXPECT_REFUSED(ReadShard(queue(), back, buffer, {0, 0}), "a read while it captures");
  EXPECT_REFUSED(EnqueueRecordEvent(queue()), "an event while it captures");
  EXPECT_REFUSED(EnqueueMeshWorkload(queue(), workload(3), true), "a blocking workload");
  EXPECT_REFUSED(BeginTraceCapture(mesh_.get(), 0), "is still being captured on command queue 0");
  EXPECT_REFUSED(mesh_->end_mesh_trace(1, id), "is not being captured on command queue 1");
  EXPECT_REFUSED(mesh_->replay_mesh_trace(1, id, false), "trace 1: is still being captured");
  mesh_->end_mesh_trace(0, id);
  Finish(queue());
  EXPECT_TRUE(ran_.empty());
  EnqueueMeshWorkload(queue(), workload(7), false);
  mesh_->replay_mesh_trace(0, id, false);
  mesh_->replay_mesh_trace(0, id, true);
  EXPECT_EQ(ran_, (Words{7, 1, 2, 1, 2}));
  mesh_->release_mesh_trace(id);
  EXPECT_REFUSED(mesh_->replay_mesh_trace(0, id, false), "trace 1: was not captured, or has been");
  EXPECT_REFUSED(mesh_->release_mesh_trace(id), "has been released");
}

TEST_F(CommandQueueTest, RefusesATraceThatHasBecomeWrong) {
  load_firmware();
  MeshWorkload w;
  Program p = program(1);
  CircularBufferConfig cb(65536, {{0, DataFormat::Float16_b}});
  CreateCircularBuffer(p, CoreCoord{0, 0}, cb);
  w.add_program(MeshCoordinateRange(MeshCoordinate{0, 1}), std::move(p));
  const MeshTraceId id = BeginTraceCapture(mesh_.get(), 0);
  EnqueueMeshWorkload(queue(), w, false);
  mesh_->end_mesh_trace(0, id);
  BankManager& l1 = mesh_->bank_manager(BufferType::L1);
  {
    const auto all = CreateBuffer(
        *mesh_, ShardedBufferConfig{
                    .cores = CoreCoord{0, 0},
                    .shard_bytes = static_cast<std::uint32_t>(l1.end() - l1.base() - 32768)});
    EXPECT_REFUSED(mesh_->replay_mesh_trace(0, id, false), "where a buffer has been made since");
  }
  mesh_->load_sub_device_manager(
      mesh_->create_sub_device_manager({SubDevice{CoreRangeSet(CoreCoord{0, 0})}}, 0));
  EXPECT_REFUSED(mesh_->replay_mesh_trace(0, id, false),
                 "laid out under sub-device manager 0, and 1 is loaded");
  mesh_->clear_loaded_sub_device_manager();
  mesh_->replay_mesh_trace(0, id, true);
  EXPECT_EQ(ran_, Words{1});
}

TEST_F(CommandQueueTest, WorkloadsCoverRangesOfTheMesh) {
  MeshWorkload w;
  w.add_program(MeshCoordinateRange(mesh_->shape()), program(4));
  EXPECT_REFUSED(w.add_program(MeshCoordinateRange({0, 1}, {0, 3}), program(5)),
                 "a program for (0, 1) to (0, 3) beside one for (0, 0) to (0, 1)");
  EnqueueMeshWorkload(queue(), w, false);
  Finish(queue());
  EXPECT_EQ(fake_.word(0, 1, 1, kFirstArg), 4U);
  EXPECT_EQ(fake_.word(1, 1, 1, kFirstArg), 4U);

  MeshWorkload outside;
  outside.add_program(MeshCoordinateRange({0, 0}, {1, 0}), program(1));
  EXPECT_REFUSED(EnqueueMeshWorkload(queue(), outside, false),
                 "device (1, 0): is outside the mesh of 1 x 2");
  EXPECT_REFUSED(EnqueueMeshWorkload(queue(), MeshWorkload(), false), "has no programs");
  EXPECT_REFUSED(MeshCoordinateRange({1, 0}, {0, 0}), "ends at (0, 0), before its start");
  mesh_->reshape({2, 1});
  EXPECT_EQ(mesh_->device_index({1, 0}), 1U);
  EXPECT_REFUSED(mesh_->reshape({2, 2}), "a shape of 2 x 2 for 2 devices");
}

TEST_F(CommandQueueTest, AProgramMayRunOnAllDevices) {
  const Program p = program(6);
  EnqueueProgram(queue(1), p, true);
  EXPECT_EQ(fake_.word(0, 1, 1, kFirstArg), 6U);
  EXPECT_EQ(fake_.word(1, 1, 1, kFirstArg), 6U);
}

TEST_F(CommandQueueTest, CircularBuffersMoveAndResizeBetweenRuns) {
  const CoreCoord core{0, 0};
  const auto buffer = CreateBuffer(*mesh_, ShardedBufferConfig{.cores = core, .shard_bytes = 8192});
  const auto other = CreateBuffer(*mesh_, ShardedBufferConfig{.cores = core, .shard_bytes = 4096});
  Program p = program(1);
  CircularBufferConfig config(4096, {{3, DataFormat::Float16_b}});
  config.set_page_size(3, 1024).set_globally_allocated_address(*buffer);
  const CBHandle cb = CreateCircularBuffer(p, core, config);
  const auto entry = [&] {
    mesh_->run(1, p);
    Words words;
    for (unsigned i = 0; i < 4; ++i) words.push_back(fake_.word(0, 1, 1, kCbTable + 48 + 4 * i));
    return words;
  };
  const auto at = [](const auto& b) { return static_cast<std::uint32_t>(b->address()); };
  EXPECT_EQ(entry(), (Words{at(buffer), 4096, 4, 1024}));
  UpdateDynamicCircularBufferAddress(p, cb, *buffer, 2048);
  EXPECT_EQ(entry(), (Words{at(buffer) + 2048, 4096, 4, 1024}));
  UpdateCircularBufferTotalSize(p, cb, 6144);
  UpdateCircularBufferPageSize(p, cb, 3, 2048);
  EXPECT_EQ(entry(), (Words{at(buffer) + 2048, 6144, 3, 2048}));
  EXPECT_REFUSED(UpdateCircularBufferTotalSize(p, cb, 8192),
                 "do not lie in the 6144 of the buffer");
  EXPECT_REFUSED(UpdateDynamicCircularBufferAddress(p, cb, *other), "6144 bytes at offset 0");
  UpdateDynamicCircularBufferAddressAndTotalSize(p, cb, *other, 4096);
  EXPECT_EQ(entry(), (Words{at(other), 4096, 2, 2048}));
  EXPECT_EQ(GetCircularBufferConfig(p, cb).total_bytes(), 4096U);
  UpdateCircularBufferTotalSize(p, cb, 3072);
  EXPECT_REFUSED(mesh_->enqueue(1, p), "pages of 2048 bytes do not divide the total of 3072");
  EXPECT_REFUSED(UpdateCircularBufferTotalSize(p, cb, 0), "a total size of 0");
  EXPECT_REFUSED(UpdateCircularBufferTotalSize(p, cb + 1, 64), "is not one of this program");
}

TEST_F(CommandQueueTest, ArgumentsChangeBetweenRuns) {
  Program p = CreateProgram();
  const CoreRangeSet cores = CoreRange({0, 0}, {1, 0});
  const auto kernel = CreateKernel(p, kernel_, cores, DataMovementConfig{});
  SetRuntimeArgs(p, kernel, cores.cores(), {{1, 2}, {3, 4}});
  SetCommonRuntimeArgs(p, kernel, {9});
  GetRuntimeArgs(p, kernel, {1, 0})[1] = 5;
  GetCommonRuntimeArgs(p, kernel)[0] = 8;
  mesh_->run(1, p);
  EXPECT_EQ(fake_.word(0, 1, 1, kFirstArg + 4), 2U);
  EXPECT_EQ(fake_.word(0, 2, 1, kFirstArg), 3U);
  EXPECT_EQ(fake_.word(0, 2, 1, kFirstArg + 4), 5U);
  EXPECT_EQ(fake_.word(0, 2, 1, kFirstArg + 8), 8U);
  EXPECT_REFUSED(SetRuntimeArgs(p, kernel, cores.cores(), {{1}}), "1 lists of arguments for 2");
  EXPECT_REFUSED(GetRuntimeArgs(p, kernel, {5, 0}), "does not run on core (5, 0)");
  GetRuntimeArgs(p, kernel, {1, 0}).resize(16380);
  EXPECT_REFUSED(mesh_->enqueue(1, p), "16381 runtime arguments on core (1, 0); the arguments");
}

TEST_F(CommandQueueTest, GlobalSemaphoresAreResetOnAllTheirCores) {
  const CoreRangeSet cores = CoreRange({0, 0}, {1, 0});
  const GlobalSemaphore semaphore = CreateGlobalSemaphore(*mesh_, cores, 3);
  EXPECT_EQ(fake_.word(0, 2, 1, semaphore.address()), 3U);
  semaphore.reset_semaphore_value(7);
  EXPECT_EQ(fake_.word(0, 1, 1, semaphore), 7U);
  EXPECT_EQ(fake_.word(1, 2, 1, semaphore), 7U);
  EXPECT_NE(CreateGlobalSemaphore(*mesh_, cores, 0).address(), semaphore.address());
  EXPECT_REFUSED(CreateGlobalSemaphore(*mesh_, CoreRangeSet(), 0), "needs cores");
  EXPECT_REFUSED(CreateGlobalSemaphore(*mesh_, CoreCoord{9, 0}, 0), "core (9, 0)");
}

}  // namespace
}  // namespace tvp::runtime::command_queue_test
