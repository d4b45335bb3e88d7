#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/runtime/host_api.h"
#include "sw/workloads/workload.h"

namespace tvp::workloads::microbenchmarks {

using Bytes = std::vector<std::uint8_t>;

/// Sizes of the transfer kernels: 32 to 8192 bytes.
inline constexpr std::uint32_t kSizes[] = {32, 64, 128, 256, 512, 1024, 2048, 4096, 8192};
inline constexpr std::uint32_t kLargest = 8192;
/// The content of a destination before data arrives.
inline constexpr std::uint8_t kBlank = 0xA5;

Bytes random_bytes(std::uint64_t seed, std::size_t count);
/// The data of core number `core`, different for each core.
Bytes content_of_core(std::uint64_t seed, std::size_t core, std::size_t count);

/// Cycles of the zones of this name on one processor, in their order.
std::vector<double> zone_cycles(runtime::MeshDevice& mesh, const std::string& name,
                                std::uint32_t processor);
/// Cycles from the beginning of the first zone to the end of the last, of all zones or of those on
/// `cores`.
double cycles_of_all_zones(runtime::MeshDevice& mesh,
                           const std::vector<runtime::CoreCoord>* cores = nullptr);

/// The data movement core that writes, BRISC over NoC 0, or reads, NCRISC over NoC 1.
runtime::DataMovementConfig mover(bool writes);
std::uint32_t processor_of_mover(bool writes);

void fail(Result& result, const std::string& reason);

}  // namespace tvp::workloads::microbenchmarks
