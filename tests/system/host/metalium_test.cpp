// Host programs with tt-metal's names and headers, as of 2024 (devices, buffers of a device) and of
// 2026 (meshes).

#include <fmt/base.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <tt-logger/tt-logger.hpp>
#include <tt-metalium/bfloat16.hpp>
#include <tt-metalium/bfloat8.hpp>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>
#include <tt-metalium/tilize_utils.hpp>
#include <tt-metalium/work_split.hpp>

#include "sw/runtime/compiler/compile_cache.h"
#include "tt_metal/common/constants.hpp"
#include "tt_metal/common/tilize_untilize.hpp"
#include "tt_metal/detail/tt_metal.hpp"
#include "tt_metal/impl/device/device.hpp"

using namespace tt;
using namespace tt::tt_metal;

namespace {

constexpr CoreCoord kCore = {0, 0};
constexpr std::uint32_t kWords = 256;
constexpr std::uint32_t kBytes = kWords * sizeof(std::uint32_t);

/// Selects a system for the library of this build.
void use_system(const char* name) {
  setenv("TENSIX_VP_LIBRARY", TVP_LIBRARY, 1);
  setenv("TENSIX_VP_CONFIGURE", name, 1);
}

/// Adds a number to each word of a buffer of one page, found by the bank's coordinates.
const char* const kAdd = R"(
#include "dataflow_api.h"
void kernel_main() {
  const uint32_t bytes = get_arg_val<uint32_t>(4);
  const uint64_t source = get_noc_addr(get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(2));
  cb_reserve_back(tt::CB::c_in0, 1);
  const uint32_t here = get_write_ptr(tt::CB::c_in0);
  noc_async_read(source, here, bytes);
  noc_async_read_barrier();
  volatile tt_l1_ptr uint32_t* words = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(here);
  for (uint32_t i = 0; i < bytes / 4; ++i) words[i] += get_arg_val<uint32_t>(3);
  noc_async_write(here, source, bytes);
  noc_async_write_barrier();
}
)";

class Metalium : public testing::Test {
 protected:
  void SetUp() override { use_system("system=n150"); }
};

TEST_F(Metalium, AProgramOf2024RunsOnADevice) {
  IDevice* device = CreateDevice(0);
  CommandQueue& cq = device->command_queue();
  Program program = CreateProgram();
  InterleavedBufferConfig config{
      .device = device, .size = kBytes, .page_size = kBytes, .buffer_type = BufferType::DRAM};
  std::shared_ptr<Buffer> buffer = CreateBuffer(config);
  EXPECT_EQ(buffer->num_pages(), 1U);

  CircularBufferConfig page = CircularBufferConfig(kBytes, {{CB::c_in0, tt::DataFormat::UInt32}})
                                  .set_page_size(CB::c_in0, kBytes);
  const std::variant<CoreCoord, CoreRange, CoreRangeSet> cores = kCore;
  tt_metal::CreateCircularBuffer(program, cores, page);
  auto in_l1 = CreateBuffer(InterleavedBufferConfig{
      .device = device, .size = kBytes, .page_size = kBytes, .buffer_type = BufferType::L1});
  EXPECT_NO_THROW(CircularBufferConfig(page).set_globally_allocated_address(*in_l1));
  KernelHandle add = CreateKernelFromString(
      program, kAdd, kCore,
      DataMovementConfig{.processor = DataMovementProcessor::RISCV_0, .noc = NOC::RISCV_0_default});
  const auto bank = buffer->noc_coordinates();
  const std::uint32_t args[] = {bank.x, bank.y, buffer->address(), 7, kBytes};
  SetRuntimeArgs(program, add, kCore, args);

  std::vector<std::uint32_t> words(kWords);
  for (std::uint32_t i = 0; i < kWords; ++i) words[i] = 3 * i;
  EnqueueWriteBuffer(cq, buffer, words, false);
  EnqueueProgram(cq, program, false);
  Finish(cq);
  std::vector<std::uint32_t> sums(kWords);
  EnqueueReadBuffer(cq, *buffer, sums.data(), true);
  for (std::uint32_t i = 0; i < kWords; ++i) ASSERT_EQ(sums[i], 3 * i + 7);

  // Runs again with other arguments, through the names of slow dispatch.
  GetRuntimeArgs(program, add, kCore)[3] = 1;
  detail::WriteToBuffer(buffer, words);
  detail::LaunchProgram(device, program);
  detail::ReadFromBuffer(buffer, sums);
  for (std::uint32_t i = 0; i < kWords; ++i) ASSERT_EQ(sums[i], 3 * i + 1);
  EXPECT_TRUE(CloseDevice(device));
}

