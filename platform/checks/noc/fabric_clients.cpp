#include "platform/checks/noc/fabric_clients.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "foundation/contract/fabric/endpoint.h"
#include "foundation/contract/fabric/packet.h"
#include "foundation/contract/fabric/packet_header.h"
#include "foundation/contract/fabric/worker_connection.h"
#include "foundation/hex.h"
#include "foundation/regs/overlay.h"

namespace tvp::checks {

namespace fabric = contract::fabric;
namespace overlay = regs::overlay;
using Kind = ProbeEvent::Kind;
using Request = ProbeEvent::Request;

Probe::Kinds FabricClients::kinds() const {
  if (!tile_.is_tensix()) return 0;
  return Probe::bit(Kind::kCommand) | Probe::bit(Kind::kRead) | Probe::bit(Kind::kKernel) |
         Probe::bit(Kind::kArgument) | Probe::bit(Kind::kProgramEnds);
}

void FabricClients::on(const ProbeEvent& event) {
  switch (event.kind) {
    case Kind::kKernel:
      std::erase_if(kernels_, [&](const Kernel& known) { return known.core == event.core; });
      kernels_.push_back({.core = event.core});
      return;
    case Kind::kArgument:
      if (!kernels_.empty()) kernels_.back().arguments.push_back(event.value);
      return;
    case Kind::kCommand:
      return command(event);
    case Kind::kProgramEnds:
      return program_ends();
    default:
      if (!range_.touches(event.address, event.bytes)) return;
      for (Connection& connection : connections_) {
        if (event.agent != connection.core || event.address != connection.counter) continue;
        connection.has_looked = true;
        connection.since_look = 0;
      }
  }
}

void FabricClients::command(const ProbeEvent& event) {
  announces(event);
  if (event.request == Request::kInlineWrite) return shakes_hands(event);
  if (event.request == Request::kRead && event.bytes == sizeof(std::uint32_t)) {
    std::erase_if(reads_, [&](const Read& read) {
      return read.core == event.core && read.from == event.remote_address;
    });
    if (reads_.size() == kMostReads) reads_.erase(reads_.begin());
    reads_.push_back({event.core, event.remote_address, static_cast<std::uint32_t>(event.address)});
    return;
  }
  if (event.request != Request::kWrite) return;
  for (Connection& connection : connections_) {
    if (!connection.is_open || connection.core != event.core || connection.x != event.x0 ||
        connection.y != event.y0)
      continue;
    if (connection.slots == 0) return sends_somewhere(connection, event);
    if (event.remote_address < connection.base ||
        event.remote_address >= connection.base + connection.slots * connection.slot_bytes)
      continue;
    return sends(connection, event);
  }
}

/// The connection whose handshake word the command writes; null: it is no handshake of a known one.
FabricClients::Connection* FabricClients::known_connection(const ProbeEvent& event) {
  const auto found = std::find_if(connections_.begin(), connections_.end(), [&](const auto& known) {
    return known.core == event.core && known.x == event.x0 && known.y == event.y0 &&
           known.handshake == event.remote_address;
  });
  return found == connections_.end() ? nullptr : &*found;
}

FabricClients::Connection& FabricClients::new_connection(const ProbeEvent& event,
                                                         std::uint32_t info) {
  Connection connection{.core = event.core,
                        .x = event.x0,
                        .y = event.y0,
                        .is_router = event.remote == ProbeEvent::Place::kEthernet,
                        .handshake = static_cast<std::uint32_t>(event.remote_address),
                        .info = info};
  for (const Kernel& kernel : kernels_) {
    if (kernel.core != event.core) continue;
    const std::vector<std::uint32_t>& words = kernel.arguments;
    for (std::size_t i = 0; i + fabric::kConnectionRuntimeArgs <= words.size(); ++i) {
      if (words[i + fabric::kConnectionArgHandshake] != connection.handshake ||
          words[i + fabric::kConnectionArgInfo] != info)
        continue;
      connection.base = words[i + fabric::kConnectionArgChannelBase];
      connection.slots = words[i + fabric::kConnectionArgSlots];
      connection.slot_bytes = words[i + fabric::kConnectionArgSlotBytes];
      connection.credits = overlay::stream_reg(words[i + fabric::kConnectionArgStream],
                                               overlay::kRemoteDestBufSpaceAvailableUpdate);
    }
  }
  return connections_.emplace_back(connection);
}

FabricClients::InlineWrites& FabricClients::writes_of(const ProbeEvent& event) {
  const auto found = std::find_if(writes_.begin(), writes_.end(), [&](const auto& known) {
    return known.core == event.core && known.x == event.x0 && known.y == event.y0;
  });
  if (found != writes_.end()) return *found;
  return writes_.emplace_back(InlineWrites{event.core, event.x0, event.y0});
}

void FabricClients::announces(const ProbeEvent& event) {
  for (Connection& connection : connections_) {
    if (!connection.is_open || connection.core != event.core ||
        connection.announced == connection.packets)
      continue;
    const bool is_announced = event.request == Request::kInlineWrite && connection.x == event.x0 &&
                              connection.y == event.y0 &&
                              event.remote_address == connection.credits;
    if (is_announced)
      ++connection.announced;
    else if (connection.next.pc == 0)
      connection.next = event;
  }
}

/// The first write opens the connection, the next one closes it.
void FabricClients::shakes_hands(const ProbeEvent& event) {
  Connection* connection = known_connection(event);
  if (connection == nullptr) {
    using Info = fabric::ConnectionInfo;
    std::array<std::uint64_t, 3>& last = writes_of(event).addresses;
    const std::uint64_t info = last[0];
    const bool is_open = last[1] == info + offsetof(Info, worker_teardown_address) &&
                         last[2] == info + offsetof(Info, worker_xy);
    last = {last[1], last[2], event.remote_address};
    if (!is_open) return;
    connection = &new_connection(event, static_cast<std::uint32_t>(info));
  }
  connection->is_open = !connection->is_open;
  connection->opened_at = event.pc;
  connection->has_looked = false;
  connection->since_look = 0;
  connection->counter = 0;
  connection->packets = connection->announced = 0;
  connection->last_write = 0;
  connection->next = {};
  for (const Read& read : reads_) {
    if (read.core == event.core &&
        read.from == connection->info + offsetof(fabric::ConnectionInfo, read_counter))
      connection->counter = read.to;
  }
  ask();
}

void FabricClients::ask() {
  range_.clear();
  for (const Connection& connection : connections_) {
    if (connection.is_open && connection.counter != 0)
      range_.add(connection.counter, connection.counter + sizeof(std::uint32_t));
  }
  range_.ask();
}

void FabricClients::sends(Connection& connection, const ProbeEvent& event) {
  const auto offset = static_cast<std::uint32_t>(event.remote_address) - connection.base;
  const std::uint32_t within = offset % connection.slot_bytes;
  if (within + event.bytes > connection.slot_bytes)
    warn_once(connection, event.pc,
              "writes " + std::to_string(event.bytes) + " bytes to byte " + std::to_string(within) +
                  " of a slot of " + std::to_string(connection.slot_bytes) + " bytes of " +
                  endpoint_text(connection) +
                  ": the end goes to the next slot. A packet may have " +
                  std::to_string(connection.slot_bytes - fabric::kPacketHeaderBytes) +
                  " bytes behind its header");
  connection.contents.resize(connection.slots);
  Connection::Slot& slot = connection.contents[offset / connection.slot_bytes];
  const bool has_header = within == 0 && event.bytes >= fabric::kPacketHeaderBytes;
  slot.payload += event.bytes - (has_header ? fabric::kPacketHeaderBytes : 0);
  if (!has_header) return;
  sends_header(connection, event);
  // A header without a payload sends an earlier one again.
  const std::uint32_t payload = std::exchange(slot.payload, 0);
  if (payload != 0 || !slot.has_earlier) compare_sizes(connection, event, payload);
  slot.has_earlier |= payload != 0;
}

/// The sizes may differ by the padding of a write.
void FabricClients::compare_sizes(const Connection& connection, const ProbeEvent& header,
                                  std::uint32_t payload) {
  constexpr std::uint32_t kMostPadding = 63;
  static constexpr const char* kCalls[] = {
      "to_noc_unicast_write", "to_noc_unicast_inline_write", "to_noc_unicast_atomic_inc",
      "to_noc_fused_unicast_write_atomic_inc", "to_noc_unicast_scatter_write"};
  if (header.address + fabric::kPacketHeaderBytes > tile_.l1.size()) return;
  const auto* const bytes = tile_.l1.data() + header.address;
  std::uint16_t announced = 0;
  std::memcpy(&announced, bytes + fabric::kPacketPayloadOffset, sizeof announced);
  if (payload >= announced && payload <= announced + kMostPadding) return;
  const unsigned type = bytes[fabric::kPacketTypeOffset];
  warn_once(connection, header.pc,
            "sends a packet with " + std::to_string(payload) + " bytes behind its header to " +
                endpoint_text(connection) + ", which forwards the " + std::to_string(announced) +
                " bytes that the header announces. Expected equal sizes. Compare the size of " +
                (type < std::size(kCalls) ? kCalls[type] : "the header's command") +
                " with that of the payload, or add the call that sends the payload");
}

/// A header comes after its payload and lies before it.
void FabricClients::sends_somewhere(Connection& connection, const ProbeEvent& event) {
  const std::uint64_t begin = event.remote_address;
  if (event.bytes == fabric::kPacketHeaderBytes &&
      begin + fabric::kPacketHeaderBytes == connection.payload_begin) {
    compare_sizes(connection, event,
                  static_cast<std::uint32_t>(connection.payload_end - connection.payload_begin));
    connection.payload_begin = connection.payload_end = 0;
    return;
  }
  if (begin != connection.payload_end) connection.payload_begin = begin;
  connection.payload_end = begin + event.bytes;
}

/// A packet counts with its header.
void FabricClients::sends_header(Connection& connection, const ProbeEvent& event) {
  ++connection.since_look;
  ++connection.packets;
  connection.last_write = event.pc;
  connection.next = {};
  const bool may_be_taken = !connection.has_looked || connection.since_look > connection.slots;
  if (connection.counter != 0 && may_be_taken)
    warn_once(connection, event.pc,
              "sends a packet to a slot of " + endpoint_text(connection) +
                  " and has not looked whether it is free: the router may not have taken its last "
                  "packet. Call wait_for_empty_write_slot before");
  if (!has_route(event))
    warn_once(connection, event.pc,
              "sends a packet without a route to " + endpoint_text(connection) +
                  ", which drops it. Call fabric_set_unicast_route for its header before");
}

bool FabricClients::has_route(const ProbeEvent& header) const {
  if (header.address + fabric::kPacketHeaderBytes > tile_.l1.size()) return true;
  const auto* const bytes = tile_.l1.data() + header.address;
  return std::any_of(bytes + fabric::kPacketRouteOffset, bytes + fabric::kPacketHeaderBytes,
                     [](std::uint8_t byte) { return byte != 0; });
}

std::vector<foundation::Fault> FabricClients::found_so_far(bool is_idle) const {
  std::vector<foundation::Fault> found;
  for (const Connection& connection : connections_) {
    if (!is_idle || !connection.is_open || connection.credits == 0 || connection.packets == 0 ||
        connection.announced >= connection.packets)
      continue;
    const TileContext::Core* const core = tile_.core(connection.core);
    if (core == nullptr) continue;
    const auto own_line = [&](std::uint32_t pc) {
      return tile_.names.own_line(tile_.owner(*core), pc);
    };
    std::string text = "has written " + std::to_string(connection.packets) +
                       (connection.packets == 1 ? " packet" : " packets") + " to slots of " +
                       endpoint_text(connection) + " and announced " +
                       std::to_string(connection.announced) +
                       ", so the rest never leaves; the last packet was sent in " +
                       own_line(connection.last_write) +
                       ". Expected an inline write to its count of free slots behind each packet";
    if (connection.next.pc != 0)
      text += ". The next command, in " + own_line(connection.next.pc) + ", goes to " +
              foundation::hex(connection.next.remote_address) + " of (" +
              std::to_string(connection.next.x0) + "," + std::to_string(connection.next.y0) +
              ") instead. Set its address before, for example with noc_inline_dw_write_set_state";
    found.emplace_back(foundation::FaultKind::kFirmware, core->where,
                       text + at(connection.core, connection.last_write));
  }
  return found;
}

void FabricClients::program_ends() {
  for (const Connection& connection : connections_) {
    if (connection.is_open)
      warn_once(connection, connection.opened_at,
                "ends with an open connection to " + endpoint_text(connection) +
                    ": the next client of this channel waits forever. Call close()");
  }
  kernels_.clear();
  connections_.clear();
  reads_.clear();
  writes_.clear();
  ask();
}

void FabricClients::warn_once(const Connection& connection, std::uint32_t pc,
                              const std::string& text) {
  const auto is_same = [&](const auto& known) { return known.first == pc && known.second == text; };
  if (std::any_of(reported_.begin(), reported_.end(), is_same)) return;
  reported_.emplace_back(pc, text);
  warn(connection.core, text + at(connection.core, pc));
}

std::string FabricClients::endpoint_text(const Connection& connection) {
  return std::string(connection.is_router ? "the router" : "the mux") + " at (" +
         std::to_string(connection.x) + "," + std::to_string(connection.y) + ")";
}

}  // namespace tvp::checks
