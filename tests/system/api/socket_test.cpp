// Sockets: pages of two sizes from a core to two cores of its chip, and by packets to a core of the
// next chip. Checks the data and the state that both sides leave for the next program.

#include "foundation/contract/socket.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "sw/runtime/fabric/fabric_line.h"
#include "sw/runtime/host_api.h"
#include "tests/system/benches/system_suite.h"

namespace tvp::runtime::socket_test {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

constexpr CoreCoord kSender{1, 1};
constexpr CoreCoord kReceivers[] = {{3, 2}, {6, 4}};
constexpr std::uint32_t kFifo = 1040;  // 16 pages of 64 B and 16 B, 10 of 96 B and 80 B
constexpr std::uint32_t kStream = 40 * 64 + 20 * 96;
// The buffer of each core holds the configuration, the FIFO, the data and a header.
constexpr std::uint32_t kFifoAt = 256;
constexpr std::uint32_t kDataAt = 2048;
constexpr std::uint32_t kSize = kDataAt + 8192;

class Sockets : public test::SystemSuite<> {
 protected:
  static void SetUpTestSuite() {
    unsetenv("TT_METAL_HOME");  // its tree may have another write_ptr than the kernels here
    open("system=quad_ring", "socket");
    const CoreRangeSet all(std::vector<CoreRange>{CoreRange(kSender), CoreRange(kReceivers[0]),
                                                  CoreRange(kReceivers[1])});
    buffer_ = MeshBuffer::create(*mesh_, ShardedBufferConfig{.cores = all, .shard_bytes = kSize});
  }
  static void TearDownTestSuite() {
    buffer_.reset();
    SystemSuite::TearDownTestSuite();
  }
  static std::uint8_t pattern(std::size_t i) {
    return static_cast<std::uint8_t>(i * 7 + i / 255 + 3);
  }
  static std::uint32_t base() { return static_cast<std::uint32_t>(buffer_->address()); }

