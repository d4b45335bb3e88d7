#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "foundation/regs/noc.h"
#include "models/noc/endpoint_type.h"
#include "models/support/bus_access.h"
#include "models/support/time.h"

namespace tvp::noc {

class Packet;

enum class PacketKind : std::uint8_t {
  kReadRequest,
  kWrite,
  kInlineWrite,
  kAtomic,
  kReadResponse,
  kWriteAck,
  kAtomicResponse,
};

inline bool is_response(PacketKind kind) { return kind >= PacketKind::kReadResponse; }
const char* name_of(PacketKind kind);

/// Virtual channel number of one hop: class (2 bits), buddy, dateline (ISA NoC/README.md).
namespace vc {
inline constexpr unsigned kCount = 16;
inline constexpr unsigned kClassBroadcast = 2;
inline constexpr unsigned kClassResponse = 3;
inline constexpr unsigned number(unsigned vc_class, unsigned buddy, unsigned dateline) {
  return vc_class << 2 | buddy << 1 | dateline;
}
inline constexpr unsigned class_of(unsigned vc) { return vc >> 2; }
}  // namespace vc

/// The header flit: everything about a packet besides the bytes of its payload. It is constant once
/// the packet was passed to the network, since branches of a broadcast share it.
struct NocExtension : tlm::tlm_extension<NocExtension> {
  PacketKind kind = PacketKind::kReadRequest;
  Node source;  ///< on the sender's NoC, as the nodes below
  Node target;  ///< end corner of a broadcast
  Node start;   ///< start corner of a broadcast
  bool broadcast = false;
  bool y_major = false;
  bool source_included = false;
  bool static_vc = false;
  bool linked = false;
  bool first_of_chain = true;  ///< false for a packet behind a linked one
  bool path_reserve = false;
  bool posted = false;
  bool byte_enabled = false;
  std::uint8_t vc_class = 0;
  std::uint8_t buddy = 0;     ///< on the first hop
  std::uint8_t last_vc = 0;   ///< channel on the last hop; set by the network
  std::uint8_t asked_vc = 0;  ///< response: channel of its request on the last hop
  std::uint32_t slot = 0;     ///< in the network's ledger; set by the network
  std::uint8_t priority = 0;
  std::uint8_t transaction_id = 0;
  std::uint16_t tag = 0;          ///< PACKET_TAG
  std::uint32_t bytes = 0;        ///< size of the data
  std::uint32_t flits = 1;        ///< header included
  std::uint32_t at_len_be = 0;    ///< byte enables, or opcode and operands of an atomic
  std::uint32_t at_len_be_1 = 0;  ///< byte enables of bytes 32 to 63 (Blackhole)
  std::uint32_t at_data = 0;
  std::uint64_t address = 0;  ///< in the target's address space
  Node reply;                 ///< destination of the response
  std::uint64_t reply_address = 0;
  Packet* answer = nullptr;      ///< at the target of a read, links request and response
  std::uint8_t memory_port = 0;  ///< at a DRAM tile: the NIU that asks
  /// At a DRAM tile: the cycle in which the controller announced the end of this response.
  support::Cycle announced_at = support::kNever;
  /// Cycles from the first to the last flit, at a NIU that takes data more slowly than the link
  /// delivers it. 0: one flit in each cycle.
  std::uint32_t streamed = 0;
  std::uint32_t sequence = 0;   ///< number of the packet at its source NIU
  std::uint32_t sender_pc = 0;  ///< pc of the sending core at the store to CMD_CTRL; 0: not known
  /// The sending core, also in a response; kDebug: none.
  support::BusMaster sender = support::BusMaster::kDebug;
  support::Cycle issued = 0;    ///< cycle of the store to CMD_CTRL, or of the finished response
  support::Cycle injected = 0;  ///< cycle at which the header left the NIU

