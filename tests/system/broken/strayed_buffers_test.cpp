// Tests the warnings about kernels that leave a buffer in L1, share a word or a page without order,
// or leave something behind. Silicon reports nothing.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/system/benches/operation_bench.h"

namespace tvp::test {
namespace {

/// The kernels run on cores (0, 0) and (1, 0). Their arguments: 0 and 1: two buffers in L1, one
/// behind the other, with 4096 bytes on each of the two cores. 2: a tensor in DRAM with eight
/// pages. 3, 4: the coordinates of core (2, 0). 5, 6: those of (1, 0). 7: number of the core.
struct Way {
  const char* name;
  const char* reader;
  const char* writer;
  bool knows_second;                  ///< argument 1 is the buffer, not 0
  std::vector<std::string> reported;  ///< parts of a warning; none: no warning
};

class StrayedBuffers : public testing::TestWithParam<Way> {
 protected:
  static std::string written(const std::string& name, const std::string& body) {
    const std::filesystem::path path = std::filesystem::path(TVP_KERNEL_FOLDER) / (name + ".cpp");
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << "void kernel_main() {\n"
                           "  auto arg = [](int i) { return get_arg_val<uint32_t>(i); };\n"
                           "  const auto dram = TensorAccessor(TensorAccessorArgs<0>(), arg(2));\n"
                        << body << "\n}\n";
    return path.string();
  }
};

TEST_P(StrayedBuffers, AreReported) {
  const Way& way = GetParam();
  OperationBench bench;
  const runtime::CoreRangeSet cores(runtime::CoreRange({0, 0}, {1, 0}));
  const std::vector<std::uint32_t> zeros(2048, 0);
  // The allocator goes down.
  const auto second = bench.local(zeros, cores), first = bench.local(zeros, cores);
  ASSERT_EQ(address(second), address(first) + 4096);
  const auto dram = bench.tensor(std::vector<std::uint32_t>(8 * 256, 7), 1024);
  const runtime::CoreCoord off = bench.noc({2, 0}), other = bench.noc({1, 0});
  Operation operation(bench);
  operation.on(cores).buffer(0, 4, 1024);
  const Operation::Arguments arguments{.tensors = {dram}, .run_at = [&](runtime::CoreCoord core) {
                                         return Operation::Words{
                                             address(first), way.knows_second ? address(second) : 0,
                                             address(dram),  off.x,
                                             off.y,          other.x,
                                             other.y,        core.x};
                                       }};
  const std::string name = std::string("strays_") + way.name;
  operation.semaphore(0);
  operation.reader(written(name + "_reader", way.reader), arguments)
      .writer(written(name + "_writer", way.writer), arguments)
      .run();
  const auto report = nlohmann::json::parse(bench.mesh().library().report());
  std::string all;
  for (const auto& warning : report.at("warnings")) all += warning.get<std::string>() + "\n";
  if (way.reported.empty()) {
    EXPECT_EQ(all, "");
  }
  for (const std::string& part : way.reported)
    EXPECT_NE(all.find(part), std::string::npos) << part << "\n" << all;
}

INSTANTIATE_TEST_SUITE_P(
    Ways, StrayedBuffers,
    testing::Values(
        Way{"read",
            "for (uint32_t i = 0; i < 8; ++i) noc_async_read_page(i, dram, arg(0) + 1024 * i);\n"
            "noc_async_read_barrier();",
            "",
            false,
            {"chip0.tensix(1,1).NCRISC: reads 1024 bytes at address 0x",
             "whose address is not among the arguments of its kernel",
             "strays_read_reader.cpp:4)"}},
        Way{"both",
            "for (uint32_t i = 0; i < 8; ++i) noc_async_read_page(i, dram, arg(0) + 1024 * i);\n"
            "noc_async_read_barrier();",
            "",
            true,
            {}},
        Way{"store",
            "for (uint32_t i = 0; i < 1030; ++i) ((volatile uint32_t*)arg(0))[i] = i;",
            "",
            false,
            {"chip0.tensix(2,1).NCRISC: stores 4 bytes at address 0x",
             "strays_store_reader.cpp:4)"}},
        Way{"end",
            "noc_async_read(dram.get_noc_addr(0), arg(0) + 3584, 1024);\n"
            "noc_async_read_barrier();",
            "",
            true,
            {"NCRISC: reads 1024 bytes at address 0x",
             ", and 512 of them are behind the buffer at 0x", "strays_end_reader.cpp:4)"}},
        Way{"core",
            "if (arg(7) == 0) noc_async_write(arg(0), get_noc_addr(arg(3), arg(4), arg(0)), 64);\n"
            "noc_async_write_barrier();",
            "",
            true,
            {"chip0.tensix(1,1).NCRISC: writes 64 bytes at address 0x",
             " of tile (3,1), where the "
             "buffer at 0x",
             " has no part and no other buffer is. ", "strays_core_reader.cpp:4)"}},
        Way{"semaphore",
            "if (arg(7) == 0) noc_semaphore_inc(get_noc_addr(arg(5), arg(6), get_semaphore(2)), 1);"
            "\nnoc_async_atomic_barrier();",
            "",
            true,
            {"chip0.tensix(2,1).niu",
             ": an atomic changes semaphore 2, which the program of this "
             "tile has not created. ",
             "strays_semaphore_reader.cpp:4)"}},
        Way{"word",
            "for (int i = 0; i < 50; ++i) *(volatile uint32_t*)get_semaphore(0) += 1;",
            "for (int i = 0; i < 50; ++i) *(volatile uint32_t*)get_semaphore(0) += 1;",
            true,
            {" overwrites the store of ", "strays_word_reader.cpp:4)",
             "strays_word_writer.cpp:4)"}},
        Way{"page",
            "*(volatile uint32_t*)arg(0) = arg(7);\n"
            "noc_async_write_page(arg(7) * 0 + 3, dram, arg(0));\nnoc_async_write_barrier();",
            "",
            true,
            {" in page 3 of the buffer at 0x", " has written other data in cycle ",
             "strays_page_reader.cpp:5)"}},
        Way{"own_pages",
            "*(volatile uint32_t*)arg(0) = arg(7);\n"
            "noc_async_write_page(arg(7), dram, arg(0));\nnoc_async_write_barrier();",
            "",
            true,
            {}},
        Way{"count",
            "for (int i = 0; i < 6; ++i) { cb_reserve_back(0, 1); cb_push_back(0, 1); }",
            "for (int i = 0; i < 5; ++i) { cb_wait_front(0, 1); cb_pop_front(0, 1); }",
            true,
            {"NCRISC: circular buffer 0 still holds 1 page at the end of the program: 6 were "
             "pushed, and BRISC has popped 5. ",
             "strays_count_reader.cpp:4)"}}),
    [](const testing::TestParamInfo<Way>& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace tvp::test
