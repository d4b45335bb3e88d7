// All-gather and reduce-scatter (ttnn/cpp/ttnn/operations/experimental/ccl) on four chips, over
// muxes and routers, in both directions at the same time, on lines and rings.

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <random>

#include "sw/runtime/fabric/fabric_mux.h"
#include "tests/system/published/collectives/published_line.h"

namespace tvp::runtime::published_ccl_test {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t kTile = 2048;  // bytes, bfloat16
constexpr std::uint32_t kPacketTiles = 2;
constexpr std::uint32_t kChunksPerSync = 2;
enum class Topology : std::uint32_t { kLinear = 1, kRing = 2 };  // tt_fabric::Topology

/// A worker and its mux per direction: 0 to the next chip, 1 to the previous one.
constexpr std::array<CoreCoord, 2> kWorkers{CoreCoord{0, 0}, CoreCoord{2, 0}};
constexpr std::array<CoreCoord, 2> kMuxes{CoreCoord{1, 0}, CoreCoord{3, 0}};

const std::string kOperations = "ttnn/cpp/ttnn/operations/experimental/ccl/";

struct Case {
  std::string name;
  Topology topology;
};

class PublishedCcl : public PublishedLine, public testing::WithParamInterface<Case> {
 protected:
  void SetUp() override {
    PublishedLine::SetUp();
    if (IsSkipped()) return;
    mux_ = contract::fabric::mux_layout(0, kPayload, 1);
    mux_memory_ = MeshBuffer::create(
        *mesh_,
        ShardedBufferConfig{.cores = CoreRangeSet(std::vector(kMuxes.begin(), kMuxes.end())),
                            .shard_bytes = mux_.end()});
    mux_.base = static_cast<std::uint32_t>(mux_memory_->address());
    const CoreRangeSet workers(std::vector(kWorkers.begin(), kWorkers.end()));
    for (std::uint32_t& semaphore : semaphores_)
      semaphore = mesh_->create_global_semaphore(workers, 0);
  }

  std::unique_ptr<FabricLine> make_line() override {
    return std::make_unique<FabricLine>(*mesh_, kChips, kPayload, NOC::NOC_0, ring());
  }
  bool ring() const { return GetParam().topology == Topology::kRing; }
  unsigned behind(unsigned chip) const { return chip; }
  unsigned ahead(unsigned chip) const { return kChips - 1 - chip; }
  bool sends(unsigned chip, unsigned way) const {
    return ring() || (way == 0 ? ahead(chip) : behind(chip)) != 0;
  }
  std::shared_ptr<MeshBuffer> tensor(std::uint32_t tiles) {
    return MeshBuffer::create(
        *mesh_, InterleavedBufferConfig{.size = std::uint64_t{tiles} * kTile, .page_size = kTile});
  }
  CoreCoord at(CoreCoord core) { return mesh_->device(0).worker_core_from_logical_core(core); }

