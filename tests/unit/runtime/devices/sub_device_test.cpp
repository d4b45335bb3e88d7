// Splits of a mesh into sub-devices: ownership, refusals, and waits of the host.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "sw/runtime/errors.h"
#include "sw/runtime/host_api.h"
#include "tests/support/fault_of.h"
#include "tests/unit/runtime/devices/fake_library.h"

namespace tvp::runtime::sub_device_test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kGo = contract::kMailboxBase + offsetof(contract::Mailboxes, go_messages);
constexpr std::uint64_t kLocalL1 = 64 * 1024;

CoreRangeSet rectangle(CoreCoord first, CoreCoord last) { return CoreRange(first, last); }

class SubDeviceTest : public testing::Test {
 protected:
  SubDeviceTest()
      : folder_(fs::temp_directory_path() / ("tvp_sub_device_" + std::to_string(getpid()))),
        library_(test::FakeLibrary::functions(), "fake") {
    fs::create_directories(folder_);
    kernel_ = (folder_ / "k.cpp").string();
    std::ofstream(kernel_) << "void kernel_main() {}\n";
    MeshDevice::Options options;
    options.cache = (folder_ / "cache").string();
    mesh_ = std::make_unique<MeshDevice>(library_, options);
    // Firmware that finishes at once, except on hanging columns of device 0. Columns 1 to 4 of NoC
    // 0 are logical columns 0 to 3.
    fake_.on_clock = [this] {
      for (unsigned x = 1; x < 10; ++x)
        for (unsigned y = 0; y < 12; ++y)
          if (x < hanging_from_) fake_.byte(1, x, y, kGo + 3) = 0;
    };
  }
  ~SubDeviceTest() override {
    mesh_.reset();
    fs::remove_all(folder_);
  }

  /// Columns 0 and 1, and columns 2 and 3, of the first two rows.
  SubDeviceManagerId split(std::uint64_t local_l1 = kLocalL1) {
    return mesh_->create_sub_device_manager({left_, right_}, local_l1);
  }
  Program on(const CoreRangeSet& cores) {
    Program program;
    CreateKernel(program, kernel_, cores, DataMovementConfig{});
    return program;
  }

  const SubDevice left_{rectangle({0, 0}, {1, 1})};
  const SubDevice right_{rectangle({2, 0}, {3, 1})};
  fs::path folder_;
  test::FakeLibrary fake_;
  DeviceLibrary library_;
  std::unique_ptr<MeshDevice> mesh_;
  std::string kernel_;
  unsigned hanging_from_ = 10;
};

TEST_F(SubDeviceTest, WithoutAManagerAllCoresAreOne) {
  EXPECT_EQ(mesh_->get_active_sub_device_manager_id(), mesh_->get_default_sub_device_manager_id());
  EXPECT_EQ(mesh_->get_sub_device_ids(), std::vector{SubDeviceId{0}});
  EXPECT_EQ(mesh_->num_worker_cores(HalProgrammableCoreType::TENSIX, SubDeviceId{0}), 64U);
  EXPECT_EQ(mesh_->num_worker_cores(HalProgrammableCoreType::ACTIVE_ETH, SubDeviceId{0}), 16U);
  EXPECT_EQ(&mesh_->bank_manager(SubDeviceId{0}), &mesh_->bank_manager(BufferType::L1));
  EXPECT_REFUSED(mesh_->worker_cores(HalProgrammableCoreType::TENSIX, SubDeviceId{1}),
                 "no manager is loaded");
  EXPECT_REFUSED(mesh_->set_sub_device_stall_group({}), "has no sub-devices");
  EXPECT_REFUSED(mesh_->load_sub_device_manager(mesh_->get_default_sub_device_manager_id()),
                 "the mesh's own");
}

