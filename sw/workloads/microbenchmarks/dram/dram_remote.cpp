#include "sw/workloads/microbenchmarks/dram/dram_remote.h"

#include <algorithm>
#include <cstdlib>

#include "sw/runtime/errors.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;

namespace {

constexpr std::uint32_t kSide = 32;
constexpr std::uint32_t kBlockPlaces = 3;  ///< blocks in the sender's circular buffer
constexpr std::uint8_t kBlocksIndex = 0;
constexpr std::uint8_t kRemoteIndex = 31;

/// Bytes of the largest packet of whole tiles that divides `tiles`.
std::uint32_t packet_of(std::uint32_t tiles, std::uint32_t tile_bytes) {
  std::uint32_t count = std::min(tiles, kLargest / tile_bytes);
  while (tiles % count != 0) --count;
  return count * tile_bytes;
}

std::string path_of(bool published, const std::string& name) {
  const std::string folder = "tests/tt_metal/tt_metal/perf_microbenchmark/";
  if (!published) return "firmware/kernels/microbenchmarks/remote_" + name + ".cpp";
  if (name == "receiver") return folder + "10_dram_read_remote_cb_sync/kernels/receiver_l1.cpp";
  return folder + "common/kernels/" + (name == "reader" ? "reader_dram" : "writer_l1") + ".cpp";
}

}  // namespace

DramRemote::Layer DramRemote::layer(std::uint32_t index) const {
  const bool other = index % 2 != 0;
  Layer layer;
  layer.format = (config_.format == "bfp8") != other ? DataFormat::Bfp8_b : DataFormat::Float16_b;
  layer.tile_bytes = Tile{}.bytes(layer.format);
  layer.blocks = config_.blocks * (other ? 2 : 1);
  layer.block_rows = config_.rows / kSide / layer.blocks;
  const std::uint32_t columns = config_.columns / kSide;
  layer.block_tiles = layer.block_rows * columns;
  layer.page_bytes = packet_of(layer.block_tiles, layer.tile_bytes);
  layer.pages = layer.block_bytes() / layer.page_bytes;
  const std::uint32_t of_receiver = columns / config_.receivers;
  layer.packet_bytes = packet_of(of_receiver, layer.tile_bytes);
  layer.packets = of_receiver * layer.tile_bytes / layer.packet_bytes;
  return layer;
}

std::vector<DramRemote::Layer> DramRemote::layers() const {
  std::vector<Layer> all;
  for (std::uint32_t i = 0; i < config_.layers; ++i) all.push_back(layer(i));
  return all;
}

std::uint32_t DramRemote::capacity() const {
  return layer(0).block_bytes() * config_.depth / config_.receivers + config_.padding;
}

void DramRemote::check() const {
  const std::uint32_t most_blocks = config_.blocks * (config_.layers > 1 ? 2 : 1);
  if (config_.rows % (kSide * most_blocks) != 0)
    bad_use("dram_remote.rows", config_.rows.text() + " are not " + std::to_string(most_blocks) +
                                    " blocks of whole tiles of 32");
  if (config_.columns % (kSide * config_.receivers) != 0)
    bad_use("dram_remote.columns", config_.columns.text() + " are not a multiple of a tile of 32 " +
                                       "for each of " + config_.receivers.text() + " receivers");
  if (config_.padding % 16 != 0)
    bad_use("dram_remote.padding", config_.padding.text() + "; expected a multiple of 16");
  if (config_.layers > 1 && layer(1).block_bytes() / config_.receivers > capacity())
    bad_use("dram_remote.depth",
            config_.depth.text() + "; the second layer's blocks are larger than the buffer");
  if (config_.kernels != "published") return;
  if (const char* home = std::getenv("TT_METAL_HOME"); home == nullptr || *home == 0)
    bad_use("dram_remote.kernels",
            "published without TT_METAL_HOME, which names a tree of tt-metal");
}