  template <typename T>
  static void put(Bytes& bytes, std::size_t at, const T& value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
  }
  template <typename T>
  static T get(const Bytes& bytes, std::size_t at) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  }
  struct End {
    unsigned device;
    CoreCoord core;
  };
  /// Writes both sides' configurations and the data. Chips are counted in hops.
  static void connect(const End& sender, const std::vector<End>& receivers) {
    const auto at = [](const End& end) {
      return mesh_->device(end.device).worker_core_from_logical_core(end.core);
    };
    const CoreCoord from = at(sender);
    Bytes bytes(kSize);
    sender_socket_md md;
    md.num_downstreams = static_cast<std::uint32_t>(receivers.size());
    md.downstream_bytes_sent_addr = base();
    md.downstream_fifo_addr = base() + kFifoAt;
    md.downstream_fifo_total_size = kFifo;
    put(bytes, 0, md);
    for (std::uint32_t i = 0; i < receivers.size(); ++i) {
      const CoreCoord to = at(receivers[i]);
      const std::uint32_t hops = receivers[i].device - sender.device;
      put(bytes, 32 + 16 * receivers.size() + 16 * i,
          sender_downstream_encoding{.d2d = {0, hops, to.y, to.x}});
      receiver_socket_md there;
      there.read_ptr = base() + kFifoAt;
      there.fifo_addr = base() + kFifoAt;
      there.fifo_total_size = kFifo;
      there.d2d = {.upstream_mesh_id = 0,
                   .upstream_chip_id = hops,
                   .upstream_noc_y = from.y,
                   .upstream_noc_x = from.x,
                   .upstream_bytes_acked_addr = base() + 32 + 16 * i};
      Bytes receiver(kSize);
      put(receiver, 0, there);
      buffer_->write_shard(receivers[i].device, receivers[i].core, receiver);
    }
    for (std::uint32_t i = 0; i < kStream; ++i) bytes[kDataAt + i] = pattern(i);
    buffer_->write_shard(sender.device, sender.core, bytes);
  }
  static std::string write_kernel(const std::string& name, const std::string& begin,
                                  const std::string& page, const std::string& end) {
    const fs::path path = folder_ / (name + ".cpp");
    std::ofstream(path) << "#include \"api/socket_api.h\"\n"
                           "#include \"tt_metal/fabric/hw/inc/packet_header_pool.h\"\n"
                           "#include \"tt_metal/fabric/hw/inc/linear/api.h\"\n"
                           "void kernel_main() {\n"
                           "  const uint32_t base = get_arg_val<uint32_t>(0);\n"
                           "  uint32_t data = base + 2048;\n"
                           "  size_t next = 1;\n" +
                               begin +
                               "  for (uint32_t i = 0; i < 60; ++i) {\n"
                               "    const uint32_t bytes = i < 40 ? 64 : 96;\n" +
                               page + "    data += bytes;\n  }\n" + end +
                               "  update_socket_config(socket);\n"
                               "  noc_async_full_barrier();\n}\n";
    return path.string();
  }
  static void add(std::vector<Program>& programs, const End& end, const std::string& kernel,
                  const std::vector<std::uint32_t>& more = {},
                  const std::map<std::string, std::string>& defines = {}) {
    Program& program = programs[end.device];
    for (unsigned i = 0; i < 3; ++i) CreateSemaphore(program, end.core, 0);
    const auto handle =
        CreateKernel(program, kernel, end.core, DataMovementConfig{.defines = defines});
    std::vector<std::uint32_t> args{base()};
    args.insert(args.end(), more.begin(), more.end());
    SetRuntimeArgs(program, handle, end.core, args);
  }
  /// 40 pages of 64 B from the beginning end 8 pages after the second wrap; each wrap skips 16 B.
  /// Pages of 96 B begin at 576. 20 of them wrap twice, skip 80 B and end at 576 again.
  static void expect_done(const End& sender, const std::vector<End>& receivers) {
    constexpr std::uint32_t kCounted = 40 * 64 + 2 * 16 + 20 * 96 + 2 * 80;
    const Bytes from = buffer_->read_shard(sender.device, sender.core);
    EXPECT_EQ(get<sender_socket_md>(from, 0).bytes_sent, kCounted);
    EXPECT_EQ(get<sender_socket_md>(from, 0).write_ptr, 576u);
    for (std::uint32_t i = 0; i < receivers.size(); ++i) {
      const Bytes to = buffer_->read_shard(receivers[i].device, receivers[i].core);
      const auto md = get<receiver_socket_md>(to, 0);
      EXPECT_EQ(md.bytes_sent, kCounted);
      EXPECT_EQ(md.bytes_acked, kCounted);
      EXPECT_EQ(md.read_ptr, base() + kFifoAt + 576);
      EXPECT_EQ(get<std::uint32_t>(from, 32 + 16 * i), kCounted);
      for (std::uint32_t byte = 0; byte < kStream; ++byte)
        ASSERT_EQ(to[kDataAt + byte], pattern(byte)) << byte;
    }
  }

  static inline std::shared_ptr<MeshBuffer> buffer_;
};

const char* kTake =
    "set_receiver_socket_page_size(socket, bytes);\n"
    "socket_wait_for_pages(socket, 1);\n"
    "noc_async_read(get_noc_addr(socket.read_ptr), data, bytes);\n"
    "noc_async_read_barrier();\n"
    "socket_pop_pages(socket, 1);\n";

TEST_F(Sockets, PagesToTwoReceiversOfTheChip) {
  const End sender{0, kSender};
  const std::vector<End> receivers{{0, kReceivers[0]}, {0, kReceivers[1]}};
  connect(sender, receivers);
  std::vector<Program> programs(mesh_->num_devices());
  add(programs, sender,
      write_kernel("sender", "auto socket = create_sender_socket_interface(base);\n",
                   "set_sender_socket_page_size(socket, bytes);\n"
                   "socket_reserve_pages(socket, 1);\n"
                   "for (uint32_t r = 0; r < socket.num_downstreams; ++r) {\n"
                   "  const auto to = get_downstream_encoding(socket, r);\n"
                   "  noc_async_write(data, get_noc_addr(to.d2d.downstream_noc_x,\n"
                   "                  to.d2d.downstream_noc_y,\n"
                   "                  socket.downstream_fifo_addr + socket.write_ptr), bytes);\n"
                   "}\n"
                   "noc_async_write_barrier();\n"
                   "socket_push_pages(socket, 1);\n"
                   "socket_notify_receiver(socket);\n",
                   "socket_barrier(socket);\n"));
  const std::string receiver =
      write_kernel("receiver", "auto socket = create_receiver_socket_interface(base);\n",
                   std::string(kTake) + "socket_notify_sender(socket);\n", "");
  for (const End& end : receivers) add(programs, end, receiver);
  mesh_->enqueue_all(programs);
  mesh_->finish_workers();
  expect_done(sender, receivers);
}

