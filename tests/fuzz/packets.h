#pragma once

#include <optional>
#include <string>

#include "foundation/random.h"

namespace tvp::test {

/// Bytes that a debugger could send: mostly a packet of the remote serial protocol with cores,
/// addresses and lengths in and out of range, sometimes a broken one or none at all. No packet
/// resets what the server knows of its debugger ("qSupported"), ends the run or leaves it.
class Packets {
 public:
  explicit Packets(std::uint64_t seed) : random_(seed) {}
  /// As they go over the line.
  std::string next();
  /// For one in sixteen: what of `bytes` has come when the line breaks, Ctrl-C anywhere in it.
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
