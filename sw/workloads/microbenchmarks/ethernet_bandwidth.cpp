#include "sw/workloads/microbenchmarks/ethernet_bandwidth.h"

#include <algorithm>
#include <random>
#include <vector>

#include "sw/runtime/errors.h"
#include "sw/workloads/microbenchmarks/noc_transfer.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;

namespace {
constexpr std::uint32_t kSyncBytes = 16;
}  // namespace

Result EthernetBandwidth::run(Context& context) {
  MeshDevice::Options options;
  options.print = context.print;
  options.profile = true;
  MeshDevice mesh(context.library, options);
  if (mesh.links().empty()) bad_use("ethernet_bandwidth", "the system has no ethernet link");
  const MeshLink link = mesh.links().front();
  Device& sender = mesh.device(link.device_a);
  Device& receiver = mesh.device(link.device_b);
  const CoreCoord sender_noc0 = sender.layout().ethernet_noc0(link.channel_a);
  const CoreCoord receiver_noc0 = receiver.layout().ethernet_noc0(link.channel_b);

  // The rings of both directions have to fit.
  const std::uint32_t largest = config_.both_ways ? kLargest / 2 : kLargest;
  const std::uint32_t slot_bytes = largest + kSyncBytes;
  const std::uint32_t ring_bytes = config_.slots * slot_bytes;
  std::vector<std::uint8_t> content(ring_bytes);
  std::mt19937_64 random(context.seed);
  for (std::uint8_t& byte : content) byte = static_cast<std::uint8_t>(random());
  const std::uint32_t buffer = contract::kEthUnreservedBase;
  const std::vector<std::uint8_t> zeros(content.size(), 0);
  sender.tiles().write(sender_noc0, buffer, content.data(), content.size());
  receiver.tiles().write(receiver_noc0, buffer, zeros.data(), zeros.size());
  if (config_.both_ways) {
    receiver.tiles().write(receiver_noc0, buffer + ring_bytes, content.data(), content.size());
    sender.tiles().write(sender_noc0, buffer + ring_bytes, zeros.data(), zeros.size());
  }

  std::vector<Program> programs(mesh.num_devices());
  EthernetConfig config;
  config.compile_args = {buffer, config_.slots, config_.messages, largest,
                         config_.both_ways ? 1U : 0U};
  const auto add = [&](unsigned device, unsigned channel, bool sends) {
    const CoreCoord core{0, channel};
    const KernelHandle kernel = CreateKernel(
        programs[device], "firmware/kernels/microbenchmarks/ethernet_stream.cpp", core, config);
    SetRuntimeArgs(programs[device], kernel, core, {sends ? 1U : 0U});
  };
  add(link.device_a, link.channel_a, true);
  add(link.device_b, link.channel_b, false);
  mesh.enqueue_all(programs);
  mesh.finish();
  context.compile_seconds += mesh.compile_seconds();

  // The largest messages came last and cover all smaller ones but for sync words, which the sender
  // has changed in its own copy too.
  Result result;
  result.passed = true;
  std::vector<std::uint8_t> sent(content.size());
  std::vector<std::uint8_t> arrived(content.size());
  for (std::uint32_t way = 0; way < (config_.both_ways ? 2U : 1U); ++way) {
    const std::uint32_t ring = buffer + way * ring_bytes;
    (way == 0 ? sender : receiver)
        .tiles()
        .read(way == 0 ? sender_noc0 : receiver_noc0, ring, sent.data(), sent.size());
    (way == 0 ? receiver : sender)
        .tiles()
        .read(way == 0 ? receiver_noc0 : sender_noc0, ring, arrived.data(), arrived.size());
    for (std::size_t slot = 0; slot < config_.slots; ++slot) {
      const auto begin = static_cast<std::ptrdiff_t>(slot * slot_bytes);
      if (std::equal(sent.begin() + begin, sent.begin() + begin + largest, arrived.begin() + begin))
        continue;
      result.passed = false;
      result.reason = "slot " + std::to_string(slot) + " does not hold what was sent";
    }
  }
  std::vector<double> cycles;
  for (const Zone& zone : mesh.zones()) {
    if (zone.name == "stream" && zone.device == link.device_a)
      cycles.push_back(static_cast<double>(zone.end - zone.begin));
  }
  std::uint32_t bytes = 16;
  for (const double whole : cycles) {
    const double rate = static_cast<double>(config_.messages) * bytes / whole;
    result.metrics.push_back({"rate_" + std::to_string(bytes), rate, "GB/s"});
    bytes *= 2;
  }
  return result;
}

}  // namespace tvp::workloads::microbenchmarks
