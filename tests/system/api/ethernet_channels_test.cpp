// Channels between kernels of two ethernet tiles: data with a count, acknowledgements, bytes over
// the link, registers of the other tile.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "foundation/contract/memory_map.h"
#include "sw/runtime/host_api.h"

namespace tvp::runtime::ethernet_channels_test {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

constexpr std::uint32_t kSource = contract::kEthUnreservedBase;
constexpr std::uint32_t kLanding = kSource + 8192;
constexpr std::uint32_t kTaken = kLanding + 8192;
constexpr std::uint32_t kRounds = 6;
constexpr std::uint32_t kBytes = 512;

TEST(EthernetChannels, SenderAndReceiverGoThroughABufferTogether) {
  const auto library = DeviceLibrary::open(TVP_LIBRARY);
  library->configure("system=pair");
  MeshDevice mesh(*library, MeshDevice::Options{});
  const fs::path folder = fs::path(TVP_KERNEL_FOLDER) / "ethernet_channels";
  fs::create_directories(folder);
  const MeshLink link = mesh.links().at(0);
  const auto tile = [&](unsigned device, unsigned channel) {
    return mesh.device(device).layout().ethernet_noc0(channel);
  };
  Bytes source(kRounds * kBytes);
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::uint8_t>(i * 13 + 5);
  mesh.device(link.device_a)
      .tiles()
      .write(tile(link.device_a, link.channel_a), kSource, source.data(), source.size());

  const auto kernel = [&](const std::string& name, const std::string& body) {
    const fs::path path = folder / (name + ".cpp");
    std::ofstream(path) << "constexpr uint32_t source = " << kSource << ", landing = " << kLanding
                        << ", taken = " << kTaken << ", rounds = " << kRounds
                        << ", bytes = " << kBytes << ";\nvoid kernel_main() {\n"
                        << body << "}\n";
    return path.string();
  };
  std::vector<Program> programs(mesh.num_devices());
  const auto add = [&](unsigned device, unsigned channel, const std::string& file) {
    CreateKernel(programs[device], file, CoreRangeSet(CoreCoord{0, channel}), EthernetConfig{});
  };
  // Even rounds use channel 0 as a whole. Odd rounds use channel 3, which is acknowledged before
  // the data is used.
  add(link.device_a, link.channel_a,
      kernel("sender",
             "reset_erisc_info();\n"
             "for (uint32_t i = 0; i < rounds; ++i) {\n"
             "  const uint32_t from = source + i * bytes;\n"
             "  if (i == 4) {  // as in a ring, here with this tile itself as the receiver\n"
             "    auto* flags = reinterpret_cast<volatile uint32_t*>(landing);\n"
             "    flags[0] = 1;\n"
             "    flags[4] = 0;\n"
             "    eth_send_bytes(from, landing, bytes);\n"
             "    eth_wait_for_remote_receiver_done_and_get_local_receiver_data(\n"
             "        flags, get_noc_addr(landing + 16), get_noc_addr(source), taken, bytes);\n"
             "    while (flags[4] != 1 || flags[0] != 0) {}\n"
             "  } else if (i % 2 == 0) {\n"
             "    eth_send_bytes(from, landing, bytes);\n"
             "    eth_wait_for_receiver_done();\n"
             "  } else {\n"
             "    eth_send_bytes_over_channel(from, landing, bytes, 3);\n"
             "    while (!eth_is_receiver_channel_send_acked(3)) {}\n"
             "    eth_clear_sender_channel_ack(3);\n"
             "    eth_wait_for_receiver_channel_done(3);\n"
             "  }\n"
             "}\n"));
  add(link.device_b, link.channel_b,
      kernel("receiver",
             "alignas(16) static volatile uint32_t* const ack =\n"
             "    reinterpret_cast<volatile uint32_t*>(source);\n"
             "const auto take = [](uint32_t i) {\n"
             "  for (uint32_t b = 0; b < bytes; b += 4)\n"
             "    *reinterpret_cast<volatile uint32_t*>(taken + i * bytes + b) =\n"
             "        *reinterpret_cast<volatile uint32_t*>(landing + b);\n"
             "};\n"
             "for (uint32_t i = 0; i < rounds; ++i) {\n"
             "  if (i % 2 == 0) {\n"
             "    eth_wait_for_bytes(bytes);\n"
             "    take(i);\n"
             "    eth_receiver_done();\n"
             "  } else {\n"
             "    eth_wait_for_bytes_on_channel(bytes, 3);\n"
             "    ack[0] = bytes;\n"
             "    ack[1] = 1;\n"
             "    take(i);\n"
             "    erisc_info->channels[3].receiver_ack = 1;\n"
             "    const auto word = reinterpret_cast<uint32_t>(&erisc_info->channels[3]) >> 4;\n"
             "    if (i == 1) {\n"
             "      internal_::eth_send_packet(0, source >> 4, word, 1);\n"
             "      while (eth_txq_is_busy()) {}\n"
             "    } else {  // the same by the registers\n"
             "      constexpr uint32_t queue = 0xFFB90000, command = 0x04;\n"
             "      while (eth_txq_reg_read(0, command) != 0) {}\n"
             "      eth_txq_reg_write(0, 0x14, source);\n"
             "      eth_txq_reg_write(0, 0x18, 16);\n"
             "      eth_reg_write(queue + 0x1C, word << 4);\n"
             "      eth_reg_write(queue + command, 2);\n"
             "      while (eth_reg_read(queue + command) != 0) {}\n"
             "    }\n"
             "    eth_receiver_channel_done(3);\n"
             "  }\n"
             "}\n"));
  mesh.enqueue_all(programs);
  mesh.finish();

  Bytes taken(kRounds * kBytes);
  mesh.device(link.device_b)
      .tiles()
      .read(tile(link.device_b, link.channel_b), kTaken, taken.data(), taken.size());
  EXPECT_EQ(taken, source);
  Bytes fetched(kBytes);
  mesh.device(link.device_a)
      .tiles()
      .read(tile(link.device_a, link.channel_a), kTaken, fetched.data(), fetched.size());
  EXPECT_EQ(fetched, Bytes(source.begin(), source.begin() + kBytes));
}

}  // namespace
}  // namespace tvp::runtime::ethernet_channels_test
