#include "sw/workloads/microbenchmarks/ethernet_latency.h"

#include <algorithm>
#include <bit>
#include <random>
#include <vector>

#include "sw/runtime/errors.h"
#include "sw/workloads/microbenchmarks/noc_transfer.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;

namespace {
constexpr std::uint32_t kFlagBytes = 16;
}

Result EthernetLatency::run(Context& context) {
  MeshDevice::Options options;
  options.print = context.print;
  options.profile = true;
  MeshDevice mesh(context.library, options);
  if (mesh.links().empty()) bad_use("ethernet_latency", "the system has no ethernet link");
  if (!std::has_single_bit(config_.ping_bytes.value()))
    bad_use("ethernet_latency.ping_bytes",
            std::to_string(config_.ping_bytes.value()) + " is not a power of two");
  const MeshLink link = mesh.links().front();
  Device& sender = mesh.device(link.device_a);
  Device& receiver = mesh.device(link.device_b);
  const CoreCoord sender_noc0 = sender.layout().ethernet_noc0(link.channel_a);
  const CoreCoord receiver_noc0 = receiver.layout().ethernet_noc0(link.channel_b);

  // Random content, except for the flags of all sizes.
  std::vector<std::uint8_t> content(kLargest + kFlagBytes, 0);
  std::mt19937_64 random(context.seed);
  for (std::uint8_t& byte : content) byte = static_cast<std::uint8_t>(random());
  std::vector<std::uint32_t> sizes;
  for (std::uint32_t bytes = 16; bytes <= kLargest; bytes *= 2) {
    sizes.push_back(bytes);
    std::fill_n(content.begin() + bytes, kFlagBytes, std::uint8_t{0});
  }
  const std::uint32_t buffer = contract::kEthUnreservedBase;
  const std::vector<std::uint8_t> zeros(content.size(), 0);
  sender.tiles().write(sender_noc0, buffer, content.data(), content.size());
  receiver.tiles().write(receiver_noc0, buffer, zeros.data(), zeros.size());

  std::vector<Program> programs(mesh.num_devices());
  EthernetConfig config;
  config.compile_args = {buffer, config_.rounds, kLargest, config_.ping_bytes};
  const auto add = [&](unsigned device, unsigned channel, bool begins) {
    const CoreCoord core{0, channel};
    const KernelHandle kernel = CreateKernel(
        programs[device], "firmware/kernels/microbenchmarks/ethernet_round_trip.cpp", core, config);
    SetRuntimeArgs(programs[device], kernel, core, {begins ? 1U : 0U});
  };
  add(link.device_a, link.channel_a, true);
  add(link.device_b, link.channel_b, false);
  mesh.enqueue_all(programs);
  mesh.finish();
  context.compile_seconds += mesh.compile_seconds();

  Result result;
  std::vector<std::uint8_t> arrived(content.size());
  receiver.tiles().read(receiver_noc0, buffer, arrived.data(), arrived.size());
  result.passed = arrived == content;
  if (!result.passed) result.reason = "the receiver does not hold what was sent";
  const std::vector<double> cycles = zone_cycles(mesh, "round trips", contract::kErisc);
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    const double each = cycles[i] / config_.rounds;
    result.metrics.push_back({"round_trip_" + std::to_string(sizes[i]), each, "ns"});
  }
  double sum = 0;
  for (const double ping : zone_cycles(mesh, "ping", contract::kErisc)) sum += ping;
  result.metrics.push_back({"one_way_ping", sum / config_.rounds / 2, "ns"});
  return result;
}

}  // namespace tvp::workloads::microbenchmarks
