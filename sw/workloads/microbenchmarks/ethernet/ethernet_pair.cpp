#include "sw/workloads/microbenchmarks/ethernet/ethernet_pair.h"

#include "sw/runtime/errors.h"
#include "sw/workloads/microbenchmarks/first_core.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;

EthernetPair::EthernetPair(MeshDevice& mesh, const std::string& workload)
    : mesh_(mesh),
      link_(first_link(mesh, workload)),
      sides_{side(link_.device_a, link_.channel_a), side(link_.device_b, link_.channel_b)} {}

const MeshLink& EthernetPair::first_link(MeshDevice& mesh, const std::string& workload) {
  if (mesh.links().empty()) bad_use(workload, "the system has no ethernet link");
  return mesh.links().front();
}

EthernetPair::Side EthernetPair::side(unsigned device, unsigned channel) {
  return {device, channel, mesh_.device(device).layout().ethernet_noc0(channel)};
}

std::uint32_t EthernetPair::buffer() { return contract::kEthUnreservedBase; }

void EthernetPair::write(unsigned side, std::uint32_t address, const Bytes& bytes) {
  mesh_.device(device(side)).tiles().write(sides_[side].noc0, address, bytes.data(), bytes.size());
}

Bytes EthernetPair::read(unsigned side, std::uint32_t address, std::size_t count) {
  Bytes bytes(count);
  mesh_.device(device(side)).tiles().read(sides_[side].noc0, address, bytes.data(), bytes.size());
  return bytes;
}

void EthernetPair::run(const std::string& kernel, const std::vector<std::uint32_t>& compile_args,
                       const MeshBuffer* worker) {
  std::vector<Program> programs(mesh_.num_devices());
  EthernetConfig config;
  config.compile_args = compile_args;
  for (unsigned side = 0; side < 2; ++side) {
    Program& program = programs[device(side)];
    const CoreCoord core{0, sides_[side].channel};
    const KernelHandle handle = CreateKernel(program, kernel, core, config);
    std::vector<std::uint32_t> args = {side == 0 ? 1U : 0U};
    if (worker != nullptr) {
      const CoreCoord to = mesh_.device(device(side)).worker_core_from_logical_core(kFirstCore);
      args.insert(args.end(), {to.x, to.y, static_cast<std::uint32_t>(worker->address())});
    }
    SetRuntimeArgs(program, handle, core, args);
  }
  mesh_.enqueue_all(programs);
  mesh_.finish();
}

}  // namespace tvp::workloads::microbenchmarks
