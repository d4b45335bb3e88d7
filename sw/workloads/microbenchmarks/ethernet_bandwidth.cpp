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
constexpr std::uint32_t kSlotBytes = kLargest + kSyncBytes;
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

  std::vector<std::uint8_t> content(std::size_t{config_.slots} * kSlotBytes);
  std::mt19937_64 random(context.seed);
  for (std::uint8_t& byte : content) byte = static_cast<std::uint8_t>(random());
  const std::uint32_t buffer = boot::kEthUnreservedBase;
  const std::vector<std::uint8_t> zeros(content.size(), 0);
  sender.tiles().write(sender_noc0, buffer, content.data(), content.size());
  receiver.tiles().write(receiver_noc0, buffer, zeros.data(), zeros.size());

  std::vector<Program> programs(mesh.num_devices());
  EthernetConfig config;
  config.compile_args = {buffer, config_.slots, config_.messages, kLargest};
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
  sender.tiles().read(sender_noc0, buffer, sent.data(), sent.size());
  receiver.tiles().read(receiver_noc0, buffer, arrived.data(), arrived.size());
  for (std::size_t slot = 0; slot < config_.slots; ++slot) {
    const auto begin = static_cast<std::ptrdiff_t>(slot * kSlotBytes);
    if (std::equal(sent.begin() + begin, sent.begin() + begin + kLargest, arrived.begin() + begin))
      continue;
    result.passed = false;
    result.reason = "slot " + std::to_string(slot) + " does not hold what was sent";
  }
  const std::vector<double> cycles = zone_cycles(mesh, "stream", boot::kErisc);
  std::uint32_t bytes = 16;
  for (const double whole : cycles) {
    const double rate = static_cast<double>(config_.messages) * bytes / whole;
    result.metrics.push_back({"rate_" + std::to_string(bytes), rate, "GB/s"});
    bytes *= 2;
  }
  return result;
}

}  // namespace tvp::workloads::microbenchmarks