  unsigned data_flits() const { return flits - 1; }
  /// Cycles from the first to the last flit of the data, at the target.
  std::uint32_t data_cycles() const { return std::max(streamed, data_flits()) - 1; }
  unsigned first_vc() const { return vc::number(vc_class, buddy, 0); }
  tlm::tlm_extension_base* clone() const override { return new NocExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const NocExtension&>(other);
  }
};

/// True for a write whose data follows its header. A NIU reads the data of one such write after the
/// other. Other requests pass them on their own channels.
inline bool carries_data(const NocExtension& header) {
  return header.kind == PacketKind::kWrite && header.flits > 1;
}

/// The part of the memory's latency beyond the time in which the flits of the packet stream through
/// the NIU. The response is late by this part.
inline std::uint64_t beyond_stream(std::uint64_t latency, const NocExtension& header) {
  const std::uint64_t streamed = header.data_flits() > 0 ? header.data_flits() - 1 : 0;
  return latency > streamed ? latency - streamed : 0;
}

class PacketPool;

/// A payload with its extension and bytes. The NIU that made it recycles it.
class Packet : public tlm::tlm_generic_payload {
 public:
  /// `large`: bytes of data of a packet that does not fit into the object itself; 0: it does.
  Packet(PacketPool& pool, std::uint32_t large);
  ~Packet() override;
  NocExtension& header() { return header_; }
  const NocExtension& header() const { return header_; }
  std::uint8_t* data() { return data_; }
  /// TLM byte enables, for writes that use them.
  std::uint8_t* enables() { return enables_; }
  bool large() const { return large_ != nullptr; }

 private:
  /// The packet owns it, so the payload's destructor must not free it.
  struct EmbeddedExtension : NocExtension {
    void free() override {}
  };
  static constexpr unsigned kSmallBytes = 64;
  EmbeddedExtension header_;
  std::uint8_t small_[kSmallBytes] = {};
  std::uint8_t enables_[regs::noc::kBlackholeMap.flit_bytes] = {};
  std::unique_ptr<std::uint8_t[]> large_;
  std::uint8_t* data_;
};

class PacketPool : public tlm::tlm_mm_interface {
 public:
  static constexpr std::uint32_t kSmallBytes = 64;
  /// `longest`: bytes of data of the longest packet.
  explicit PacketPool(std::uint32_t longest = regs::noc::kMaxPacketBytes) : longest_(longest) {}
  PacketPool(const PacketPool&) = delete;
  PacketPool& operator=(const PacketPool&) = delete;
  /// A packet with room for `bytes`, with one reference.
  Packet& allocate(std::uint32_t bytes);
  void free(tlm::tlm_generic_payload* payload) override;
  std::size_t allocated() const { return packets_.size(); }

 private:
  std::uint32_t longest_;
  std::vector<std::unique_ptr<Packet>> packets_;
  std::vector<Packet*> free_small_;
  std::vector<Packet*> free_large_;
};

/// Protocol between a NIU and its router on nb_transport; the payload is always a Packet.
///
/// BEGIN_REQ     the header arrives. Towards the network the initiator holds a credit of the VC.
///               A NIU that never refuses answers TLM_UPDATED with END_REQ at once.
/// TAIL_ARRIVED  the last flit arrives (only towards a NIU; never before its BEGIN_REQ)
/// END_REQ       on the backward path: towards a NIU, the packet's VC on the first link is free
///               again; towards the network, the NIU has taken the packet out of its buffer.
///
/// Delays are relative to Calendar::now(). Responses are separate packets.
struct NocProtocol {
  using tlm_payload_type = tlm::tlm_generic_payload;
  using tlm_phase_type = tlm::tlm_phase;
};

TLM_DECLARE_EXTENDED_PHASE(TAIL_ARRIVED);

inline constexpr std::uint64_t kPsPerCycle = 1000;  ///< AICLK of 1 GHz; kernel resolution is 1 ps

inline sc_core::sc_time to_time(support::Cycle cycles) {
  return sc_core::sc_time::from_value(cycles * kPsPerCycle);
}
inline support::Cycle to_cycles(const sc_core::sc_time& time) { return time.value() / kPsPerCycle; }
inline Packet& packet_of(tlm::tlm_generic_payload& payload) {
  return static_cast<Packet&>(payload);
}

}  // namespace tvp::noc
