// Names of tt-metal's host API that its tests and operations use: allocators, sub-devices, orders
// of matrices, formats. Also kernels with names of the compute API.

// Programs declare these before or after they include the headers.
namespace tt::tt_metal {
class Buffer;
class CommandQueue;
class IDevice;
class Program;
namespace distributed {
class MeshBuffer;
class MeshCommandQueue;
class MeshDevice;
class MeshWorkload;
}  // namespace distributed
}  // namespace tt::tt_metal

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <tt-logger/tt-logger.hpp>
#include <tt-metalium/allocator.hpp>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/shape.hpp>
#include <tt-metalium/sub_device.hpp>
#include <tt-metalium/tilize_utils.hpp>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>

#include "foundation/fault.h"

namespace tt {
enum class ARCH;
enum class CoreType;
namespace tt_metal {
class Buffer;
class CommandQueue;
class IDevice;
class Program;
namespace distributed {
class MeshBuffer;
class MeshCommandQueue;
class MeshDevice;
class MeshWorkload;
}  // namespace distributed
}  // namespace tt_metal
}  // namespace tt

using namespace tt;
using namespace tt::tt_metal;
using tvp::foundation::Fault;

namespace {

constexpr CoreCoord kFirst = {0, 0};

class MetaliumNames : public testing::Test {
 protected:
  void SetUp() override {
    setenv("TENSIX_VP_LIBRARY", TVP_LIBRARY, 1);
    setenv("TENSIX_VP_CONFIGURE", "system=n150", 1);
    device_ = CreateDevice(0);
  }
  void TearDown() override { CloseDevice(device_); }

  std::shared_ptr<Buffer> in_l1(std::uint32_t pages, std::uint32_t page_size) {
    return CreateBuffer(InterleavedBufferConfig{.device = device_,
                                                .size = DeviceAddr{pages} * page_size,
                                                .page_size = page_size,
                                                .buffer_type = BufferType::L1});
  }

