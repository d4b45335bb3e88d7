// A hostile debugger sends packets of any form at any moment of a run, with cores, addresses and
// lengths in and out of range. The run must continue and answer the next packet.

#include <arpa/inet.h>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <optional>

#include "foundation/abi/tensix_vp/libttsim.h"
#include "foundation/output_file.h"
#include "platform/debug/gdb_packet.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/packets.h"
#include "tests/fuzz/seed_elf.h"
#include "tests/support/test_folder.h"

namespace tvp {
namespace {

using debug::PacketDecoder;
using Clock = std::chrono::steady_clock;

constexpr auto kLongest = std::chrono::seconds(120);  ///< for one answer, with sanitizers

sockaddr_in local(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

std::uint16_t free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = local(0);
  EXPECT_EQ(bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  socklen_t size = sizeof address;
  getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  close(socket);
  return ntohs(address.sin_port);
}

/// Sessions of the library with a debugger's port, one after the other. Each lasts until a fault
/// ends its program.
class Host {
 public:
  Host(bool pim, std::uint16_t port, std::string elf)
      : pim_(pim), elf_(std::move(elf)), child_(fork()) {
    if (child_ != 0) return;
    run(port);
    _exit(99);
  }
  ~Host() {
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  /// The reason if a host process has ended, which is always an error.
  std::optional<std::string> end() {
    int status = 0;
    if (child_ <= 0 || waitpid(child_, &status, WNOHANG) == 0) return std::nullopt;
    child_ = -1;
    return WIFSIGNALED(status) ? "killed by signal " + std::to_string(WTERMSIG(status))
                               : "ended with " + std::to_string(WEXITSTATUS(status));
  }

 private:
  template <typename F>
  F* function(const char* name) {
    F* const found = reinterpret_cast<F*>(dlsym(library_, name));
    if (found == nullptr) _exit(98);
    return found;
  }
  void run(std::uint16_t port) {
    if (freopen("/dev/null", "w", stderr) == nullptr && std::getenv("ASAN_OPTIONS") == nullptr)
      _exit(97);
    library_ = dlopen(TVP_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) _exit(96);
    const std::string settings = "system=" + std::string(pim_ ? "pim_rank" : "small_ring") +
                                 "\ngdb.port=" + std::to_string(port) + "\n";
    for (;;) {
      function<decltype(tensix_vp_configure)>("tensix_vp_configure")(settings.c_str());
      function<decltype(libttsim_init)>("libttsim_init")();
      load();
      if (failed()) leave(94);
      while (!failed()) function<decltype(libttsim_clock)>("libttsim_clock")(100'000);
      if (error() == TENSIX_VP_ERROR_INTERNAL) leave(95);
      function<decltype(libttsim_exit)>("libttsim_exit")();
    }
  }
  bool failed() {
    return function<decltype(tensix_vp_status)>("tensix_vp_status")() >= TENSIX_VP_FAULT;
  }
  std::uint32_t error() {
    std::uint32_t kind = 0;
    function<decltype(tensix_vp_last_error)>("tensix_vp_last_error")(
        &kind, text_.data(), static_cast<std::uint32_t>(text_.size()));
    return kind;
  }
  [[noreturn]] void leave(int code) {
    error();
    std::printf("%s\n", text_.data());
    std::fflush(stdout);
    _exit(code);
  }
  void load() {
    if (pim_) {
      const std::array<std::uint32_t, 2> units{0, 1};
      for (const std::uint32_t unit : units) {
        function<decltype(tensix_vp_pim_load)>("tensix_vp_pim_load")(unit, elf_.c_str());
        function<decltype(tensix_vp_pim_own)>("tensix_vp_pim_own")(unit, TENSIX_VP_PIM_PROCESSOR);
      }
      function<decltype(tensix_vp_pim_start)>("tensix_vp_pim_start")(units.data(), 2);
      return;
    }
    for (const std::uint32_t core : {0U, 2U}) {
      function<decltype(tensix_vp_load_program)>("tensix_vp_load_program")(0, 1, 1, core,
                                                                           elf_.c_str(), nullptr);
    }
  }

  bool pim_;
  std::string elf_;
  void* library_ = nullptr;
  std::array<char, 1024> text_{};
  pid_t child_;
};

/// The debugger's end of the connection.
class Line {
 public:
  explicit Line(std::uint16_t port) : port_(port) {}
  ~Line() { hang_up(); }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  bool open() const { return socket_ >= 0; }
  void hang_up() {
    if (socket_ >= 0) close(socket_);
    socket_ = -1;
  }
  bool call() {
    hang_up();
    decoder_ = {};
    socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = local(port_);
    if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
      return true;
    hang_up();
    return false;
  }
  void send(const std::string& bytes) {
    for (std::size_t done = 0; open() && done < bytes.size();) {
      // Read responses meanwhile, since otherwise both sides could wait for each other.
      listen(0);
      const ssize_t n =
          ::send(socket_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (n > 0) {
        done += static_cast<std::size_t>(n);
      } else if (errno == EAGAIN) {
        listen(10);
      } else {
        hang_up();
      }
    }
  }
  /// True if a packet with this beginning has come; drops earlier packets.
  bool heard(const std::string& prefix) {
    listen(10);
    while (const auto item = decoder_.next())
      if (item->kind == PacketDecoder::Kind::kPacket && item->payload.starts_with(prefix))
        return true;
    return false;
  }

 private:
  void listen(int wait_ms) {
    pollfd entry{.fd = socket_, .events = POLLIN, .revents = 0};
    while (open() && poll(&entry, 1, wait_ms) > 0) {
      wait_ms = 0;
      std::array<char, 65536> buffer;
      const ssize_t n = recv(socket_, buffer.data(), buffer.size(), 0);
      if (n <= 0) return hang_up();
      decoder_.feed({buffer.data(), static_cast<std::size_t>(n)});
    }
  }

  std::uint16_t port_;
  int socket_ = -1;
  PacketDecoder decoder_;
};

/// Sends `packets` packets to hosts of one kind. Returns the error, or "" if there is none.
std::string wrong_with(bool pim, const std::string& elf, std::uint64_t seed,
                       std::uint64_t packets) {
  constexpr unsigned kBatch = 50;
  const std::uint16_t port = free_port();
  Host host(pim, port, elf);
  Line line(port);
  auto heard = Clock::now();
  std::uint64_t answers = 0;
  for (std::uint64_t done = 0; done < packets;) {
    if (const auto end = host.end()) return "the host was " + *end;
    if (Clock::now() - heard > kLongest) return "no answer";
    if (!line.open() && !line.call()) {
      poll(nullptr, 0, 1);  // the next session is not ready yet
      continue;
    }
    test::Packets batch(seed + done / kBatch);
    std::string bytes;
    for (unsigned i = 0; i < kBatch; ++i) bytes += batch.next();
    if (const auto torn = batch.torn(bytes)) {
      line.send(*torn);
      line.hang_up();  // in the middle of a packet
      heard = Clock::now();
      done += kBatch;
      continue;
    }
    line.send(bytes);
    // The run must stop and still answer.
    bool answered = false;
    while (line.open() && !answered && Clock::now() - heard <= kLongest) {
      line.send("\x03" + debug::encode_packet("qSupported:multiprocess+"));
      for (unsigned i = 0; i < 10 && line.open() && !answered; ++i)
        answered = line.heard("PacketSize=");
    }
    if (!answered && line.open()) return "no answer behind " + std::to_string(done) + " packets";
    heard = Clock::now();
    answers += answered ? 1 : 0;
    done += kBatch;
    if (done % 5000 == 0) line.send(debug::encode_packet("D"));  // detaches to connect again
  }
  // Other sessions end with their program, since packets change its registers and memory at random.
  const bool most = answers * kBatch * 2 > packets;
  return most ? "" : "only " + std::to_string(answers * kBatch) + " packets led to an answer";
}

class FuzzGdb : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& bytes) {
    foundation::write_file(folder_.file(name), bytes);
    return folder_.file(name);
  }
  test::TestFolder folder_{"fuzz_gdb"};
};

TEST_F(FuzzGdb, NoPacketEndsARunOfTensixCores) {
  EXPECT_EQ(wrong_with(false, file("p.elf", test::endless_elf()), test::fuzz_seed(),
                       test::fuzz_cases(10'000)),
            "");
}

TEST_F(FuzzGdb, NoPacketEndsARunOfUnits) {
  EXPECT_EQ(wrong_with(true, file("p.elf", test::endless_unit_elf()), test::fuzz_seed(),
                       test::fuzz_cases(10'000)),
            "");
}

}  // namespace
}  // namespace tvp
