// Refused uses of buffers, programs and their parts (hostile_use.h).
#include "tests/unit/runtime/programs/hostile_use.h"

namespace tvp::runtime::hostile_programs_test {
namespace {

using namespace test::hostile;

class HostileProgram : public HostileUse {};
TEST_P(HostileProgram, IsRefused) { check(); }

CircularBufferConfig pages(std::uint32_t bytes = 2048, std::uint8_t index = 0) {
  return CircularBufferConfig(bytes, {{index, DataFormat::Float16_b}}).set_page_size(index, bytes);
}
ShardedBufferConfig cut(TensorMemoryLayout layout, const CoreRangeSet& grid, Extent shard,
                        Extent page, Extent tensor, std::uint64_t size, std::uint64_t page_size) {
  return {
      .size = size,
      .page_size = page_size,
      .buffer_layout = layout,
      .shard_parameters = ShardSpecBuffer(grid, shard, ShardOrientation::ROW_MAJOR, page, tensor)};
}

INSTANTIATE_TEST_SUITE_P(
    Buffers, HostileProgram,
    testing::Values(
        Use{"nothing", [](Host& h) { h.dram(0, 2048); }, "a buffer of no bytes"},
        Use{"pages_of_nothing", [](Host& h) { h.dram(4096, 0); }, "page size 0"},
        Use{"parts_of_pages", [](Host& h) { h.dram(4097, 2048); }, "not a multiple of the page"},
        Use{"one_endless_page", [](Host& h) { h.dram(kMost64, kMost64); }, "expected at most"},
        Use{"endless_pages", [](Host& h) { h.dram(kMost64 & ~31ULL, 32); },
            "pages; expected at most"},
        Use{"more_than_there_is", [](Host& h) { h.dram(1ULL << 40, 2048); }, "no room for"},
        Use{"no_kind",
            [](Host& h) {
              CreateBuffer(*h.mesh,
                           InterleavedBufferConfig{
                               .size = 4096, .page_size = 2048, .buffer_type = BufferType(7)});
            },
            "expected DRAM or L1"},
        Use{"shards_of_no_kind",
            [](Host& h) {
              auto config = cut(TensorMemoryLayout::HEIGHT_SHARDED, kTwo, {32, 32}, {32, 32},
                                {2, 1}, 4096, 2048);
              config.buffer_type = BufferType(7);
              CreateBuffer(*h.mesh, config);
            },
            "expected DRAM or L1"},
        Use{"shards_of_no_layout",
            [](Host& h) {
              CreateBuffer(*h.mesh, cut(TensorMemoryLayout(9), kTwo, {32, 32}, {32, 32}, {2, 1},
                                        4096, 2048));
            },
            "expected height, width or block sharding"},
        Use{"shards_of_no_orientation",
            [](Host& h) {
              auto config = cut(TensorMemoryLayout::HEIGHT_SHARDED, kTwo, {32, 32}, {32, 32},
                                {2, 1}, 4096, 2048);
              config.shard_parameters->tensor_shard_spec.orientation = ShardOrientation(5);
              CreateBuffer(*h.mesh, config);
            },
            "expected ROW_MAJOR or COL_MAJOR"},
        Use{"shards_on_no_core", [](Host& h) { h.l1(kNone); }, "needs cores"},
        Use{"shards_backward", [](Host& h) { h.l1(kBackward); }, "ends before it begins"},
        Use{"shards_outside", [](Host& h) { h.l1(kOutside); }, "outside the chip's grid"},
        Use{"empty_shards", [](Host& h) { h.l1(kTwo, 0); }, "a buffer of no bytes"},
        Use{"endless_shards", [](Host& h) { h.l1(kTwo, kMost); }, "no room for"},
        Use{"shards_of_nothing",
            [](Host& h) {
              CreateBuffer(*h.mesh, cut(TensorMemoryLayout::HEIGHT_SHARDED, kTwo, {0, 0}, {0, 0},
                                        {0, 0}, 0, 2048));
            },
            "does not divide"},
        Use{"as_many_shards_as_come_to_0",
            [](Host& h) {
              CreateBuffer(*h.mesh, cut(TensorMemoryLayout::BLOCK_SHARDED, kTwo, {1, 1}, {1, 1},
                                        {65536, 65536}, (1ULL << 32) * 16, 16));
            },
            "shards"},
        Use{"shards_of_0_pages_by_overflow",
            [](Host& h) {
              CreateBuffer(*h.mesh, cut(TensorMemoryLayout::HEIGHT_SHARDED, kCore, {65536, 65536},
                                        {1, 1}, {65536, 65536}, (1ULL << 32) * 16, 16));
            },
            "expected at most"},
        Use{"blocks_on_cores_backward",
            [](Host& h) {
              CreateBuffer(*h.mesh, cut(TensorMemoryLayout::BLOCK_SHARDED, kBackward, {32, 32},
                                        {32, 32}, {2, 2}, 8192, 2048));
            },
            "ends before it begins"},
        Use{"more_than_a_content",
            [](Host& h) { h.dram()->write(0, std::vector<std::uint8_t>(4097)); },
            "takes at most 4096 bytes, not 4097"},
        Use{"of_a_device_that_is_none", [](Host& h) { h.dram()->read(7); }, "device 7"},
        Use{"a_shard_behind_its_end",
            [](Host& h) {
              h.l1()->write_shard(0, kCore, std::vector<std::uint8_t>(32), kMost - 15);
            },
            "exceed a shard of 2048"},
        Use{"a_shard_elsewhere", [](Host& h) { h.l1()->read_shard(0, kOutside); },
            "has no shard on core (99, 0)"},
        Use{"of_a_mesh_that_is_closed",
            [](Host& h) {
              const auto buffer = h.dram();
              h.mesh.reset();
              buffer->read(0);
            },
            "its mesh was closed"},
        Use{"released_behind_its_mesh",
            [](Host& h) {
              auto buffer = h.dram();
              h.mesh.reset();
              buffer.reset();
              throw foundation::Fault(foundation::FaultKind::kDescription, "", "went well");
            },
            "went well"}),
    [](const auto& use) { return std::string(use.param.name); });

INSTANTIATE_TEST_SUITE_P(
    CircularBuffers, HostileProgram,
    testing::Values(
        Use{"of_no_bytes",
            [](Host&) {
              Program p;
              CreateCircularBuffer(p, kCore, CircularBufferConfig(0, {{0, DataFormat::Float16_b}}));
            },
            "total size of 0"},
        Use{"of_no_index",
            [](Host&) {
              Program p;
              CreateCircularBuffer(p, kCore, CircularBufferConfig(2048));
            },
            "has no index"},
        Use{"of_index_32",
            [](Host&) {
              CircularBufferConfig(2048, {{32, DataFormat::Float16_b}});
            },
            "indices are 0 to 31"},
        Use{"of_no_format",
            [](Host&) {
              Program p;
              CreateCircularBuffer(p, kCore, CircularBufferConfig(2048, {{0, DataFormat(77)}}));
            },
            "format 77"},
        Use{"of_no_format_with_pages",
            [](Host&) {
              Program p;
              CreateCircularBuffer(
                  p, kCore,
                  CircularBufferConfig(2048, {{0, DataFormat(77)}}).set_page_size(0, 2048));
            },
            "format 77"},
        Use{"on_no_core",
            [](Host&) {
              Program p;
              CreateCircularBuffer(p, kNone, pages());
            },
            "is on no core"},
        Use{"on_cores_backward",
            [](Host&) {
              Program p;
              CreateCircularBuffer(p, kBackward, pages());
            },
            "ends before it begins"},
        Use{"outside",
            [](Host& h) {
              Program p = h.program();
              CreateCircularBuffer(p, kOutside, pages());
              h.lay_out(p);
            },
            "outside the chip's grid"},
        Use{"larger_than_l1",
            [](Host& h) {
              Program p = h.program();
              CreateCircularBuffer(p, kCore, pages(kMost));
              h.lay_out(p);
            },
            "where buffers in L1 begin"},
        Use{"two_that_come_to_0",
            [](Host& h) {
              Program p = h.program();
              CreateCircularBuffer(p, kCore, pages(1U << 20));
              CreateCircularBuffer(p, kCore, pages(kMost - (1U << 20) - 1024, 1));
              h.lay_out(p);
            },
            "where buffers in L1 begin"},
        Use{"twice",
            [](Host&) {
              Program p;
              CreateCircularBuffer(p, kTwo, pages());
              CreateCircularBuffer(p, kOther, pages());
            },
            "is there already"},
        Use{"pages_of_another_index", [](Host&) { pages().page_bytes(9); },
            "circular buffer 9: is not an index"},
        Use{"remote_pages_of_another_index", [](Host&) { pages().remote_page_bytes(9); },
            "circular buffer 9: is not a remote"},
        Use{"over_firmware",
            [](Host& h) {
              Program p = h.program();
              CreateCircularBuffer(p, kCore, pages().set_address(0));
              h.lay_out(p);
            },
            "expected an address from"},
        Use{"behind_l1",
            [](Host& h) {
              Program p = h.program();
              CreateCircularBuffer(p, kCore, pages().set_address(kMost - 15));
              h.lay_out(p);
            },
            "expected an address from"},
        Use{"over_a_buffer_in_dram",
            [](Host& h) { pages().set_globally_allocated_address(*h.dram()); },
            "only a buffer in L1"},
        Use{"over_a_part_that_is_not_there",
            [](Host& h) { pages().set_globally_allocated_address(*h.l1(), kMost - 15); },
            "do not lie in a shard"},
        Use{"over_a_released_buffer",
            [](Host& h) {
              Program p = h.program();
              auto buffer = h.l1();
              auto config = pages();
              config.set_globally_allocated_address(*buffer);
              CreateCircularBuffer(p, kCore, config);
              buffer.reset();
              h.lay_out(p);
            },
            "has been deallocated"},
        Use{"another_program",
            [](Host& h) {
              Program p = h.program();
              UpdateCircularBufferTotalSize(p, 3, 64);
            },
            "is not one of this program"},
        Use{"sized_to_nothing",
            [](Host& h) {
              Program p = h.program();
              UpdateCircularBufferTotalSize(p, CreateCircularBuffer(p, kCore, pages()), 0);
            },
            "total size of 0"},
        Use{"sized_by_parts_of_pages",
            [](Host& h) {
              Program p = h.program();
              UpdateCircularBufferTotalSize(p, CreateCircularBuffer(p, kCore, pages()), 2049);
              h.lay_out(p);
            },
            "do not divide the total"}),
    [](const auto& use) { return std::string(use.param.name); });

DataMovementConfig of_processor(unsigned processor) {
  return {.processor = static_cast<DataMovementProcessor>(processor)};
}

INSTANTIATE_TEST_SUITE_P(
    Programs, HostileProgram,
    testing::Values(
        Use{"no_kernels", [](Host& h) { h.lay_out(CreateProgram()); }, "has no kernels"},
        Use{"kernel_outside", [](Host& h) { h.lay_out(h.program(kOutside)); },
            "outside the chip's grid"},
        Use{"kernel_everywhere",
            [](Host& h) {
              h.program(CoreRange({0, 0}, {kMost, kMost}));
            },
            "more cores than any"},
        Use{"no_source",
            [](Host& h) {
              Program p;
              CreateKernel(p, "", kCore, DataMovementConfig{});
              h.lay_out(p);
            },
            "kernel"},
        Use{"source_that_is_none",
            [](Host& h) {
              Program p;
              CreateKernel(p, "/no/such/kernel.cpp", kCore, DataMovementConfig{});
              h.lay_out(p);
            },
            "/no/such/kernel.cpp"},
        Use{"source_that_is_a_folder",
            [](Host& h) {
              Program p;
              CreateKernel(p, h.folder.string(), kCore, DataMovementConfig{});
              h.lay_out(p);
            },
            "no such kernel file"},
        Use{"two_kernels_of_one_processor",
            [](Host& h) {
              Program p = h.program();
              CreateKernel(p, h.kernel, kCore, DataMovementConfig{});
              h.lay_out(p);
            },
            "second"},
        Use{"no_processor",
            [](Host& h) {
              Program p;
              CreateKernel(p, h.kernel, kCore, of_processor(9));
            },
            "neither RISCV_0 nor RISCV_1"},
        Use{"ethernet_channel_99",
            [](Host& h) {
              Program p;
              CreateKernel(p, h.kernel, CoreCoord{0, 99}, EthernetConfig{});
              h.lay_out(p);
            },
            "channel 99"},
        Use{"ethernet_column_5",
            [](Host& h) {
              Program p;
              CreateKernel(p, h.kernel, CoreCoord{5, 1}, EthernetConfig{});
              h.lay_out(p);
            },
            "(0, channel)"},
        Use{"arguments_of_no_kernel",
            [](Host&) {
              Program p;
              SetRuntimeArgs(p, kMost, kCore, {1});
            },
            "is not one of this program"},
        Use{"too_many_arguments",
            [](Host& h) {
              Program p = h.program();
              SetRuntimeArgs(p, 0, kCore, std::vector<std::uint32_t>(100'000));
            },
            "65520 bytes in all"},
        Use{"arguments_that_become_too_many",
            [](Host& h) {
              Program p = h.program();
              SetRuntimeArgs(p, 0, kCore, {1});
              GetRuntimeArgs(p, 0, kCore).resize(100'000);
              h.lay_out(p);
            },
            "65520 bytes in all"},
        Use{"arguments_elsewhere",
            [](Host& h) {
              Program p = h.program();
              SetRuntimeArgs(p, 0, kOther, {1});
            },
            "does not run on core"},
        Use{"arguments_backward",
            [](Host& h) {
              Program p = h.program();
              SetRuntimeArgs(p, 0, kBackward, {1});
            },
            "ends before it begins"},
        Use{"lists_of_arguments",
            [](Host& h) {
              Program p = h.program();
              SetRuntimeArgs(p, 0, std::vector{kCore}, {{1}, {2}});
            },
            "2 lists of arguments for 1 cores"},
        Use{"seventeen_semaphores",
            [](Host&) {
              Program p;
              for (unsigned i = 0; i < 17; ++i) CreateSemaphore(p, kTwo, 0);
            },
            "no more than 16"},
        Use{"semaphore_of_no_core",
            [](Host&) {
              Program p;
              CreateSemaphore(p, kNone, 0);
            },
            "is on no core"},
        Use{"semaphore_backward",
            [](Host&) {
              Program p;
              CreateSemaphore(p, kBackward, 0);
            },
            "ends before it begins"},
        Use{"semaphore_outside",
            [](Host& h) {
              Program p = h.program();
              CreateSemaphore(p, kOutside, 0);
              h.lay_out(p);
            },
            "outside the chip's grid"},
        Use{"global_semaphore_outside",
            [](Host& h) { CreateGlobalSemaphore(*h.mesh, kOutside, 0); }, "outside the chip's"},
        Use{"global_semaphore_of_a_closed_mesh",
            [](Host& h) {
              const auto semaphore = CreateGlobalSemaphore(*h.mesh, kCore, 0);
              h.mesh.reset();
              semaphore.reset_semaphore_value(1);
            },
            "its mesh was closed"}),
    [](const auto& use) { return std::string(use.param.name); });

}  // namespace
}  // namespace tvp::runtime::hostile_programs_test