TEST_F(Metalium, TextsOfKernelsAreInTheKernelCache) {
  const std::string file = kernel_file(kAdd);
  EXPECT_TRUE(file.starts_with(tvp::runtime::CompileCache::default_folder())) << file;
  const auto text = [&] {
    std::ifstream in(file);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  EXPECT_EQ(text(), kAdd);
  std::ofstream(file) << "void kernel_main() { another kernel }";
  EXPECT_EQ(kernel_file(kAdd), file);
  EXPECT_EQ(text(), kAdd);
}

TEST_F(Metalium, TheGridIsWhatSiliconLeavesPrograms) {
  IDevice* device = CreateDevice(0);
  EXPECT_EQ(device->logical_grid_size(), (CoreCoord{8, 9}));
  EXPECT_EQ(device->compute_with_storage_grid_size(), (CoreCoord{8, 8}));
  EXPECT_EQ(device->grid_size(), (CoreCoord{10, 12}));
  EXPECT_EQ(device->num_dram_channels(), 12);
  EXPECT_EQ(device->arch(), ARCH::WORMHOLE_B0);
  auto [cores, all, more, fewer, of_more, of_fewer] =
      split_work_to_cores(device->compute_with_storage_grid_size(), 100);
  EXPECT_EQ(cores, 64U);
  std::uint32_t units = 0;
  for (const auto& [group, each] : {std::pair(more, of_more), std::pair(fewer, of_fewer)})
    for (const CoreRange& range : group.ranges())
      for (const CoreCoord core : range) {
        EXPECT_TRUE(all.contains(core));
        units += each;
      }
  EXPECT_EQ(units, 100U);
  const std::set<CoreRange> ranges = {CoreRange({2, 0}, {3, 0}), CoreRange(kCore)};
  EXPECT_EQ(CoreRangeSet(ranges).str(), "{(0, 0) to (0, 0), (2, 0) to (3, 0)}");
  EXPECT_TRUE(CloseDevice(device));
}

TEST_F(Metalium, WhatIsNotThereIsRefused) {
  EXPECT_THROW(CreateDevice(6), std::exception);
  IDevice* device = CreateDevice(0);
  EXPECT_THROW(CreateDevice(0), std::exception);
  auto buffer =
      CreateBuffer(InterleavedBufferConfig{.device = device, .size = kBytes, .page_size = 32});
  EXPECT_THROW(
      EnqueueWriteBuffer(device->command_queue(), buffer, std::vector<std::uint32_t>(), true),
      std::exception);
  DeallocateBuffer(*buffer);
  EXPECT_FALSE(buffer->is_allocated());
  EXPECT_THROW(
      EnqueueWriteBuffer(device->command_queue(), buffer, std::vector<std::uint32_t>(kWords), true),
      std::exception);
  EXPECT_THROW(CreateBuffer(InterleavedBufferConfig{.size = kBytes, .page_size = 32}),
               std::exception);
  CloseDevice(device);
}

TEST_F(Metalium, ChannelsOfDramAreBanks) {
  IDevice* device = CreateDevice(0);
  auto buffer = CreateBuffer(InterleavedBufferConfig{
      .device = device, .size = 2 * kBytes, .page_size = kBytes, .buffer_type = BufferType::DRAM});
  // The second page is at the beginning of bank 1.
  std::vector<std::uint32_t> words(kWords, 7);
  EXPECT_TRUE(detail::WriteToDeviceDRAMChannel(device, 1, buffer->address(), words));
  std::vector<std::uint32_t> all;
  detail::ReadFromBuffer(buffer, all);
  EXPECT_EQ(std::count(all.begin() + kWords, all.end(), 7U), kWords);
  std::vector<std::uint32_t> some;
  EXPECT_TRUE(detail::ReadFromDeviceDRAMChannel(device, 1, buffer->address() + 4, 8, some));
  EXPECT_EQ(some, (std::vector<std::uint32_t>{7, 7}));
  EXPECT_THROW(detail::WriteToDeviceDRAMChannel(device, 12, 0, words), std::exception);
  EXPECT_THROW(detail::ReadFromDeviceDRAMChannel(device, 0, 0xFFFFFFF0, 32, some), std::exception);
  EXPECT_EQ(buffer->allocator()->get_num_banks(BufferType::DRAM), 12U);
  // The type of its argument finds the function.
  tvp::runtime::MeshBuffer& same = *buffer;
  [](auto& one) { DeallocateBuffer(one); }(same);
  EXPECT_FALSE(buffer->is_allocated());
  EXPECT_TRUE(CloseDevice(device));
}

TEST_F(Metalium, BlockFloatsHaveTheNamesOfBothYears) {
  constexpr std::uint32_t kTileBytes = 1088;
  const std::vector<std::uint32_t> ones =
      create_constant_vector_of_bfp8(2 * kTileBytes, 1.0F, false);
  EXPECT_EQ(ones.size() * 4, 2 * kTileBytes);
  const std::vector<float> floats = unpack_bfp8_tiles_into_float_vec(ones, true, false);
  EXPECT_EQ(floats, std::vector<float>(2048, 1.0F));
  EXPECT_EQ(pack_fp32_vec_as_bfp8_tiles(floats, true, false), ones);
  EXPECT_EQ(pack_as_bfp8_tiles(tt::stl::make_const_span(floats), true, false), ones);
  const std::vector<bfloat16> narrow(2048, 1.0F);
  EXPECT_EQ(pack_as_bfp8_tiles(tt::stl::make_const_span(narrow), true, false), ones);
  const auto random = create_random_vector_of_bfp4(576, false, 4, 11, -1.0F);
  EXPECT_EQ(random, create_random_vector_of_bfp4(576, false, 4, 11, -1.0F));
  for (const float number : unpack_bfp4_tiles_into_float_vec(random, true, false)) {
    EXPECT_GE(number, -1.0F);
    EXPECT_LE(number, 3.0F);
  }
  EXPECT_EQ(pack_fp32_vec_as_bfp4_tiles(std::vector<float>(1024, 2.0F), true, false),
            create_constant_vector_of_bfp4(576, 2.0F, false));
  EXPECT_THROW(create_random_vector_of_bfp8(kTileBytes + 4, false, 1, 1), std::exception);
}

TEST_F(Metalium, HalvesOfWords) {
  const std::vector<std::uint32_t> words = {0x00020001, 0x00040003};
  EXPECT_EQ(u16_from_u32_vector(words), (std::vector<std::uint16_t>{1, 2, 3, 4}));
  EXPECT_EQ(u32_from_u16_vector({1, 2, 3, 4}), words);
  EXPECT_THROW(u32_from_u16_vector({1}), std::exception);
}

TEST_F(Metalium, PlacesInATensorOfFourDimensions) {
  const TensAddr at({2, 3, 4, 5});
  EXPECT_EQ(at.numel(), 120U);
  EXPECT_EQ(at.offs(1, 2, 3, 4), 119);
  EXPECT_EQ(at.offs(1, 0, 2, 1), 71);
  EXPECT_THROW(at.offs(0, 3, 0, 0), std::exception);
  EXPECT_THROW(at.offs(0, 0, 0, -1), std::exception);
  EXPECT_THROW(TensAddr({2, 3}), std::exception);
}

TEST_F(Metalium, ConditionsThatDoNotHoldSayWhich) {
  try {
    TT_FATAL(1 + 1 == 3, "with {} and {}", CoreCoord{2, 5}, "more");
    FAIL();
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("1 + 1 == 3"), std::string::npos) << text;
    EXPECT_NE(text.find("with (2, 5) and more"), std::string::npos) << text;
  }
  EXPECT_THROW(TT_THROW("no"), std::runtime_error);
  TT_ASSERT(true);
  testing::internal::CaptureStdout();
  log_info(tt::LogTest, "{} of {}", 1, 2);
  log_debug(tt::LogTest, "{}", 3);
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "info: 1 of 2\n");
}

