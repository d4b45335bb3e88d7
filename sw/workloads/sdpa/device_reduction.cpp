#include "sw/workloads/sdpa/device_reduction.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "firmware/kernels/sdpa/exchange.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/fabric/fabric_mux.h"
#include "sw/runtime/host_api.h"
#include "sw/runtime/reads_times.h"
#include "sw/workloads/sdpa/tiles.h"

namespace tvp::workloads::sdpa {

namespace kernel = kernels::sdpa;
using runtime::CoreCoord;
using runtime::CoreRangeSet;
using runtime::DataFormat;

namespace {

constexpr runtime::Tile kTinyTile{8, 32};

std::uint32_t u32(std::size_t value) { return static_cast<std::uint32_t>(value); }

unsigned columns_of(runtime::MeshDevice& mesh) {
  unsigned columns = mesh.device(0).layout().grid_size().x;
  for (unsigned device = 1; device < mesh.num_devices(); ++device)
    columns = std::min(columns, mesh.device(device).layout().grid_size().x);
  return columns;
}

Shape checked(const runtime::MeshDevice& mesh, Shape shape) {
  const unsigned devices = mesh.num_devices();
  if (devices != shape.devices || !kernel::is_ring_size(devices))
    runtime::bad_use("sdpa", "a ring of " + std::to_string(devices) +
                                 " devices: expected 2, 4, 8, 16 or 32, and as many as the "
                                 "problem has");
  return shape;
}

}  // namespace

DeviceReduction::DeviceReduction(runtime::MeshDevice& mesh, Shape shape)
    : mesh_(mesh),
      columns_(columns_of(mesh)),
      shape_(checked(mesh, shape)),
      fabric_(mesh, links(), contract::fabric::kDefaultMaxPayloadBytes),
      mux_(contract::fabric::mux_layout(0, contract::fabric::kDefaultMaxPayloadBytes,
                                        kWorkersPerLink, kMuxSlots)) {
  const std::size_t partial = partial_bytes(shape_);
  const CoreRangeSet cores = shard_cores();
  input_ = sharded(cores, partial);
  round1_ = sharded(cores, partial);
  round2_ = sharded(cores, partial);
  result1_ = sharded(cores, partial);
  result2_ = sharded(cores, partial);
  factors_ = sharded(cores, 3 * 2 * kTileBytes);
  output_ = sharded(cores, numerator_tiles(shape_) * kTileBytes);
  stamps_ = sharded(cores, 4 * kernel::stamps_of(rounds()));
  mux_memory_ = sharded(mux_cores(), mux_.end());
  mux_.base = u32(mux_memory_->address());
  for (unsigned round = 1; round <= rounds(); ++round)
    semaphores_.push_back(runtime::CreateGlobalSemaphore(mesh_, cores, 0));
  if (rounds() < 3) return;
  later_first_ = sharded(cores, (rounds() - 2) * partial);
  later_second_ = sharded(cores, (rounds() - 2) * partial);
}

std::vector<CoreCoord> DeviceReduction::cores() const {
  std::vector<CoreCoord> cores;
  for (unsigned worker = 0; worker < shape_.workers; ++worker) cores.push_back(shard_core(worker));
  return cores;
}
CoreRangeSet DeviceReduction::shard_cores() const { return CoreRangeSet(cores()); }
CoreRangeSet DeviceReduction::mux_cores() const {
  std::vector<CoreCoord> cores;
  for (unsigned direction = 0; direction < directions(); ++direction)
    for (unsigned link = 0; link < links(); ++link) cores.push_back(mux_core(direction, link));
  return CoreRangeSet(cores);
}
DeviceReduction::Buffer DeviceReduction::sharded(const CoreRangeSet& cores, std::size_t bytes) {
  return runtime::MeshBuffer::create(mesh_, {.cores = cores, .shard_bytes = u32(bytes)});
}

void DeviceReduction::load(const Partials& partials) {
  for (unsigned device = 0; device < devices(); ++device)
    for (unsigned worker = 0; worker < shape_.workers; ++worker)
      input_->write_shard(device, shard_core(worker), partial_tiles(partials, device, worker));
  clear();
}

void DeviceReduction::clear() {
  const std::vector<std::uint8_t> zeros(mux_.control_bytes(), 0);
  const std::vector<std::uint8_t> no_stamps(4 * kernel::stamps_of(rounds()), 0);
  for (unsigned device = 0; device < devices(); ++device) {
    for (const CoreCoord core : cores()) stamps_->write_shard(device, core, no_stamps);
    for (const CoreCoord core : mux_cores().cores()) mux_memory_->write_shard(device, core, zeros);
  }
}

void DeviceReduction::run() {
  fabric_.start();
  std::vector<runtime::Program> programs;
  for (unsigned device = 0; device < devices(); ++device) programs.push_back(program(device));
  mesh_.enqueue_all(programs);
  mesh_.finish_workers();
  fabric_.stop();
}

runtime::Program DeviceReduction::program(unsigned device) {
  runtime::Program program;
  for (unsigned i = 0; i < kernel::kSemaphores; ++i)
    runtime::CreateSemaphore(program, shard_cores(), 0);
  add_circular_buffers(program, device);
  add_muxes(program, device);
  add_shard_kernels(program, device);
  return program;
}

DeviceReduction::Operands DeviceReduction::operands(unsigned device, unsigned round) const {
  Operands buffers{kernel::kLaterFirst, kernel::kLaterSecond};
  if (round == 1) buffers = {kernel::kFirst1Numerator, kernel::kSecond1Numerator};
  if (round == 2) buffers = {kernel::kFirst2Numerator, kernel::kSecond2Numerator};
  if (!kernel::local_first(devices(), device, round)) std::swap(buffers.local, buffers.neighbor);
  return buffers;
}

DeviceReduction::Place DeviceReduction::later_operand(unsigned round, bool first) const {
  return {first ? later_first_ : later_second_, (round - 3) * partial_bytes(shape_)};
}

DeviceReduction::Place DeviceReduction::local(unsigned device, unsigned round) const {
  if (round == 1) return {input_, 0};
  if (round == 2) return {result1_, 0};
  return later_operand(round, kernel::local_first(devices(), device, round));
}

DeviceReduction::Place DeviceReduction::neighbor(unsigned device, unsigned round) const {
  if (round == 1) return {round1_, 0};
  if (round == 2) return {round2_, 0};
  return later_operand(round, !kernel::local_first(devices(), device, round));
}

void DeviceReduction::add_buffer(runtime::Program& program, unsigned id, DataFormat format,
                                 std::size_t tiles, const Buffer& buffer,
                                 std::size_t offset) const {
  const auto index = static_cast<std::uint8_t>(id);
  const std::uint32_t page = kTinyTile.bytes(format);
  runtime::CircularBufferConfig config(u32(tiles) * page, {{index, format}});
  config.set_page_size(index, page);
  config.set_tile_dims(index, kTinyTile);
  config.set_globally_allocated_address(*buffer, u32(offset));
  runtime::CreateCircularBuffer(program, shard_cores(), config);
}

void DeviceReduction::add_partial(runtime::Program& program, unsigned first,
                                  const Buffer& buffer) const {
  const std::size_t tiles = numerator_tiles(shape_);
  add_buffer(program, first, DataFormat::Float16_b, tiles, buffer, 0);
  add_buffer(program, first + 1, DataFormat::Float16_b, 1, buffer, tiles * kTileBytes);
  add_buffer(program, first + 2, DataFormat::Float16_b, 1, buffer, (tiles + 1) * kTileBytes);
}

void DeviceReduction::add_circular_buffers(runtime::Program& program, unsigned device) const {
  const Operands round1 = operands(device, 1);
  add_partial(program, round1.local, input_);
  add_partial(program, round1.neighbor, round1_);
  add_partial(program, kernel::kResult1Numerator, result1_);
  if (rounds() > 1) {
    const Operands round2 = operands(device, 2);
    add_partial(program, round2.local, result1_);
    add_partial(program, round2.neighbor, round2_);
    if (rounds() == 2) add_partial(program, kernel::kResult2Numerator, result2_);
  }
  if (rounds() > 2) add_later_buffers(program, device);
  add_buffer(program, kernel::kScaleA, DataFormat::Float32, 1, factors_, 0);
  add_buffer(program, kernel::kScaleB, DataFormat::Float32, 1, factors_, 2 * kTileBytes);
  add_buffer(program, kernel::kNormalizer, DataFormat::Float32, 1, factors_, 4 * kTileBytes);
  add_buffer(program, kernel::kOutput, DataFormat::Float16_b, numerator_tiles(shape_), output_, 0);
}

/// Each result lies where the next round has its operand, with the statistics first.
void DeviceReduction::add_later_buffers(runtime::Program& program, unsigned device) const {
  const std::size_t tiles = numerator_tiles(shape_);
  const std::size_t pages = tiles + kernel::kStatisticsTiles;
  const Place result2 = local(device, 3);
  add_buffer(program, kernel::kResult2Max, DataFormat::Float16_b, 1, result2.buffer,
             result2.offset);
  add_buffer(program, kernel::kResult2Sum, DataFormat::Float16_b, 1, result2.buffer,
             result2.offset + kTileBytes);
  add_buffer(program, kernel::kResult2Numerator, DataFormat::Float16_b, tiles, result2.buffer,
             result2.offset + kernel::kStatisticsTiles * kTileBytes);
  const std::size_t all = (rounds() - 2) * pages;
  add_buffer(program, kernel::kLaterFirst, DataFormat::Float16_b, all, later_first_, 0);
  add_buffer(program, kernel::kLaterSecond, DataFormat::Float16_b, all, later_second_, 0);
  for (unsigned round = 3; round <= rounds(); ++round) {
    const Place result = round == rounds() ? Place{result2_, 0} : local(device, round + 1);
    add_buffer(program, kernel::later_result(round), DataFormat::Float16_b, pages, result.buffer,
               result.offset);
  }
}

void DeviceReduction::add_muxes(runtime::Program& program, unsigned device) {
  const auto mux = runtime::CreateFabricMux(program, mux_cores(), mux_, fabric_.layout());
  for (unsigned direction = 0; direction < directions(); ++direction) {
    const bool to_next = kernel::sends_to_next(device, direction + 1);
    for (unsigned link = 0; link < links(); ++link) {
      const CoreCoord router =
          mesh_.device(device).ethernet_core_from_channel(fabric_.channel(device, to_next, link));
      std::vector<std::uint32_t> args(contract::fabric::kMuxRuntimeArgs);
      args[contract::fabric::kMuxArgRouterX] = router.x;
      args[contract::fabric::kMuxArgRouterY] = router.y;
      runtime::SetRuntimeArgs(program, mux, CoreRangeSet(mux_core(direction, link)), args);
    }
  }
}

void DeviceReduction::add_shard_kernels(runtime::Program& program, unsigned device) {
  std::vector<std::uint32_t> movement(kernel::kDataMovementCompileArgs);
  movement[kernel::kArgTiles] = u32(numerator_tiles(shape_));
  movement[kernel::kArgMuxSlots] = mux_.slots;
  movement[kernel::kArgMuxSlotBytes] = mux_.bytes_per_slot;
  movement[kernel::kArgDevices] = devices();
  const auto reader =
      runtime::CreateKernel(program, "firmware/kernels/sdpa/reader.cpp", shard_cores(),
                            runtime::ReaderDataMovementConfig(movement));
  const auto writer =
      runtime::CreateKernel(program, "firmware/kernels/sdpa/writer.cpp", shard_cores(),
                            runtime::WriterDataMovementConfig(movement));
  runtime::ComputeConfig compute;
  compute.fp32_dest_acc_en = true;
  compute.compile_args = {u32(numerator_tiles(shape_)), devices()};
  runtime::CreateKernel(program, "firmware/kernels/sdpa/compute.cpp", shard_cores(), compute);

  runtime::SetRuntimeArgs(program, reader, shard_cores(), reader_args(device));
  for (unsigned worker = 0; worker < shape_.workers; ++worker)
    runtime::SetRuntimeArgs(program, writer, CoreRangeSet(shard_core(worker)),
                            writer_args(device, worker));
}

std::vector<std::uint32_t> DeviceReduction::reader_args(unsigned device) const {
  std::vector<std::uint32_t> args(
      kernel::later_reader_arg(std::max(rounds() + 1, 3U), kernel::kLaterSemaphore));
  const Operands round1 = operands(device, 1);
  args[kernel::kReaderRound1Semaphore] = semaphores_[0];
  args[kernel::kReaderStamps] = u32(stamps_->address());
  args[kernel::kReaderLocal1] = round1.local;
  args[kernel::kReaderNeighbor1] = round1.neighbor;
  if (rounds() == 1) return args;
  const Operands round2 = operands(device, 2);
  args[kernel::kReaderRound2Semaphore] = semaphores_[1];
  args[kernel::kReaderLocal2] = round2.local;
  args[kernel::kReaderNeighbor2] = round2.neighbor;
  for (unsigned round = 3; round <= rounds(); ++round) {
    const Operands later = operands(device, round);
    args[kernel::later_reader_arg(round, kernel::kLaterSemaphore)] = semaphores_[round - 1];
    args[kernel::later_reader_arg(round, kernel::kLaterLocal)] = later.local;
    args[kernel::later_reader_arg(round, kernel::kLaterNeighbor)] = later.neighbor;
  }
  return args;
}

std::vector<std::uint32_t> DeviceReduction::writer_args(unsigned device, unsigned worker) {
  std::vector<std::uint32_t> args(kernel::later_packet_arg(std::max(rounds() + 1, 3U)));
  const unsigned master = worker / kWorkersPerLink * kWorkersPerLink;
  const CoreCoord at = mesh_.device(device).worker_core_from_logical_core(shard_core(master));
  args[kernel::kWriterStamps] = u32(stamps_->address());
  args[kernel::kWriterIsMaster] = worker == master ? 1 : 0;
  args[kernel::kWriterMasterX] = at.x;
  args[kernel::kWriterMasterY] = at.y;
  args[kernel::kWriterClients] = kWorkersPerLink;
  add_packet_args(args, kernel::kWriterRound1Packet, device, worker, 1);
  add_mux_args(args, kernel::kWriterForwardMux, device, kForward, worker);
  if (rounds() == 1) return args;
  add_packet_args(args, kernel::kWriterRound2Packet, device, worker, 2);
  add_mux_args(args, kernel::kWriterBackwardMux, device, kBackward, worker);
  for (unsigned round = 3; round <= rounds(); ++round)
    add_packet_args(args, kernel::later_packet_arg(round), device, worker, round);
  return args;
}

void DeviceReduction::add_packet_args(std::vector<std::uint32_t>& args, unsigned first,
                                      unsigned device, unsigned worker, unsigned round) const {
  const unsigned to = kernel::partner(devices(), device, round);
  const CoreCoord there = mesh_.device(to).worker_core_from_logical_core(shard_core(worker));
  args[first + kernel::kPacketSource] = local(device, round).address();
  args[first + kernel::kPacketX] = there.x;
  args[first + kernel::kPacketY] = there.y;
  args[first + kernel::kPacketDestination] = neighbor(to, round).address();
  args[first + kernel::kPacketSemaphore] = semaphores_[round - 1];
}

void DeviceReduction::add_mux_args(std::vector<std::uint32_t>& args, unsigned first,
                                   unsigned device, Direction direction, unsigned worker) {
  const CoreCoord core = mesh_.device(device).worker_core_from_logical_core(
      mux_core(direction, worker / kWorkersPerLink));
  const unsigned channel = worker % kWorkersPerLink;
  args[first + kernel::kMuxX] = core.x;
  args[first + kernel::kMuxY] = core.y;
  args[first + kernel::kMuxChannel] = channel;
  args[first + kernel::kMuxChannelBase] = mux_.channel_base(channel);
  args[first + kernel::kMuxInfo] = mux_.connection_info(channel);
  args[first + kernel::kMuxHandshake] = mux_.connection_handshake(channel);
  args[first + kernel::kMuxFlowControl] = mux_.flow_control(channel);
  args[first + kernel::kMuxBufferIndex] = mux_.buffer_index(channel);
  args[first + kernel::kMuxStatus] = mux_.status();
  args[first + kernel::kMuxTermination] = mux_.termination_signal();
}

std::vector<std::uint8_t> DeviceReduction::output_bytes(unsigned device) {
  return output_->read(device);
}

std::vector<float> DeviceReduction::output(unsigned device) {
  std::vector<float> values(shape_.rows() * shape_.head_dim);
  for (unsigned worker = 0; worker < shape_.workers; ++worker)
    read_output_tiles(shape_, output_->read_shard(device, shard_core(worker)), worker, values);
  return values;
}

std::string DeviceReduction::origin(std::size_t row, std::size_t column) {
  const auto worker = static_cast<unsigned>(row / kRows);
  return output_->origin(0, shard_core(worker),
                         static_cast<std::uint32_t>(offset_of(row % kRows, column)));
}

std::string DeviceReduction::origin_of_byte(unsigned device, std::uint64_t byte) {
  return output_->origin(device, byte);
}

Timeline DeviceReduction::timeline() {
  const runtime::ReadsTimes times(mesh_.library());
  Timeline timeline(devices(), static_cast<unsigned>(shape_.workers));
  for (unsigned device = 0; device < devices(); ++device) {
    for (unsigned worker = 0; worker < shape_.workers; ++worker) {
      const std::vector<std::uint8_t> bytes = stamps_->read_shard(device, shard_core(worker));
      std::memcpy(timeline.at(device, worker).data(), bytes.data(), bytes.size());
    }
  }
  return timeline;
}

}  // namespace tvp::workloads::sdpa
