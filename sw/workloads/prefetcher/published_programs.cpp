#include "sw/workloads/prefetcher/published_programs.h"

#include <algorithm>
#include <cstdlib>

#include "sw/runtime/errors.h"

namespace tvp::workloads::prefetcher {

using namespace tvp::runtime;

namespace {

const std::string kPrefetcher = "ttnn/cpp/ttnn/operations/prefetcher/prefetcher/device/kernels/";
const std::string kMatmul = "ttnn/cpp/ttnn/operations/matmul/device/kernels/";

constexpr std::uint32_t kTile = 2048;  // bfloat16
constexpr std::uint32_t kFp32Tile = 4096;
constexpr std::uint32_t kWorkerCore = 1;
constexpr std::uint32_t kHopCore = 2;
constexpr std::uint8_t kRemote = 31;

// Circular buffers with the numbers of the host code.
enum SenderBuffer : std::uint8_t { kReaderBlocks = 0, kAddressTable = 1, kSync = 3 };
enum MatmulBuffer : std::uint8_t {
  kOwnShard,
  kWeightTiles,
  kOtherShards,
  kWeightsFree,
  kWeightsThere,
  kResult,
  kInterim,
};

void add_buffer(Program& program, const CoreRangeSet& cores, std::uint8_t index, DataFormat format,
                std::uint32_t page, std::uint32_t pages, const MeshBuffer* memory = nullptr,
                std::uint32_t offset = 0) {
  CircularBufferConfig cb(page * pages, {{index, format}});
  cb.set_page_size(index, page);
  if (memory != nullptr) cb.set_globally_allocated_address(*memory, offset);
  CreateCircularBuffer(program, cores, cb);
}

DataMovementConfig mover(DataMovementProcessor processor, NOC noc,
                         std::vector<std::uint32_t> compile_args) {
  DataMovementConfig config;
  config.processor = processor;
  config.noc = noc;
  config.compile_args = std::move(compile_args);
  return config;
}

}  // namespace

void PublishedPrograms::check(const Options& options) {
  if (const char* home = std::getenv("TT_METAL_HOME"); home == nullptr || *home == 0)
    bad_use("prefetcher.kernels",
            "published without TT_METAL_HOME, which names a tree of tt-metal");
  if (options.direct || options.write_ids || options.stream_credits || options.compact ||
      options.pausable || options.local_pops || options.places != 3 || options.bias ||
      options.function != 0 || options.rows != 32)
    bad_use("prefetcher.kernels",
            "published has no direct feed, write_ids, stream_credits, compact, pause, local_pops, "
            "bias, "
            "function, places other than 3 or rows other than 32");
}

Program PublishedPrograms::sender_program() const {
  Program program = CreateProgram();
  const std::uint32_t receivers = plan_.ring().receivers;
  std::uint32_t most_tiles = 0, largest_tile = 0;
  for (const Part& part : plan_.parts()) {
    most_tiles = std::max(most_tiles, part.block_rows * part.width * receivers);
    largest_tile = std::max(largest_tile, part.tile_bytes);
  }
  const std::uint32_t block = most_tiles * largest_tile;
  if (3 * block > buffer_->size())
    bad_use("prefetcher.depth", "three blocks of " + std::to_string(block) +
                                    " bytes do not fit into the global circular buffer of " +
                                    std::to_string(buffer_->size()));
  const auto tensors = static_cast<std::uint32_t>(plan_.parts().size());
  add_buffer(program, sender_cores_, kReaderBlocks, DataFormat::Float16_b, largest_tile,
             3 * most_tiles, &buffer_->cb_buffer());
  add_buffer(program, sender_cores_, kAddressTable, DataFormat::UInt32, 4,
             options_.layers * tensors, addresses_.get());
  add_buffer(program, sender_cores_, kSync, DataFormat::Float16_b, 16, 1);
  CircularBufferConfig remote(buffer_->size());
  remote.remote_index(kRemote).set_page_size(16);
  experimental::CreateCircularBuffer(program, sender_cores_, remote, *buffer_);

  const std::uint32_t skips = options_.performance_mode;
  const KernelHandle reader =
      CreateKernel(program, kPrefetcher + "reader_dram.cpp", sender_cores_,
                   mover(DataMovementProcessor::RISCV_1, NOC::NOC_0,
                         {options_.layers, tensors, plan_.ring().cores(), 3 * block, most_tiles,
                          block, kReaderBlocks, kAddressTable, kSync, skips}));
  const KernelHandle writer =
      CreateKernel(program, kPrefetcher + "writer_l1.cpp", sender_cores_,
                   mover(DataMovementProcessor::RISCV_0, options_.write_noc,
                         {options_.layers, tensors, plan_.ring().cores(), receivers, most_tiles,
                          kReaderBlocks, kRemote, kSync, skips}));
  const auto of_all = [&](std::vector<std::uint32_t>& args, auto get) {
    for (const Part& part : plan_.parts()) args.push_back(get(part));
  };
  const auto block_tiles = [&](const Part& p) { return p.block_rows * p.width * receivers; };
  for (const Sender& sender : senders_) {
    std::vector<std::uint32_t> reads{sender.bank, sender.channel, 3};
    of_all(reads, [](const Part& p) { return p.page_bytes; });
    of_all(reads, [](const Part& p) { return p.pages; });
    of_all(reads, block_tiles);
    SetRuntimeArgs(program, reader, sender.core, reads);
    std::vector<std::uint32_t> writes;
    of_all(writes, [](const Part& p) { return p.packet_bytes; });
    of_all(writes, [](const Part& p) { return p.packets; });
    of_all(writes, block_tiles);
    of_all(writes, [](const Part& p) { return p.tile_bytes; });
    of_all(writes, [](const Part& p) { return p.block_rows; });
    SetRuntimeArgs(program, writer, sender.core, writes);
  }
  return program;
}

std::uint32_t PublishedPrograms::first_output_tile(std::uint32_t layer, std::uint32_t part) const {
  std::uint32_t tile = layer * plan_.output_tiles();
  for (std::uint32_t p = 0; p < part; ++p) tile += plan_.parts()[p].width;
  return tile;
}

void PublishedPrograms::add_multiplication_buffers(Program& program, std::uint32_t layer,
                                                   std::uint32_t p) const {
  const Part& part = plan_.parts()[p];
  const CoreRangeSet& cores = receiver_cores_;
  add_buffer(program, cores, kOwnShard, DataFormat::Float16_b, kTile, part.block_rows,
             activation_.get());
  // Local pages over the remote ones, which are whole blocks.
  const std::uint32_t block = part.block_bytes();
  CircularBufferConfig weights(buffer_->size() / block * block);
  weights.remote_index(kRemote).set_page_size(block).set_data_format(part.format);
  weights.index(kWeightTiles).set_page_size(part.tile_bytes).set_data_format(part.format);
  experimental::CreateCircularBuffer(program, cores, weights, *buffer_);
  add_buffer(program, activation_cores_, kOtherShards, DataFormat::Float16_b, kTile,
             (plan_.ring().cores() - 1) * part.block_rows);
  add_buffer(program, cores, kWeightsFree, DataFormat::UInt16, 16, 1);
  add_buffer(program, cores, kWeightsThere, DataFormat::UInt16, 16, 1);
  add_buffer(program, cores, kInterim, DataFormat::Float32, kFp32Tile, part.width);
  add_buffer(program, cores, kResult, DataFormat::Float16_b, kTile, part.width, outputs_.get(),
             first_output_tile(layer, p) * kTile);
}

Program PublishedPrograms::multiplication(std::uint32_t layer, std::uint32_t p) const {
  Program program = CreateProgram();
  const Part& part = plan_.parts()[p];
  const CoreRangeSet& cores = receiver_cores_;
  const std::uint32_t ring = plan_.ring().cores();
  const std::uint32_t block_tiles = part.block_rows * part.width;
  add_multiplication_buffers(program, layer, p);
  const std::uint32_t semaphore = CreateSemaphore(program, activation_cores_, 0);

  const KernelHandle activation =
      CreateKernel(program, kMatmul + "dataflow/reader_bmm_tile_layout_in0_ring_all_gather.cpp",
                   activation_cores_,
                   mover(DataMovementProcessor::RISCV_1, NOC::NOC_1,
                         {part.block_rows, 1, 1, ring, semaphore, kOwnShard, kOtherShards}));
  std::vector<std::uint32_t> args{
      0, 0, part.block_rows, part.width,   part.width * ring, ring,    1, 0, 0,
      0, 0, kWeightTiles,    kWeightsFree, kWeightsThere,     kRemote, 0};
  TensorAccessorArgs::create_dram_interleaved().append_to(args);
  DataMovementConfig waits = mover(DataMovementProcessor::RISCV_0, NOC::NOC_0, args);
  waits.defines["ENABLE_GLOBAL_CB"] = "1";
  const KernelHandle weights = CreateKernel(
      program, kMatmul + "dataflow/reader_bmm_tile_layout_in1_ring_all_gather.cpp", cores, waits);
  ComputeConfig computes;
  computes.math_fidelity = options_.fidelity;
  computes.fp32_dest_acc_en = true;
  computes.defines = {{"ENABLE_GLOBAL_CB", "1"}, {"FP32_DEST_ACC_EN", "1"}};
  computes.compile_args = {part.block_rows,
                           1,
                           part.block_rows,
                           part.block_rows,
                           1,
                           block_tiles,
                           part.block_bytes(),
                           plan_.core_bytes(part),
                           part.width,
                           ring,
                           1,
                           part.width,
                           part.width,
                           1,
                           part.width,
                           0,
                           0,
                           0,
                           kOwnShard,
                           kWeightTiles,
                           kOtherShards,
                           kWeightsFree,
                           kWeightsThere};
  computes.compile_args.push_back(static_cast<std::uint32_t>(computes.compile_args.size()) + 1);
  computes.compile_args.insert(computes.compile_args.end(), {kResult, kInterim});
  const KernelHandle compute = CreateKernel(
      program, kMatmul + "compute/bmm_large_block_zm_fused_bias_activation_gathered.cpp", cores,
      computes);
  add_multiplication_args(program, activation, weights, compute, p);
  return program;
}

void PublishedPrograms::add_multiplication_args(Program& program, KernelHandle activation,
                                                KernelHandle weights, KernelHandle compute,
                                                std::uint32_t p) const {
  const auto count = static_cast<std::uint32_t>(ring_.size());
  const std::vector<std::uint32_t> widths(count, plan_.parts()[p].block_rows);
  const auto with_widths = [&](std::vector<std::uint32_t> args) {
    args.insert(args.end(), widths.begin(), widths.end());
    return args;
  };
  for (std::uint32_t place = 0; place < count; ++place) {
    const CoreCoord core = ring_[place].core;
    const CoreCoord next = stop_behind(place, 0);
    SetRuntimeArgs(program, activation, core,
                   with_widths({kWorkerCore, place, next.x, next.y, 1, 0}));
    const std::vector<CoreCoord>& hops = hops_.behind(place);
    for (std::uint32_t hop = 0; hop < hops.size(); ++hop) {
      const CoreCoord behind = stop_behind(place, hop + 1);
      SetRuntimeArgs(program, activation, hops[hop],
                     with_widths({kHopCore, place, behind.x, behind.y, 1, hop + 1 == hops.size()}));
    }
    SetRuntimeArgs(program, weights, core, {kWorkerCore, 0, place});
    SetRuntimeArgs(program, compute, core, with_widths({kWorkerCore, place}));
  }
}

}  // namespace tvp::workloads::prefetcher
