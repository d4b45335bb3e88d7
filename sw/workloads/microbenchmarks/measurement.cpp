#include "sw/workloads/microbenchmarks/measurement.h"

#include <algorithm>
#include <random>

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;

Bytes random_bytes(std::uint64_t seed, std::size_t count) {
  Bytes bytes(count);
  std::mt19937_64 random(seed);
  std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<std::uint8_t>(random()); });
  return bytes;
}

Bytes content_of_core(std::uint64_t seed, std::size_t core, std::size_t count) {
  return random_bytes(seed * 1000 + core, count);
}

std::vector<double> zone_cycles(MeshDevice& mesh, const std::string& name,
                                std::uint32_t processor) {
  std::vector<double> cycles;
  for (const Zone& zone : mesh.zones()) {
    if (zone.name == name && zone.processor == processor)
      cycles.push_back(static_cast<double>(zone.end - zone.begin));
  }
  return cycles;
}

double cycles_of_all_zones(MeshDevice& mesh, const std::vector<CoreCoord>* cores) {
  std::uint64_t begin = ~std::uint64_t{0};
  std::uint64_t end = 0;
  for (const Zone& zone : mesh.zones()) {
    if (cores != nullptr &&
        std::find(cores->begin(), cores->end(), zone.core.logical) == cores->end())
      continue;
    begin = std::min(begin, zone.begin);
    end = std::max(end, zone.end);
  }
  return static_cast<double>(end - begin);
}

DataMovementConfig mover(bool writes) {
  DataMovementConfig config;
  config.processor = writes ? DataMovementProcessor::RISCV_0 : DataMovementProcessor::RISCV_1;
  config.noc = writes ? NOC::RISCV_0_default : NOC::RISCV_1_default;
  return config;
}

std::uint32_t processor_of_mover(bool writes) {
  return writes ? contract::kBrisc : contract::kNcrisc;
}

void fail(Result& result, const std::string& reason) {
  result.passed = false;
  result.reason = reason;
}

}  // namespace tvp::workloads::microbenchmarks