  IDevice* device_ = nullptr;
};

// Each device is a mesh of one, and each queue and buffer belongs to a mesh.
const char* kind_of(const IDevice*) { return "device"; }
const char* kind_of(const distributed::MeshDevice*) { return "mesh"; }

TEST_F(MetaliumNames, ProgramsDeclareClasses) {
  static_assert(std::is_base_of_v<IDevice, distributed::MeshDevice>);
  static_assert(std::is_base_of_v<CommandQueue, distributed::MeshCommandQueue>);
  static_assert(std::is_base_of_v<Buffer, distributed::MeshBuffer>);
  EXPECT_STREQ(kind_of(device_), "device");
  const auto mesh = distributed::MeshDevice::create_unit_mesh(0);
  EXPECT_STREQ(kind_of(mesh.get()), "mesh");
  IDevice* const device = mesh.get();
  EXPECT_EQ(device->get_devices().size(), 1U);
  CommandQueue& queue = device->command_queue();
  EXPECT_EQ(&queue, &mesh->mesh_command_queue());
  Finish(queue);
}

TEST_F(MetaliumNames, ABufferOfADeviceIsWrittenThroughEachKindOfReference) {
  const std::shared_ptr<Buffer> buffer = Buffer::create(device_, 64, 64, BufferType::DRAM);
  EXPECT_EQ(buffer->shared()->device_local_config().buffer_type, BufferType::DRAM);
  EXPECT_EQ(buffer->shared()->device_local_config().page_size, 64U);
  CommandQueue& queue = device_->command_queue();
  std::vector<std::uint32_t> words(16);
  std::vector<std::uint32_t> read;
  words[0] = 1;
  EnqueueWriteBuffer(queue, buffer, words, true);
  EnqueueReadBuffer(queue, std::ref(*buffer), read, true);
  EXPECT_EQ(read, words);
  words[0] = 2;
  EnqueueWriteBuffer(queue, std::ref(buffer), words, true);
  EnqueueReadBuffer(queue, *buffer, read, true);
  EXPECT_EQ(read, words);
  IDevice* const none = nullptr;
  EXPECT_THROW(Buffer::create(none, 64, 64, BufferType::DRAM), Fault);
}

TEST_F(MetaliumNames, NamesOfGenerations) {
  EXPECT_EQ(get_arch_from_string("wormhole_b0"), ARCH::WORMHOLE_B0);
  EXPECT_EQ(get_string(device_->arch()), "WORMHOLE_B0");
  EXPECT_EQ(get_string_lowercase(ARCH::BLACKHOLE), "blackhole");
  EXPECT_THROW(get_arch_from_string("invalid"), Fault);
  EXPECT_EQ(distributed::MeshCoordinate::zero_coordinate(2), distributed::MeshCoordinate(0, 0));
  EXPECT_THROW(distributed::MeshCoordinate::zero_coordinate(3), Fault);
  EXPECT_EQ(
      unpack_uint32_vec_into_bfloat16_vec(create_arange_vector_of_bfloat16(8)),
      (std::vector<bfloat16>{bfloat16(0.0F), bfloat16(1.0F), bfloat16(2.0F), bfloat16(3.0F)}));
}

TEST_F(MetaliumNames, AllocatorsSayWhereBuffersGo) {
  const auto& allocator = device_->allocator();
  EXPECT_EQ(allocator->get_num_banks(BufferType::DRAM), 12U);
  EXPECT_EQ(allocator->get_num_banks(BufferType::L1), 72U);
  EXPECT_FALSE(device_->lowest_occupied_compute_l1_address());

  // Buffers of DRAM start at its base; buffers of L1 end at its end.
  const auto dram = CreateBuffer(InterleavedBufferConfig{
      .device = device_, .size = 64, .page_size = 64, .buffer_type = BufferType::DRAM});
  EXPECT_EQ(allocator->get_base_allocator_addr(HalMemType::DRAM), dram->address());
  const auto l1 = in_l1(73, 128);  // two pages in the first bank
  EXPECT_EQ(allocator->get_base_allocator_addr(HalMemType::L1) +
                allocator->get_bank_size(BufferType::L1) - 2 * 128,
            l1->address());
  EXPECT_EQ(device_->lowest_occupied_compute_l1_address(), DeviceAddr{l1->address()});

  // Two pages of 128 B at the end. The memory before them is free until a buffer takes a part.
  const Statistics before = allocator->get_statistics(BufferType::L1);
  EXPECT_EQ(before.total_allocatable_size_bytes, allocator->get_bank_size(BufferType::L1));
  EXPECT_EQ(before.total_allocated_bytes, 256U);
  EXPECT_EQ(before.total_free_bytes, before.total_allocatable_size_bytes - 256);
  EXPECT_EQ(before.largest_free_block_bytes, before.total_free_bytes);
  {
    auto between = in_l1(1, 512);
    const auto below = in_l1(1, 64);
    between.reset();
    const Statistics after = allocator->get_statistics(BufferType::L1);
    EXPECT_EQ(after.total_free_bytes, before.total_free_bytes - 64);
    EXPECT_EQ(after.largest_free_block_bytes, after.total_free_bytes - 512);
  }

  // Each page is in its bank.
  std::vector<std::uint32_t> words(73 * 32);
  std::iota(words.begin(), words.end(), 0U);
  detail::WriteToBuffer(l1, words);
  for (const std::uint32_t page : {0U, 1U, 8U, 71U, 72U}) {
    const std::uint32_t bank = page % allocator->get_num_banks(BufferType::L1);
    const CoreCoord core = allocator->get_logical_core_from_bank_id(bank);
    EXPECT_EQ(allocator->get_bank_ids_from_logical_core(BufferType::L1, core),
              std::vector<std::uint32_t>{bank});
    std::vector<std::uint32_t> found;
    detail::ReadFromDeviceL1(device_, core, l1->address() + page / 72 * 128, 128, found);
    EXPECT_TRUE(std::equal(found.begin(), found.end(), words.begin() + page * 32)) << page;
  }
  EXPECT_THROW(allocator->get_logical_core_from_bank_id(72), Fault);
  EXPECT_THROW(allocator->get_base_allocator_addr(HalMemType::HOST), Fault);
}

/// A core waits for a word that a program of another core writes.
const char* const kWait = R"(
#include "dataflow_api.h"
void kernel_main() {
  volatile tt_l1_ptr uint32_t* word = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_arg_val<uint32_t>(0));
  noc_semaphore_wait(word, 7);
}
)";
const char* const kTell = R"(
#include "dataflow_api.h"
void kernel_main() {
  noc_semaphore_inc(get_noc_addr(get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(0)), 7);
  noc_async_atomic_barrier();
}
)";

