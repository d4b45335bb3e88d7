// Unified data movement: kernels on all chips of a mesh read, write and increment everywhere, by
// pages of a tensor over the mesh and by global coordinates of cores.

#include "sw/runtime/fabric/fabric_relays.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

#include "foundation/fault.h"
#include "sw/runtime/buffers/tensor_accessor_args.h"
#include "sw/runtime/host_api.h"
#include "tests/support/fault_of.h"

namespace tvp::runtime::fabric_relays_test {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

const fs::path kRelayFolder = fs::path(TVP_KERNEL_FOLDER) / "fabric_relays";
constexpr CoreCoord kRelay{3, 3};
const std::vector<CoreCoord> kClients{{1, 1}, {2, 1}};
constexpr unsigned kChips = 4;
constexpr std::uint32_t kPage = 2048;
constexpr std::uint32_t kPagesOfChip = 6;  ///< 2 x 3 of the tensor's 4 x 6 pages
constexpr std::uint32_t kPages = kChips * kPagesOfChip;
// Areas of a client's memory.
constexpr std::uint32_t kCounter = 0, kStamps = 64, kFound = 1024, kLarge = 2048;
constexpr std::uint32_t kLargeBytes = 10000;  ///< three packets
constexpr std::uint32_t kScratch = kLarge + 2 * 10240, kMemory = kScratch + 2 * 10240;

/// Kernel `k` of 2 * chips * clients reads page k of the tensor and so on, and writes them to the
/// mirrored pages. Then it leaves a stamp on each core and adds to its counter, reads a stamp of
/// its own back, and writes much to the next chip.
constexpr const char* kKernel = R"(
#include "api/dataflow/dataflow_api.h"
#include "experimental/udm/accessor/mesh_tensor_accessor.h"
#include "tt_metal/hw/inc/experimental/udm/udm_api.hpp"
using namespace tt::tt_fabric::experimental::udm;
void kernel_main() {
  const auto in = MeshTensorAccessor(MeshTensorAccessorArgs<0, 0>());
  constexpr auto kNext = MeshTensorAccessorArgs<0, 0>::next_compile_time_args_offset();
  const auto out = MeshTensorAccessor(MeshTensorAccessorArgs<kNext, 0>());
  const uint32_t me = get_arg_val<uint32_t>(0), kernels = get_arg_val<uint32_t>(1);
  const uint32_t pages = get_arg_val<uint32_t>(2), memory = get_arg_val<uint32_t>(3);
  const uint32_t half = me & 1, chip = get_arg_val<uint32_t>(4);
  const uint32_t scratch = memory + SCRATCH_AT + half * 10240;
  for (uint32_t page = me; page < pages; page += kernels) {
    async_read(in, page, scratch, in.page_size() / 2);
    async_read(in, page, scratch + in.page_size() / 2, in.page_size() / 2, in.page_size() / 2);
    async_read_barrier();
    async_write(out, pages - 1 - page, scratch, out.page_size());
    async_write_barrier();
  }
  auto* stamp = reinterpret_cast<volatile uint32_t*>(scratch);
  for (uint32_t row = 0; row < 2; ++row) {
    for (uint32_t column = 0; column < 4; ++column) {
      const uint32_t core[2] = {row, column};
      stamp[0] = 0x1000 + me;
      stamp[1] = row * 4 + column;
      async_write<1>(core, scratch, 16, memory + STAMPS_AT + me * 16);
      noc_async_writes_flushed();
      semaphore_inc<1>(core, 1, memory + COUNTER_AT);
      semaphore_inc(core, 100 + me, memory + COUNTER_AT);
    }
  }
  atomic_barrier();
  const uint32_t far[2] = {1 - chip / 2, 3 - (chip & 1) * 2};
  stamp[0] = 0;
  async_read(far, scratch, 16, memory + STAMPS_AT + me * 16);
  async_read_barrier();
  stamp[8] = stamp[0];
  stamp[9] = stamp[1];
  noc_async_write(scratch + 32, get_noc_addr(memory + FOUND_AT + half * 32), 16);
  noc_async_write_barrier();
  if (get_arg_val<uint32_t>(5) != 0) {
    for (uint32_t i = 0; i < 10000 / 4; ++i) stamp[i] = me * 1000 + i;
    const uint32_t next[2] = {chip / 2, (1 - (chip & 1)) * 2};
    async_write(next, scratch, 10000, memory + LARGE_AT + half * 10240);
    stamp[0] = 0xDEAD;  // taken already
    async_write_barrier();
  }
}
)";

