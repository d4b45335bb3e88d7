#include "sw/workloads/all_workloads.h"

#include "sw/collectives/registry.h"
#include "sw/workloads/dram/dram_traffic.h"
#include "sw/workloads/dram_loopback/dram_loopback.h"
#include "sw/workloads/elf/bare_elf.h"
#include "sw/workloads/matmul/matmul.h"
#include "sw/workloads/matmul/matmul_tile.h"
#include "sw/workloads/mesh/mesh_traffic.h"
#include "sw/workloads/microbenchmarks/dram_bandwidth.h"
#include "sw/workloads/microbenchmarks/dram_crowd.h"
#include "sw/workloads/microbenchmarks/dram_latency.h"
#include "sw/workloads/microbenchmarks/ethernet_bandwidth.h"
#include "sw/workloads/microbenchmarks/ethernet_latency.h"
#include "sw/workloads/microbenchmarks/fabric_bandwidth.h"
#include "sw/workloads/microbenchmarks/fabric_latency.h"
#include "sw/workloads/microbenchmarks/noc_bandwidth.h"
#include "sw/workloads/microbenchmarks/noc_latency.h"
#include "sw/workloads/microbenchmarks/noc_multicast.h"
#include "sw/workloads/microbenchmarks/noc_pattern.h"
#include "sw/workloads/microbenchmarks/tile_cycles.h"
#include "sw/workloads/noc_exchange/noc_exchange.h"
#include "sw/workloads/pim/collective_workload.h"
#include "sw/workloads/pim/headline_workload.h"
#include "sw/workloads/sdpa/sdpa_workload.h"

namespace tvp::workloads {

std::vector<std::unique_ptr<Workload>> make_all() {
  std::vector<std::unique_ptr<Workload>> all;
  all.push_back(std::make_unique<DramLoopback>());
  all.push_back(std::make_unique<DramTraffic>());
  all.push_back(std::make_unique<BareElf>());
  all.push_back(std::make_unique<matmul::Matmul>());
  all.push_back(std::make_unique<matmul::MatmulTile>());
  all.push_back(std::make_unique<MeshTraffic>());
  all.push_back(std::make_unique<microbenchmarks::DramBandwidth>());
  all.push_back(std::make_unique<microbenchmarks::DramCrowd>());
  all.push_back(std::make_unique<microbenchmarks::DramLatency>());
  all.push_back(std::make_unique<microbenchmarks::EthernetBandwidth>());
  all.push_back(std::make_unique<microbenchmarks::EthernetLatency>());
  all.push_back(std::make_unique<microbenchmarks::FabricBandwidth>());
  all.push_back(std::make_unique<microbenchmarks::FabricLatency>());
  all.push_back(std::make_unique<microbenchmarks::NocBandwidth>());
  all.push_back(std::make_unique<microbenchmarks::NocLatency>());
  all.push_back(std::make_unique<microbenchmarks::NocMulticast>());
  all.push_back(std::make_unique<microbenchmarks::NocPattern>());
  all.push_back(std::make_unique<microbenchmarks::TileCycles>());
  all.push_back(std::make_unique<NocExchange>());
  for (const auto& collective : collectives::make_collectives())
    all.push_back(std::make_unique<pim::CollectiveWorkload>(collective->name()));
  all.push_back(std::make_unique<pim::HeadlineWorkload>());
  all.push_back(std::make_unique<sdpa::SdpaWorkload>());
  return all;
}

}  // namespace tvp::workloads