TEST_F(MetaliumNames, SubDevicesRunBesideEachOther) {
  SubDevice left(std::array{CoreRangeSet(CoreRange({0, 0}, {1, 1}))});
  SubDevice right(std::array{CoreRangeSet(CoreRange({2, 0}, {3, 1}))});
  const SubDeviceManagerId split = device_->create_sub_device_manager({left, right}, 4096);
  EXPECT_EQ(device_->num_sub_devices(), 1U);
  device_->load_sub_device_manager(split);
  EXPECT_EQ(device_->get_active_sub_device_manager_id(), split);
  const std::vector<SubDeviceId> ids = device_->get_sub_device_ids();
  ASSERT_EQ(ids, (std::vector{SubDeviceId{0}, SubDeviceId{1}}));
  EXPECT_EQ(device_->num_worker_cores(HalProgrammableCoreType::TENSIX, ids[1]), 4U);

  // The sub-device's own L1, all of it below the shared part.
  const auto word_on = [&](CoreCoord core, SubDeviceId id) {
    return CreateBuffer(ShardedBufferConfig{.device = device_,
                                            .size = 64,
                                            .page_size = 64,
                                            .shard_parameters = ShardSpecBuffer(
                                                CoreRangeSet(CoreRange(core)), {1, 1},
                                                ShardOrientation::ROW_MAJOR, {1, 1}, {1, 1})},
                        id);
  };
  {
    const auto word = word_on({0, 1}, ids[0]);
    EXPECT_EQ(word->address() + 64,
              device_->allocator(ids[0])->get_base_allocator_addr(HalMemType::L1) + 4096);
    EXPECT_EQ(device_->lowest_occupied_compute_l1_address(ids), DeviceAddr{word->address()});
    EXPECT_THROW(word_on({2, 0}, ids[0]), Fault);  // a core of the other sub-device
    detail::WriteToDeviceL1(device_, {0, 1}, word->address(), {0});

    CommandQueue& cq = device_->command_queue();
    Program waits = CreateProgram();
    SetRuntimeArgs(waits,
                   CreateKernelFromString(waits, kWait, CoreCoord{0, 1}, DataMovementConfig{}),
                   CoreCoord{0, 1}, {word->address()});
    Program tells = CreateProgram();
    const CoreCoord to = device_->worker_core_from_logical_core({0, 1});
    SetRuntimeArgs(tells,
                   CreateKernelFromString(tells, kTell, CoreCoord{2, 1}, DataMovementConfig{}),
                   CoreCoord{2, 1}, {word->address(), to.x, to.y});
    EnqueueProgram(cq, waits, false);
    // The first program never ends without the second one, which must not wait for it.
    device_->set_sub_device_stall_group({{SubDeviceId{1}}});
    EXPECT_EQ(device_->get_sub_device_stall_group(), std::vector{SubDeviceId{1}});
    EnqueueProgram(cq, tells, false);
    Finish(cq);
    device_->reset_sub_device_stall_group();
    Finish(cq);
    std::vector<std::uint32_t> found;
    detail::ReadFromDeviceL1(device_, {0, 1}, word->address(), 4, found);
    EXPECT_EQ(found, std::vector<std::uint32_t>{7});

    Program both = CreateProgram();
    CreateKernelFromString(both, kWait, CoreRange({1, 0}, {2, 0}), DataMovementConfig{});
    EXPECT_THROW(EnqueueProgram(cq, both, true), Fault);
  }
  device_->clear_loaded_sub_device_manager();
  device_->remove_sub_device_manager(split);
  EXPECT_THROW(device_->load_sub_device_manager(split), Fault);
}

