#pragma once

#include <optional>
#include <string>

#include "foundation/random.h"

namespace tvp::test {

/// Bytes that a debugger could send. Most are packets of the remote serial protocol, with cores,
/// addresses and lengths in and out of range. Some packets are broken, some bytes are no packets.
/// No packet resets the session ("qSupported"), ends the run or detaches.
class Packets {
 public:
  explicit Packets(std::uint64_t seed) : random_(seed) {}
  /// The next bytes to send.
  std::string next();
  /// In one of 16 calls, the part of `bytes` that arrives before the connection breaks, with Ctrl-C
  /// at a random place.
  std::optional<std::string> torn(std::string bytes);

 private:
  std::string payload();
  std::string number();
  std::string thread();
  std::string range();
  std::string bytes();
  void damage(std::string& text);

  foundation::Random random_;
};

}  // namespace tvp::test
