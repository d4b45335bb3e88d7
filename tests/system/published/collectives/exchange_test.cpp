// All-reduce over shards in L1 and all-to-all (ttnn/cpp/ttnn/operations/experimental/ccl) on four
// chips in a line.

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "foundation/contract/fabric/router.h"
#include "sw/runtime/host_api.h"
#include "tests/system/published/collectives/published_line.h"

namespace tvp::runtime::published_exchange_test {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t kTile = 2048, kNumbers = kTile / 2;  // bfloat16
constexpr std::uint32_t kHeader = contract::fabric::kPacketHeaderBytes;
constexpr CoreCoord kWorker{0, 0};
const std::string kOperations = "ttnn/cpp/ttnn/operations/experimental/ccl/";

class PublishedExchange : public PublishedLine {
 protected:
  CoreCoord at(CoreCoord core) { return mesh_->device(0).worker_core_from_logical_core(core); }
  static void buffer(Program& program, const CoreRangeSet& cores, std::uint8_t index,
                     std::uint32_t pages, std::uint32_t page_bytes,
                     const std::shared_ptr<MeshBuffer>& over = nullptr) {
    CircularBufferConfig config(pages * page_bytes, {{index, DataFormat::Float16_b}});
    config.set_page_size(index, page_bytes);
    if (over) config.set_globally_allocated_address(*over);
    CreateCircularBuffer(program, cores, config);
  }
  /// Connections up and down the line, each after a flag for its presence.
  void add_connections(Words& args, Program& program, unsigned chip) {
    for (const bool up : {true, false}) {
      const bool there = up ? chip + 1 < kChips : chip != 0;
      args.push_back(there);
      if (!there) continue;
      const std::uint32_t first = CreateSemaphore(program, kWorker, 0);
      CreateSemaphore(program, kWorker, 0);
      CreateSemaphore(program, kWorker, 0);
      for (const std::uint32_t word : line_->connection(chip, up, first)) args.push_back(word);
    }
  }
  void run(const std::vector<Program>& programs) {
    mesh_->enqueue_all(programs);
    mesh_->finish_workers();
  }
};

std::uint16_t bfloat(unsigned value) {
  const auto number = static_cast<float>(value);
  std::uint32_t word = 0;
  std::memcpy(&word, &number, 4);
  return static_cast<std::uint16_t>(word >> 16);
}

// Two cores of every chip add up all chips' tensors, which are sharded over three other cores.
TEST_F(PublishedExchange, AllReduce) {
  constexpr std::uint32_t kIn = 4, kOut = 6, kTiles = 12;  // tiles per shard, per tensor
  const std::vector<CoreCoord> inputs{{1, 0}, {2, 0}, {3, 0}}, outputs{{1, 1}, {2, 1}};
  const CoreRangeSet to(outputs);
  std::vector<CoreCoord> all_cores = outputs;
  all_cores.push_back(kWorker);
  const CoreRangeSet all(all_cores);
  const auto input = MeshBuffer::create(
      *mesh_, ShardedBufferConfig{.cores = CoreRangeSet(inputs), .shard_bytes = kIn * kTile});
  const auto parts = MeshBuffer::create(
      *mesh_, ShardedBufferConfig{.cores = all, .shard_bytes = kOut * kTile * kChips});
  const auto output =
      MeshBuffer::create(*mesh_, ShardedBufferConfig{.cores = to, .shard_bytes = kOut * kTile});
  const std::uint32_t ready = mesh_->create_global_semaphore(all, 0);
  const auto number = [](unsigned chip, std::uint32_t i) {
    return (chip * 11 + i * 3 + i / 100) % 64;
  };
  for (unsigned chip = 0; chip < kChips; ++chip) {
    std::vector<std::uint16_t> numbers;
    for (std::uint32_t i = 0; i < kTiles * kNumbers; ++i)
      numbers.push_back(bfloat(number(chip, i)));
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(numbers.data());
    for (std::size_t i = 0; i < inputs.size(); ++i)
      input->write_shard(chip, inputs[i], {bytes + i * kIn * kTile, kIn * kTile});
  }
  const auto add_cores = [&](Words& words, const std::vector<CoreCoord>& cores) {
    for (const CoreCoord core : cores) words.push_back(static_cast<std::uint32_t>(at(core).x));
    for (const CoreCoord core : cores) words.push_back(static_cast<std::uint32_t>(at(core).y));
  };
  const std::string kernels = kOperations + "all_reduce_async/device/kernels/";
  std::vector<Program> programs(kChips);
  for (unsigned chip = 0; chip < kChips; ++chip) {
    Program& program = programs[chip];
    buffer(program, kWorker, 0, kTiles, kTile);
    buffer(program, kWorker, 3, 16, kHeader);
    buffer(program, all, 1, kOut * kChips, kTile, parts);
    buffer(program, to, 2, kOut, kTile, output);
    const auto sum = CreateKernel(program, kernels + "compute/reduction.cpp", to,
                                  ComputeConfig{.compile_args = {1, 2}});
    SetRuntimeArgs(program, sum, to, Words{1, kChips, kOut});
    const auto receiver = CreateKernel(program, kernels + "dataflow/reduction_receiver.cpp", to,
                                       ReaderDataMovementConfig(Words{1, kOut * kChips}));
    const std::uint32_t unused = CreateSemaphore(program, all, 0);
    SetRuntimeArgs(program, receiver, to, Words{1, unused, ready, kChips});
    const auto reader = CreateKernel(program, kernels + "dataflow/worker_reader.cpp", kWorker,
                                     ReaderDataMovementConfig(Words{chip, 0, kTile}));
    Words words{static_cast<std::uint32_t>(input->address()), kIn, kTiles, 0,
                static_cast<std::uint32_t>(inputs.size())};
    add_cores(words, inputs);
    SetRuntimeArgs(program, reader, kWorker, words);
    const std::uint32_t ahead = kChips - 1 - chip, behind = chip;
    Words args{chip, 3, 8, 0, kPayload / kTile, kTile, ahead, behind};
    for (const std::uint32_t range : {ahead, behind})
      args.insert(args.end(), {1, range, 0, 0, 0, 0});
    const auto writer = CreateKernel(program, kernels + "dataflow/worker_writer.cpp", kWorker,
                                     WriterDataMovementConfig(args));
    const CoreCoord here = at(kWorker), first = at(outputs.front()), last = at(outputs.back());
    words = {1,
             ready,
             kOut,
             kTiles,
             0,
             static_cast<std::uint32_t>(outputs.size()),
             static_cast<std::uint32_t>(outputs.size()),
             static_cast<std::uint32_t>(here.x),
             static_cast<std::uint32_t>(here.y),
             kChips,
             unused,
             1,
             0};
    add_cores(words, outputs);
    for (const auto one : {first.x, first.y, last.x, last.y})
      words.push_back(static_cast<std::uint32_t>(one));
    add_connections(words, program, chip);
    SetRuntimeArgs(program, writer, kWorker, words);
  }
  run(programs);
  std::vector<std::uint16_t> expected;
  for (std::uint32_t i = 0; i < kTiles * kNumbers; ++i) {
    unsigned sum = 0;
    for (unsigned chip = 0; chip < kChips; ++chip) sum += number(chip, i);
    expected.push_back(bfloat(sum));
  }
  for (unsigned chip = 0; chip < kChips; ++chip) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const Bytes got = output->read_shard(chip, outputs[i]);
      EXPECT_EQ(std::memcmp(got.data(), expected.data() + i * kOut * kNumbers, kOut * kTile), 0)
          << "chip " << chip << ", core " << i;
    }
  }
}