TEST_F(MetaliumNames, MatricesChangeTheirOrder) {
  // Two matrices of 64 x 64. Each number is its expected position, face by face.
  std::vector<int> numbers(2 * 64 * 64);
  std::iota(numbers.begin(), numbers.end(), 0);
  for (const bool within : {false, true})
    for (const bool of_faces : {false, true}) {
      const auto faces =
          convert_layout(tt::stl::make_const_span(numbers), PhysicalSize{64, 64},
                         TensorLayoutType::LIN_ROW_MAJOR, TensorLayoutType::TILED_NFACES,
                         PhysicalSize{32, 32}, PhysicalSize{16, 16}, within, of_faces);
      std::size_t at = 0;
      for (int matrix = 0; matrix < 2; ++matrix)
        for (int tile = 0; tile < 4; ++tile)
          for (int face = 0; face < 4; ++face)
            for (int i = 0; i < 256; ++i) {
              const int down = of_faces ? face % 2 : face / 2;
              const int right = of_faces ? face / 2 : face % 2;
              const int row = tile / 2 * 32 + down * 16 + (within ? i % 16 : i / 16);
              const int column = tile % 2 * 32 + right * 16 + (within ? i / 16 : i % 16);
              ASSERT_EQ(faces[at++], matrix * 4096 + row * 64 + column);
            }
      const std::vector<std::uint32_t> shape = {2, 64, 64};
      EXPECT_EQ(convert_layout<int>(faces, shape, TensorLayoutType::TILED_NFACES,
                                    TensorLayoutType::LIN_ROW_MAJOR, std::nullopt, std::nullopt,
                                    within, of_faces),
                numbers);
    }
  const auto swizzled = tilize_swizzled(numbers, 128, 64);
  const auto faces = convert_to_tile_layout(swizzled);
  EXPECT_EQ(faces, tilize_nfaces(numbers, 128, 64));
  EXPECT_EQ(convert_to_flat_layout(faces), swizzled);
  EXPECT_EQ(convert_layout_tile_nfaces_to_tile_swizzled(tt::stl::make_const_span(faces)), swizzled);
  EXPECT_THROW(convert_layout<int>(faces, PhysicalSize{48, 64}, TensorLayoutType::TILED_NFACES,
                                   TensorLayoutType::LIN_ROW_MAJOR),
               Fault);

  testing::internal::CaptureStdout();
  std::vector<bfloat16> tile(1024, 0.0F);
  tile[1023] = 2.5F;
  print_vec_of_bfloat16(tile, 1, "Result");
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 33);
  EXPECT_NE(text.find("Result"), std::string::npos);
  EXPECT_NE(text.find(" 2.5\n"), std::string::npos);
  EXPECT_THROW(print_vec_of_bfloat16(tile, 2), Fault);
}

TEST_F(MetaliumNames, ShapesCountFromBothEnds) {
  Shape shape({2, 3, 64, 32});
  EXPECT_EQ(shape.rank(), 4U);
  EXPECT_EQ(shape[-1], 32U);
  EXPECT_EQ(shape[1], 3U);
  shape[-4] = 5;
  EXPECT_EQ(shape, (Shape{5, 3, 64, 32}));
  EXPECT_EQ(shape.volume(), 5U * 3 * 64 * 32);
  EXPECT_EQ(Shape().volume(), 1U);
  const ShardSpec spec(CoreRangeSet(CoreRange(kFirst)), {64, 32});  // braces alone are the shard
  EXPECT_EQ(spec.numel(), 64U * 32);
  EXPECT_EQ(spec.orientation, ShardOrientation::ROW_MAJOR);
  EXPECT_THROW(shape[4], Fault);
  EXPECT_THROW(shape[-5], Fault);
}