TEST_F(Metalium, LinesAreThereWhenAProgramAborts) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  if (const pid_t child = fork(); child != 0) {
    close(ends[1]);
    char text[64] = {};
    EXPECT_GT(read(ends[0], text, sizeof text - 1), 0);
    EXPECT_STREQ(text, "error: no 7\n");
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return;
  }
  dup2(ends[1], STDOUT_FILENO);
  log_error(tt::LogTest, "no {}", 7);
  _exit(0);  // like an abort, without flushing
}

TEST_F(Metalium, NumbersAreMadeAsProgramsExpect) {
  const auto random = create_random_vector_of_bfloat16(64, 2.0F, 11, -1.0F);
  const auto doubled = unpack_uint32_vec_into_bfloat16_vec(
      random, [](const bfloat16& a) { return bfloat16(2 * static_cast<float>(a)); });
  const auto single = unpack_uint32_vec_into_bfloat16_vec(random);
  for (std::size_t i = 0; i < single.size(); ++i)
    EXPECT_EQ(doubled.at(i).to_float(), 2 * single[i].to_float());
  ASSERT_EQ(random.size(), 16U);
  EXPECT_EQ(random, create_random_vector_of_bfloat16(64, 2.0F, 11, -1.0F));
  EXPECT_NE(random, create_random_vector_of_bfloat16(64, 2.0F, 12, -1.0F));
  for (const bfloat16 number : unpack_uint32_vec_into_bfloat16_vec(random)) {
    EXPECT_GE(number.to_float(), -1.0F);
    EXPECT_LE(number.to_float(), 1.0F);
  }
  EXPECT_EQ(create_constant_vector_of_bfloat16(4, 1.0F), (std::vector<std::uint32_t>{0x3F803F80}));
  EXPECT_EQ(unpack_two_bfloat16_from_uint32(pack_two_bfloat16_into_uint32({1.0F, 2.0F})),
            (std::pair<bfloat16, bfloat16>{1.0F, 2.0F}));
  const auto identity = create_identity_matrix(3, 4, 2);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(identity[i], i == 0 || i == 5 ? 1.0F : 0.0F);
  std::vector<int> matrix(64 * 32);
  std::iota(matrix.begin(), matrix.end(), 0);
  const auto whole = matrix;
  tilize(matrix, 32, 64);
  EXPECT_EQ(matrix[32], 64);  // row by row within a tile
  untilize(matrix, 32, 64);
  EXPECT_EQ(matrix, whole);
  EXPECT_TRUE(is_close(100.0F, 100.9F));
  EXPECT_FALSE(is_close(100.0F, 102.0F));
}

