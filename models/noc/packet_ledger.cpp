#include "models/noc/packet_ledger.h"

namespace tvp::noc {

std::uint32_t PacketLedger::add(Packet& packet, std::uint32_t copies) {
  std::uint32_t slot;
  if (free_.empty()) {
    slot = static_cast<std::uint32_t>(entries_.size());
    entries_.push_back({});
  } else {
    slot = free_.back();
    free_.pop_back();
  }
  entries_[slot] = {&packet, copies};
  packet.acquire();
  packet.header().slot = slot;
  sent_ += copies;
  ++in_flight_;
  return slot;
}

void PacketLedger::set_copies(std::uint32_t slot, std::uint32_t copies) {
  entries_[slot].copies = copies;
  sent_ += copies;
  if (copies == 0) drop(slot);
}

void PacketLedger::arrived(std::uint32_t slot) {
  Entry& entry = entries_[slot];
  ++delivered_;
  if (--entry.copies == 0) drop(slot);
}

void PacketLedger::drop(std::uint32_t slot) {
  Entry& entry = entries_[slot];
  Packet* packet = entry.packet;
  entry.packet = nullptr;
  free_.push_back(slot);
  --in_flight_;
  packet->release();
}

void PacketLedger::describe(std::vector<std::string>& lines) const {
  for (const Entry& entry : entries_) {
    if (entry.packet != nullptr) lines.push_back(noc::describe(entry.packet->header()));
  }
}

namespace {

void append(std::string& text, Node node) {
  text += '(';
  text += std::to_string(node.x);
  text += ',';
  text += std::to_string(node.y);
  text += ')';
}

}  // namespace

std::string describe(const NocExtension& header) {
  std::string text = name_of(header.kind);
  text += ' ';
  text += std::to_string(header.sequence);
  text += " of ";
  append(text, header.source);
  text += " to ";
  if (header.broadcast) {
    append(text, header.start);
    text += '-';
  }
  append(text, header.target);
  text += ", ";
  text += std::to_string(header.bytes);
  text += " bytes, VC class ";
  text += std::to_string(header.vc_class);
  text += ", header left at cycle ";
  text += std::to_string(header.injected);
  return text;
}

}  // namespace tvp::noc
