// Sockets to and from the host. A core reads pages in host memory, changes them and writes them to
// another place there. Both sides exchange counts.

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "foundation/contract/socket.h"
#include "foundation/regs/noc.h"
#include "sw/runtime/host_api.h"

namespace tvp::runtime {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

constexpr std::uint64_t kHostPage = 0x11'4000'0000;  // chip address that the iATU maps
constexpr std::uint32_t kPage = 256, kPages = 7, kFifo = 3 * kPage + 64;
// Offsets in host memory: data to send, the receiver's count, results, the sender's count.
constexpr std::uint32_t kSent = 0, kAcked = 0x4010, kResults = 0x8000, kResultsSent = 0xC000;
// Offsets in the core's buffer: two configurations, the FIFO.
constexpr std::uint32_t kSenderAt = 128, kFifoAt = 256, kSize = 4096;

Bytes& host() {
  static Bytes bytes(0x10000);
  return bytes;
}
std::uint8_t* host(std::uint64_t address, std::uint32_t bytes) {
  if (address < kHostPage || address - kHostPage + bytes > host().size())
    throw std::out_of_range("no memory of the host's");
  return host().data() + (address - kHostPage);
}
void on_read(std::uint64_t address, void* data, std::uint32_t bytes) {
  std::memcpy(data, host(address, bytes), bytes);
}
void on_write(std::uint64_t address, const void* data, std::uint32_t bytes) {
  std::memcpy(host(address, bytes), data, bytes);
}
std::uint32_t word(std::uint32_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, host().data() + at, 4);
  return value;
}

const char* kKernel = R"(
#include "api/dataflow/dataflow_api.h"
#include "api/socket_api.h"
void kernel_main() {
  const uint32_t base = get_arg_val<uint32_t>(0);
  auto in = create_receiver_socket_interface(base);
  auto out = create_sender_socket_interface(base + 128);
  set_receiver_socket_page_size(in, 256);
  set_sender_socket_page_size(out, 256);
  for (uint32_t page = 0; page < 7; ++page) {
    while (!socket_wait_for_pages(in, 1, 10)) {}
    const uint64_t from = (uint64_t(in.h2d.data_addr_hi) << 32 | in.h2d.data_addr_lo) +
                          (in.read_ptr - in.fifo_addr);
    noc_read_with_state<noc_mode, read_cmd_buf, CQ_NOC_SNDL>(noc_index, in.h2d.pcie_xy_enc, from,
                                                             in.read_ptr, 256);
    noc_async_read_barrier();
    auto* words = reinterpret_cast<volatile uint32_t*>(in.read_ptr);
    for (uint32_t i = 0; i < 64; ++i) words[i] = words[i] + page + 1;
    socket_reserve_pages(out, 1);
    noc_write_init_state<write_cmd_buf>(noc_index, NOC_UNICAST_WRITE_VC);
    noc_wwrite_with_state<noc_mode, write_cmd_buf, CQ_NOC_SNDL>(
        noc_index, in.read_ptr, out.d2h.pcie_xy_enc,
        (uint64_t(out.d2h.data_addr_hi) << 32) + out.downstream_fifo_addr + out.write_ptr, 256);
    noc_async_write_barrier();
    socket_push_pages(out, 1);
    socket_notify_receiver(out);
    socket_pop_pages(in, 1);
    socket_notify_sender(in);
  }
  update_socket_config(in);
  update_socket_config(out);
  noc_async_write_barrier();
}
)";