TEST_F(SubDeviceTest, AManagerIsLoadedClearedAndRemoved) {
  const auto first = split();
  const auto second = mesh_->create_sub_device_manager({right_}, 0);
  EXPECT_NE(first, second);
  EXPECT_EQ(mesh_->num_sub_devices(), 1U) << "not before it is loaded";
  mesh_->load_sub_device_manager(first);
  EXPECT_EQ(mesh_->get_active_sub_device_manager_id(), first);
  EXPECT_EQ(mesh_->num_sub_devices(), 2U);
  EXPECT_EQ(mesh_->worker_cores(HalProgrammableCoreType::TENSIX, SubDeviceId{1}).cores(),
            rectangle({2, 0}, {3, 1}).cores());
  EXPECT_REFUSED(mesh_->remove_sub_device_manager(first), "is loaded");
  mesh_->load_sub_device_manager(second);
  EXPECT_EQ(mesh_->num_sub_devices(), 1U);
  mesh_->remove_sub_device_manager(first);
  EXPECT_REFUSED(mesh_->load_sub_device_manager(first), "is not one of this mesh");
  mesh_->clear_loaded_sub_device_manager();
  EXPECT_EQ(mesh_->num_worker_cores(HalProgrammableCoreType::TENSIX, SubDeviceId{0}), 64U);
  mesh_->remove_sub_device_manager(second);
}

TEST_F(SubDeviceTest, RefusesSplitsThatCannotBe) {
  EXPECT_REFUSED(SubDevice(std::vector<CoreRangeSet>{}), "has no cores");
  EXPECT_REFUSED(SubDevice(std::vector<CoreRangeSet>(3, CoreRangeSet(CoreCoord{0, 0}))),
                 "3 sets of cores");
  const SubDevice overlapping{rectangle({1, 1}, {4, 4})};
  EXPECT_REFUSED(mesh_->create_sub_device_manager({left_, overlapping}, 0),
                 "sub-device 1: has core (1, 1), which sub-device 0 has");
  const SubDevice same_link{CoreRangeSet(CoreCoord{5, 5}), CoreRangeSet(CoreCoord{0, 3})};
  const SubDevice links{CoreRangeSet(), rectangle({0, 2}, {0, 3})};
  EXPECT_REFUSED(mesh_->create_sub_device_manager({same_link, links}, 0),
                 "has ethernet core (0, 3), which sub-device 0 has");
  EXPECT_REFUSED(mesh_->create_sub_device_manager({SubDevice{CoreRangeSet(CoreCoord{8, 0})}}, 0),
                 "core (8, 0): is outside");
  EXPECT_REFUSED(mesh_->create_sub_device_manager(std::span<const SubDevice>(), 0),
                 "0 sub-devices; expected 1 to 8");
  EXPECT_REFUSED(mesh_->create_sub_device_manager({left_}, 2 << 20), "local L1 of 2097152 bytes");
  EXPECT_REFUSED(mesh_->create_sub_device_manager({left_}, 100), "is not a multiple of 32");
}

TEST_F(SubDeviceTest, EachHasL1OfItsOwn) {
  const auto id = split();
  mesh_->load_sub_device_manager(id);
  const ShardedBufferConfig on_left{.cores = rectangle({0, 0}, {1, 1}), .shard_bytes = 1024};
  const ShardedBufferConfig on_right{.cores = rectangle({2, 0}, {3, 1}), .shard_bytes = 1024};
  {
    const auto a = CreateBuffer(*mesh_, on_left, SubDeviceId{0});
    const auto b = CreateBuffer(*mesh_, on_right, SubDeviceId{1});
    EXPECT_EQ(a->address(), b->address()) << "one does not see what the other has allocated";
    EXPECT_EQ(a->address(), contract::kL1UnreservedBase + kLocalL1 - 1024);
    EXPECT_GE(CreateBuffer(*mesh_, on_left)->address(), contract::kL1UnreservedBase + kLocalL1);
    EXPECT_REFUSED(CreateBuffer(*mesh_, on_left, SubDeviceId{1}),
                   "core (0, 0) of a shard is not one of sub-device 1");
    EXPECT_REFUSED(CreateBuffer(*mesh_, on_left, SubDeviceId{2}), "sub-device 2: is not one of");
    const ShardedBufferConfig large{.cores = CoreCoord{0, 0}, .shard_bytes = kLocalL1};
    EXPECT_REFUSED(CreateBuffer(*mesh_, large, SubDeviceId{0}), "L1 of sub-device 0: no room");
    EXPECT_REFUSED(mesh_->clear_loaded_sub_device_manager(), "still have buffers of their own");

    // Circular buffers end below the buffers of their own sub-device.
    Program program = on(CoreCoord{0, 0});
    CircularBufferConfig cb(kLocalL1, {{0, DataFormat::Float16_b}});
    CreateCircularBuffer(program, CoreCoord{0, 0}, cb.set_page_size(0, 1024));
    EXPECT_REFUSED(mesh_->enqueue(0, program),
                   "where buffers in L1 begin at " + std::to_string(a->address()));
    // The end must not wrap at 32 bits.
    Program wrapped = on(CoreCoord{0, 0});
    CircularBufferConfig most(0xFFF00000, {{0, DataFormat::Float16_b}});
    CreateCircularBuffer(wrapped, CoreCoord{0, 0}, most.set_page_size(0, 1U << 20));
    EXPECT_REFUSED(mesh_->enqueue(0, wrapped),
                   "where buffers in L1 begin at " + std::to_string(a->address()));
  }
  mesh_->clear_loaded_sub_device_manager();
  // All of L1 is shared again.
  const auto whole = MeshBuffer::create(
      *mesh_, ShardedBufferConfig{
                  .cores = CoreCoord{0, 0},
                  .shard_bytes = static_cast<std::uint32_t>(
                      mesh_->bank_manager(BufferType::L1).end() - contract::kL1UnreservedBase)});
  EXPECT_REFUSED(mesh_->load_sub_device_manager(id), "L1: is to begin at");
}

