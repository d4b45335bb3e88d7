#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tvp::debug {

/// The TCP port of this machine at which a debugger can connect, and that connection.
class Connection {
 public:
  enum class Received : std::uint8_t { kBytes, kNothing, kClosed };

  /// Reserves the port, without accepting yet. Throws Fault(kDescription) if another process has
  /// it.
  explicit Connection(std::uint16_t port);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Accepts connections from now on. Throws Fault(kDescription).
  void listen();
  /// True if a debugger connects within `wait_ms`, or has connected since.
  bool look_for_caller(int wait_ms);

  bool open() const { return caller_ >= 0; }
  void close();
  /// True if the debugger has sent Ctrl-C or hung up. Its bytes stay unread.
  bool wants_attention() const;
  /// Leaves connection and port to a copy of this process.
  void release();
  /// Sends from `rest` what the connection takes within `wait_ms`, or until a signal comes. False
  /// if bytes are left; a lost connection takes all.
  bool send(std::string_view& rest, int wait_ms);
  /// Waits at most `wait_ms`, or until a signal comes, and appends received bytes to `bytes`.
  /// Refuses other debuggers meanwhile.
  Received receive(std::string& bytes, int wait_ms);

 private:
  void forget();
  void turn_others_away() const;

  std::uint16_t port_;
  int listener_ = -1;
  int caller_ = -1;
};

}  // namespace tvp::debug