  void add_mux(Program& program, unsigned chip, unsigned way) {
    const auto kernel = CreateFabricMux(program, kMuxes[way], mux_, line_->layout());
    const CoreCoord router =
        mesh_->device(chip).ethernet_core_from_channel(line_->channel(chip, way == 0));
    SetRuntimeArgs(program, kernel, kMuxes[way], Words{router.x, router.y});
    mux_memory_->write_shard(chip, kMuxes[way], Bytes(mux_.control_bytes(), 0));
  }
  /// Compile-time arguments of writers: their mux and the distances along a line in both
  /// directions. A unicast of one hop has (mesh, hops), a multicast (start, range and four of 2D
  /// routes).
  void add_fabric_args(Words& args, unsigned chip) const {
    args.insert(args.end(), {mux_.slots, mux_.bytes_per_slot, mux_.status(),
                             mux_.termination_signal(), mux_.channels});
    for (const std::uint32_t range : {ahead(chip), behind(chip)})
      args.insert(args.end(), {0, 1, 1, ring() ? kChips - 1 : range, 0, 0, 0, 0});
  }
  /// Run-time arguments of their connection, with five semaphores of the program.
  void add_mux_args(Words& args, Program& program, unsigned chip, unsigned way) {
    const CoreCoord mux = at(kMuxes[way]);
    const CoreCoord self = at(kWorkers[way]);
    args.insert(args.end(), {sends(chip, way) ? 1U : 0U, 1, mux.x, mux.y, mux_.channel_base(0),
                             mux_.connection_info(0), mux_.connection_handshake(0),
                             mux_.flow_control(0), mux_.buffer_index(0), 0});
    for (unsigned i = 0; i < 5; ++i) args.push_back(CreateSemaphore(program, kWorkers[way], 0));
    args.insert(args.end(), {self.x, self.y});
  }
  static void add_circular_buffer(Program& program, CoreCoord core, std::uint8_t index,
                                  std::uint32_t tiles) {
    CircularBufferConfig config(tiles * kTile, {{index, DataFormat::Float16_b}});
    CreateCircularBuffer(program, core, config.set_page_size(index, kTile));
  }
  void run(const std::vector<Program>& programs) {
    mesh_->enqueue_all(programs);
    mesh_->finish_workers();
    library_->clock(100'000);
  }

  contract::fabric::MuxLayout mux_{};
  std::shared_ptr<MeshBuffer> mux_memory_;
  std::array<std::uint32_t, 3> semaphores_{};  ///< ready, barrier, batch ready
};

// Every chip ends with each chip's rows of tiles side by side, in the order of the chips.
TEST_P(PublishedCcl, AllGather) {
  constexpr std::uint32_t kRows = 3;
  constexpr std::uint32_t kColumns = 3;
  const auto input = tensor(kRows * kColumns);
  const auto output = tensor(kRows * kColumns * kChips);
  std::vector<Bytes> given;
  std::mt19937 random(1);
  for (unsigned chip = 0; chip < kChips; ++chip) {
    Bytes bytes(kRows * kColumns * kTile);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
    input->write(chip, bytes);
    output->write(chip, Bytes(kRows * kColumns * kChips * kTile, 0xEE));
    given.push_back(bytes);
  }
  std::vector<Program> programs(kChips);
  for (unsigned chip = 0; chip < kChips; ++chip) {
    Program& program = programs[chip];
    // On a ring every chip receives from two chips behind it and from one ahead.
    const std::uint32_t forward = ring() ? kChips / 2 : ahead(chip);
    const std::uint32_t backward = ring() ? (kChips - 1) / 2 : behind(chip);
    const Words shape{kChips,   chip,
                      0,        kPacketTiles,
                      kTile,    forward,
                      backward, static_cast<std::uint32_t>(GetParam().topology),
                      3,        1,
                      kColumns, kRows,
                      1,        kColumns * kChips,
                      kRows,    1,
                      0,        0};
    for (unsigned way = 0; way < 2; ++way) {
      const CoreCoord core = kWorkers[way];
      const CoreCoord here = at(core);
      const CoreCoord other = at(kWorkers[1 - way]);
      add_circular_buffer(program, core, 0, 3 * kPacketTiles);
      if (sends(chip, way)) add_mux(program, chip, way);
      Words args = shape;
      TensorAccessorArgs(*input).append_to(args);
      TensorAccessorArgs(*output).append_to(args);
      const auto reader = CreateKernel(
          program, kOperations + "all_gather_async/device/kernels/minimal_default_reader.cpp", core,
          ReaderDataMovementConfig(args));
      SetRuntimeArgs(program, reader, core,
                     Words{static_cast<std::uint32_t>(input->address()),
                           static_cast<std::uint32_t>(output->address()), semaphores_[0], way, 0,
                           kRows * kColumns, 0, 0, kChunksPerSync});
      args = shape;
      add_fabric_args(args, chip);
      TensorAccessorArgs(*output).append_to(args);
      const auto writer = CreateKernel(
          program, kOperations + "all_gather_async/device/kernels/minimal_default_writer.cpp", core,
          WriterDataMovementConfig(args));
      Words words{static_cast<std::uint32_t>(output->address()),
                  here.x,
                  here.y,
                  semaphores_[0],
                  1,
                  semaphores_[1],
                  other.x,
                  other.y,
                  way,
                  0,
                  kRows * kColumns,
                  0,
                  0,
                  kChunksPerSync};
      add_mux_args(words, program, chip, way);
      SetRuntimeArgs(program, writer, core, words);
    }
  }
  run(programs);
  Bytes expected;
  for (std::uint32_t row = 0; row < kRows; ++row)
    for (const Bytes& chip : given)
      expected.insert(expected.end(), chip.begin() + row * kColumns * kTile,
                      chip.begin() + (row + 1) * kColumns * kTile);
  for (unsigned chip = 0; chip < kChips; ++chip)
    EXPECT_TRUE(output->read(chip) == expected) << "chip " << chip;
}

INSTANTIATE_TEST_SUITE_P(Topologies, PublishedCcl,
                         testing::Values(Case{"line", Topology::kLinear},
                                         Case{"ring", Topology::kRing}),
                         [](const auto& test) { return test.param.name; });

std::uint16_t bfloat(unsigned value) {
  const auto number = static_cast<float>(value);
  std::uint32_t word = 0;
  std::memcpy(&word, &number, 4);
  return static_cast<std::uint16_t>(word >> 16);
}

class PublishedRingCcl : public PublishedCcl {};

// Chip i ends with the sum of all chips' columns i of a tensor. bfloat16 adds these whole numbers
// exactly.
TEST_P(PublishedRingCcl, ReduceScatter) {
  constexpr std::uint32_t kRows = 2;
  constexpr std::uint32_t kColumns = 3;  // per slice
  constexpr std::uint32_t kAll = kColumns * kChips;
  constexpr std::uint32_t kSlice = kRows * kColumns;
  constexpr std::uint32_t kNumbers = kTile / 2;
  const auto input = tensor(kRows * kAll);
  const auto intermediate = tensor(kRows * kAll);
  const auto output = tensor(kSlice);
  const auto number = [](unsigned chip, std::uint32_t tile, std::uint32_t i) {
    return (chip * 7 + tile * 5 + i * 3 + i / 100) % 64;
  };
  for (unsigned chip = 0; chip < kChips; ++chip) {
    std::vector<std::uint16_t> numbers;
    for (std::uint32_t tile = 0; tile < kRows * kAll; ++tile)
      for (std::uint32_t i = 0; i < kNumbers; ++i) numbers.push_back(bfloat(number(chip, tile, i)));
    Bytes bytes(numbers.size() * 2);
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    input->write(chip, bytes);
    intermediate->write(chip, Bytes(kRows * kAll * kTile, 0xEE));
    output->write(chip, Bytes(kSlice * kTile, 0xEE));
  }
  std::vector<Program> programs(kChips);
  for (unsigned chip = 0; chip < kChips; ++chip) {
    Program& program = programs[chip];
    for (unsigned way = 0; way < 2; ++way) {
      const std::uint32_t forward = way == 0 ? 1 : 0;  // these kernels number the first direction 1
      const CoreCoord core = kWorkers[way];
      const CoreCoord here = at(core);
      for (std::uint8_t cb = 0; cb < 4; ++cb)  // input, intermediate, reader's and compute's output
        add_circular_buffer(program, core, cb, 2 * kPacketTiles);
      add_mux(program, chip, way);
      const std::string kernels = kOperations + "reduce_scatter_minimal_async/device/kernels/";
      Words args{chip,         kChips, 0,    1, 2,     kPacketTiles, kTile, kRows * kAll,
                 kRows * kAll, 1,      kAll, 1, kRows, kColumns,     0,     3};
      TensorAccessorArgs(*input).append_to(args);
      TensorAccessorArgs(*intermediate).append_to(args);
      const auto reader =
          CreateKernel(program, kernels + "ring_reduce_scatter_minimal_async_reader.cpp", core,
                       ReaderDataMovementConfig(args));
      SetRuntimeArgs(program, reader, core,
                     Words{static_cast<std::uint32_t>(input->address()),
                           static_cast<std::uint32_t>(intermediate->address()), semaphores_[0],
                           forward, kChunksPerSync, 0, kSlice, 0, 0});
      args = {
          chip, kChips, 3, 2,     kPacketTiles, kTile, kPacketTiles, kSlice, kRows * kAll, kSlice,
          1,    kAll,   1, kRows, kColumns,     3};
      add_fabric_args(args, chip);
      TensorAccessorArgs(*intermediate).append_to(args);
      TensorAccessorArgs(*output).append_to(args);
      const auto writer =
          CreateKernel(program, kernels + "ring_reduce_scatter_minimal_async_writer.cpp", core,
                       WriterDataMovementConfig(args));
      Words words{static_cast<std::uint32_t>(intermediate->address()),
                  static_cast<std::uint32_t>(output->address()),
                  here.x,
                  here.y,
                  semaphores_[0],
                  semaphores_[2],
                  1,
                  semaphores_[1],
                  forward,
                  kChunksPerSync,
                  0,
                  0,
                  0,
                  kSlice};
      add_mux_args(words, program, chip, way);
      SetRuntimeArgs(program, writer, core, words);
      ComputeConfig compute;
      compute.compile_args = {0, 1, 3, kPacketTiles, kChips, 1, 1};
      const auto sum = CreateKernel(program, kernels + "ring_reduction.cpp", core, compute);
      SetRuntimeArgs(program, sum, core, Words{0, kSlice, forward});
    }
  }
  run(programs);
  for (unsigned chip = 0; chip < kChips; ++chip) {
    std::vector<std::uint16_t> expected;
    for (std::uint32_t row = 0; row < kRows; ++row) {
      for (std::uint32_t column = 0; column < kColumns; ++column) {
        const std::uint32_t tile = row * kAll + chip * kColumns + column;
        for (std::uint32_t i = 0; i < kNumbers; ++i) {
          unsigned sum = 0;
          for (unsigned other = 0; other < kChips; ++other) sum += number(other, tile, i);
          expected.push_back(bfloat(sum));
        }
      }
    }
    Bytes bytes(expected.size() * 2);
    std::memcpy(bytes.data(), expected.data(), bytes.size());
    EXPECT_TRUE(output->read(chip) == bytes) << "chip " << chip;
  }
}

INSTANTIATE_TEST_SUITE_P(Topologies, PublishedRingCcl,
                         testing::Values(Case{"ring", Topology::kRing}),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tvp::runtime::published_ccl_test
