#include "sw/runtime/fabric/fabric_relays.h"

#include <algorithm>

#include "foundation/contract/launch.h"
#include "foundation/contract/memory_map.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/host_api.h"

namespace tvp::runtime {

using namespace contract::fabric;

FabricRelays::FabricRelays(MeshDevice& mesh, const FabricMesh& fabric, CoreCoord core,
                           std::vector<CoreCoord> clients)
    : mesh_(mesh), fabric_(fabric), core_(core), clients_(std::move(clients)) {
  if (clients_.empty() || std::find(clients_.begin(), clients_.end(), core) != clients_.end())
    bad_use("relays", "expected clients on other cores than (" + std::to_string(core.x) + ", " +
                          std::to_string(core.y) + "), which runs the relay");
  const auto ports = static_cast<std::uint32_t>(kRelayPortsOfTile * clients_.size());
  layout_ = {0, ports, mesh.num_devices(), fabric.layout().bytes_per_slot - kPacketHeaderBytes};
  memory_ =
      MeshBuffer::create(mesh, ShardedBufferConfig{.cores = core, .shard_bytes = layout_.end()});
  layout_.base = static_cast<std::uint32_t>(memory_->address());
}

void FabricRelays::add_to(std::vector<Program>& programs) {
  const auto relay_of = [&](unsigned device) {
    const CoreCoord at = mesh_.device(device).worker_core_from_logical_core(core_);
    return relay_xy(at.x, at.y);
  };
  for (unsigned index = 0; index < mesh_.num_devices(); ++index) {
    Device& device = mesh_.device(index);
    Program& program = programs[index];
    memory_->write_shard(index, core_, std::vector<std::uint8_t>(layout_.end() - layout_.base, 0));
    DataMovementConfig config;
    config.defines = FabricMesh::defines();
    config.compile_args.resize(kRelayCompileArgs);
    config.compile_args[kRelayArgBase] = layout_.base;
    config.compile_args[kRelayArgPorts] = layout_.ports;
    config.compile_args[kRelayArgDevices] = layout_.devices;
    config.compile_args[kRelayArgMaxPayloadBytes] = layout_.max_payload_bytes;
    const auto kernel = CreateKernel(program, "firmware/fabric/relay.cpp", core_, config);

    std::vector<std::uint32_t> args{0};
    for (const Direction direction : {kEast, kWest, kNorth, kSouth}) {
      if (!fabric_.has_router(index, direction)) continue;
      const std::uint32_t first = CreateSemaphore(program, core_, 0);
      for (unsigned i = 1; i < 3; ++i) CreateSemaphore(program, core_, 0);
      args.push_back(direction);
      const auto words = fabric_.connection(index, direction, first);
      args.insert(args.end(), words.begin(), words.end());
      ++args[0];
    }
    for (unsigned other = 0; other < mesh_.num_devices(); ++other) args.push_back(relay_of(other));
    std::uint32_t port = 0;
    for (const CoreCoord client : clients_) {
      const CoreCoord at = device.worker_core_from_logical_core(client);
      for (std::uint32_t processor = 0; processor < kRelayPortsOfTile; ++processor) {
        args.insert(args.end(), {relay_xy(at.x, at.y), relay_port(processor)});
        RelayPort words{};
        words.relay_xy = relay_of(index);
        words.request = layout_.request(port++);
        device.write_l1(client, relay_port(processor), &words, sizeof words);
      }
    }
    SetRuntimeArgs(program, kernel, core_, args);
  }
}

void FabricRelays::finish() {
  const auto ended = [&](unsigned device, CoreCoord core) {
    contract::GoMessage go{};
    mesh_.device(device).read_l1(
        core, contract::kMailboxBase + offsetof(contract::Mailboxes, go_messages), &go, sizeof go);
    return go.signal == contract::kRunDone;
  };
  mesh_.wait_until(
      [&] {
        for (unsigned device = 0; device < mesh_.num_devices(); ++device)
          for (const CoreCoord core : clients_)
            if (!ended(device, core)) return false;
        return true;
      },
      "the clients of relays");
  for (unsigned device = 0; device < mesh_.num_devices(); ++device)
    mesh_.device(device).write_l1(core_, layout_.termination_signal(), &kTerminateGracefully,
                                  sizeof kTerminateGracefully);
  mesh_.finish_workers();
}

}  // namespace tvp::runtime
