#include "models/mesh/mesh_node.h"

#include <algorithm>

#include "models/support/payload_rules.h"

namespace tvp::mesh {

using support::Cycle;

namespace {

// Tokens of events: the action, and the transfer or exchange that it concerns.
// Those of one cycle come in this order, whatever the order of the user's processes.
enum class Action : std::uint64_t { kAnswer, kArrival, kSend };
constexpr unsigned kActionBits = 2;
constexpr std::uint64_t action_token(Action what, std::uint64_t number) {
  return number << kActionBits | static_cast<std::uint64_t>(what);
}

constexpr std::uint64_t kOffsetMask = (1ULL << MeshNode::kXShift) - 1;
constexpr unsigned kCoordinateMask = (1U << (MeshNode::kYShift - MeshNode::kXShift)) - 1;
constexpr std::uint8_t kRequestClass = 0;
constexpr std::uint8_t kResponseClass = 1;

}  // namespace

MeshNode::MeshNode(const sc_core::sc_module_name& name, MeshNodes& nodes, unsigned number,
                   bool is_target)
    : sc_module(name),
      requests("requests", *this, nodes.block.base()),
      nodes_(nodes),
      number_(number) {
  if (is_target) {
    support::ForeignMemory::Client& client = *this;
    memory_ = std::make_unique<support::ForeignMemory>("memory", client, nodes.block.base(),
                                                       nodes.timing);
  }
  nodes.mesh.connect(number, *this);
}

MeshNode::~MeshNode() = default;

void MeshNode::describe_open(std::vector<std::string>& lines) const {
  requests.describe_open(lines);
  if (memory_ != nullptr) memory_->describe_open(lines);
}

/// MeshTopology::kNone for an address where nothing is.
unsigned MeshNode::target_of(const tlm::tlm_generic_payload& payload) const {
  const MeshTopology& topology = nodes_.mesh.topology();
  const std::uint64_t address = payload.get_address();
  const auto x = static_cast<unsigned>(address >> kXShift) & kCoordinateMask;
  const std::uint64_t y = address >> kYShift;
  if (x >= topology.width() || y >= topology.height() ||
      (address & kOffsetMask) + payload.get_data_length() > kOffsetMask + 1) {
    return MeshTopology::kNone;
  }
  const unsigned number = topology.node_at(x, static_cast<unsigned>(y));
  return nodes_.nodes[number]->memory_ == nullptr ? MeshTopology::kNone : number;
}

tlm::tlm_response_status MeshNode::check(const tlm::tlm_generic_payload& payload) {
  return target_of(payload) == MeshTopology::kNone ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                                                   : tlm::TLM_OK_RESPONSE;
}

unsigned MeshNode::debug(tlm::tlm_generic_payload& payload) {
  tlm::tlm_generic_payload there;
  there.set_command(payload.get_command());
  there.set_address(payload.get_address() & kOffsetMask);
  there.set_data_ptr(payload.get_data_ptr());
  there.set_data_length(payload.get_data_length());
  there.set_streaming_width(payload.get_data_length());
  return nodes_.nodes[target_of(payload)]->memory_->socket->transport_dbg(there);
}

void MeshNode::arrives(Transfer& transfer) {
  post(nodes_.block.cycle_at(transfer.arrival), action_token(Action::kArrival, transfer.index));
}

void MeshNode::post(Cycle when, std::uint64_t token) {
  support::Calendar& calendar = nodes_.block.calendar();
  // Before the injections of the cycle.
  calendar.post(std::max(when, calendar.now()),
                {.phase = static_cast<std::uint8_t>(support::Phase::kNetwork),
                 .block = static_cast<std::uint16_t>(number_),
                 .port = static_cast<std::uint8_t>(token & ((1U << kActionBits) - 1)),
                 .source = static_cast<std::uint16_t>(number_),
                 .sequence = sequence_++},
                *this, token);
}

void MeshNode::fire(Cycle now, std::uint64_t token) {
  const auto number = static_cast<unsigned>(token >> kActionBits);
  switch (static_cast<Action>(token & ((1U << kActionBits) - 1))) {
    case Action::kArrival:
      waiting_.push_back(&requests.transfer(number));
      break;
    case Action::kAnswer:
      responses_.push_back(number);
      break;
    case Action::kSend:
      if (now >= sends_at_) sends_at_ = support::kNever;
      break;
  }
  send(now);
}

void MeshNode::send_from(Cycle when) {
  if (sends_at_ <= when) return;
  sends_at_ = when;
  post(when, action_token(Action::kSend, 0));
}

/// Moves packets to the injection queue. Responses go first, so that requests never block them.
void MeshNode::send(Cycle now) {
  while (nodes_.mesh.injection_credits(number_) > 0) {
    if (!responses_.empty()) {
      send_response(responses_.front(), now);
      responses_.pop_front();
      continue;
    }
    if (waiting_.empty()) return;
    Transfer& transfer = *waiting_.front();
    const unsigned target = target_of(*transfer.payload);
    if (open_.empty()) open_.resize(nodes_.nodes.size());
    if (open_[target] == nodes_.open_packets) return;
    send_request(transfer, target, now);
    if (transfer.sent < transfer.payload->get_data_length()) continue;
    waiting_.pop_front();
    requests.accept(transfer, nodes_.block.time_of(now));
  }
}

unsigned MeshNode::flits_of(std::uint32_t bytes) const {
  return 1 + (bytes + nodes_.flit_bytes - 1) / nodes_.flit_bytes;
}

void MeshNode::send_request(Transfer& transfer, unsigned target, Cycle now) {
  const tlm::tlm_generic_payload& payload = *transfer.payload;
  if (nodes_.free.empty()) {
    nodes_.free.push_back(static_cast<unsigned>(nodes_.exchanges.size()));
    nodes_.exchanges.emplace_back();
  }
  const unsigned number = nodes_.free.back();
  nodes_.free.pop_back();
  MeshExchange& exchange = nodes_.exchanges[number];
  exchange.source = this;
  exchange.transfer = &transfer;
  exchange.target = target;
  exchange.offset = transfer.sent;
  exchange.bytes = std::min(nodes_.packet_bytes, payload.get_data_length() - transfer.sent);
  exchange.command = payload.get_command();
  exchange.returns = false;
  exchange.status = tlm::TLM_OK_RESPONSE;
  exchange.enables.clear();
  if (const std::uint8_t* const enables = payload.get_byte_enable_ptr()) {
    for (std::uint32_t i = 0; i < exchange.bytes; ++i) {
      exchange.enables.push_back(enables[(exchange.offset + i) % payload.get_byte_enable_length()]);
    }
  }
  transfer.sent += exchange.bytes;
  ++transfer.open;
  ++open_[target];
  MeshPacket packet{.source = static_cast<std::uint16_t>(number_),
                    .destination = static_cast<std::uint16_t>(target),
                    .traffic_class = kRequestClass,
                    .flit_bytes = nodes_.bytes_on_pins(),
                    .tag = number,
                    .payload = {}};
  if (payload.is_write()) {
    packet.payload = {payload.get_data_ptr() + exchange.offset, exchange.bytes};
    packet.flits = static_cast<std::uint16_t>(flits_of(exchange.bytes));
  }
  nodes_.mesh.inject(packet, now);
}

void MeshNode::send_response(unsigned number, Cycle now) {
  MeshExchange& exchange = nodes_.exchanges[number];
  MeshPacket packet{.source = static_cast<std::uint16_t>(number_),
                    .destination = static_cast<std::uint16_t>(exchange.source->number_),
                    .traffic_class = kResponseClass,
                    .flit_bytes = nodes_.bytes_on_pins(),
                    .tag = number,
                    .payload = {}};
  if (exchange.command == tlm::TLM_READ_COMMAND && exchange.status == tlm::TLM_OK_RESPONSE) {
    packet.payload = exchange.data;
    packet.flits = static_cast<std::uint16_t>(flits_of(exchange.bytes));
  }
  exchange.returns = true;
  nodes_.mesh.inject(packet, now);
}

void MeshNode::deliver(const MeshPacket& packet, Cycle when) {
  const auto number = static_cast<unsigned>(packet.tag);
  MeshExchange& exchange = nodes_.exchanges[number];
  if (!exchange.returns) {
    exchange.data.assign(packet.payload.begin(), packet.payload.end());
    exchange.data.resize(exchange.bytes);
    const std::uint64_t address = exchange.transfer->payload->get_address() + exchange.offset;
    return memory_->request(
        {.command = exchange.command,
         .address = address & kOffsetMask,
         .data = exchange.data.data(),
         .bytes = exchange.bytes,
         .enables = exchange.enables.empty() ? nullptr : exchange.enables.data(),
         .token = reinterpret_cast<void*>(std::uintptr_t{number})},
        nodes_.block.time_of(when));
  }
  if (!packet.payload.empty()) {
    const tlm::tlm_generic_payload& payload = *exchange.transfer->payload;
    support::copy_enabled(payload.get_data_ptr() + exchange.offset, packet.payload.data(),
                          exchange.bytes, payload, exchange.offset);
  }
  exchange.source->complete(number, when);
}

void MeshNode::answered(void* token, tlm::tlm_response_status status, const sc_core::sc_time& at) {
  const auto number = reinterpret_cast<std::uintptr_t>(token);
  nodes_.exchanges[number].status = status;
  post(nodes_.block.cycle_at(at), action_token(Action::kAnswer, number));
}

void MeshNode::lost(const MeshPacket& packet, const std::string& why, Cycle when) {
  MeshExchange& exchange = nodes_.exchanges[packet.tag];
  exchange.status = tlm::TLM_GENERIC_ERROR_RESPONSE;
  const std::string text = std::string(name()) + ": a packet is lost: " + why;
  SC_REPORT_WARNING("/tensix_vp", text.c_str());
  exchange.source->complete(static_cast<unsigned>(packet.tag), when);
}

void MeshNode::complete(unsigned number, Cycle when) {
  const MeshExchange& exchange = nodes_.exchanges[number];
  Transfer& transfer = *exchange.transfer;
  if (transfer.status == tlm::TLM_OK_RESPONSE) transfer.status = exchange.status;
  --open_[exchange.target];
  nodes_.free.push_back(number);
  send_from(when);
  if (--transfer.open > 0 || transfer.sent < transfer.payload->get_data_length()) return;
  requests.respond(transfer, nodes_.block.time_of(when));
}

}  // namespace tvp::mesh
