#include "sw/runtime/printing/dprint_server.h"

#include <bit>
#include <cstddef>
#include <cstring>
#include <iomanip>
#include <sstream>

#include "foundation/contract/mailboxes.h"

namespace tvp::runtime {
namespace {

constexpr const char* kRiscNames[] = {"BR", "NC", "TR0", "TR1", "TR2"};

std::uint64_t buffer_address(const CoreId& core, std::uint32_t slot) {
  return contract::mailbox_base(core.ethernet) + offsetof(contract::Mailboxes, dprint) +
         slot * sizeof(contract::DprintBuffer);
}

std::uint32_t processors(const CoreId& core) {
  return core.ethernet ? 1 : contract::kTensixProcessors;
}

template <typename T>
T load(const std::uint8_t* payload) {
  T value;
  std::memcpy(&value, payload, sizeof(T));
  return value;
}

/// Writes a record with a value.
void write_value(std::ostream& text, std::uint8_t type, const std::uint8_t* payload,
                 std::uint32_t size) {
  switch (type) {
    case contract::kDprintCstr:
      text << std::string(reinterpret_cast<const char*>(payload), size);
      break;
    case contract::kDprintChar:
      text << static_cast<char>(payload[0]);
      break;
    case contract::kDprintUint8:
      text << static_cast<unsigned>(payload[0]);
      break;
    case contract::kDprintUint16:
      text << load<std::uint16_t>(payload);
      break;
    case contract::kDprintUint32:
      text << load<std::uint32_t>(payload);
      break;
    case contract::kDprintUint64:
      text << load<std::uint64_t>(payload);
      break;
    case contract::kDprintInt8:
      text << static_cast<int>(load<std::int8_t>(payload));
      break;
    case contract::kDprintInt16:
      text << load<std::int16_t>(payload);
      break;
    case contract::kDprintInt32:
      text << load<std::int32_t>(payload);
      break;
    case contract::kDprintInt64:
      text << load<std::int64_t>(payload);
      break;
    case contract::kDprintFloat32:
      text << load<float>(payload);
      break;
    case contract::kDprintBfloat16:
      text << std::bit_cast<float>(std::uint32_t{load<std::uint16_t>(payload)} << 16);
      break;
    case contract::kDprintU32Array:
      for (std::uint32_t i = 0; i + 4 <= size; i += 4)
        text << (i == 0 ? "" : " ") << load<std::uint32_t>(payload + i);
      break;
    default:
      text << "<record of type " << static_cast<unsigned>(type) << ">";
      break;
  }
}

}  // namespace

std::string DprintServer::prefix(const Device& device, const CoreId& core, std::uint32_t slot) {
  std::ostringstream text;
  text << device.index() << ":(" << core.logical.x << "," << core.logical.y
       << "):" << (core.ethernet ? "ER0" : kRiscNames[slot]) << ": ";
  return text.str();
}

void DprintServer::open(Device& device, const CoreId& core, bool enabled) {
  for (std::uint32_t slot = 0; slot < processors(core); ++slot) {
    const std::uint32_t header[2] = {
        enabled ? contract::kDprintStarting : contract::kDprintDisabled, 0};
    device.tiles().write(core.noc0, buffer_address(core, slot), header, sizeof(header));
  }
}

bool DprintServer::poll(Device& device, const CoreId& core) {
  bool any = false;
  for (std::uint32_t slot = 0; slot < processors(core); ++slot) {
    const std::uint64_t address = buffer_address(core, slot);
    const auto header = device.tiles().read_object<std::uint64_t>(core.noc0, address);
    const auto written = static_cast<std::uint32_t>(header);
    const auto taken = static_cast<std::uint32_t>(header >> 32);
    if (written > contract::kDprintDataSize || taken >= written) continue;
    const auto buffer = device.tiles().read_object<contract::DprintBuffer>(core.noc0, address);
    auto& [name, stream] = streams_[{{device.index(), core}, slot}];
    if (name.empty()) name = prefix(device, core, slot);
    std::uint32_t at = taken;
    while (at + 2 <= written) {
      const std::uint8_t type = buffer.data[at];
      const std::uint8_t* payload = buffer.data + at + 2;
      const std::uint32_t size = buffer.data[at + 1];
      if (at + 2 + size > written) break;
      if (type == contract::kDprintWait && !raised_.contains(load<std::uint32_t>(payload))) break;
      append(stream, name, type, payload, size);
      at += 2 + size;
    }
    const bool waits = at + 2 <= written && buffer.data[at] == contract::kDprintWait;
    if (!waits) at = written;
    if (at == taken) continue;
    device.tiles().write32(core.noc0, address + offsetof(contract::DprintBuffer, rpos), at);
    any = true;
  }
  return any;
}

void DprintServer::flush() {
  for (auto& [key, entry] : streams_) {
    auto& [name, stream] = entry;
    if (!stream.line.empty()) print_(name + stream.line);
    stream.line.clear();
  }
}

/// Handles records that set the format. Returns true for such a record.
bool DprintServer::set_format(Stream& stream, std::uint8_t type, const std::uint8_t* payload) {
  switch (type) {
    case contract::kDprintSetw:
      stream.width = payload[0];
      stream.sticky_width = payload[1] != 0;
      return true;
    case contract::kDprintSetPrecision:
      stream.precision = payload[0];
      return true;
    case contract::kDprintFixed:
      stream.fixed = true;
      return true;
    case contract::kDprintDefaultFloat:
      stream.fixed = false;
      return true;
    case contract::kDprintHex:
      stream.base = 16;
      return true;
    case contract::kDprintOct:
      stream.base = 8;
      return true;
    case contract::kDprintDec:
      stream.base = 10;
      return true;
    default:
      return false;
  }
}

void DprintServer::append(Stream& stream, const std::string& prefix, std::uint8_t type,
                          const std::uint8_t* payload, std::uint32_t size) {
  if (type == contract::kDprintEndl) {
    print_(prefix + stream.line);
    stream.line.clear();
    return;
  }
  if (type == contract::kDprintRaise) raised_.insert(load<std::uint32_t>(payload));
  if (type == contract::kDprintRaise || type == contract::kDprintWait) return;
  if (set_format(stream, type, payload)) return;
  std::ostringstream text;
  text << std::setbase(stream.base) << std::setprecision(stream.precision);
  if (stream.fixed) text << std::fixed;
  text << std::setw(stream.width);
  write_value(text, type, payload, size);
  if (!stream.sticky_width) stream.width = 0;
  // A line break inside a text ends the line, so that each line has its prefix.
  for (const char c : text.str()) {
    if (c == '\n') {
      print_(prefix + stream.line);
      stream.line.clear();
    } else {
      stream.line += c;
    }
  }
}

}  // namespace tvp::runtime
