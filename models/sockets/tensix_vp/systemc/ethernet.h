#pragma once

#include <array>
#include <cstdint>
#include <systemc>
#include <tlm>

namespace tensix_vp {

/// A packet between the two ends of an ethernet link, without MAC addresses and checksums. Kinds
/// other than kRaw are those of the TT-link layer, which numbers, acknowledges and repeats packets.
struct EthernetPacket {
  enum class Kind : std::uint8_t {
    kRaw,             ///< 1 to kMaxBytes bytes for the raw buffer of the receive queue
    kSequenceUpdate,  ///< an acknowledgement without data
    kL1Write,         ///< data for the L1 of the other tile; address and bytes are multiples of 16
    kMmioWrite,       ///< 4 bytes for a register of the other tile; the address is a multiple of 4
  };
  static constexpr std::uint32_t kMaxBytes = 1500;

  Kind kind = Kind::kRaw;
  std::uint8_t queue = 0;            ///< number of the sending and of the receiving queue, 0 or 1
  std::uint8_t sequence = 0;         ///< TT-link: number of this packet
  std::uint8_t acknowledgement = 0;  ///< TT-link: the next number that the sender expects
  bool corrupt = false;              ///< CRC does not match; valid at the last bit
  std::uint32_t address = 0;         ///< TT-link: destination in the remote tile
  std::uint32_t bytes = 0;           ///< size of `data`
  std::array<std::uint8_t, (kMaxBytes + 15) / 16 * 16> data;

  /// Size in the 16-byte units of the queues' word counters: L2 and TT-link headers, and the body.
  std::uint32_t words() const {
    const std::uint32_t header = kind == Kind::kRaw ? 14 : 30;
    return (header + bytes + 15) / 16;
  }
};

/// Phases of a packet on a line, in this order.
enum class EthernetPhase { kFirstBit, kLastBit };

/// Traits class of the sockets of ethernet lines. A line has one direction.
///
/// The sender of a packet is the initiator. It calls nb_transport_fw twice: for the first bit and
/// for the last one. Each bit is at the socket at sc_time_stamp() plus the annotated delay. Both
/// calls may come early. A packet begins at or after the end of the previous one. The packet lives
/// from the first call to the return of the second one, so a target copies what it needs later.
///
/// A target returns TLM_ACCEPTED to a first bit and TLM_COMPLETED to a last one. It never calls
/// back: lines have no back-pressure. b_transport carries a whole packet whose bits all pass at the
/// annotated time; it does not wait. There is neither DMI nor debug transport.
///
/// A link forwards the calls with its latency added to the delays. To lose a packet, it forwards
/// neither call. To damage one, it forwards a packet with `corrupt`.
struct EthernetTypes {
  using tlm_payload_type = EthernetPacket;
  using tlm_phase_type = EthernetPhase;
};

/// The sockets at one end of a link. They belong to a module that lives longer.
struct EthernetPort {
  tlm::tlm_initiator_socket<32, EthernetTypes>& out;
  tlm::tlm_target_socket<32, EthernetTypes>& in;

  /// Binds both directions.
  void bind(const EthernetPort& other) const {
    out.bind(other.in);
    other.out.bind(in);
  }
};

}  // namespace tensix_vp