TEST_F(MetaliumNames, EnumeratorsAreNames) {
  EXPECT_EQ(fmt::format("{} {} {}", TensorMemoryLayout::BLOCK_SHARDED, tt::DataFormat::Bfp8_b,
                        BufferType::L1),
            "BLOCK_SHARDED Bfp8_b L1");
  EXPECT_EQ(fmt::format("{:>12}|{}", tt::ARCH::WORMHOLE_B0, static_cast<tt::ARCH>(9)),
            " WORMHOLE_B0|9");
  testing::internal::CaptureStdout();
  log_info(LogTest, "{} on {}", ShardOrientation::COL_MAJOR, CoreCoord{1, 2});
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "info: COL_MAJOR on (1, 2)\n");
  std::ostringstream out;
  out << TensorLayoutType::TILED_NFACES;
  EXPECT_EQ(out.str(), "TILED_NFACES");

  std::unordered_map<CoreCoord, int> cores;
  std::unordered_set<std::size_t> hashes;
  for (std::uint32_t x = 0; x < 16; ++x)
    for (std::uint32_t y = 0; y < 16; ++y) {
      cores[{x, y}] += static_cast<int>(16 * x + y);
      hashes.insert(std::hash<CoreRange>{}(CoreRange({x, 0}, {x, y})));
    }
  EXPECT_EQ(cores.size(), 256U);
  EXPECT_EQ((cores[{3, 5}]), 53);
  EXPECT_GT(hashes.size(), 250U);
}

TEST_F(MetaliumNames, SizesOfTilesAreConstants) {
  constexpr std::uint32_t bytes = tt::tile_size(tt::DataFormat::Bfp8_b);
  static_assert(bytes == 32 * 32 + 64);
  static_assert(tt::tile_size(tt::DataFormat::Bfp4_b) == 512 + 64);
  static_assert(tt::tile_size(tt::DataFormat::RawUInt16) == 2048);
  static_assert(tt::datum_size(tt::DataFormat::RawUInt8) == 1);
  static_assert(tt::datum_size(tt::DataFormat::Float32) == 4);
  EXPECT_THROW(tt::tile_size(tt::DataFormat::Invalid), Fault);
  EXPECT_THROW(tt::datum_size(tt::DataFormat::Bfp8_b), Fault);
}

/// A kernel's view of a buffer whose data only moves.
const char* const kSees = R"(
#include "dataflow_api.h"
void kernel_main() {
  volatile tt_l1_ptr uint32_t* out = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_arg_val<uint32_t>(0));
  out[0] = get_tile_size(0);
  out[1] = static_cast<uint32_t>(get_dataformat(0));
}
)";

TEST_F(MetaliumNames, RawDatumsAreAsWideAsFloats) {
  const auto result = in_l1(1, 64);
  for (const auto& [raw, bytes, floats] :
       {std::tuple{tt::DataFormat::RawUInt8, 1024U, tt::DataFormat::Lf8},
        std::tuple{tt::DataFormat::RawUInt16, 2048U, tt::DataFormat::Float16},
        std::tuple{tt::DataFormat::RawUInt32, 4096U, tt::DataFormat::Float32}}) {
    Program program = CreateProgram();
    CreateCircularBuffer(program, kFirst,
                         CircularBufferConfig(2 * bytes, {{0, raw}}).set_page_size(0, bytes));
    const auto sees = CreateKernelFromString(program, kSees, kFirst, DataMovementConfig{});
    SetRuntimeArgs(program, sees, kFirst, {result->address()});
    detail::LaunchProgram(device_, program);
    std::vector<std::uint32_t> found;
    detail::ReadFromDeviceL1(device_, kFirst, result->address(), 8, found);
    EXPECT_EQ(found, (std::vector<std::uint32_t>{bytes, static_cast<std::uint32_t>(floats)}));
  }
}

