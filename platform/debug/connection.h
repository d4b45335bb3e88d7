#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tvp::debug {

/// The TCP port of this machine at which a debugger can call, and the one that did.
class Connection {
 public:
  enum class Received : std::uint8_t { kBytes, kNothing, kClosed };

  /// Takes the port, without answering yet. Throws Fault(kDescription) when somebody else has it.
  explicit Connection(std::uint16_t port);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// From now on callers are answered. Throws Fault(kDescription).
  void listen();
  /// True when somebody calls within `wait_ms`, or has called since.
  bool look_for_caller(int wait_ms);

  bool open() const { return caller_ >= 0; }
  void close();
  /// Sends from `rest` what goes within `wait_ms`, less when a signal comes. False when something
  /// is left that the caller has no room for; a lost connection has room for everything.
  bool send(std::string_view& rest, int wait_ms);
  /// Waits at most `wait_ms` for bytes, less when a signal comes; appends them to `bytes`. Whoever
  /// calls meanwhile is turned away.
  Received receive(std::string& bytes, int wait_ms);

 private:
  void turn_others_away() const;

  std::uint16_t port_;
  int listener_ = -1;
  int caller_ = -1;
};

}  // namespace tvp::debug
