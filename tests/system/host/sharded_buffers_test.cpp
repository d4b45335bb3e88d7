// Kernels find the pages of sharded tensors where the host has written them.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "sw/runtime/host_api.h"
#include "tests/system/benches/system_suite.h"

namespace tvp::runtime {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kPage = 96;
constexpr Extent kTensor{4, 6};  // in pages
constexpr std::uint32_t kPages = kTensor[0] * kTensor[1];

class ShardedBuffers : public test::SystemSuite<> {
 protected:
  static void SetUpTestSuite() { open("system=single_chip", "sharded_buffers"); }

  static std::shared_ptr<MeshBuffer> sharded(BufferType type, TensorMemoryLayout layout,
                                             ShardOrientation orientation, Extent shard,
                                             const CoreRange& grid) {
    return CreateBuffer(*mesh_, {.size = kPages * kPage,
                                 .page_size = kPage,
                                 .buffer_type = type,
                                 .buffer_layout = layout,
                                 .shard_parameters = ShardSpecBuffer(
                                     CoreRangeSet(grid), shard, orientation, {1, 1}, kTensor)});
  }

  /// One core copies page i of one tensor to page i of the other.
  static void copy(MeshBuffer& from, MeshBuffer& to, NOC noc) {
    const std::string path = (folder_ / "copy.cpp").string();
    std::ofstream(path) << "void kernel_main() {\n"
                           "  constexpr auto from_args = TensorAccessorArgs<0>();\n"
                           "  constexpr auto to_args = "
                           "TensorAccessorArgs<from_args.next_compile_time_args_offset()>();\n"
                           "  const auto from = TensorAccessor(from_args, "
                           "get_arg_val<uint32_t>(0), 96);\n"
                           "  const auto to = TensorAccessor(to_args, "
                           "get_arg_val<uint32_t>(1), 96);\n"
                           "  const uint32_t scratch = get_arg_val<uint32_t>(2);\n"
                           "  for (uint32_t i = 0; i < get_arg_val<uint32_t>(3); ++i) {\n"
                           "    noc_async_read(from.get_noc_addr(i), scratch, 96);\n"
                           "    noc_async_read_barrier();\n"
                           "    noc_async_write(scratch, to.get_noc_addr(i), 96);\n"
                           "    noc_async_write_barrier();\n"
                           "  }\n"
                           "}\n";
    const CoreCoord core{7, 7};
    const auto scratch =
        CreateBuffer(*mesh_, ShardedBufferConfig{.cores = core, .shard_bytes = kPage});
    Program program = CreateProgram();
    DataMovementConfig config{.noc = noc};
    TensorAccessorArgs(from).append_to(config.compile_args);
    TensorAccessorArgs(to).append_to(config.compile_args);
    const auto kernel = CreateKernel(program, path, core, config);
    SetRuntimeArgs(
        program, kernel, core,
        {static_cast<std::uint32_t>(from.address()), static_cast<std::uint32_t>(to.address()),
         static_cast<std::uint32_t>(scratch->address()), kPages});
    mesh_->run(0, program);
  }
};

TEST_F(ShardedBuffers, KernelsReadAndWritePagesOfEveryLayout) {
  using enum TensorMemoryLayout;
  using enum ShardOrientation;
  std::vector<std::uint8_t> tensor(kPages * kPage);
  for (std::size_t i = 0; i < tensor.size(); ++i)
    tensor[i] = static_cast<std::uint8_t>(i * 7 + i / kPage);
  const auto in_order =
      CreateBuffer(*mesh_, InterleavedBufferConfig{.size = tensor.size(), .page_size = kPage});
  const std::shared_ptr<MeshBuffer> buffers[] = {
      sharded(BufferType::DRAM, WIDTH_SHARDED, ROW_MAJOR, {4, 2}, {{9, 0}, {11, 0}}),
      sharded(BufferType::DRAM, HEIGHT_SHARDED, ROW_MAJOR, {1, 6}, {{2, 0}, {5, 0}}),
      sharded(BufferType::L1, HEIGHT_SHARDED, COL_MAJOR, {1, 6}, {{3, 3}, {4, 4}}),
      sharded(BufferType::L1, WIDTH_SHARDED, ROW_MAJOR, {4, 1}, {{0, 1}, {5, 1}}),
      sharded(BufferType::L1, BLOCK_SHARDED, ROW_MAJOR, {2, 3}, {{0, 4}, {1, 5}}),
      sharded(BufferType::L1, BLOCK_SHARDED, COL_MAJOR, {2, 2}, {{5, 4}, {6, 6}}),
  };
  const std::vector<std::uint8_t> zeros(tensor.size());
  for (const auto& buffer : buffers) {
    buffer->write(0, tensor);
    in_order->write(0, zeros);
    copy(*buffer, *in_order, NOC::NOC_0);
    EXPECT_EQ(in_order->read(0), tensor);
    buffer->write(0, zeros);
    copy(*in_order, *buffer, NOC::NOC_1);
    EXPECT_EQ(buffer->read(0), tensor);
  }
}

}  // namespace
}  // namespace tvp::runtime