/// Tiles of c_0 and a scaler in c_1 to a tile of c_16.
const char* const kProducts = R"(
#include "api/compute/compute_kernel_api.h"
#include "api/compute/tile_move_copy.h"
void kernel_main() {
  init_sfpu(tt::CBIndex::c_0, tt::CBIndex::c_16);
  cb_wait_front(tt::CBIndex::c_0, 3);
  tile_regs_acquire();
  copy_tile(tt::CBIndex::c_0, 0, 0);
  tiled_prod_tile_init();
  tiled_prod_tile(0);
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(tt::CBIndex::c_16, 1);
  pack_tile(0, tt::CBIndex::c_16);
  cb_push_back(tt::CBIndex::c_16, 1);
  tile_regs_release();
}
)";
const char* const kLargest = R"(
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/reduce_custom.h"
void kernel_main() {
  compute_kernel_hw_startup(tt::CBIndex::c_0, tt::CBIndex::c_1, tt::CBIndex::c_16);
  cb_wait_front(tt::CBIndex::c_0, 3);
  cb_wait_front(tt::CBIndex::c_1, 1);
  reduce_block_max_row_init_runtime(tt::CBIndex::c_16, 1);
  reduce_block_max_row_reinit_short_runtime(tt::CBIndex::c_16, 3);
  tile_regs_acquire();
  reduce_block_max_row_runtime(tt::CBIndex::c_0, tt::CBIndex::c_1, 0, 0);
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(tt::CBIndex::c_16, 1);
  pack_tile(0, tt::CBIndex::c_16);
  cb_push_back(tt::CBIndex::c_16, 1);
  tile_regs_release();
  reduce_block_max_row_uninit_runtime(tt::CBIndex::c_0);
}
)";
/// 2 a + 5 + 3 b, with a from tile 0 and b from tile 1 of c_0.
const char* const kMacros = R"(
#include "api/compute/compute_kernel_api.h"
#include "api/compute/tile_move_copy.h"
#ifdef TRISC_MATH
#include "llk_math_eltwise_binary_sfpu_macros.h"
#include "llk_math_eltwise_unary_sfpu_macros.h"
namespace ckernel::sfpu {
template <bool kHalve, int kRounds>
inline void twice_and_more() {
  for (int i = 0; i < kRounds; ++i) {
    sfpi::vFloat x = sfpi::dst_reg[0];
    sfpi::dst_reg[0] = x * (kHalve ? 0.5f : 2.0f) + sfpi::vConstFloatPrgm0;
    sfpi::dst_reg++;
  }
}
inline void add_times(uint32_t a, uint32_t b, uint32_t out, float factor) {
  for (int i = 0; i < 8; ++i) {
    sfpi::vFloat sum = sfpi::dst_reg[a * 32];
    sum = sum + sfpi::dst_reg[b * 32] * factor;
    sfpi::dst_reg[out * 32] = sum;
    sfpi::dst_reg++;
  }
}
template <int kFactor>
inline void program_factor(float more) {
  sfpi::vConstFloatPrgm0 = kFactor + more;
}
}  // namespace ckernel::sfpu
#endif
void kernel_main() {
  init_sfpu(tt::CBIndex::c_0, tt::CBIndex::c_16);
  cb_wait_front(tt::CBIndex::c_0, 3);
  tile_regs_acquire();
  copy_tile(tt::CBIndex::c_0, 0, 0);
  copy_tile(tt::CBIndex::c_0, 1, 1);
  MATH((SFPU_UNARY_INIT_FN_ARGS(sigmoid, sfpu::program_factor, (3), 2.0f)));
  MATH((SFPU_UNARY_CALL(DST_SYNC_MODE, DST_ACCUM_MODE, twice_and_more, (false, 8), 0, VectorMode::RC)));
  MATH((SFPU_BINARY_CALL_NO_TEMPLATE_ARGS(DST_SYNC_MODE, DST_ACCUM_MODE, add_times, 0, 1, 2, VectorMode::RC, 3.0f)));
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(tt::CBIndex::c_16, 1);
  pack_tile(2, tt::CBIndex::c_16);
  cb_push_back(tt::CBIndex::c_16, 1);
  tile_regs_release();
}
)";
const char* const kFeed = R"(
#include "dataflow_api.h"
void kernel_main() {
  cb_reserve_back(0, 3);
  cb_reserve_back(1, 1);
  noc_async_read(get_noc_addr(get_arg_val<uint32_t>(0)), get_write_ptr(0), 3 * 2048);
  noc_async_read(get_noc_addr(get_arg_val<uint32_t>(0) + 3 * 2048), get_write_ptr(1), 2048);
  noc_async_read_barrier();
  cb_push_back(0, 3);
  cb_push_back(1, 1);
  cb_wait_front(16, 1);
  noc_async_write(get_read_ptr(16), get_noc_addr(get_arg_val<uint32_t>(0)), 2048);
  noc_async_write_barrier();
  cb_pop_front(16, 1);
}
)";