// Kernels until 2025 write to write_ptr directly and have one receiver.
TEST_F(Sockets, WritePtrIsAnAddressInEarlierKernels) {
  const End sender{0, kSender};
  const std::vector<End> receivers{{0, kReceivers[0]}};
  connect(sender, receivers);
  std::vector<Program> programs(mesh_->num_devices());
  add(programs, sender,
      write_kernel("sender_of_2025",
                   "auto socket = create_sender_socket_interface(base);\n"
                   "const uint32_t x = socket.downstream_noc_x, y = socket.downstream_noc_y;\n",
                   "set_sender_socket_page_size(socket, bytes);\n"
                   "socket_reserve_pages(socket, 1);\n"
                   "noc_async_write(data, get_noc_addr(x, y, socket.write_ptr), bytes);\n"
                   "noc_async_write_barrier();\n"
                   "socket_push_pages(socket, 1);\n"
                   "socket_notify_receiver(socket);\n",
                   "socket_barrier(socket);\n"),
      {}, {{"TVP_SOCKET_ADDRESSES", "1"}});
  add(programs, receivers[0],
      write_kernel("receiver", "auto socket = create_receiver_socket_interface(base);\n",
                   std::string(kTake) + "socket_notify_sender(socket);\n", ""));
  mesh_->enqueue_all(programs);
  mesh_->finish_workers();
  expect_done(sender, receivers);
}

TEST_F(Sockets, PagesByPackets) {
  const End sender{0, kSender};
  const std::vector<End> receivers{{1, kReceivers[0]}};
  connect(sender, receivers);
  FabricLine line(*mesh_, 2, contract::fabric::kDefaultMaxPayloadBytes);
  line.start();
  const std::string connection =
      "auto connection = tt::tt_fabric::WorkerToFabricEdmSender::build_from_args(next);\n"
      "connection.open();\n"
      "auto* header = PacketHeaderPool::allocate_header();\n";
  std::vector<Program> programs(mesh_->num_devices());
  add(programs, sender,
      write_kernel("fabric_sender",
                   connection + "auto socket = create_sender_socket_interface(base);\n",
                   "set_sender_socket_page_size(socket, bytes);\n"
                   "socket_reserve_pages(socket, 1);\n"
                   "const auto to = get_downstream_encoding(socket, 0);\n"
                   "tt::tt_fabric::linear::experimental::fabric_unicast_noc_unicast_write(\n"
                   "    &connection, header, data, bytes, tt::tt_fabric::NocUnicastCommandHeader{\n"
                   "    safe_get_noc_addr(to.downstream_noc_x, to.downstream_noc_y,\n"
                   "                      socket.downstream_fifo_addr + socket.write_ptr, 0)},\n"
                   "    to.downstream_chip_id);\n"
                   "noc_async_writes_flushed();\n"
                   "socket_push_pages(socket, 1);\n"
                   "fabric_socket_notify_receiver(socket, connection, header);\n",
                   "socket_barrier(socket);\nconnection.close();\n"),
      line.connection(0, true, 0));
  add(programs, receivers[0],
      write_kernel(
          "fabric_receiver", connection + "auto socket = create_receiver_socket_interface(base);\n",
          std::string(kTake) + "fabric_socket_notify_sender(socket, connection, header);\n",
          "connection.close();\n"),
      line.connection(1, false, 0));
  mesh_->enqueue_all(programs);
  mesh_->finish_workers();
  line.stop();
  expect_done(sender, receivers);
}

}  // namespace
}  // namespace tvp::runtime::socket_test
