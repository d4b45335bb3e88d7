// The object API: pages of DRAM go through a circular buffer to another core, by multicast to a
// rectangle, and back to DRAM. Both spellings and both NoCs.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "sw/runtime/host_api.h"
#include "tests/system/benches/system_suite.h"

namespace tvp::runtime {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kPage = 2048;
constexpr std::uint32_t kPages = 12;
constexpr CoreCoord kFirst{0, 0};
constexpr CoreCoord kSecond{5, 2};
constexpr CoreCoord kRectangleFrom{1, 3};
constexpr CoreCoord kRectangleTo{3, 5};

struct Spelling {
  const char* name;
  const char* headers;
  const char* space;      ///< namespace of the objects
  const char* read_trid;  ///< template arguments and last arguments of a read with an id
  const char* trid_value;
  const char* trid_barrier;
};
const Spelling kSpellings[] = {
    {"plain",
     "#include \"api/dataflow/noc.h\"\n#include \"api/dataflow/circular_buffer.h\"\n"
     "#include \"api/dataflow/endpoints.h\"\n#include \"api/dataflow/noc_semaphore.h\"\n"
     "#include \"api/tensor/noc_traits.h\"\n",
     "", "<NocOptions::TXN_ID>", "NocOptVals{.trid = 1 + i % 3}",
     "noc.async_read_barrier<NocOptions::TXN_ID>(NocOptVals{.trid = t});"},
    {"experimental",
     "#include \"experimental/noc.h\"\n#include \"experimental/circular_buffer.h\"\n"
     "#include \"experimental/endpoints.h\"\n#include \"experimental/noc_semaphore.h\"\n"
     "#include \"experimental/tensor.h\"\n#include \"experimental/core_local_mem.h\"\n",
     "using namespace experimental;\n", "<Noc::TxnIdMode::ENABLED>",
     "NOC_UNICAST_WRITE_VC, 1 + i % 3", "noc.async_read_barrier<Noc::BarrierMode::TXN_ID>(t);"},
    {"modes",
     "#include \"api/core_local_mem.h\"\n#include \"api/dataflow/circular_buffer.h\"\n"
     "#include \"api/dataflow/noc_semaphore.h\"\n#include \"api/tensor/noc_traits.h\"\n",
     "", "<Noc::TxnIdMode::ENABLED>", "NOC_UNICAST_WRITE_VC, 1 + i % 3",
     "noc.async_read_barrier<Noc::BarrierMode::TXN_ID>(t);"},
};

class NocObjects : public test::SystemSuite<testing::TestWithParam<std::tuple<int, int>>> {
 protected:
  static void SetUpTestSuite() { open("system=single_chip", "noc_object"); }
  static std::string write_kernel(const std::string& name, const std::string& text) {
    const fs::path path = folder_ / (name + ".cpp");
    std::ofstream(path) << text;
    return path.string();
  }
};

TEST_P(NocObjects, MoveDataBetweenEndpoints) {
  const Spelling& s = kSpellings[std::get<0>(GetParam())];
  const bool noc1 = std::get<1>(GetParam()) == 1;
  const CoreRange rectangle(kRectangleFrom, kRectangleTo);
  const std::vector<CoreRange> ranges{CoreRange(kFirst), CoreRange(kSecond), rectangle};
  const CoreRangeSet all(ranges);
  auto in =
      MeshBuffer::create(*mesh_, InterleavedBufferConfig{.size = std::uint64_t{kPage} * kPages,
                                                         .page_size = kPage,
                                                         .buffer_type = BufferType::DRAM});
  const std::uint32_t receivers = 9;
  auto out = MeshBuffer::create(
      *mesh_, InterleavedBufferConfig{.size = std::uint64_t{kPage} * kPages * receivers,
                                      .page_size = kPage,
                                      .buffer_type = BufferType::DRAM});
  auto landing =
      MeshBuffer::create(*mesh_, ShardedBufferConfig{.cores = all, .shard_bytes = kPage * kPages});
  std::vector<std::uint8_t> bytes(kPage * kPages);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(i * 11 + i / 253);
  in->write(0, bytes);
  out->write(0, std::vector<std::uint8_t>(bytes.size() * receivers, 0xEE));

  const std::string head = std::string(s.headers) + s.space;
  // Every third page is read with a transaction id; all leave from the front of the buffer.
  const std::string sender =
      head +
      "void kernel_main() {\n"
      "  constexpr auto pages_args = TensorAccessorArgs<0>();\n"
      "  const auto pages = TensorAccessor(pages_args, get_arg_val<uint32_t>(0));\n"
      "  const uint32_t landing = get_arg_val<uint32_t>(1), x = get_arg_val<uint32_t>(2),\n"
      "                 y = get_arg_val<uint32_t>(3), count = get_arg_val<uint32_t>(4);\n"
      "  constexpr uint32_t bytes = pages_args.get_aligned_page_size();\n"
      "  Noc noc; CircularBuffer cb(3); UnicastEndpoint other; Semaphore<> sem(1);\n"
      "  for (uint32_t i = 0; i < count; i += 3) {\n"
      "    cb.reserve_back(3);\n"
      "    for (uint32_t k = 0; k < 3; ++k)\n"
      "      noc.async_read" +
      s.read_trid + "(pages, cb, bytes, {.page_id = i + k}, {.offset_bytes = k * bytes}, " +
      s.trid_value +
      ");\n"
      "    for (uint32_t t = 1; t < 4; ++t) { " +
      s.trid_barrier +
      " }\n"
      "    noc.async_read_barrier();\n"
      "    cb.push_back(3);\n"
      "    cb.wait_front(3);\n"
      "    noc.async_write(cb, other, bytes, {.offset_bytes = 0},\n"
      "                    {.noc_x = x, .noc_y = y, .addr = landing + i * bytes});\n"
      "    noc.set_async_write_state(other, bytes, {.noc_x = x, .noc_y = y, .addr = 0});\n"
      "    for (uint32_t k = 1; k < 3; ++k)\n"
      "      noc.async_write_with_state(cb, other, bytes, {.offset_bytes = k * bytes},\n"
      "                    {.noc_x = x, .noc_y = y, .addr = landing + (i + k) * bytes});\n"
      "    noc.async_write_barrier();\n"
      "    cb.pop_front(3);\n"
      "    sem.up(noc, x, y, 3);\n"
      "  }\n"
      "  noc.async_atomic_barrier();\n"
      "}\n";
  // The landing space as an array must be the memory that this core multicasts.
  const std::string middle =
      head +
      "void kernel_main() {\n"
      "  const uint32_t landing = get_arg_val<uint32_t>(0), x0 = get_arg_val<uint32_t>(1),\n"
      "                 y0 = get_arg_val<uint32_t>(2), x1 = get_arg_val<uint32_t>(3),\n"
      "                 y1 = get_arg_val<uint32_t>(4), count = get_arg_val<uint32_t>(5);\n"
      "  Noc noc; Semaphore<> arrived(1), go(2), more(0); CoreLocalMem<uint32_t> memory(landing);\n"
      "  MulticastEndpoint rectangle;\n"
      "  arrived.down(count);\n"
      "  ASSERT(memory[0] != 0);\n"
      "  noc.async_write_multicast(memory, rectangle, count * 2048, 9, {.offset_bytes = 0},\n"
      "      {.noc_x_start = x0, .noc_y_start = y0, .noc_x_end = x1, .noc_y_end = y1,\n"
      "       .addr = landing});\n"
      "  noc.async_write_barrier();\n"
      "  go.set(5);\n"
      "  go.set_multicast(noc, x0, y0, x1, y1, 9);\n"
      "  more.inc_multicast(noc, x0, y0, x1, y1, 7, 9);\n"
      "  noc.async_atomic_barrier();\n"
      "  noc.async_write_barrier();\n"
      "}\n";
  // A core of the rectangle writes the data that it received. A read with state copies half of a
  // page from its own memory.
  const std::string receiver =
      head +
      "void kernel_main() {\n"
      "  constexpr auto pages_args = TensorAccessorArgs<0>();\n"
      "  const auto pages = TensorAccessor(pages_args, get_arg_val<uint32_t>(0));\n"
      "  const uint32_t landing = get_arg_val<uint32_t>(1), first = get_arg_val<uint32_t>(2),\n"
      "                 count = get_arg_val<uint32_t>(3);\n"
      "  constexpr uint32_t bytes = pages_args.get_aligned_page_size();\n"
      "  Noc noc; Semaphore<> go(2), more(0); CoreLocalMem<uint32_t> memory(landing);\n"
      "  CircularBuffer cb(3); UnicastEndpoint self;\n"
      "  go.wait_min(5);\n"
      "  more.wait(7);\n"
      "  for (uint32_t i = 0; i < count; ++i) {\n"
      "    cb.reserve_back(1);\n"
      "    noc.set_async_read_state(self, bytes,\n"
      "        {.noc_x = my_x[noc_index], .noc_y = my_y[noc_index], .addr = landing});\n"
      "    noc.async_read_with_state(self, cb, bytes,\n"
      "        {.noc_x = my_x[noc_index], .noc_y = my_y[noc_index], .addr = landing + i * bytes},\n"
      "        {.offset_bytes = 0});\n"
      "    noc.async_read_barrier();\n"
      "    cb.push_back(1);\n"
      "    noc.async_write(cb, pages, bytes / 2, {.offset_bytes = 0}, {.page_id = first + i});\n"
      "    noc.async_write(memory + i * (bytes / 4), pages, bytes / 2,\n"
      "        {.offset_bytes = bytes / 2}, {.page_id = first + i, .offset_bytes = bytes / 2});\n"
      "    noc.async_writes_flushed();\n"
      "    cb.pop_front(1);\n"
      "  }\n"
      "  noc.async_full_barrier();\n"
      "}\n";

  Program program = CreateProgram();
  DataMovementConfig config;
  config.noc = noc1 ? NOC::NOC_1 : NOC::NOC_0;
  TensorAccessorArgs(*in).append_to(config.compile_args);
  const std::string suffix = std::string("_") + s.name;
  const auto first = CreateKernel(program, write_kernel("sender" + suffix, sender), kFirst, config);
  const auto second =
      CreateKernel(program, write_kernel("middle" + suffix, middle), kSecond, config);
  const auto third =
      CreateKernel(program, write_kernel("receiver" + suffix, receiver), rectangle, config);
  CircularBufferConfig buffer(kPage * 3, {{3, DataFormat::Float16_b}});
  CreateCircularBuffer(program, all, buffer.set_page_size(3, kPage));
  for (int i = 0; i < 3; ++i) CreateSemaphore(program, all, 0);
  const auto address = [](const auto& b) { return static_cast<std::uint32_t>(b->address()); };
  const auto at = [&](CoreCoord c) { return mesh_->device(0).worker_core_from_logical_core(c); };
  SetRuntimeArgs(program, first, kFirst,
                 {address(in), address(landing), at(kSecond).x, at(kSecond).y, kPages});
  const CoreCoord from = at(noc1 ? kRectangleTo : kRectangleFrom);
  const CoreCoord to = at(noc1 ? kRectangleFrom : kRectangleTo);
  SetRuntimeArgs(program, second, kSecond, {address(landing), from.x, from.y, to.x, to.y, kPages});
  std::uint32_t index = 0;
  for (std::uint32_t y = kRectangleFrom.y; y <= kRectangleTo.y; ++y)
    for (std::uint32_t x = kRectangleFrom.x; x <= kRectangleTo.x; ++x)
      SetRuntimeArgs(program, third, CoreCoord{x, y},
                     {address(out), address(landing), kPages * index++, kPages});
  ASSERT_EQ(index, receivers);
  mesh_->run(0, program);
  const std::vector<std::uint8_t> got = out->read(0);
  for (std::uint32_t r = 0; r < receivers; ++r)
    for (std::size_t i = 0; i < bytes.size(); ++i)
      ASSERT_EQ(got[r * bytes.size() + i], bytes[i]) << "core " << r << " byte " << i;
}

// Each core copies its shard of a tensor to its shard of another one; every second core reads.
TEST_P(NocObjects, MoveShards) {
  const Spelling& s = kSpellings[std::get<0>(GetParam())];
  const bool noc1 = std::get<1>(GetParam()) == 1;
  const CoreRange cores(kRectangleFrom, kRectangleTo);
  const CoreRangeSet all{cores};
  auto in = MeshBuffer::create(*mesh_, ShardedBufferConfig{.cores = all, .shard_bytes = kPage});
  auto out = MeshBuffer::create(*mesh_, ShardedBufferConfig{.cores = all, .shard_bytes = kPage});
  const std::string text =
      std::string(s.headers) + s.space +
      "void kernel_main() {\n"
      "  const auto from_args = TensorAccessorArgs<0>();\n"
      "  const auto to_args = TensorAccessorArgs<from_args.next_compile_time_args_offset()>();\n"
      "  const auto from = TensorAccessor(from_args, get_arg_val<uint32_t>(0));\n"
      "  const auto to = TensorAccessor(to_args, get_arg_val<uint32_t>(1));\n"
      "  const uint32_t shard = get_arg_val<uint32_t>(2);\n"
      "  Noc noc(noc_index);\n"
      "  if (shard % 2 == 0) {\n"
      "    noc.async_read(ShardView(from), ShardView(to), 2048, {.shard_id = shard},\n"
      "                   {.shard_id = shard});\n"
      "    noc.async_read_barrier();\n"
      "  } else {\n"
      "    noc.async_write(ShardView(from), ShardView(to), 1024, {.shard_id = shard},\n"
      "                    {.shard_id = shard});\n"
      "    noc.async_write(PageView(from), PageView(to), 1024,\n"
      "                    {.page_id = shard, .offset_bytes = 1024},\n"
      "                    {.page_id = shard, .offset_bytes = 1024});\n"
      "    noc.async_write_barrier();\n"
      "  }\n}\n";
  std::vector<std::uint32_t> compile;
  TensorAccessorArgs(*in).append_to(compile);
  TensorAccessorArgs(*out).append_to(compile);
  Program program = CreateProgram();
  DataMovementConfig config;
  config.compile_args = compile;
  config.noc = noc1 ? NOC::NOC_1 : NOC::NOC_0;
  const auto kernel =
      CreateKernel(program, write_kernel(std::string("shards_") + s.name, text), all, config);
  const std::vector<CoreCoord>& order = in->shard_cores();
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    in->write_shard(0, order[i],
                    std::vector<std::uint8_t>(kPage, static_cast<std::uint8_t>(i + 1)));
    out->write_shard(0, order[i], std::vector<std::uint8_t>(kPage, 0xEE));
    SetRuntimeArgs(
        program, kernel, order[i],
        {static_cast<std::uint32_t>(in->address()), static_cast<std::uint32_t>(out->address()), i});
  }
  mesh_->run(0, program);
  for (const CoreCoord& core : order)
    EXPECT_EQ(out->read_shard(0, core), in->read_shard(0, core)) << core.x << ", " << core.y;
}

INSTANTIATE_TEST_SUITE_P(Spellings, NocObjects,
                         testing::Combine(testing::Values(0, 1, 2), testing::Values(0, 1)));

}  // namespace
}  // namespace tvp::runtime
