#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/noc/noc_protocol.h"

namespace tvp::noc {

/// The packets in flight, from injection until the arrival of the last copy. Holds a reference to
/// each.
class PacketLedger {
 public:
  /// `copies`: number of NIUs that receive the packet. Returns the packet's slot.
  std::uint32_t add(Packet& packet, std::uint32_t copies);
  /// Sets the number of copies if it was unknown at the injection.
  void set_copies(std::uint32_t slot, std::uint32_t copies);
  /// One copy has arrived. The last one drops the reference.
  void arrived(std::uint32_t slot);
  Packet& packet(std::uint32_t slot) const { return *entries_[slot].packet; }

  std::uint64_t sent() const { return sent_; }            ///< copies
  std::uint64_t delivered() const { return delivered_; }  ///< copies
  std::uint32_t in_flight() const { return in_flight_; }
  void describe(std::vector<std::string>& lines) const;

 private:
  void drop(std::uint32_t slot);

  struct Entry {
    Packet* packet;
    std::uint32_t copies;
  };
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> free_;
  std::uint64_t sent_ = 0;
  std::uint64_t delivered_ = 0;
  std::uint32_t in_flight_ = 0;
};

std::string describe(const NocExtension& header);

}  // namespace tvp::noc
