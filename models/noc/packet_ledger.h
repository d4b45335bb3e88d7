#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/noc/noc_protocol.h"

namespace tvp::noc {

/// The packets under way, from injection until the last copy has arrived. Holds a reference to
/// each.
class PacketLedger {
 public:
  /// `copies`: how many NIUs it goes to. Returns the slot that stays the packet's while it travels.
  std::uint32_t add(Packet& packet, std::uint32_t copies);
  /// For a packet that was added before its copies were known.
  void set_copies(std::uint32_t slot, std::uint32_t copies);
  /// One copy has arrived. Drops the reference with the last one.
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
