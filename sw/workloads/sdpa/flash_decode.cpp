#include "sw/workloads/sdpa/flash_decode.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "sw/runtime/host_api.h"
#include "sw/runtime/reads_times.h"
#include "sw/runtime/tilize_utils.h"
#include "sw/workloads/sdpa/bf16.h"
#include "sw/workloads/sdpa/tiles.h"

namespace tvp::workloads::sdpa {

namespace kernel = kernels::sdpa;
using runtime::CoreCoord;
using runtime::CoreRangeSet;
using runtime::DataFormat;

namespace {

/// Writes rows [first, first + rows) of a matrix to tiles of 32 x 32 from `to` on, row by row.
void put_tiles(const std::vector<double>& matrix, std::size_t columns, std::size_t first,
               std::size_t rows, std::uint8_t* to) {
  const runtime::TiledShape tiles{
      {static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(columns)}};
  for (std::uint32_t r = 0; r < rows; ++r) {
    for (std::uint32_t c = 0; c < columns; ++c) {
      const std::size_t datum = tiles.position(runtime::TensorLayoutType::TILED_NFACES, r, c);
      const std::uint16_t bits = to_bf16(static_cast<float>(matrix[(first + r) * columns + c]));
      std::memcpy(to + 2 * datum, &bits, 2);
    }
  }
}

}  // namespace

FlashDecode::FlashDecode(runtime::MeshDevice& mesh, Shape shape, std::size_t sequence,
                         Buffer partials, std::vector<CoreCoord> cores)
    : mesh_(mesh),
      shape_(shape),
      sequence_(sequence),
      partials_(std::move(partials)),
      cores_(std::move(cores)),
      queries_(tensor(1)),
      keys_(tensor(key_tiles())),
      values_(tensor(key_tiles())),
      ones_(runtime::MeshBuffer::create(
          mesh, {.cores = CoreRangeSet(cores_), .shard_bytes = kTileBytes})),
      stamps_(runtime::MeshBuffer::create(
          mesh, {.cores = CoreRangeSet(cores_), .shard_bytes = 4 * kernel::kDecodeStamps})),
      query_bytes_(queries_->size()),
      key_bytes_(shape.devices, Bytes(keys_->size())),
      value_bytes_(shape.devices, Bytes(values_->size())) {}

FlashDecode::Buffer FlashDecode::tensor(std::size_t rows_of_tiles) {
  const std::uint64_t tiles = shape_.workers * rows_of_tiles * numerator_tiles(shape_);
  const runtime::InterleavedBufferConfig config{.size = tiles * kTileBytes,
                                                .page_size = kTileBytes,
                                                .buffer_type = runtime::BufferType::DRAM};
  return runtime::MeshBuffer::create(mesh_, config);
}

void FlashDecode::take(std::size_t worker, const AttentionInputs& inputs) {
  const std::size_t columns = shape_.head_dim;
  const std::size_t keys = sequence_ / shape_.devices;
  put_tiles(inputs.queries, columns, 0, kRows,
            query_bytes_.data() + worker * numerator_tiles(shape_) * kTileBytes);
  for (std::size_t device = 0; device < shape_.devices; ++device) {
    const std::size_t at = worker * keys * columns * 2;
    put_tiles(inputs.keys, columns, device * keys, keys, key_bytes_[device].data() + at);
    put_tiles(inputs.values, columns, device * keys, keys, value_bytes_[device].data() + at);
  }
}

void FlashDecode::add_buffer(runtime::Program& program, unsigned id, DataFormat format,
                             std::size_t tiles) const {
  const auto index = static_cast<std::uint8_t>(id);
  const std::uint32_t page = runtime::Tile{}.bytes(format);
  runtime::CircularBufferConfig config(static_cast<std::uint32_t>(tiles) * page, {{index, format}});
  runtime::CreateCircularBuffer(program, CoreRangeSet(cores_), config.set_page_size(index, page));
}

void FlashDecode::add_ones(runtime::Program& program) {
  Bytes ones(kTileBytes);
  const std::uint16_t one = to_bf16(1);
  for (std::size_t face = 0; face < 4; ++face)
    for (std::size_t column = 0; column < 16; ++column)
      std::memcpy(ones.data() + 2 * (face * 256 + column), &one, 2);
  for (unsigned device = 0; device < shape_.devices; ++device)
    for (const CoreCoord core : cores_) ones_->write_shard(device, core, ones);
  constexpr auto kIndex = static_cast<std::uint8_t>(kernel::kOnes);
  runtime::CircularBufferConfig config(kTileBytes, {{kIndex, DataFormat::Float16_b}});
  config.set_page_size(kIndex, kTileBytes);
  config.set_globally_allocated_address(*ones_);
  runtime::CreateCircularBuffer(program, CoreRangeSet(cores_), config);
}

runtime::Program FlashDecode::program() {
  runtime::Program program;
  const std::size_t head = numerator_tiles(shape_);
  const std::size_t chunk = kernel::chunk_rows(static_cast<std::uint32_t>(head));
  constexpr DataFormat kBf16 = DataFormat::Float16_b;
  add_buffer(program, kernel::kQueries, kBf16, head);
  add_buffer(program, kernel::kKeys, kBf16, chunk * head);
  add_buffer(program, kernel::kValues, kBf16, chunk * head);
  add_ones(program);
  add_buffer(program, kernel::kScores, DataFormat::Float32, chunk);
  add_buffer(program, kernel::kWeights, kBf16, chunk);
  add_buffer(program, kernel::kTotalNumerator, kBf16, kernel::kTotals * head);
  add_buffer(program, kernel::kTotalSum, kBf16, kernel::kTotals);
  add_buffer(program, kernel::kTotalMax, kBf16, kernel::kTotals);
  add_buffer(program, kernel::kChunkNumerator, kBf16, head);
  add_buffer(program, kernel::kChunkSum, kBf16, 1);
  add_buffer(program, kernel::kChunkMax, kBf16, 1);
  add_buffer(program, kernel::kTotalDone, kBf16, 1);
  add_buffer(program, kernel::kScaleA, DataFormat::Float32, 1);
  add_buffer(program, kernel::kScaleB, DataFormat::Float32, 1);

  const CoreRangeSet cores(cores_);
  std::vector<std::uint32_t> args(kernel::kDecodeCompileArgs);
  args[kernel::kDecodeHeadTiles] = static_cast<std::uint32_t>(head);
  args[kernel::kDecodeKeyTiles] = static_cast<std::uint32_t>(key_tiles());
  args[kernel::kDecodeScale] =
      std::bit_cast<std::uint32_t>(1.0F / std::sqrt(static_cast<float>(shape_.head_dim)));
  runtime::ComputeConfig compute;
  compute.fp32_dest_acc_en = true;
  compute.compile_args = args;
  runtime::CreateKernel(program, "firmware/kernels/sdpa/decode_compute.cpp", cores, compute);
  runtime::TensorAccessorArgs(*keys_).append_to(args);  // all tensors have one layout
  const auto reader = runtime::CreateKernel(program, "firmware/kernels/sdpa/decode_reader.cpp",
                                            cores, runtime::ReaderDataMovementConfig(args));
  const auto writer = runtime::CreateKernel(program, "firmware/kernels/sdpa/decode_writer.cpp",
                                            cores, runtime::WriterDataMovementConfig(args));
  for (std::uint32_t worker = 0; worker < cores_.size(); ++worker) {
    std::vector<std::uint32_t> read(kernel::kDecodeReaderArgs);
    read[kernel::kDecodeReaderStamps] = stamps_->address();
    read[kernel::kDecodeWorker] = worker;
    read[kernel::kDecodeQueries] = queries_->address();
    read[kernel::kDecodeKeys] = keys_->address();
    runtime::SetRuntimeArgs(program, reader, CoreRangeSet(cores_[worker]), read);
    std::vector<std::uint32_t> write(kernel::kDecodeWriterArgs);
    write[kernel::kDecodeWriterStamps] = stamps_->address();
    write[kernel::kDecodeWriterWorker] = worker;
    write[kernel::kDecodeValues] = values_->address();
    write[kernel::kDecodePartial] = partials_->address();
    runtime::SetRuntimeArgs(program, writer, CoreRangeSet(cores_[worker]), write);
  }
  return program;
}

void FlashDecode::run() {
  std::vector<runtime::Program> programs;
  for (unsigned device = 0; device < shape_.devices; ++device) {
    queries_->write(device, query_bytes_);
    keys_->write(device, key_bytes_[device]);
    values_->write(device, value_bytes_[device]);
    programs.push_back(program());
  }
  mesh_.enqueue_all(programs);
  mesh_.finish();
}

void FlashDecode::report(Result& result) {
  using Stamps = std::array<std::uint32_t, kernel::kDecodeStamps>;
  const runtime::ReadsTimes times(mesh_.library());
  Stamps first;
  Stamps last{};
  first.fill(~0U);
  double longest = 0;
  for (unsigned device = 0; device < shape_.devices; ++device) {
    for (std::size_t worker = 0; worker < cores_.size(); ++worker) {
      Stamps stamps;
      const Bytes bytes = stamps_->read_shard(device, cores_[worker]);
      std::memcpy(stamps.data(), bytes.data(), bytes.size());
      for (unsigned i = 0; i < stamps.size(); ++i) {
        first[i] = std::min(first[i], stamps[i]);
        last[i] = std::max(last[i], stamps[i]);
      }
      const double took = stamps[kernel::kDecodeWritten] - stamps[kernel::kDecodeStarted];
      longest = std::max(longest, took);
      const std::string row =
          "device" + std::to_string(device) + ".worker" + std::to_string(worker);
      const auto span = [&](const char* name, unsigned begin, unsigned end) {
        mesh_.library().span(row + "." + name, name, stamps[begin], stamps[end]);
        result.timeline.push_back(
            {row, name, static_cast<double>(stamps[begin]), static_cast<double>(stamps[end])});
      };
      span("attention", kernel::kDecodeStarted, kernel::kDecodeComputed);
      span("partial_copy", kernel::kDecodeComputed, kernel::kDecodeWritten);
    }
  }
  const auto phase = [&](const char* name, unsigned begin, unsigned end) {
    result.phases.push_back(
        {name, static_cast<double>(first[begin]), static_cast<double>(last[end])});
  };
  phase("read keys", kernel::kDecodeStarted, kernel::kDecodeKeysRead);
  phase("read values", kernel::kDecodeStarted, kernel::kDecodeValuesRead);
  phase("attention", kernel::kDecodeStarted, kernel::kDecodeComputed);
  phase("copy of partials", kernel::kDecodeComputed, kernel::kDecodeWritten);
  const double bytes = static_cast<double>(queries_->size() + keys_->size() + values_->size());
  const double reading = std::max(last[kernel::kDecodeKeysRead], last[kernel::kDecodeValuesRead]) -
                         first[kernel::kDecodeStarted];
  result.metrics.push_back({"decode, longest", longest, "ns"});
  result.metrics.push_back({"decode, DRAM of a device", bytes / reading, "GB/s"});
}

}  // namespace tvp::workloads::sdpa
