// Programs on two sub-devices of one chip at the same time.

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "sw/runtime/host_api.h"
#include "tests/system/benches/system_suite.h"

namespace tvp::runtime {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kLocalL1 = 32 * 1024;

class SubDevices : public test::SystemSuite<> {
 protected:
  static void SetUpTestSuite() { open("system=single_chip", "sub_devices"); }
  void SetUp() override {
    split_ = mesh_->create_sub_device_manager({SubDevice{left_}, SubDevice{right_}}, kLocalL1);
    mesh_->load_sub_device_manager(split_);
  }
  void TearDown() override {
    mesh_->clear_loaded_sub_device_manager();
    mesh_->remove_sub_device_manager(split_);
  }

  static std::uint32_t word(MeshBuffer& buffer, CoreCoord core) {
    std::uint32_t value = 0;
    std::memcpy(&value, buffer.read_shard(0, core).data(), 4);
    return value;
  }

  const CoreRangeSet left_ = CoreRange({0, 0}, {2, 1});
  const CoreRangeSet right_ = CoreRange({4, 3}, {6, 4});
  SubDeviceManagerId split_;
};

TEST_F(SubDevices, KernelsCountTheirPlaceFromTheSubDevicesCorner) {
  const std::string source = kernel("place.cpp",
                                    "void kernel_main() {\n"
                                    "  *reinterpret_cast<volatile tt_l1_ptr uint32_t*>("
                                    "get_arg_val<uint32_t>(0)) =\n"
                                    "      get_absolute_logical_x() << 24 | "
                                    "get_absolute_logical_y() << 16 |\n"
                                    "      get_relative_logical_x() << 8 | "
                                    "get_relative_logical_y();\n"
                                    "}\n");
  for (const SubDeviceId id : mesh_->get_sub_device_ids()) {
    const CoreRangeSet cores = mesh_->worker_cores(HalProgrammableCoreType::TENSIX, id);
    const auto out =
        CreateBuffer(*mesh_, ShardedBufferConfig{.cores = cores, .shard_bytes = 32}, id);
    Program program = CreateProgram();
    const auto place = CreateKernel(program, source, cores, DataMovementConfig{});
    SetRuntimeArgs(program, place, cores, {static_cast<std::uint32_t>(out->address())});
    mesh_->run(0, program);
    const CoreCoord corner = cores.cores().front();
    for (const CoreCoord core : cores.cores())
      EXPECT_EQ(word(*out, core),
                core.x << 24 | core.y << 16 | (core.x - corner.x) << 8 | (core.y - corner.y))
          << core.str();
  }
}

// Kernels of the two programs wait for each other, so neither can end alone.
TEST_F(SubDevices, ProgramsRunAtTheSameTime) {
  const std::string source =
      kernel("meet.cpp",
             "void kernel_main() {\n"
             "  const uint32_t mine = get_arg_val<uint32_t>(0);\n"
             "  noc_semaphore_inc(get_noc_addr(get_arg_val<uint32_t>(1), "
             "get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3)), 1);\n"
             "  noc_async_atomic_barrier();\n"
             "  noc_semaphore_wait(reinterpret_cast<volatile tt_l1_ptr uint32_t*>(mine), 1);\n"
             "}\n");
  const CoreCoord a{1, 1};
  const CoreCoord b{5, 4};
  const std::uint32_t flag_a = CreateGlobalSemaphore(*mesh_, a, 0);
  const std::uint32_t flag_b = CreateGlobalSemaphore(*mesh_, b, 0);
  const auto meeting = [&](CoreCoord core, std::uint32_t own, CoreCoord other,
                           std::uint32_t others) {
    Program program = CreateProgram();
    const auto meet = CreateKernel(program, source, core, DataMovementConfig{});
    const CoreCoord noc = mesh_->device(0).worker_core_from_logical_core(other);
    SetRuntimeArgs(program, meet, core, {own, noc.x, noc.y, others});
    return program;
  };
  mesh_->enqueue(0, meeting(a, flag_a, b, flag_b));
  mesh_->enqueue(0, meeting(b, flag_b, a, flag_a));
  const std::vector<SubDeviceId> first{SubDeviceId{0}};
  mesh_->finish(first);
  mesh_->finish();
  EXPECT_FALSE(mesh_->running());
}

// One program continues while the host launches repeatedly on the other sub-device.
TEST_F(SubDevices, OneRunsOnWhileTheOtherIsLaunchedAgain) {
  const std::string wait =
      kernel("wait.cpp",
             "void kernel_main() {\n"
             "  noc_semaphore_wait(\n"
             "      reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_arg_val<uint32_t>(0)), 3);\n"
             "}\n");
  const std::string count = kernel("count.cpp",
                                   "void kernel_main() {\n"
                                   "  noc_semaphore_inc(get_noc_addr(get_arg_val<uint32_t>(0), "
                                   "get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(2)), 1);\n"
                                   "  noc_async_atomic_barrier();\n"
                                   "}\n");
  const CoreCoord waiter{6, 3};
  const CoreCoord counter{0, 0};
  const std::uint32_t flag = CreateGlobalSemaphore(*mesh_, waiter, 0);
  Program waits = CreateProgram();
  SetRuntimeArgs(waits, CreateKernel(waits, wait, waiter, DataMovementConfig{}), waiter, {flag});
  const CoreCoord noc = mesh_->device(0).worker_core_from_logical_core(waiter);
  Program counts = CreateProgram();
  SetRuntimeArgs(counts, CreateKernel(counts, count, counter, DataMovementConfig{}), counter,
                 {noc.x, noc.y, flag});

  mesh_->enqueue(0, waits);
  const std::vector<SubDeviceId> first{SubDeviceId{0}};
  mesh_->set_sub_device_stall_group(first);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(mesh_->running());
    mesh_->enqueue(0, counts);
    mesh_->finish();
  }
  mesh_->reset_sub_device_stall_group();
  mesh_->finish();
  const auto times = mesh_->run_times(0, mesh_->device(0).worker(waiter));
  const auto last = mesh_->run_times(0, mesh_->device(0).worker(counter));
  EXPECT_LT(times.go, last.go);
  EXPECT_GT(times.done, last.go);
}

}  // namespace
}  // namespace tvp::runtime