class MetaliumKernels : public MetaliumNames {
 protected:
  /// Runs three tiles in turn and returns them row by row.
  std::vector<bfloat16> run(const char* compute, const std::vector<bfloat16>& numbers) {
    const auto memory = CreateBuffer(ShardedBufferConfig{
        .device = device_,
        .size = 4 * 2048,
        .page_size = 2048,
        .shard_parameters = ShardSpecBuffer(CoreRangeSet(CoreRange(kFirst)), {128, 32},
                                            ShardOrientation::ROW_MAJOR, {32, 32}, {4, 1})});
    std::vector<bfloat16> tiles = tilize_nfaces(numbers, 96, 32);
    tiles.resize(4096, 1.0F);
    detail::WriteToBuffer(memory, tiles);
    Program program = CreateProgram();
    for (const auto& [cb, pages] :
         std::vector<std::pair<std::uint8_t, std::uint32_t>>{{0, 3}, {1, 1}, {16, 1}})
      CreateCircularBuffer(program, kFirst,
                           CircularBufferConfig(pages * 2048, {{cb, tt::DataFormat::Float16_b}})
                               .set_page_size(cb, 2048));
    const auto feed = CreateKernelFromString(program, kFeed, kFirst, DataMovementConfig{});
    SetRuntimeArgs(program, feed, kFirst, {memory->address()});
    CreateKernelFromString(program, compute, kFirst, ComputeConfig{});
    detail::LaunchProgram(device_, program);
    detail::ReadFromBuffer(memory, tiles);
    tiles.resize(1024);
    return untilize_nfaces(tiles, 32, 32);
  }
};

TEST_F(MetaliumKernels, ProductsGoAlongLanes) {
  std::mt19937 random(3);
  std::vector<bfloat16> numbers(3 * 1024);
  for (bfloat16& number : numbers)
    number = (random() % 2 == 0 ? 1.0F : -1.0F) * (random() % 2 == 0 ? 0.5F : 2.0F);
  const auto found = run(kProducts, numbers);
  float products[4][8];
  std::fill_n(&products[0][0], 32, 1.0F);
  for (std::size_t face = 0; face < 4; ++face)
    for (std::size_t group = 0; group < 4; ++group)
      for (std::size_t odd = 0; odd < 2; ++odd)
        for (std::size_t row = 0; row < 4; ++row)
          for (std::size_t column = 0; column < 8; ++column) {
            const std::size_t at =
                (face / 2 * 16 + group * 4 + row) * 32 + face % 2 * 16 + 2 * column + odd;
            products[row][column] *= numbers[at].to_float();
            ASSERT_EQ(found[at].to_float(), products[row][column]) << at;
          }
}

TEST_F(MetaliumKernels, FunctionsOfKernelsGoOverTiles) {
  std::mt19937 random(5);
  std::vector<bfloat16> numbers(3 * 1024);
  for (bfloat16& number : numbers) number = static_cast<float>(static_cast<int>(random() % 15) - 7);
  const auto found = run(kMacros, numbers);
  for (std::size_t i = 0; i < 1024; ++i)
    ASSERT_EQ(found[i].to_float(),
              2 * numbers[i].to_float() + 5 + 3 * numbers[1024 + i].to_float());
}

TEST_F(MetaliumKernels, LargestOfABlockAfterAnotherStart) {
  std::mt19937 random(4);
  std::vector<bfloat16> numbers(3 * 1024);
  for (bfloat16& number : numbers)
    number = static_cast<float>(static_cast<int>(random() % 255) - 127);
  const auto found = run(kLargest, numbers);
  for (std::size_t row = 0; row < 32; ++row) {
    float largest = -1000;
    for (std::size_t tile = 0; tile < 3; ++tile)
      for (std::size_t column = 0; column < 32; ++column)
        largest = std::max(largest, numbers[tile * 1024 + row * 32 + column].to_float());
    EXPECT_EQ(found[row * 32].to_float(), largest) << row;
  }
}

}  // namespace
