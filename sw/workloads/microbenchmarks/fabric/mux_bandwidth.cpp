#include "sw/workloads/microbenchmarks/fabric/mux_bandwidth.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "firmware/kernels/microbenchmarks/mux_arguments.h"
#include "foundation/contract/fabric/mux.h"
#include "foundation/contract/fabric/router.h"
#include "sw/runtime/fabric/fabric_mux.h"
#include "sw/runtime/host_api.h"
#include "sw/runtime/reads_times.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;
using namespace contract::fabric;
namespace kernel = kernels::microbenchmarks;

namespace {

constexpr std::uint32_t kMuxPayloads[] = {16, 1024, 2048, 4096};
constexpr CoreCoord kMuxCore{0, 0};
constexpr CoreCoord kDrainerCore{1, 0};
/// The slots of a router's channel for the mux.
constexpr std::uint32_t kDrainerSlots = kLineRouters.sender_slots;

CoreCoord client_core(std::uint32_t client) { return {client % 4, 1 + client / 4}; }

/// Memory at one address of each of the cores.
std::shared_ptr<MeshBuffer> memory(MeshDevice& mesh, const CoreRangeSet& cores,
                                   std::uint32_t bytes) {
  return MeshBuffer::create(mesh, ShardedBufferConfig{.cores = cores, .shard_bytes = bytes});
}
std::uint32_t address(const std::shared_ptr<MeshBuffer>& buffer) {
  return static_cast<std::uint32_t>(buffer->address());
}

}  // namespace

double MuxBandwidth::rate(MeshDevice& mesh, std::uint32_t bytes, Result& result) const {
  const std::uint32_t clients = config_.clients;
  std::vector<CoreCoord> cores;
  for (std::uint32_t i = 0; i < clients; ++i) cores.push_back(client_core(i));
  MuxLayout mux = mux_layout(0, kDefaultMaxPayloadBytes, clients, config_.slots);
  const auto mux_memory = memory(mesh, CoreRangeSet(kMuxCore), mux.end());
  mux.base = address(mux_memory);
  EndpointLayout drainer{0, 1, kDrainerSlots, slot_bytes(kDefaultMaxPayloadBytes)};
  const auto drainer_memory = memory(mesh, CoreRangeSet(kDrainerCore), drainer.end());
  drainer.base = address(drainer_memory);
  const auto source = memory(mesh, CoreRangeSet(cores), kPacketHeaderBytes + bytes);
  const auto times = memory(mesh, CoreRangeSet(cores), 4 * kernel::kMuxResults);
  mux_memory->write_shard(0, kMuxCore, std::vector<std::uint8_t>(mux.control_bytes(), 0));
  drainer_memory->write_shard(0, kDrainerCore,
                              std::vector<std::uint8_t>(drainer.control_bytes(), 0));

  Program program;
  const auto taker =
      CreateKernel(program, "firmware/kernels/microbenchmarks/mux_drainer.cpp", kDrainerCore,
                   DataMovementConfig{.opt_level = KernelBuildOptLevel::O3});
  SetRuntimeArgs(program, taker, kDrainerCore,
                 std::vector<std::uint32_t>{drainer.base, drainer.channels, drainer.slots,
                                            drainer.bytes_per_slot});
  const auto between = CreateFabricMux(program, CoreRangeSet(kMuxCore), mux, drainer);
  const CoreCoord to = mesh.device(0).worker_core_from_logical_core(kDrainerCore);
  SetRuntimeArgs(program, between, kMuxCore, std::vector<std::uint32_t>{to.x, to.y});

  const CoreCoord at = mesh.device(0).worker_core_from_logical_core(kMuxCore);
  const auto code =
      CreateKernel(program, "firmware/kernels/microbenchmarks/mux_client.cpp", CoreRangeSet(cores),
                   DataMovementConfig{.opt_level = KernelBuildOptLevel::O3});
  for (unsigned i = 0; i < kernel::kMuxSemaphores; ++i)
    CreateSemaphore(program, CoreRangeSet(cores), 0);
  for (std::uint32_t i = 0; i < clients; ++i) {
    std::vector<std::uint32_t> args(kernel::kMuxClientArgs);
    args[kernel::kMuxClientX] = at.x;
    args[kernel::kMuxClientY] = at.y;
    args[kernel::kMuxClientChannel] = i;
    args[kernel::kMuxClientSlots] = mux.slots;
    args[kernel::kMuxClientSlotBytes] = mux.bytes_per_slot;
    args[kernel::kMuxClientChannelBase] = mux.channel_base(i);
    args[kernel::kMuxClientInfo] = mux.connection_info(i);
    args[kernel::kMuxClientHandshake] = mux.connection_handshake(i);
    args[kernel::kMuxClientBufferIndex] = mux.buffer_index(i);
    args[kernel::kMuxClientStatusAddress] = mux.status();
    args[kernel::kMuxClientSource] = address(source);
    args[kernel::kMuxClientBytes] = bytes;
    args[kernel::kMuxClientPackets] = config_.packets;
    args[kernel::kMuxClientWarmUp] = config_.slots + kDrainerSlots;
    args[kernel::kMuxClientResults] = address(times);
    const CoreCoord first = mesh.device(0).worker_core_from_logical_core(cores[0]);
    args[kernel::kMuxClientTermination] = i == 0 ? mux.termination_signal() : 0;
    args[kernel::kMuxClientOthers] = clients - 1;
    args[kernel::kMuxClientFirstX] = first.x;
    args[kernel::kMuxClientFirstY] = first.y;
    SetRuntimeArgs(program, code, cores[i], args);
  }
  mesh.run(0, program);

  const runtime::ReadsTimes reads_times(mesh.library());
  std::uint32_t begin = UINT32_MAX;
  std::uint32_t end = 0;
  for (const CoreCoord core : cores) {
    std::uint32_t stamps[kernel::kMuxResults];
    std::memcpy(stamps, times->read_shard(0, core).data(), sizeof stamps);
    begin = std::min(begin, stamps[0]);
    end = std::max(end, stamps[1]);
  }
  result.passed = result.passed && end > begin;
  return static_cast<double>(clients * config_.packets * (bytes + kPacketHeaderBytes)) /
         (end - begin);
}

void MuxBandwidth::run_on(MeshDevice& mesh, std::uint64_t, Result& result) {
  for (const std::uint32_t bytes : kMuxPayloads) {
    const double bytes_per_cycle = rate(mesh, bytes, result);
    result.metrics.push_back({"rate_" + std::to_string(bytes), bytes_per_cycle, "B/cycle"});
    result.metrics.push_back({"cycles_" + std::to_string(bytes),
                              (bytes + kPacketHeaderBytes) / bytes_per_cycle, "cycles"});
  }
}

}  // namespace tvp::workloads::microbenchmarks