Program DramRemote::make_program(MeshDevice& mesh, const prefetcher::Sender& sender,
                                 const GlobalCircularBuffer& buffer, std::uint32_t tensor) const {
  const bool published = config_.kernels == "published";
  const Layer first = layer(0);
  Program program = CreateProgram();
  CircularBufferConfig blocks(
      kBlockPlaces * first.block_tiles * Tile{}.bytes(DataFormat::Float16_b),
      {{kBlocksIndex, DataFormat::Float16_b}});
  blocks.set_page_size(kBlocksIndex, Tile{}.bytes(DataFormat::Float16_b));
  CreateCircularBuffer(program, buffer.sender_cores(), blocks);
  CircularBufferConfig remote(buffer.size());
  remote.remote_index(kRemoteIndex).set_page_size(16).set_data_format(first.format);
  experimental::CreateCircularBuffer(program, buffer.all_cores(), remote, buffer);

  // Reads and writes share NoC 0. Acknowledgements use NoC 1.
  DataMovementConfig reads;
  reads.processor = DataMovementProcessor::RISCV_0;
  reads.noc = NOC::NOC_0;
  reads.noc_mode = NOC_MODE::DM_DYNAMIC_NOC;
  reads.compile_args = {tensor, 0, 0, config_.layers};
  DataMovementConfig writes = reads;
  writes.processor = DataMovementProcessor::RISCV_1;
  writes.noc = NOC::NOC_1;
  writes.compile_args = {0, config_.receivers, config_.layers, kRemoteIndex};
  DataMovementConfig takes;
  takes.processor = DataMovementProcessor::RISCV_1;
  takes.noc = NOC::NOC_1;
  takes.compile_args = {config_.layers, kRemoteIndex};
  const std::vector<KernelHandle> kernels = {
      CreateKernel(program, path_of(published, "reader"), buffer.sender_cores(), reads),
      CreateKernel(program, path_of(published, "writer"), buffer.sender_cores(), writes),
      CreateKernel(program, path_of(published, "receiver"), buffer.receiver_cores(), takes)};
  std::vector<std::uint32_t> coordinates;
  for (const CoreCoord core : sender.receivers)
    coordinates.push_back(mesh.device(0).worker_core_from_logical_core(core).x);
  for (const CoreCoord core : sender.receivers)
    coordinates.push_back(mesh.device(0).worker_core_from_logical_core(core).y);
  const auto with_layers = [&](std::vector<std::uint32_t> args,
                               const std::vector<std::uint32_t Layer::*>& fields) {
    for (const auto field : fields)
      for (const Layer& l : layers()) args.push_back(l.*field);
    return args;
  };
  SetRuntimeArgs(program, kernels[0], sender.core,
                 with_layers({sender.bank, 0}, {&Layer::page_bytes, &Layer::pages, &Layer::blocks,
                                                &Layer::block_tiles}));
  SetRuntimeArgs(
      program, kernels[1], sender.core,
      with_layers(coordinates, {&Layer::packet_bytes, &Layer::packets, &Layer::blocks,
                                &Layer::block_tiles, &Layer::tile_bytes, &Layer::block_rows}));
  const CoreCoord from = mesh.device(0).worker_core_from_logical_core(sender.core);
  for (std::uint32_t i = 0; i < config_.receivers; ++i) {
    std::vector<std::uint32_t> args =
        with_layers({i & 3U, from.x, from.y, i}, {&Layer::tile_bytes, &Layer::blocks});
    for (const Layer& l : layers()) args.push_back(l.block_tiles / config_.receivers);
    SetRuntimeArgs(program, kernels[2], sender.receivers[i], args);
  }
  return program;
}

void DramRemote::compare(MeshDevice& mesh, const prefetcher::Sender& sender,
                         const GlobalCircularBuffer& buffer, const Bytes& content,
                         Result& result) const {
  // Start of the last layer. Each layer starts at a multiple of its blocks.
  std::uint64_t of_layer = 0;
  std::uint32_t at = 0, part = 0, limit = 0;
  const std::vector<Layer> all = layers();
  for (std::size_t i = 0; i < all.size(); ++i) {
    part = all[i].block_bytes() / config_.receivers;
    limit = buffer.size() / part * part;
    at = (at + part - 1) / part * part % limit;
    if (i + 1 == all.size()) break;
    of_layer += all[i].bytes();
    at = (at + part * (all[i].blocks % (limit / part))) % limit;
  }
  const Layer& last = all.back();
  const std::uint32_t kept = std::min(last.blocks, limit / part);
  const std::uint32_t row = part / last.block_rows;
  for (std::uint32_t r = 0; r < config_.receivers; ++r) {
    Bytes found(buffer.size());
    mesh.device(0).read_l1(sender.receivers[r], buffer.buffer_address(), found.data(),
                           found.size());
    for (std::uint32_t block = last.blocks - kept; block < last.blocks; ++block) {
      const std::uint32_t begin = (at + block % (limit / part) * part) % limit;
      for (std::uint32_t h = 0; h < last.block_rows; ++h) {
        const auto expected =
            content.begin() +
            static_cast<std::ptrdiff_t>(of_layer + std::uint64_t{block} * last.block_bytes() +
                                        (std::uint64_t{h} * config_.receivers + r) * row);
        const auto from = found.begin() + begin + h * row;
        if (std::equal(from, from + row, expected)) continue;
        const Device& device = mesh.device(0);
        const CoreId core = device.worker(sender.receivers[r]);
        fail(result, "core " + core.logical.str() + " did not get row " + std::to_string(h) +
                         " of block " + std::to_string(block) + " of the last layer\n" +
                         mesh.library().origin(device.chip(), core.noc0.x, core.noc0.y,
                                               buffer.buffer_address() + begin + h * row));
        return;
      }
    }
  }
}

void DramRemote::run_on(MeshDevice& mesh, std::uint64_t seed, Result& result) {
  const prefetcher::Sender sender =
      prefetcher::place("dram_remote", mesh.device(0).layout(), 1, config_.receivers, 0)[0];
  std::uint64_t bytes = 0;
  for (const Layer& l : layers()) bytes += l.bytes();
  // One page, so that all of it is in bank 0.
  const auto tensor = MeshBuffer::create(
      mesh,
      InterleavedBufferConfig{.size = bytes, .page_size = bytes, .buffer_type = BufferType::DRAM});
  const Bytes content = random_bytes(seed, bytes);
  tensor->write(0, content);
  const GlobalCircularBuffer buffer(mesh, {{sender.core, CoreRangeSet(sender.receivers)}},
                                    capacity());
  mesh.run(0, make_program(mesh, sender, buffer, static_cast<std::uint32_t>(tensor->address())));
  compare(mesh, sender, buffer, content, result);
  std::uint64_t go = ~std::uint64_t{0}, done = 0;
  for (const CoreCoord core : buffer.all_cores().cores()) {
    const contract::RunTimes times = mesh.run_times(0, mesh.device(0).worker(core));
    go = std::min<std::uint64_t>(go, times.go);
    done = std::max<std::uint64_t>(done, times.done);
  }
  result.metrics.push_back(
      {"rate", static_cast<double>(bytes) / static_cast<double>(done - go), "bytes/cycle"});
}

}  // namespace tvp::workloads::microbenchmarks
