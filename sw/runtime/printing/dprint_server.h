#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "sw/runtime/devices/device.h"

namespace tvp::runtime {

/// Converts the DPRINT records of cores to lines "<device>:<core>:<RISC>: text" (kernel_api 7.1).
class DprintServer {
 public:
  explicit DprintServer(std::function<void(const std::string&)> print) : print_(std::move(print)) {}

  /// Lets the core's processors print, or discards their prints.
  static void open(Device& device, const CoreId& core, bool enabled);
  /// Takes the core's new prints. Returns true if there were any.
  bool poll(Device& device, const CoreId& core);
  /// Prints unfinished lines.
  void flush();

 private:
  /// Formatting state of one processor's stream.
  struct Stream {
    std::string line;
    int base = 10;
    int width = 0;
    bool sticky_width = false;
    int precision = 6;
    bool fixed = false;
  };
  using Key = std::pair<std::pair<unsigned, CoreId>, std::uint32_t>;

  static bool set_format(Stream& stream, std::uint8_t type, const std::uint8_t* payload);
  void append(Stream& stream, const std::string& prefix, std::uint8_t type,
              const std::uint8_t* payload, std::uint32_t size);
  static std::string prefix(const Device& device, const CoreId& core, std::uint32_t slot);

  std::function<void(const std::string&)> print_;
  std::map<Key, std::pair<std::string, Stream>> streams_;
  std::set<std::uint32_t> raised_;  ///< signals that streams wait for
};

}  // namespace tvp::runtime