/// Adds tiles of two tensors; kernels of 2026.
const char* const kReader = R"(
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  constexpr auto args = TensorAccessorArgs<0>();
  constexpr auto more = TensorAccessorArgs<args.next_compile_time_args_offset()>();
  const auto left = TensorAccessor(args, get_arg_val<uint32_t>(0), 2048);
  const auto right = TensorAccessor(more, get_arg_val<uint32_t>(1), 2048);
  for (uint32_t i = 0; i < get_arg_val<uint32_t>(2); ++i) {
    cb_reserve_back(tt::CBIndex::c_0, 1);
    cb_reserve_back(tt::CBIndex::c_1, 1);
    noc_async_read_page(i, left, get_write_ptr(tt::CBIndex::c_0));
    noc_async_read_page(i, right, get_write_ptr(tt::CBIndex::c_1));
    noc_async_read_barrier();
    cb_push_back(tt::CBIndex::c_0, 1);
    cb_push_back(tt::CBIndex::c_1, 1);
  }
}
)";
const char* const kSum = R"(
#include "api/compute/eltwise_binary.h"
void kernel_main() {
  binary_op_init_common(tt::CBIndex::c_0, tt::CBIndex::c_1, tt::CBIndex::c_16);
  add_tiles_init(tt::CBIndex::c_0, tt::CBIndex::c_1);
  for (uint32_t i = 0; i < get_arg_val<uint32_t>(0); ++i) {
    cb_wait_front(tt::CBIndex::c_0, 1);
    cb_wait_front(tt::CBIndex::c_1, 1);
    tile_regs_acquire();
    add_tiles(tt::CBIndex::c_0, tt::CBIndex::c_1, 0, 0, 0);
    tile_regs_commit();
    cb_pop_front(tt::CBIndex::c_0, 1);
    cb_pop_front(tt::CBIndex::c_1, 1);
    cb_reserve_back(tt::CBIndex::c_16, 1);
    tile_regs_wait();
    pack_tile(0, tt::CBIndex::c_16);
    tile_regs_release();
    cb_push_back(tt::CBIndex::c_16, 1);
  }
}
)";
const char* const kWriter = R"(
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  constexpr auto args = TensorAccessorArgs<0>();
  const auto sums = TensorAccessor(args, get_arg_val<uint32_t>(0), 2048);
  for (uint32_t i = 0; i < get_arg_val<uint32_t>(1); ++i) {
    cb_wait_front(tt::CBIndex::c_16, 1);
    noc_async_write_page(i, sums, get_read_ptr(tt::CBIndex::c_16));
    noc_async_write_barrier();
    cb_pop_front(tt::CBIndex::c_16, 1);
  }
}
)";