TEST(HostSockets, PagesFromTheHostAndBack) {
  unsetenv("TT_METAL_HOME");  // its tree may have another write_ptr
  const fs::path folder = fs::path(TVP_KERNEL_FOLDER) / "host_socket";
  fs::create_directories(folder);
  std::ofstream(folder / "increment.cpp") << kKernel;
  auto library = DeviceLibrary::open(TVP_LIBRARY);
  library->configure("system=single_chip");
  void* abi = dlopen(TVP_LIBRARY, RTLD_NOW);
  ASSERT_NE(abi, nullptr) << dlerror();
  const auto find = [abi](const char* name) { return dlsym(abi, name); };
  reinterpret_cast<void (*)(decltype(&on_read), decltype(&on_write))>(
      find("libttsim_set_pci_dma_mem_callbacks"))(on_read, on_write);
  MeshDevice mesh(*library, MeshDevice::Options{});

  // The iATU maps chip addresses from 0 on to the host's page.
  const auto config = reinterpret_cast<std::uint32_t (*)(std::uint32_t, std::uint32_t)>(
      find("libttsim_pci_config_rd32"));
  const auto write_bar = reinterpret_cast<void (*)(std::uint64_t, const void*, std::uint32_t)>(
      find("libttsim_pci_mem_wr_bytes"));
  const std::uint64_t bar2 = (std::uint64_t{config(0, 0x1C)} << 32 | config(0, 0x18)) & ~0xFULL;
  const std::uint32_t region[] = {0, 0, 0x3FFFFFFF, static_cast<std::uint32_t>(kHostPage),
                                  kHostPage >> 32};
  for (std::uint32_t i = 0; i < 5; ++i) write_bar(bar2 + 0x1208 + 4 * i, &region[i], 4);
  const std::uint32_t on = 1U << 31;
  write_bar(bar2 + 0x1204, &on, 4);

  // The FIFO holds three pages; both sides skip 64 B at its end. The host has sent seven pages and
  // the core has acknowledged in time.
  const CoreCoord core{0, 0};
  const CoreRangeSet cores(std::vector<CoreRange>{CoreRange(core)});
  auto buffer = MeshBuffer::create(mesh, ShardedBufferConfig{.cores = cores, .shard_bytes = kSize});
  const auto base = static_cast<std::uint32_t>(buffer->address());
  const std::uint32_t pcie = regs::noc::mid_unicast(0, 3, 0x8);
  receiver_socket_md in;
  in.bytes_sent = 2 * kFifo + kPage;
  in.read_ptr = in.fifo_addr = base + kFifoAt;
  in.fifo_total_size = kFifo;
  in.is_h2d = 1;
  in.h2d = {kAcked, 0, kSent, 0, pcie};
  sender_socket_md out;
  out.num_downstreams = 1;
  out.downstream_bytes_sent_addr = kResultsSent;
  out.downstream_fifo_addr = kResults;
  out.downstream_fifo_total_size = kPages * kPage;
  out.is_d2h = 1;
  const sender_downstream_encoding to{.d2h = {0, 0, pcie}};
  Bytes bytes(kSize);
  std::memcpy(bytes.data(), &in, sizeof in);
  std::memcpy(bytes.data() + kSenderAt, &out, sizeof out);
  std::memcpy(bytes.data() + kSenderAt + 48, &to, sizeof to);
  buffer->write_shard(0, core, bytes);
  for (std::uint32_t i = 0; i < 3 * kPage / 4; ++i) {
    const std::uint32_t value = 1000 + i;
    std::memcpy(host().data() + kSent + 4 * i, &value, 4);
  }

  Program program = CreateProgram();
  const auto kernel =
      CreateKernel(program, (folder / "increment.cpp").string(), core, DataMovementConfig{});
  SetRuntimeArgs(program, kernel, core, {base});
  mesh.run(0, program);

  EXPECT_EQ(word(kAcked), 2 * kFifo + kPage);
  EXPECT_EQ(word(kResultsSent), kPages * kPage);
  for (std::uint32_t i = 0; i < kPages * kPage / 4; ++i)
    ASSERT_EQ(word(kResults + 4 * i), 1000 + i % 192 + i / 64 + 1) << i;
  const Bytes left = buffer->read_shard(0, core);
  std::memcpy(&in, left.data(), sizeof in);
  std::memcpy(&out, left.data() + kSenderAt, sizeof out);
  EXPECT_EQ(in.read_ptr, base + kFifoAt + kPage);
  EXPECT_EQ(in.bytes_acked, 2 * kFifo + kPage);
  EXPECT_EQ(out.write_ptr, 0u);
  dlclose(abi);
}

}  // namespace
}  // namespace tvp::runtime