std::string system_of_four() {
  fs::create_directories(kRelayFolder);
  const fs::path path = kRelayFolder / "mesh_2x2.toml";
  std::ofstream(path)
      << "schema = 1\nname = \"mesh\"\n[topology]\nkind = \"mesh\"\nshape = [2, 2]\n"
         "description = \"small\"\n";
  return path.string();
}

/// Words of a MeshTensorAccessorArgs: 4 x 6 pages on 2 x 2 chips.
void append(std::vector<std::uint32_t>& words, const std::shared_ptr<MeshBuffer>& buffer) {
  TensorAccessorArgs(buffer).append_to(words);
  words.insert(words.end(), {buffer->address(), kPage, 2, 4, 6, 6, 1, 2, 3, 3, 1, 2, 2, 2, 1});
  words.insert(words.end(), {kChips, 0, 0, 0, 0, 0, 1, 2, 3});
}

/// The chip and its page that hold a page of the tensor.
std::pair<unsigned, std::uint32_t> place_of(std::uint32_t page) {
  const std::uint32_t row = page / 6, column = page % 6;
  return {row / 2 * 2 + column / 3, row % 2 * 3 + column % 3};
}

std::uint32_t word(const Bytes& bytes, std::size_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::uint8_t byte_of(std::uint32_t page, std::uint32_t i) {
  return static_cast<std::uint8_t>(page * 37 + i * 5 + i / 251);
}

/// Four chips with a running fabric, a tensor over them, and another one for results.
class FourChips {
 public:
  FourChips() {
    for (unsigned chip = 0; chip < kChips; ++chip) {
      Bytes bytes(kPagesOfChip * kPage);
      for (std::uint32_t page = 0; page < kPages; ++page) {
        const auto [holder, local] = place_of(page);
        for (std::uint32_t i = 0; holder == chip && i < kPage; ++i)
          bytes[local * kPage + i] = byte_of(page, i);
      }
      in_->write(chip, bytes);
    }
    fabric_.start();
  }
  DeviceLibrary& library() { return *library_; }
  MeshDevice& mesh() { return mesh_; }
  FabricMesh& fabric() { return fabric_; }
  std::vector<std::uint32_t> compile_args() const {
    std::vector<std::uint32_t> words;
    append(words, in_);
    append(words, out_);
    return words;
  }
  std::map<std::string, std::string> defines() const {
    std::string x, y;
    for (const CoreCoord core : kClients) {
      const CoreCoord at = mesh_.device(0).worker_core_from_logical_core(core);
      x += (x.empty() ? "" : ",") + std::to_string(at.x);
      y += (y.empty() ? "" : ",") + std::to_string(at.y);
    }
    std::map<std::string, std::string> all = FabricMesh::defines();
    all.insert({{"MESH_NUM_DIMS", "2"},
                {"MESH_DIMS", "{2,2}"},
                {"MESH_STRIDES", "{2,1}"},
                {"GRID_NUM_DIMS", "2"},
                {"GRID_DIMS", "{1,2}"},
                {"GRID_STRIDES", "{2,1}"},
                {"NUM_GRIDS", "4"},
                {"FABRIC_MESH_IDS", "{0,0,0,0}"},
                {"FABRIC_CHIP_IDS", "{0,1,2,3}"},
                {"NUM_WORKER_CORES", "2"},
                {"WORKER_CORE_NOC_X", "{" + x + "}"},
                {"WORKER_CORE_NOC_Y", "{" + y + "}"}});
    return all;
  }
  void run(FabricRelays& relays, const std::vector<Program>& programs) {
    mesh_.enqueue_all(programs);
    relays.finish();
    library_->clock(100'000);  // posted writes land
    fabric_.stop();
  }
  /// Expects page `from` of the tensor in page `to` of the results.
  void expect(std::uint32_t to, std::uint32_t from) {
    const auto [chip, local] = place_of(to);
    const Bytes got = out_->read(chip);
    for (std::uint32_t i = 0; i < kPage; ++i)
      ASSERT_EQ(got[local * kPage + i], byte_of(from, i)) << "page " << to << ", byte " << i;
  }

 private:
  std::unique_ptr<DeviceLibrary> library_ = [] {
    auto library = DeviceLibrary::open(TVP_LIBRARY);
    library->configure("system=" + system_of_four());
    return library;
  }();
  MeshDevice mesh_{*library_, MeshDevice::Options{}};
  FabricMesh fabric_{mesh_, {2, 2}, {}};
  const InterleavedBufferConfig pages_{.size = kPagesOfChip * kPage, .page_size = kPage};
  std::shared_ptr<MeshBuffer> in_ = MeshBuffer::create(mesh_, pages_);
  std::shared_ptr<MeshBuffer> out_ = MeshBuffer::create(mesh_, pages_);
};

TEST(FabricRelays, ReadWriteAndIncrementOnAllChips) {
  FourChips chips;
  MeshDevice& mesh = chips.mesh();
  const auto memory = MeshBuffer::create(
      mesh, ShardedBufferConfig{.cores = CoreRangeSet(kClients), .shard_bytes = kMemory});
  for (unsigned chip = 0; chip < kChips; ++chip)
    for (const CoreCoord core : kClients) memory->write_shard(chip, core, Bytes(kMemory, 0));

  FabricRelays relays(mesh, chips.fabric(), kRelay, kClients);
  std::vector<Program> programs(kChips);
  relays.add_to(programs);
  fs::create_directories(kRelayFolder);
  const fs::path path = kRelayFolder / "everywhere.cpp";
  std::ofstream(path) << kKernel;
  std::map<std::string, std::string> defines = chips.defines();
  defines.insert({{"SCRATCH_AT", std::to_string(kScratch)},
                  {"STAMPS_AT", std::to_string(kStamps)},
                  {"COUNTER_AT", std::to_string(kCounter)},
                  {"FOUND_AT", std::to_string(kFound)},
                  {"LARGE_AT", std::to_string(kLarge)}});
  constexpr unsigned kKernels = 2 * 2 * kChips;
  for (unsigned chip = 0; chip < kChips; ++chip) {
    for (unsigned client = 0; client < 2; ++client) {
      for (unsigned half = 0; half < 2; ++half) {
        const auto kernel =
            CreateKernel(programs[chip], path.string(), kClients[client],
                         DataMovementConfig{.processor = half == 0 ? DataMovementProcessor::RISCV_0
                                                                   : DataMovementProcessor::RISCV_1,
                                            .noc = half == 0 ? NOC::NOC_0 : NOC::NOC_1,
                                            .compile_args = chips.compile_args(),
                                            .defines = defines});
        SetRuntimeArgs(programs[chip], kernel, kClients[client],
                       std::vector<std::uint32_t>{(chip * 2 + client) * 2 + half, kKernels, kPages,
                                                  memory->address(), chip, client == 0 ? 1U : 0U});
      }
    }
  }
  chips.run(relays, programs);

  for (std::uint32_t page = 0; page < kPages; ++page) chips.expect(kPages - 1 - page, page);
  std::uint32_t sum = 0;
  for (unsigned kernel = 0; kernel < kKernels; ++kernel) sum += 101 + kernel;
  for (unsigned chip = 0; chip < kChips; ++chip) {
    for (unsigned client = 0; client < 2; ++client) {
      const Bytes bytes = memory->read_shard(chip, kClients[client]);
      EXPECT_EQ(word(bytes, kCounter), sum) << chip << " " << client;
      const unsigned core = chip / 2 * 4 + chip % 2 * 2 + client;
      for (unsigned kernel = 0; kernel < kKernels; ++kernel) {
        EXPECT_EQ(word(bytes, kStamps + 16 * kernel), 0x1000 + kernel);
        EXPECT_EQ(word(bytes, kStamps + 16 * kernel + 4), core);
      }
      for (unsigned half = 0; half < 2; ++half) {
        EXPECT_EQ(word(bytes, kFound + 32 * half), 0x1000 + (chip * 2 + client) * 2 + half);
        EXPECT_EQ(word(bytes, kFound + 32 * half + 4), (1 - chip / 2) * 4 + 3 - chip % 2 * 2);
      }
      if (client != 0) continue;
      const unsigned from = chip / 2 * 2 + 1 - chip % 2;
      for (unsigned half = 0; half < 2; ++half)
        for (std::uint32_t i = 0; i < kLargeBytes / 4; ++i)
          ASSERT_EQ(word(bytes, kLarge + half * 10240 + 4 * i), (from * 4 + half) * 1000 + i)
              << "from " << from << ", word " << i;
    }
  }
}

/// tt-metal's kernel copies each chip's pages on another chip.
TEST(FabricRelays, RunThePublishedCopy) {
  const char* const home = std::getenv("TT_METAL_HOME");
  const std::string kernel = "tests/ttnn/unit_tests/gtests/udm/copy/kernels/copy.cpp";
  if (home == nullptr || !fs::exists(home + ("/" + kernel)))
    GTEST_SKIP() << "TT_METAL_HOME names no tree with " << kernel;
  FourChips chips;
  FabricRelays relays(chips.mesh(), chips.fabric(), kRelay, kClients);
  std::vector<Program> programs(kChips);
  relays.add_to(programs);
  for (unsigned chip = 0; chip < kChips; ++chip) {
    CircularBufferConfig buffer(kPage, {{0, DataFormat::Float16_b}});
    CreateCircularBuffer(programs[chip], kClients[1], buffer.set_page_size(0, kPage));
    const auto copy = CreateKernel(
        programs[chip], kernel, kClients[1],
        DataMovementConfig{.compile_args = chips.compile_args(), .defines = chips.defines()});
    const unsigned of = kChips - 1 - chip;  // two rows and three columns of pages
    SetRuntimeArgs(programs[chip], copy, kClients[1],
                   std::vector<std::uint32_t>{2, 2, of / 2 * 2, 6, 3, of % 2 * 3, 1});
  }
  chips.run(relays, programs);
  for (std::uint32_t page = 0; page < kPages; ++page) chips.expect(page, page);
}

/// The run stops with the kernel's line.
TEST(FabricRelays, AKernelWithoutARelayStops) {
  FourChips chips;
  fs::create_directories(kRelayFolder);
  const fs::path path = kRelayFolder / "alone.cpp";
  std::ofstream(path) << "#include \"tt_metal/fabric/hw/inc/udm/tt_fabric_udm.hpp\"\n"
                         "void kernel_main() {\n"
                         "  tt::tt_fabric::udm::fabric_fast_write_dw_inline(\n"
                         "      1, 0, 5, get_noc_addr(1, 1, 0x100000));\n"
                         "}\n";
  std::vector<Program> programs(kChips);
  CreateKernel(programs[0], path.string(), kClients[0],
               DataMovementConfig{.defines = FabricMesh::defines()});
  EXPECT_TRUE(test::faults(
      [&] {
        chips.mesh().enqueue_all(programs);
        chips.mesh().finish_workers();
      },
      {}, {"ebreak", "no_relay", "alone.cpp:3"}));
}

TEST(FabricRelays, RefuseClientsThatTheyCannotServe) {
  const auto library = DeviceLibrary::open(TVP_LIBRARY);
  library->configure("system=" + system_of_four());
  MeshDevice mesh(*library, MeshDevice::Options{});
  const FabricMesh fabric(mesh, {2, 2}, {});
  for (const auto& clients : {std::vector<CoreCoord>{}, std::vector<CoreCoord>{kRelay}})
    EXPECT_TRUE(test::faults([&] { FabricRelays(mesh, fabric, kRelay, clients); },
                             foundation::FaultKind::kDescription, {"relays", "(3, 3)"}));
}

}  // namespace
}  // namespace tvp::runtime::fabric_relays_test