TEST_F(SubDeviceTest, AProgramRunsOnOneOfThem) {
  mesh_->load_sub_device_manager(split());
  EXPECT_REFUSED(mesh_->enqueue(0, on(rectangle({1, 0}, {2, 0}))),
                 "runs on core (2, 0) of sub-device 1, and its program on cores of sub-device 0");
  EXPECT_REFUSED(mesh_->enqueue(0, on(CoreCoord{4, 0})), "core (4, 0), which is in no sub-device");
  Program mixed = on(CoreCoord{0, 0});
  CreateKernel(mixed, kernel_, CoreCoord{0, 3}, EthernetConfig{});
  EXPECT_REFUSED(mesh_->enqueue(0, mixed), "on ethernet cores of no sub-device");
  EXPECT_FALSE(mesh_->running());
  mesh_->run(0, on(rectangle({2, 0}, {3, 1})));
}

TEST_F(SubDeviceTest, TheHostWaitsForTheStallGroup) {
  mesh_->load_sub_device_manager(split());
  EXPECT_EQ(mesh_->get_sub_device_stall_group(), mesh_->get_sub_device_ids());
  mesh_->run(0, on(CoreCoord{2, 0}));  // its firmware runs from now on
  hanging_from_ = 3;                   // logical column 2
  mesh_->enqueue(0, on(CoreCoord{2, 0}));
  mesh_->enqueue(0, on(CoreCoord{0, 0}));
  fake_.state = TENSIX_VP_IDLE;
  const std::vector<SubDeviceId> group{SubDeviceId{0}};
  mesh_->set_sub_device_stall_group(group);
  mesh_->finish();
  EXPECT_TRUE(mesh_->running()) << "sub-device 1 is";
  EXPECT_REFUSED(mesh_->clear_loaded_sub_device_manager(),
                 "core (2, 0) of device 0 has not finished");
  const std::vector<SubDeviceId> other{SubDeviceId{1}};
  mesh_->enqueue(0, on(CoreCoord{1, 0}));
  mesh_->finish();
  EXPECT_THROW(mesh_->finish(other), HangError);
  const std::vector<SubDeviceId> unknown{SubDeviceId{7}};
  EXPECT_REFUSED(mesh_->finish(unknown), "sub-device 7: is not one of the 2");
  EXPECT_REFUSED(mesh_->set_sub_device_stall_group(unknown), "sub-device 7");
  mesh_->reset_sub_device_stall_group();
  EXPECT_EQ(mesh_->get_sub_device_stall_group(), mesh_->get_sub_device_ids());
}

}  // namespace
}  // namespace tvp::runtime::sub_device_test
