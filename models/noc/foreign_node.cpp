#include "models/noc/foreign_node.h"

#include <algorithm>
#include <cstring>

namespace tvp::noc {

namespace noc_regs = regs::noc;
using sc_core::sc_time;
using support::Cycle;

namespace {

/// Local addresses of the bytes of the user's own requests: no other tile reaches them.
constexpr std::uint64_t kSlots = 0xE'0000'0000;
constexpr std::uint64_t kSlotBytes = 0x4000;
/// Source and destination of a packet have the same place in a line (ISA NoC/Alignment.md).
constexpr std::uint64_t kLine = 64;
constexpr std::uint64_t kOffsetMask = (1ULL << ForeignNode::kXShift) - 1;

}  // namespace

ForeignNode::ForeignNode(const sc_core::sc_module_name& name, const NocConfig& config,
                         const Grid& grid, Node at, support::CalendarBlock& block,
                         foundation::FaultPolicy& faults, const std::string& where,
                         support::ForeignMemory::Timing timing)
    : sc_module(name),
      ForeignPackets(block, timing),
      requests("requests"),
      requests_(requests, *this),
      at_(at) {
  watches_.sleep(*this,
                 1U << static_cast<unsigned>(support::Watch::kNiu0) |
                     1U << static_cast<unsigned>(support::Watch::kNiu1),
                 {});
  tile_ = block.calendar().add_tile(scheduler_);
  for (unsigned noc = 0; noc < 2; ++noc) {
    const std::string suffix = std::to_string(noc);
    const Place place{.grid = grid,
                      .noc = noc,
                      .x = at.x,
                      .y = at.y,
                      .type = EndpointType::kPcieOrEmpty,
                      .tile = tile_,
                      .where = where + ".niu" + suffix};
    nius_[noc] = std::make_unique<Niu>(("niu" + suffix).c_str(), config, place, block.calendar(),
                                       watches_, faults);
    from_niu_[noc] = std::make_unique<FromNiu>(("from_niu" + suffix).c_str());
    from_niu_[noc]->register_nb_transport_fw(this, &ForeignNode::from_niu_fw,
                                             static_cast<int>(noc));
    from_niu_[noc]->register_b_transport(this, &ForeignNode::from_niu_b, static_cast<int>(noc));
    nius_[noc]->memory.bind(*from_niu_[noc]);
    registers_[noc] =
        std::make_unique<NiuRegisterPort>(("to_registers" + suffix).c_str(), *nius_[noc]);
    scheduler_.add(*nius_[noc]);
    for (unsigned i = 0; i < noc_regs::kInitiators; ++i) {
      slots_.push_back(
          {.noc = noc, .initiator = i, .bytes = std::vector<std::uint8_t>(kSlotBytes)});
    }
  }
}

/// Null outside of the slots.
std::uint8_t* ForeignNode::slot_bytes(std::uint64_t address, std::uint32_t bytes) {
  if (address < kSlots || address - kSlots >= slots_.size() * kSlotBytes) return nullptr;
  const std::uint64_t offset = (address - kSlots) % kSlotBytes;
  if (bytes > kSlotBytes - offset) return nullptr;
  return slots_[(address - kSlots) / kSlotBytes].bytes.data() + offset;
}

bool ForeignNode::access_slot(tlm::tlm_generic_payload& payload) {
  const std::uint32_t bytes = payload.get_data_length();
  std::uint8_t* const own = slot_bytes(payload.get_address(), bytes);
  if (own == nullptr) return false;
  if (payload.is_write()) {
    std::memcpy(own, payload.get_data_ptr(), bytes);
  } else {
    std::memcpy(payload.get_data_ptr(), own, bytes);
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  return true;
}

void ForeignNode::from_niu_b(int, tlm::tlm_generic_payload& payload, sc_time&) {
  if (!access_slot(payload)) payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

tlm::tlm_sync_enum ForeignNode::from_niu_fw(int noc, tlm::tlm_generic_payload& payload,
                                            tlm::tlm_phase& phase, sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
  if (access_slot(payload)) return tlm::TLM_COMPLETED;
  packet_of(payload).header().memory_port = static_cast<std::uint8_t>(noc);
  send(payload, delay);
  return tlm::TLM_ACCEPTED;
}

void ForeignNode::pass_back(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase,
                            sc_time& delay) {
  (*from_niu_[packet_of(payload).header().memory_port])->nb_transport_bw(payload, phase, delay);
}

/// Responses of the NoC carry no status, so it takes a way of its own, in no time.
void ForeignNode::return_error(tlm::tlm_generic_payload& payload) const {
  const Packet& packet = packet_of(payload);
  const NocExtension& request =
      payload.is_read() ? packet.header().answer->header() : packet.header();
  const Niu& niu = *nius_[packet.header().memory_port];
  const Grid& grid = niu.place().grid;
  const Node source = grid.to_noc(niu.place().noc, request.source);
  std::vector<Slot>& slots = (*nodes_)[grid.number(source)]->slots_;
  slots[niu.place().noc * noc_regs::kInitiators + request.transaction_id].status =
      payload.get_response_status();
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

/// kNowhere for an address where nothing is.
Node ForeignNode::target_of(const tlm::tlm_generic_payload& payload) const {
  const Grid& grid = nius_[0]->place().grid;
  const std::uint64_t address = payload.get_address();
  const unsigned x = address >> kXShift & 63;
  const unsigned y = address >> kYShift & 63;
  if (address >> (kNocShift + 1) != 0 || !grid.names_column(x) || !grid.names_row(y) ||
      (address & kOffsetMask) + payload.get_data_length() > kOffsetMask) {
    return kNowhere;
  }
  const unsigned noc = address >> kNocShift & 1;
  const Node node =
      nius_[noc]->translated({static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)});
  const Node noc0 = grid.to_noc(noc, node);
  return grid.has(noc0) && grid.takes_requests(noc0) ? noc0 : kNowhere;
}

unsigned ForeignNode::serve_debug(tlm::tlm_generic_payload& payload) {
  const Node target = target_of(payload);
  if (nodes_ == nullptr || target == kNowhere) return 0;
  tlm::tlm_generic_payload there;
  there.set_command(payload.get_command());
  there.set_address(payload.get_address() & kOffsetMask);
  there.set_data_ptr(payload.get_data_ptr());
  there.set_data_length(payload.get_data_length());
  there.set_streaming_width(payload.get_data_length());
  return (*nodes_)[nius_[0]->place().grid.number(target)]->memory.socket->transport_dbg(there);
}

void ForeignNode::serve(tlm::tlm_generic_payload& payload, sc_time& delay) {
  if (payload.get_byte_enable_ptr() != nullptr) {
    return payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  }
  if (target_of(payload) == kNowhere) {
    return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  if (delay != sc_core::SC_ZERO_TIME) wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  const std::uint64_t address = payload.get_address();
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
  for (std::uint32_t done = 0; done < payload.get_data_length();) {
    // A packet keeps its place in a line, so it is a line shorter than the longest one.
    const auto most = static_cast<std::uint32_t>(nius_[0]->place().grid.map().max_packet_bytes -
                                                 (address + done) % kLine);
    const std::uint32_t part = std::min(payload.get_data_length() - done, most);
    const tlm::tlm_response_status of_part = transfer(payload, done, part);
    if (status == tlm::TLM_OK_RESPONSE) status = of_part;
    done += part;
  }
  payload.set_response_status(status);
}

tlm::tlm_response_status ForeignNode::transfer(const tlm::tlm_generic_payload& payload,
                                               std::uint32_t offset, std::uint32_t bytes) {
  const std::uint64_t remote = payload.get_address() + offset;
  Slot& slot = take_slot(remote >> kNocShift & 1);
  std::uint8_t* const own = slot.bytes.data() + remote % kLine;
  if (payload.is_write()) std::memcpy(own, payload.get_data_ptr() + offset, bytes);
  const auto index = static_cast<std::uint64_t>(&slot - slots_.data());
  start(slot, payload.is_write(), kSlots + index * kSlotBytes + remote % kLine, remote, bytes);
  ++waiting_;
  block_.base().woken();
  do {
    wait(changed_);
  } while (is_open(slot));
  --waiting_;
  const tlm::tlm_response_status status = slot.status;
  if (payload.is_read() && status == tlm::TLM_OK_RESPONSE) {
    std::memcpy(payload.get_data_ptr() + offset, own, bytes);
  }
  slot.status = tlm::TLM_OK_RESPONSE;
  slot.busy = false;
  slot_free_.notify();
  return status;
}

ForeignNode::Slot& ForeignNode::take_slot(unsigned noc) {
  while (true) {
    for (Slot& slot : slots_) {
      if (slot.noc != noc || slot.busy) continue;
      slot.busy = true;
      return slot;
    }
    wait(slot_free_);
  }
}

/// A transaction id of the NIU belongs to each of its initiators.
bool ForeignNode::is_open(const Slot& slot) {
  return nius_[slot.noc]->counter(noc_regs::kMstReqsOutstandingId + slot.initiator) != 0;
}

void ForeignNode::set_register(const Slot& slot, std::uint32_t offset, std::uint32_t value) {
  support::BusAccess access;
  access.now = std::max(block_.calendar().now(), block_.cycle_at(sc_core::sc_time_stamp()));
  access.master = support::BusMaster::kHost;
  access.order = static_cast<std::uint8_t>(nius_[slot.noc]->order());
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
  payload.set_data_length(4);
  payload.set_streaming_width(4);
  sc_time delay;
  registers_[slot.noc]->access(
      payload, offset + slot.initiator * nius_[0]->place().grid.map().initiator_stride, access,
      delay);
}

void ForeignNode::start(const Slot& slot, bool write, std::uint64_t local, std::uint64_t remote,
                        std::uint32_t bytes) {
  const auto low = [](std::uint64_t address) { return static_cast<std::uint32_t>(address); };
  const noc_regs::Map& map = nius_[slot.noc]->place().grid.map();
  const Node self = nius_[slot.noc]->place().grid.to_noc(slot.noc, at_);
  const std::uint32_t own = noc_regs::to_unicast(self.x, self.y);
  const std::uint32_t other = noc_regs::to_unicast(remote >> kXShift & 63, remote >> kYShift & 63);
  const auto set_place = [&](std::uint32_t lo, std::uint32_t mid, std::uint32_t hi,
                             std::uint64_t address, std::uint32_t to) {
    const auto upper = static_cast<std::uint32_t>((address & kOffsetMask) >> 32);
    set_register(slot, lo, low(address));
    if (map.coordinates_in_hi) {
      set_register(slot, mid, upper);
      set_register(slot, hi, to);
    } else {
      set_register(slot, mid, upper | to << noc_regs::kMidToShift);
    }
  };
  // A write has its source at TARG and its destination at RET, a read the reverse.
  set_place(map.TargAddrLo, map.TargAddrMid, map.TargAddrHi, write ? local : remote,
            write ? own : other);
  set_place(map.RetAddrLo, map.RetAddrMid, map.RetAddrHi, write ? remote : local,
            write ? other : own);
  set_register(slot, map.PacketTag, slot.initiator << noc_regs::kTagTransactionIdShift);
  set_register(slot, map.Ctrl,
               (write ? noc_regs::kCmdWr : noc_regs::kCmdRd) | noc_regs::kCmdRespMarked);
  set_register(slot, map.AtLenBe, bytes);
  set_register(slot, map.CmdCtrl, 1);
  block_.calendar().tile_woken(tile_);
}

/// A counter of a NIU changes at a cycle that may lie ahead of sc_time_stamp().
void ForeignNode::location_changed(Cycle when, unsigned) {
  if (waiting_ == 0) return;
  const sc_time now = sc_core::sc_time_stamp();
  const sc_time at = std::max(now, block_.time_of(when));
  changed_.notify(at > now ? at - now : sc_core::SC_ZERO_TIME);
  block_.base().called_out(at);
}

bool ForeignNode::debug_access(unsigned noc, std::uint64_t address, std::uint8_t* data,
                               std::uint32_t bytes, bool write) {
  if (NiuRegisterPort::holds(address)) {
    return nius_[noc]->debug_access(address % NiuRegisterPort::kBytes, data, bytes, write);
  }
  return memory.debug(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, address, data,
                      bytes) == bytes;
}

}  // namespace tvp::noc