// Columns of tiles become rows: chip i gets columns i of all chips, below each other.
TEST_F(PublishedExchange, AllToAll) {
  constexpr std::uint32_t kRows = 3, kColumns = 2, kBlocks = kRows * kColumns;  // per chip
  const InterleavedBufferConfig config{.size = std::uint64_t{kBlocks} * kChips * kTile,
                                       .page_size = kTile};
  const auto input = MeshBuffer::create(*mesh_, config),
             output = MeshBuffer::create(*mesh_, config);
  const std::uint32_t begun = mesh_->create_global_semaphore(kWorker, 0),
                      done = mesh_->create_global_semaphore(kWorker, 0);
  std::mt19937 random(5);
  std::vector<Bytes> given;
  for (unsigned chip = 0; chip < kChips; ++chip) {
    Bytes bytes(config.size);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
    input->write(chip, bytes);
    output->write(chip, Bytes(config.size, 0xEE));
    given.push_back(bytes);
  }
  const std::string kernels = kOperations + "all_to_all_async_generic/device/kernels/all_to_all_";
  const auto x = static_cast<std::uint32_t>(at(kWorker).x),
             y = static_cast<std::uint32_t>(at(kWorker).y);
  std::vector<Program> programs(kChips);
  for (unsigned chip = 0; chip < kChips; ++chip) {
    Program& program = programs[chip];
    buffer(program, kWorker, 0, 4, kTile);
    buffer(program, kWorker, 4, 8, kHeader);
    Words args{0, kTile, chip,   kChips, kColumns * kChips, 1, kColumns * kChips, 2,
               0, 0,     kChips, kBlocks};
    TensorAccessorArgs(*input).append_to(args);
    const auto reader = CreateKernel(program, kernels + "sender_reader.cpp", kWorker,
                                     ReaderDataMovementConfig(args));
    Words words{static_cast<std::uint32_t>(input->address()), 0};
    Words ways;
    for (unsigned other = 0; other < kChips; ++other) ways.push_back(other - chip);
    words.insert(words.end(), ways.begin(), ways.end());
    SetRuntimeArgs(program, reader, kWorker, words);
    args = {0, chip, kChips, kRows * kChips, kColumns, 2, 0, kTile, 4, kChips, kBlocks, 1};
    TensorAccessorArgs(*output).append_to(args);
    WriterDataMovementConfig writes(args);
    writes.defines["TOPOLOGY"] = "LINEAR";
    const auto writer = CreateKernel(program, kernels + "sender_writer.cpp", kWorker, writes);
    words = {static_cast<std::uint32_t>(output->address()), begun, done, 0, 0, x, y, x, y, 1, x, y};
    words.insert(words.end(), ways.begin(), ways.end());
    add_connections(words, program, chip);
    SetRuntimeArgs(program, writer, kWorker, words);
  }
  run(programs);
  for (unsigned chip = 0; chip < kChips; ++chip) {
    Bytes expected;
    for (const Bytes& from : given) {
      for (std::uint32_t row = 0; row < kRows; ++row) {
        const auto tile = from.begin() + (row * kColumns * kChips + chip * kColumns) * kTile;
        expected.insert(expected.end(), tile, tile + kColumns * kTile);
      }
    }
    EXPECT_TRUE(output->read(chip) == expected) << "chip " << chip;
  }
}

}  // namespace
}  // namespace tvp::runtime::published_exchange_test
