#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "foundation/recording/host_message.h"
#include "sw/replay/played_chips.h"

namespace tvp::replay {

/// Arguments of kernels that hold the NoC 0 coordinates of a worker, as recordings of simulators
/// without NoC 1 do. The replay writes the translated coordinates instead, which mean the same
/// worker on both NoCs.
class Noc0Arguments {
 public:
  using Message = foundation::HostMessage;

  /// `text`: "[CHIP:]X-Y:0xADDR" of each pair of words, joined by '+'. Throws Fault(kDescription).
  Noc0Arguments(std::string key, const std::string& text);

  /// The write as the chips get it. A place keeps words that are no worker's coordinates, since
  /// other programs may store other data there.
  Message translated(const Message& write, const PlayedChips& chips);
  /// Throws Fault(kDescription) for a place at which no write had a worker's coordinates.
  void finish() const;

 private:
  struct Place {
    std::string text;
    unsigned chip = 0;
    runtime::CoreCoord core;
    std::uint64_t address = 0;
    bool found = false;
  };
  Place parse(const std::string& text) const;

  std::string key_;
  std::vector<Place> places_;
};

}  // namespace tvp::replay
