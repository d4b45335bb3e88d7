#pragma once

#include <systemc>

#include "models/sockets/tensix_vp/systemc/ethernet.h"

namespace tvp::ethernet {

/// Order of the calls at a socket of a line (tensix_vp::EthernetTypes).
class PacketOrder {
 public:
  /// Names the broken rule of a call for time `at`; null if there is none. Such calls do not count.
  const char* check(tensix_vp::EthernetPhase phase, const sc_core::sc_time& at) {
    const bool first = phase == tensix_vp::EthernetPhase::kFirstBit;
    if (first == open_) {
      return first ? "a first bit comes inside a packet" : "a last bit comes without a first one";
    }
    if (at < time_) {
      return first ? "the first bit comes before the last bit of the previous packet"
                   : "the last bit comes before the first one";
    }
    open_ = first;
    time_ = at;
    return nullptr;
  }

 private:
  bool open_ = false;
  sc_core::sc_time time_;  ///< the last call has it
};

}  // namespace tvp::ethernet
