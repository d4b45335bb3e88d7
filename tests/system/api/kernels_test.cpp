// Guarantees of the kernel API on one chip, checked from the host.

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "sw/runtime/host_api.h"
#include "tests/system/benches/system_suite.h"

namespace tvp::runtime {
namespace {

namespace fs = std::filesystem;

class Kernels : public test::SystemSuite<> {
 protected:
  static void SetUpTestSuite() {
    MeshDevice::Options options;
    options.profile = true;
    open("system=single_chip", "kernels", options);
  }

  static std::shared_ptr<MeshBuffer> l1(const CoreRangeSet& cores, std::uint32_t bytes) {
    return MeshBuffer::create(*mesh_, ShardedBufferConfig{.cores = cores, .shard_bytes = bytes});
  }
  static std::vector<std::uint32_t> words(MeshBuffer& buffer, CoreCoord core) {
    const auto bytes = buffer.read_shard(0, core);
    std::vector<std::uint32_t> words(bytes.size() / 4);
    std::memcpy(words.data(), bytes.data(), words.size() * 4);
    return words;
  }
};

// Core E keeps stale code until a reset. Two kernels at the same place must each run their own
// code, and the first one again after the second.
TEST_F(Kernels, AnEthernetCoreRunsOneKernelAfterTheOther) {
  const auto text = [](const char* value) {
    return "void kernel_main() {\n"
           "  *reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(0)) = " +
           std::string(value) + ";\n}\n";
  };
  const std::string sources[] = {kernel("eth_a.cpp", text("0xA")),
                                 kernel("eth_b.cpp", text("0xB"))};
  const CoreCoord core{0, 3};
  const CoreCoord noc0 = mesh_->device(0).layout().ethernet_noc0(core.y);
  for (const unsigned which : {0U, 1U, 0U, 0U, 1U}) {
    Program program;
    const KernelHandle handle = CreateKernel(program, sources[which], core, EthernetConfig{});
    SetRuntimeArgs(program, handle, core, {contract::kEthUnreservedBase});
    mesh_->run(0, program);
    EXPECT_EQ(mesh_->device(0).tiles().read32(noc0, contract::kEthUnreservedBase), 0xA + which);
  }
}

// The five cores of a tile run their kernels in one launch and have their arguments, data and bss.
TEST_F(Kernels, AllCoresOfATileRun) {
  const std::string text =
      "static uint32_t initialized[2] = {100, 200};\n"
      "static uint32_t zeroed;\n"
      "void kernel_main() {\n"
      "  auto* out = reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(0));\n"
      "  initialized[1] += zeroed++;\n"
      "  out[0] = initialized[0] + initialized[1] + get_arg_val<uint32_t>(1);\n"
      "  out[1] = get_common_arg_val<uint32_t>(0);\n"
      "  out[2] = my_logical_x_ << 8 | my_logical_y_;\n"
      "}\n";
  const auto source = kernel("dm.cpp", text);
  const auto compute = kernel("compute.cpp", "#include \"kernel_args.h\"\n" + text);
  const CoreCoord core{2, 3};
  const auto out = l1(core, 5 * 16);
  const auto base = static_cast<std::uint32_t>(out->address());
  for (int run = 0; run < 2; ++run) {  // data and bss start afresh
    Program program;
    const KernelHandle kernels[] = {CreateKernel(program, source, core, DataMovementConfig{}),
                                    CreateKernel(program, source, core, ReaderDataMovementConfig{}),
                                    CreateKernel(program, compute, core, ComputeConfig{})};
    for (std::uint32_t k = 0; k < 3; ++k) {
      SetRuntimeArgs(program, kernels[k], core, {base + k * 16, k + 1});
      SetCommonRuntimeArgs(program, kernels[k], {1000 + k});
    }
    mesh_->run(0, program);
    const auto result = words(*out, core);
    for (std::uint32_t k = 0; k < 3; ++k) {
      EXPECT_EQ(result[k * 4], 300 + k + 1) << "kernel " << k << " run " << run;
      EXPECT_EQ(result[k * 4 + 1], 1000 + k);
      EXPECT_EQ(result[k * 4 + 2], 0x203U);
    }
    const auto times = mesh_->run_times(0, mesh_->device(0).worker(core));
    EXPECT_GT(times.done, times.go);
  }
}

// No header of ours may hide a header of the C or C++ library.
TEST_F(Kernels, TheMathematicsOfTheLibraryAreThere) {
  const auto source = kernel("library.cpp",
                             "#include <math.h>\n"
                             "#include <cmath>\n"
                             "#include <random>\n"
                             "void kernel_main() {\n"
                             "  auto* out = reinterpret_cast<volatile uint32_t*>("
                             "get_arg_val<uint32_t>(0));\n"
                             "  std::minstd_rand random(get_arg_val<uint32_t>(1));\n"
                             "  out[0] = random();\n"
                             "  const float n = static_cast<float>(get_arg_val<uint32_t>(2));\n"
                             "  out[1] = static_cast<uint32_t>(sqrtf(n) + std::floor(n / 8));\n"
                             "}\n");
  const CoreCoord core{0, 0};
  const auto out = l1(core, 16);
  Program program;
  const KernelHandle handle = CreateKernel(program, source, core, DataMovementConfig{});
  SetRuntimeArgs(program, handle, core, {static_cast<std::uint32_t>(out->address()), 7, 81});
  mesh_->run(0, program);
  EXPECT_EQ(words(*out, core)[0], 7U * 48271U);
  EXPECT_EQ(words(*out, core)[1], 9U + 10U);
}

// The pages wrap around the buffer between NCRISC and BRISC many times.
TEST_F(Kernels, CircularBufferCarriesPagesInOrder) {
  const auto producer =
      kernel("producer.cpp",
             "void kernel_main() {\n"
             "  for (uint32_t i = 0; i < get_arg_val<uint32_t>(0); ++i) {\n"
             "    cb_reserve_back(7, 1);\n"
             "    *reinterpret_cast<volatile uint32_t*>(get_write_ptr(7)) = i * i;\n"
             "    cb_push_back(7, 1);\n"
             "  }\n"
             "}\n");
  const auto consumer =
      kernel("consumer.cpp",
             "void kernel_main() {\n"
             "  auto* out = reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(1));\n"
             "  uint32_t n = get_arg_val<uint32_t>(0);\n"
             "  for (uint32_t i = 0; i < n; i += 2) {\n"
             "    cb_wait_front(7, 2);\n"
             "    auto* in = reinterpret_cast<volatile uint32_t*>(get_read_ptr(7));\n"
             "    out[i] = in[0];\n"
             "    out[i + 1] = in[4];\n"
             "    cb_pop_front(7, 2);\n"
             "  }\n"
             "}\n");
  constexpr std::uint32_t kPages = 90;
  const CoreCoord core{0, 1};
  const auto out = l1(core, kPages * 4);
  Program program;
  CircularBufferConfig cb(6 * 16, {{7, DataFormat::UInt32}});
  CreateCircularBuffer(program, core, cb.set_page_size(7, 16));
  const auto p = CreateKernel(program, producer, core, ReaderDataMovementConfig{});
  const auto c = CreateKernel(program, consumer, core, WriterDataMovementConfig{});
  SetRuntimeArgs(program, p, core, {kPages});
  SetRuntimeArgs(program, c, core, {kPages, static_cast<std::uint32_t>(out->address())});
  mesh_->run(0, program);
  const auto result = words(*out, core);
  for (std::uint32_t i = 0; i < kPages; ++i) EXPECT_EQ(result[i], i * i);
}

// Integers leave Dst unchanged, even if their bits look like a float's exponent.
TEST_F(Kernels, IntegersAreCopiedBitForBit) {
  const auto reader = kernel("integers_reader.cpp",
                             "void kernel_main() {\n"
                             "  cb_reserve_back(0, get_arg_val<uint32_t>(0));\n"
                             "  cb_push_back(0, get_arg_val<uint32_t>(0));\n"
                             "}\n");
  const auto copy = kernel("integers_copy.cpp",
                           "#include \"api/compute/compute_kernel_api.h\"\n"
                           "void kernel_main() {\n"
                           "  const uint32_t tiles = get_arg_val<uint32_t>(0);\n"
                           "  unary_op_init_common(0, 16);\n"
                           "  cb_wait_front(0, tiles);\n"
                           "  cb_reserve_back(16, tiles);\n"
                           "  for (uint32_t t = 0; t < tiles; t += 2) {\n"
                           "    tile_regs_acquire();\n"
                           "    copy_tile(0, t, 0);\n"
                           "    copy_tile(0, t + 1, 3);\n"
                           "    tile_regs_commit();\n"
                           "    tile_regs_wait();\n"
                           "    pack_tile(0, 16);\n"
                           "    pack_tile(3, 16);\n"
                           "    tile_regs_release();\n"
                           "  }\n"
                           "  cb_push_back(16, tiles);\n"
                           "}\n");
  constexpr std::uint32_t kTiles = 6;
  const CoreCoord core{3, 1};
  for (const DataFormat format : {DataFormat::UInt16, DataFormat::Int32, DataFormat::UInt32}) {
    const std::uint32_t tile_bytes = Tile{}.bytes(format);
    std::vector<std::uint8_t> content(kTiles * tile_bytes);
    std::uint32_t state = 1;
    for (std::size_t i = 0; i < content.size(); ++i) {
      state = state * 1664525 + 1013904223;
      content[i] = i % 6 == 0 ? 0 : static_cast<std::uint8_t>(state >> 24);
    }
    Program program;
    const auto in = l1(core, static_cast<std::uint32_t>(content.size()));
    const auto out = l1(core, static_cast<std::uint32_t>(content.size()));
    in->write_shard(0, core, content);
    for (const auto& [index, buffer] : {std::pair{std::uint8_t{0}, in}, {std::uint8_t{16}, out}}) {
      CircularBufferConfig cb(static_cast<std::uint32_t>(content.size()), {{index, format}});
      cb.set_page_size(index, tile_bytes).set_globally_allocated_address(*buffer);
      CreateCircularBuffer(program, core, cb);
    }
    ComputeConfig config;
    config.fp32_dest_acc_en = format != DataFormat::UInt16;
    const auto r = CreateKernel(program, reader, core, ReaderDataMovementConfig{});
    const auto c = CreateKernel(program, copy, core, config);
    SetRuntimeArgs(program, r, core, {kTiles});
    SetRuntimeArgs(program, c, core, {kTiles});
    mesh_->run(0, program);
    EXPECT_EQ(out->read_shard(0, core), content) << "format " << static_cast<unsigned>(format);
  }
}

// A reduction along rows defines one column. A function of the whole tile also processes the
// undefined rest, which is not read.
TEST_F(Kernels, AFunctionOfATileThatAReductionLeftUndefinedInPart) {
  const auto reader = kernel("reduced_reader.cpp",
                             "void kernel_main() {\n"
                             "  for (uint32_t cb = 0; cb < 2; ++cb) {\n"
                             "    cb_reserve_back(cb, 1);\n"
                             "    cb_push_back(cb, 1);\n"
                             "  }\n"
                             "}\n");
  const auto compute =
      kernel("reduced_compute.cpp",
             "#include \"api/compute/compute_kernel_api.h\"\n"
             "void kernel_main() {\n"
             "  compute_kernel_hw_startup(0, 1, 16);\n"
             "  reduce_init<PoolType::SUM, ReduceDim::REDUCE_DIM_HERE>(0, 1, 16);\n"
             "  cb_wait_front(0, 1);\n"
             "  cb_wait_front(1, 1);\n"
             "  cb_reserve_back(16, 1);\n"
             "  tile_regs_acquire();\n"
             "  reduce_tile<PoolType::SUM, ReduceDim::REDUCE_DIM_HERE>(0, 1, 0, 0, 0);\n"
             "  recip_tile_init();\n"
             "  recip_tile(0);\n"
             "  tile_regs_commit();\n"
             "  tile_regs_wait();\n"
             "  pack_tile(0, 16);\n"
             "  tile_regs_release();\n"
             "  cb_push_back(16, 1);\n"
             "}\n");
  std::string text;
  {
    std::ifstream file(compute);
    text.assign(std::istreambuf_iterator<char>(file), {});
  }
  const CoreCoord core{4, 1};
  constexpr std::uint32_t kBytes = 2048;
  std::vector<std::uint8_t> ones(kBytes);
  for (std::size_t i = 0; i < kBytes; i += 2) {
    ones[i] = 0x80;
    ones[i + 1] = 0x3F;
  }
  for (const std::string dim : {"ROW", "COL", "SCALAR"}) {
    std::string source = text;
    for (std::size_t at; (at = source.find("DIM_HERE")) != std::string::npos;)
      source.replace(at, 8, dim);
    Program program;
    std::vector<std::shared_ptr<MeshBuffer>> buffers;
    for (const std::uint8_t index : {std::uint8_t{0}, std::uint8_t{1}, std::uint8_t{16}}) {
      buffers.push_back(l1(core, kBytes));
      buffers.back()->write_shard(0, core, ones);
      CircularBufferConfig cb(kBytes, {{index, DataFormat::Float16_b}});
      cb.set_page_size(index, kBytes).set_globally_allocated_address(*buffers.back());
      CreateCircularBuffer(program, core, cb);
    }
    CreateKernel(program, reader, core, ReaderDataMovementConfig{});
    CreateKernel(program, kernel("reduced_" + dim + ".cpp", source), core, ComputeConfig{});
    mesh_->run(0, program);
    const auto result = buffers.back()->read_shard(0, core);
    // A 32nd first, then a 1024th.
    EXPECT_EQ(result[1] << 8 | result[0], dim == "SCALAR" ? 0x3A80 : 0x3D00) << dim;
    EXPECT_EQ(result[2 * 17 + 1] << 8 | result[2 * 17], 0) << dim;  // row 1, column 1
  }
}

// Atomics of many cores to one semaphore, and a multicast to a whole rectangle.
TEST_F(Kernels, SemaphoresAndMulticast) {
  const auto worker = kernel("worker.cpp",
                             "void kernel_main() {\n"
                             "  uint32_t count = get_semaphore(0), go = get_semaphore(1);\n"
                             "  noc_semaphore_inc(get_noc_addr(get_arg_val<uint32_t>(0), "
                             "get_arg_val<uint32_t>(1), count), 3);\n"
                             "  noc_async_atomic_barrier();\n"
                             "  noc_semaphore_wait(reinterpret_cast<volatile uint32_t*>(go), 55);\n"
                             "}\n");
  const auto master = kernel("master.cpp",
                             "void kernel_main() {\n"
                             "  uint32_t count = get_semaphore(0), go = get_semaphore(1);\n"
                             "  uint32_t n = get_arg_val<uint32_t>(0);\n"
                             "  auto* c = reinterpret_cast<volatile uint32_t*>(count);\n"
                             "  noc_semaphore_wait(c, 3 * n);\n"
                             "  *reinterpret_cast<volatile uint32_t*>(go) = 55;\n"
                             "  uint64_t all = get_noc_multicast_addr(get_arg_val<uint32_t>(1), "
                             "get_arg_val<uint32_t>(2),\n"
                             "      get_arg_val<uint32_t>(3), get_arg_val<uint32_t>(4), go);\n"
                             "  noc_semaphore_set_multicast(go, all, n);\n"
                             "  noc_async_write_barrier();\n"
                             "}\n");
  const CoreRange rectangle{{2, 2}, {5, 4}};
  const CoreCoord lead{0, 0};
  Device& device = mesh_->device(0);
  Program program;
  const auto w = CreateKernel(program, worker, CoreRangeSet(rectangle), DataMovementConfig{});
  const auto m = CreateKernel(program, master, lead, DataMovementConfig{});
  std::vector<CoreRange> ranges = {rectangle, CoreRange(lead)};
  const CoreRangeSet all{ranges};
  EXPECT_EQ(CreateSemaphore(program, all, 0), 0U);
  EXPECT_EQ(CreateSemaphore(program, all, 0), 1U);
  const CoreCoord at = device.worker_core_from_logical_core(lead);
  const CoreCoord first = device.worker_core_from_logical_core(rectangle.start_coord);
  const CoreCoord last = device.worker_core_from_logical_core(rectangle.end_coord);
  SetRuntimeArgs(program, w, CoreRangeSet(rectangle), {at.x, at.y});
  SetRuntimeArgs(program, m, lead, {12, first.x, first.y, last.x, last.y});
  mesh_->run(0, program);
  EXPECT_FALSE(mesh_->running());
}

// Zones hold the kernel's times in cycles of the wall clock.
TEST_F(Kernels, ZonesAreInsideTheRun) {
  const auto source = kernel("zones.cpp",
                             "void kernel_main() {\n"
                             "  DeviceZoneScopedN(\"outer\");\n"
                             "  { DeviceZoneScopedN(\"wait\"); riscv_wait(500); }\n"
                             "}\n");
  const CoreCoord core{1, 1};
  Program program;
  CreateKernel(program, source, core, DataMovementConfig{});
  mesh_->run(0, program);
  const CoreId id = mesh_->device(0).worker(core);
  const auto times = mesh_->run_times(0, id);
  std::vector<Zone> zones;
  for (const Zone& zone : mesh_->zones())
    if (zone.core == id) zones.push_back(zone);
  ASSERT_EQ(zones.size(), 2U);
  EXPECT_EQ(zones[0].name, "outer");
  EXPECT_EQ(zones[1].name, "wait");
  EXPECT_GE(zones[1].end - zones[1].begin, 500U);
  EXPECT_LT(zones[1].end - zones[1].begin, 700U);
  EXPECT_LE(times.go, zones[0].begin);
  EXPECT_LE(zones[0].begin, zones[1].begin);
  EXPECT_LE(zones[1].end, zones[0].end);
  EXPECT_LE(zones[0].end, times.done);
}

}  // namespace
}  // namespace tvp::runtime
