#pragma once

// Runs under gdb-multiarch, and under a debugger that sends what the test gives it.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platform/debug/gdb_packet.h"
#include "tests/support/port.h"
#include "tests/support/program.h"
#include "tests/support/words.h"

namespace tvp::test {

inline std::uint16_t free_port() { return Port().number(); }

/// The program with its output, which is read while it runs.
class DebuggedProgram {
 public:
  explicit DebuggedProgram(const std::string& arguments)
      : process_({.command = words_of(kProgram + " run " + arguments)}) {}

  /// Reads until `part` comes; false if the output ended before.
  bool read_to(const std::string& part) {
    while (process_.said().find(part) == std::string::npos)
      if (!process_.read_more()) return false;
    return true;
  }
  pid_t id() const { return process_.id(); }
  void interrupt() const { kill(id(), SIGINT); }
  Outcome end() {
    process_.finish();
    return {process_.exit_code(), process_.said()};
  }

 private:
  foundation::Process process_;
};

/// A debugger that sends what the test gives it.
class RawDebugger {
 public:
  explicit RawDebugger(std::uint16_t port)
      : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const sockaddr_in address = local(port);
    EXPECT_EQ(connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  ~RawDebugger() { close(socket_); }
  RawDebugger(const RawDebugger&) = delete;
  RawDebugger& operator=(const RawDebugger&) = delete;

  void send_raw(const std::string& bytes) const {
    EXPECT_EQ(send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }
  /// Requests `packet` repeatedly and reads nothing, until the server no longer accepts data.
  void flood(const std::string& packet) const {
    const std::string bytes = debug::encode_packet(packet);
    pollfd room{.fd = socket_, .events = POLLOUT, .revents = 0};
    while (poll(&room, 1, 500) > 0 && (room.revents & POLLOUT) != 0)
      if (send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT) < 0) break;
  }
  void say(const std::string& packet) const { send_raw(debug::encode_packet(packet)); }
  /// The next packet, or "-" for a request to repeat; "closed" at the end of the connection.
  std::string hear() {
    while (true) {
      while (const auto item = decoder_.next()) {
        if (item->kind == debug::PacketDecoder::Kind::kPacket) return item->payload;
        if (item->kind == debug::PacketDecoder::Kind::kNack) return "-";
      }
      std::array<char, 4096> buffer;
      const ssize_t n = recv(socket_, buffer.data(), buffer.size(), 0);
      if (n <= 0) return "closed";
      decoder_.feed({buffer.data(), static_cast<std::size_t>(n)});
    }
  }
  std::string ask(const std::string& packet) {
    say(packet);
    return hear();
  }

 private:
  int socket_;
  debug::PacketDecoder decoder_;
};

class GdbTest : public FolderTest {
 protected:
  std::string build(const std::string& source) const {
    const std::string script =
        write("program.ld",
              "ENTRY(_start)\nSECTIONS {\n . = 0x1000;\n .text : { *(.text.start) *(.text*) }\n"
              " .data : { *(.data*) *(.sdata*) *(.sbss*) *(.bss*) *(.rodata*) }\n}\n");
    const Outcome o = execute(
        "riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -g -O1 -ffreestanding -nostdlib "
        "-nostartfiles -static -Wl,--no-relax,--no-warn-rwx-segments -T " +
        script + " " + source + " -o " + path("program.elf"));
    EXPECT_EQ(o.exit_code, 0) << o.output;
    return path("program.elf");
  }
  std::string assemble(const std::string& text) const {
    return build(write("program.S", ".globl _start\n_start:\n" + text +
                                        "\n.data\n.globl tohost\ntohost: .word 0\n"));
  }
  static std::string elf(const std::string& file) { return "elf --set elf.file=" + file; }

  nlohmann::json report(const std::string& name) const { return read_json(path(name)); }
  /// A run under a gdb with these commands; gdb's output and the end of the run.
  struct Session {
    Outcome gdb;
    Outcome run;
  };
  /// To the test's folder, where the test changes it.
  void copy_firmware() const {
    for (const char* part : {"firmware", "foundation/contract", "foundation/regs"}) {
      std::filesystem::create_directories(folder() / part);
      std::filesystem::copy(part, folder() / part, std::filesystem::copy_options::recursive);
    }
  }
  Session debug(const std::string& arguments, const std::vector<std::string>& commands) const {
    const std::string port = std::to_string(free_port());
    std::string script =
        "set debuginfod enabled off\nset pagination off\nset confirm off\nset width 0\n"
        "set breakpoint pending on\nset tcp connect-timeout 60\nset schedule-multiple on\n"
        "target extended-remote 127.0.0.1:" +
        port + "\n";
    for (const std::string& command : commands) script += command + "\n";
    DebuggedProgram run(arguments + " --gdb " + port + " --report " + path("debugged.json"));
    Session session;
    session.gdb = execute("timeout 100 gdb-multiarch -nx -batch -x " + write("script", script));
    session.run = run.end();
    return session;
  }
  /// Checks that a run with a debugger has the same simulated time, digest and phases as one
  /// without.
  void expect_same(const std::string& arguments) const {
    const Outcome plain = vp("run " + arguments + " --report " + path("plain.json"));
    EXPECT_EQ(plain.exit_code, 0) << plain.output;
    const auto a = report("plain.json");
    const auto b = report("debugged.json");
    for (const char* key : {"simulated_ps", "state_digest", "phases", "status"}) {
      ASSERT_TRUE(a.contains(key)) << key;
      EXPECT_EQ(a[key], b[key]) << key;
    }
  }
  static void expect_in_order(const std::string& text, const std::vector<std::string>& parts) {
    std::size_t from = 0;
    for (const std::string& part : parts) {
      const std::size_t at = text.find(part, from);
      ASSERT_NE(at, std::string::npos) << "no '" << part << "' behind the others in\n" << text;
      from = at + part.size();
    }
  }
};

}  // namespace tvp::test
