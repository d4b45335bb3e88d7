#include "sw/workloads/microbenchmarks/dram/dram_relay.h"

#include <algorithm>

#include "sw/runtime/errors.h"
#include "sw/workloads/microbenchmarks/measurement.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;

namespace {

constexpr std::uint32_t kTile = 32;
constexpr std::uint32_t kPlaces = 3;  ///< blocks in the circular buffer
constexpr std::uint32_t kReceivers = 2;

}  // namespace

std::uint32_t DramRelay::tile_bytes() const {
  const std::string& format = config_.format.value();
  return format == "bfp4" ? 576 : format == "bfp8" ? 1088 : 2048;
}

DramRelay::Shape DramRelay::shape_on(std::uint32_t banks) const {
  const std::uint32_t rows = config_.rows / kTile;
  if (config_.rows % kTile != 0 || rows % config_.blocks != 0)
    bad_use("dram_relay.rows", std::to_string(config_.rows.value()) + " are not " +
                                   std::to_string(config_.blocks.value()) +
                                   " blocks of whole tiles of 32");
  const std::uint32_t columns = config_.columns / kTile;
  if (config_.columns % kTile != 0 || columns % (kReceivers * banks) != 0)
    bad_use("dram_relay.columns", std::to_string(config_.columns.value()) +
                                      " are not a multiple of two tiles of 32 on each of " +
                                      std::to_string(banks) + " banks");
  Shape shape;
  shape.banks = banks;
  shape.block_rows = rows / config_.blocks;
  shape.half_row_bytes = columns / banks / kReceivers * tile_bytes();
  // Whole tiles, as many as a packet holds and half a row divides into.
  shape.page_bytes = kLargest / tile_bytes() * tile_bytes();
  while (shape.half_row_bytes % shape.page_bytes != 0) shape.page_bytes -= tile_bytes();
  return shape;
}

Program DramRelay::make_program(MeshDevice& mesh, const Shape& shape,
                                const std::vector<prefetcher::Sender>& senders,
                                std::uint32_t tensor, std::uint32_t target) const {
  std::vector<CoreCoord> cores;
  for (const prefetcher::Sender& sender : senders) cores.push_back(sender.core);
  Program program = CreateProgram();
  CircularBufferConfig buffer(kPlaces * shape.block_bytes(), {{0, DataFormat::Float16_b}});
  CreateCircularBuffer(program, CoreRangeSet(cores), buffer.set_page_size(0, shape.block_bytes()));

  // Both use NoC 0, whose data goes east to the neighbors.
  DataMovementConfig reads;
  reads.processor = DataMovementProcessor::RISCV_0;
  reads.noc = NOC::NOC_0;
  reads.noc_mode = NOC_MODE::DM_DYNAMIC_NOC;
  reads.compile_args = {tensor, config_.blocks, shape.pages(), shape.page_bytes, kPlaces};
  DataMovementConfig writes = reads;
  writes.processor = DataMovementProcessor::RISCV_1;
  writes.compile_args = {target, config_.blocks, shape.block_rows, shape.pages_of_half_row(),
                         shape.page_bytes};
  const KernelHandle reader = CreateKernel(
      program, "firmware/kernels/microbenchmarks/relay_reader.cpp", CoreRangeSet(cores), reads);
  const KernelHandle writer = CreateKernel(
      program, "firmware/kernels/microbenchmarks/relay_writer.cpp", CoreRangeSet(cores), writes);
  for (const prefetcher::Sender& sender : senders) {
    const std::uint32_t channel = sender.channel & 1U;
    const CoreCoord first = mesh.device(0).worker_core_from_logical_core(sender.receivers[0]);
    const CoreCoord second = mesh.device(0).worker_core_from_logical_core(sender.receivers[1]);
    SetRuntimeArgs(program, reader, sender.core, {sender.bank, channel});
    SetRuntimeArgs(program, writer, sender.core,
                   {channel + 2, first.x, first.y, second.x, second.y});
  }
  return program;
}

/// Compares the last block, of which each receiver has half of every row.
void DramRelay::compare(const Shape& shape, const std::vector<prefetcher::Sender>& senders,
                        MeshBuffer& received, const Bytes& content, Result& result) const {
  const std::uint32_t pages_of_bank = config_.blocks * shape.pages();
  for (const prefetcher::Sender& sender : senders) {
    for (std::uint32_t half = 0; half < kReceivers; ++half) {
      const Bytes bytes = received.read_shard(0, sender.receivers[half]);
      for (std::uint32_t page = 0; page < shape.pages() / kReceivers; ++page) {
        const std::uint32_t row = page / shape.pages_of_half_row();
        const std::uint32_t in_row = page % shape.pages_of_half_row();
        const std::size_t of_bank = pages_of_bank - shape.pages() +
                                    (row * kReceivers + half) * shape.pages_of_half_row() + in_row;
        const auto at = bytes.begin() + page * shape.page_bytes;
        const auto expected =
            content.begin() +
            static_cast<std::ptrdiff_t>((of_bank * shape.banks + sender.bank) * shape.page_bytes);
        if (std::equal(at, at + shape.page_bytes, expected)) continue;
        fail(result, "core " + sender.receivers[half].str() + " did not get what bank " +
                         std::to_string(sender.bank) + " holds" +
                         received.origin(0, sender.receivers[half], page * shape.page_bytes));
        return;
      }
    }
  }
}

void DramRelay::run_on(MeshDevice& mesh, std::uint64_t seed, Result& result) {
  const Shape shape = shape_on(mesh.dram_banks());
  const std::vector<prefetcher::Sender> senders =
      prefetcher::place("dram_relay", mesh.device(0).layout(), shape.banks, kReceivers, 0);
  std::vector<CoreCoord> receivers;
  for (const prefetcher::Sender& sender : senders)
    receivers.insert(receivers.end(), sender.receivers.begin(), sender.receivers.end());

  const std::uint64_t bytes =
      std::uint64_t{shape.banks} * config_.blocks * shape.pages() * shape.page_bytes;
  const auto tensor = MeshBuffer::create(
      mesh, InterleavedBufferConfig{
                .size = bytes, .page_size = shape.page_bytes, .buffer_type = BufferType::DRAM});
  const Bytes content = random_bytes(seed, bytes);
  tensor->write(0, content);
  const auto received =
      MeshBuffer::create(mesh, ShardedBufferConfig{.cores = CoreRangeSet(receivers),
                                                   .shard_bytes = shape.half_block_bytes()});

  mesh.run(0, make_program(mesh, shape, senders, static_cast<std::uint32_t>(tensor->address()),
                           static_cast<std::uint32_t>(received->address())));
  compare(shape, senders, *received, content, result);
  result.metrics.push_back(
      {"rate", static_cast<double>(bytes) / cycles_of_all_zones(mesh), "bytes/cycle"});
}

}  // namespace tvp::workloads::microbenchmarks