/// Checks the sum of each tile on the devices of `mesh`.
void sum_tiles(distributed::MeshDevice& mesh, float left_number, float right_number,
               std::vector<bfloat16>& sums) {
  constexpr std::uint32_t kTiles = 3;
  constexpr std::uint32_t kTileBytes = sizeof(bfloat16) * tt::constants::TILE_HW;
  distributed::MeshCommandQueue& cq = mesh.mesh_command_queue();
  distributed::DeviceLocalBufferConfig dram{.page_size = kTileBytes,
                                            .buffer_type = tt_metal::BufferType::DRAM};
  distributed::ReplicatedBufferConfig size{.size = kTiles * kTileBytes};
  auto left = distributed::MeshBuffer::create(size, dram, &mesh);
  auto right = distributed::MeshBuffer::create(size, dram, &mesh);
  auto sum = distributed::MeshBuffer::create(size, dram, &mesh);
  EXPECT_EQ(sum->num_pages(), kTiles);

  Program program = CreateProgram();
  for (const CBIndex index : {CBIndex::c_0, CBIndex::c_1, CBIndex::c_16})
    CreateCircularBuffer(program, kCore,
                         CircularBufferConfig(2 * kTileBytes, {{index, tt::DataFormat::Float16_b}})
                             .set_page_size(index, kTileBytes));
  std::vector<std::uint32_t> reader_args, writer_args;
  TensorAccessorArgs(*left).append_to(reader_args);
  TensorAccessorArgs(right).append_to(reader_args);
  TensorAccessorArgs(sum.get()).append_to(writer_args);
  const auto reader =
      CreateKernelFromString(program, kReader, kCore, ReaderDataMovementConfig(reader_args));
  const auto compute = CreateKernelFromString(
      program, kSum, kCore,
      ComputeConfig{.math_fidelity = MathFidelity::HiFi4, .fp32_dest_acc_en = false});
  const auto writer =
      CreateKernelFromString(program, kWriter, kCore, WriterDataMovementConfig(writer_args));
  SetRuntimeArgs(program, reader, kCore,
                 {(std::uint32_t)left->address(), (std::uint32_t)right->address(), kTiles});
  SetRuntimeArgs(program, compute, kCore, {kTiles});
  SetRuntimeArgs(program, writer, kCore, {(std::uint32_t)sum->address(), kTiles});

  const std::size_t numbers = kTiles * tt::constants::TILE_HW;
  distributed::EnqueueWriteMeshBuffer(cq, left, std::vector<bfloat16>(numbers, left_number), false);
  EnqueueWriteMeshBuffer(cq, right, std::vector<bfloat16>(numbers, right_number), false);
  EnqueueWriteMeshBuffer(cq, sum, std::vector<bfloat16>(numbers, 0.0F), false);
  distributed::MeshWorkload workload;
  workload.add_program(distributed::MeshCoordinateRange(mesh.shape()), std::move(program));
  distributed::EnqueueMeshWorkload(cq, workload, false);
  distributed::Finish(cq);
  for (std::uint32_t column = 0; column < mesh.num_cols(); ++column) {
    distributed::ReadShard(cq, sums, sum, distributed::MeshCoordinate{0, column}, true);
    ASSERT_EQ(sums.size(), numbers);
    for (const bfloat16 number : sums) ASSERT_EQ(number.to_float(), left_number + right_number);
  }
}

TEST_F(Metalium, AProgramOf2026RunsOnAMesh) {
  auto mesh = distributed::MeshDevice::create_unit_mesh(0);
  EXPECT_EQ(mesh->shape().mesh_size(), 1U);
  std::vector<bfloat16> sums;
  sum_tiles(*mesh, 1.5F, 2.0F, sums);
  EXPECT_TRUE(mesh->close());
}

TEST_F(Metalium, AMeshIsAllDevicesAndAUnitMeshOne) {
  use_system("system=pair");
  {
    auto mesh = distributed::MeshDevice::create(
        distributed::MeshDeviceConfig(distributed::MeshShape{1, 2}));
    EXPECT_EQ(mesh->num_devices(), 2U);
    std::vector<bfloat16> sums;
    sum_tiles(*mesh, 4.0F, -1.0F, sums);
    mesh->close();
  }
  EXPECT_THROW(distributed::MeshDevice::create_unit_mesh(2), std::exception);
  auto first = distributed::MeshDevice::create_unit_mesh(0);
  auto second = distributed::MeshDevice::create_unit_mesh(1);
  std::vector<bfloat16> sums;
  // The same address on both devices. Each has the data of its own queue.
  distributed::DeviceLocalBufferConfig dram{.page_size = kBytes};
  auto buffer = distributed::MeshBuffer::create(distributed::ReplicatedBufferConfig{.size = kBytes},
                                                dram, first.get());
  auto& one = first->mesh_command_queue();
  distributed::EnqueueWriteMeshBuffer(one, buffer, std::vector<std::uint32_t>(kWords, 5), true);
  distributed::EnqueueWriteMeshBuffer(second->mesh_command_queue(), buffer,
                                      std::vector<std::uint32_t>(kWords, 6), true);
  std::vector<std::uint32_t> words;
  distributed::EnqueueReadMeshBuffer(one, words, buffer, true);
  EXPECT_EQ(words, std::vector<std::uint32_t>(kWords, 5));
  distributed::EnqueueReadMeshBuffer(second->mesh_command_queue(), words, buffer, true);
  EXPECT_EQ(words, std::vector<std::uint32_t>(kWords, 6));
  sum_tiles(*second, 0.5F, 0.25F, sums);
}

std::vector<std::uint32_t> counting(std::size_t words) {
  std::vector<std::uint32_t> numbers(words);
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

TEST_F(Metalium, PartsOfAMeshAreMeshes) {
  use_system("system=quad_ring");
  auto mesh = distributed::MeshDevice::create(distributed::MeshDeviceConfig({2, 2}));
  const auto columns = mesh->create_submeshes(distributed::MeshShape{2, 1});
  ASSERT_EQ(columns.size(), 2U);
  EXPECT_EQ(columns[1]->get_device_ids(), (std::vector<int>{1, 3}));
  EXPECT_EQ(columns[1]->get_parent_mesh(), mesh);
  EXPECT_TRUE(mesh->is_parent_mesh() && !columns[1]->is_parent_mesh());
  EXPECT_EQ(mesh->get_submeshes(), columns);
  auto last = mesh->create_submesh({1, 1}, distributed::MeshCoordinate{1, 1});
  EXPECT_EQ(last->get_device_ids(), std::vector<int>{3});
  EXPECT_THROW(mesh->create_submesh({1, 2}, distributed::MeshCoordinate{1, 1}), std::exception);
  EXPECT_THROW(mesh->create_submeshes({2, 3}), std::exception);

  // The queue of a submesh writes only to its devices.
  distributed::DeviceLocalBufferConfig dram{.page_size = kBytes};
  auto buffer = distributed::MeshBuffer::create(distributed::ReplicatedBufferConfig{.size = kBytes},
                                                dram, mesh.get());
  auto& cq = mesh->mesh_command_queue();
  EnqueueWriteMeshBuffer(cq, buffer, std::vector<std::uint32_t>(kWords, 1), false);
  columns[1]->mesh_command_queue().enqueue_write_mesh_buffer(buffer, counting(kWords).data(), true);
  std::vector<std::uint32_t> words;
  for (std::uint32_t device = 0; device < 4; ++device) {
    ReadShard(cq, words, buffer, distributed::MeshCoordinate{device / 2, device % 2}, true);
    EXPECT_EQ(words, device % 2 == 0 ? std::vector<std::uint32_t>(kWords, 1) : counting(kWords));
  }
  const std::vector<IDevice*> devices = mesh->get_devices();
  ASSERT_EQ(devices.size(), 4U);
  EXPECT_EQ(devices[2], mesh->get_device(1, 0));
  EXPECT_EQ(devices[3]->id(), 3);
  std::vector<bfloat16> sums;
  sum_tiles(*last, 2.5F, 0.5F, sums);
}

TEST_F(Metalium, APartOfASystemIsItsFirstDevices) {
  use_system("system=quad_ring");
  auto mesh = distributed::MeshDevice::create(distributed::MeshDeviceConfig({1, 3}));
  EXPECT_EQ(mesh->get_device_ids(), (std::vector<int>{0, 1, 2}));
  EXPECT_THROW(distributed::MeshDevice::create(distributed::MeshDeviceConfig({2, 3})),
               std::exception);
}

TEST_F(Metalium, ABufferIsCutOverAMesh) {
  use_system("system=quad_ring");
  using Config = distributed::ShardedBufferConfig;
  auto mesh = distributed::MeshDevice::create(distributed::MeshDeviceConfig({2, 2}));
  auto& cq = mesh->mesh_command_queue();
  distributed::DeviceLocalBufferConfig dram{.page_size = 32};
  // 8 x 16 words; each word is its index in the whole.
  const std::vector<std::uint32_t> whole = counting(128);
  const auto shard_of = [&](const Config& config, std::uint32_t row, std::uint32_t column) {
    auto buffer = distributed::MeshBuffer::create(config, dram, mesh.get());
    EXPECT_EQ(buffer->size(), 512U);
    EXPECT_EQ(buffer->datum_size_bytes(), 4U);
    EnqueueWriteMeshBuffer(cq, buffer, whole, false);
    std::vector<std::uint32_t> part;
    ReadShard(cq, part, buffer, distributed::MeshCoordinate{row, column}, true);
    EXPECT_EQ(part.size() * 4, buffer->device_local_size());
    const auto [rows, columns] = buffer->replicated_dims();
    std::vector<std::uint32_t> back;
    if (!rows && !columns) {
      EnqueueReadMeshBuffer(cq, back, buffer, true);
      EXPECT_EQ(back, whole);
    }
    return std::array{part.front(), part[1], part.back()};
  };
  Config config{.global_size = 512, .global_buffer_shape = {8, 16}, .shard_shape = {4, 8}};
  EXPECT_EQ(shard_of(config, 0, 1), (std::array{8U, 9U, 3 * 16 + 15U}));
  EXPECT_EQ(shard_of(config, 1, 0), (std::array{64U, 65U, 7 * 16 + 7U}));
  config.shard_orientation = ShardOrientation::COL_MAJOR;
  EXPECT_EQ(shard_of(config, 1, 0), (std::array{8U, 9U, 3 * 16 + 15U}));
  // All rows, with half of the columns each. Devices of a mesh column have the same shard.
  config.shard_orientation = ShardOrientation::ROW_MAJOR;
  config.shard_shape = {0, 8};
  for (const std::uint32_t row : {0U, 1U})
    EXPECT_EQ(shard_of(config, row, 1), (std::array{8U, 9U, 7 * 16 + 15U}));
  config.shard_shape = {4, 0};
  config.shard_orientation = ShardOrientation::COL_MAJOR;
  for (const std::uint32_t column : {0U, 1U})
    EXPECT_EQ(shard_of(config, 1, column), (std::array{64U, 65U, 127U}));
  config.shard_shape = {0, 0};
  EXPECT_EQ(shard_of(config, 1, 1), (std::array{0U, 1U, 127U}));

  const auto make = [&] { distributed::MeshBuffer::create(config, dram, mesh.get()); };
  config.shard_shape = {2, 8};  // eight shards, four devices
  EXPECT_THROW(make(), std::exception);
  config.shard_shape = {3, 8};
  EXPECT_THROW(make(), std::exception);
  config.global_size = 500;
  EXPECT_THROW(make(), std::exception);
  auto same = distributed::MeshBuffer::create(distributed::ReplicatedBufferConfig{.size = kBytes},
                                              dram, mesh.get());
  EXPECT_THROW(same->global_shard_spec(), std::exception);
  EXPECT_THROW(distributed::MeshBuffer::create(distributed::ReplicatedBufferConfig{.size = kBytes},
                                               dram, mesh.get(), 0x1000),
               std::exception);
}

}  // namespace
