#include "models/mesh/flit_payloads.h"

#include <algorithm>
#include <span>

namespace tvp::mesh {

namespace {

/// The bytes on the pins of a flit; the first flit is the header.
template <typename Bytes>
Bytes on_pins(Bytes bytes, const MeshPacket& packet, unsigned flit) {
  const std::size_t begin = std::size_t{flit - 1} * packet.flit_bytes;
  if (flit == 0 || begin >= bytes.size()) return {};
  return bytes.subspan(begin, std::min<std::size_t>({packet.flit_bytes, sizeof(std::uint64_t),
                                                     bytes.size() - begin}));
}

/// SplitMix64.
std::uint64_t mix(std::uint64_t value) {
  value += 0x9E3779B97F4A7C15;
  value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9;
  value = (value ^ value >> 27) * 0x94D049BB133111EB;
  return value ^ value >> 31;
}

}  // namespace

std::uint64_t FlitPayloads::of(std::uint32_t number, const MeshPacket& packet,
                               unsigned flit) const {
  if (is_altered(number)) {
    const auto& flits = altered_.at(number);
    if (const auto found = flits.find(flit); found != flits.end()) return found->second;
  }
  const auto bytes = on_pins(packet.payload, packet, flit);
  if (bytes.empty()) return mix(packet.tag + mix(flit));
  std::uint64_t word = 0;
  std::ranges::copy(bytes, reinterpret_cast<std::uint8_t*>(&word));
  return word;
}

std::vector<std::uint8_t> FlitPayloads::bytes(std::uint32_t number,
                                              const MeshPacket& packet) const {
  std::vector<std::uint8_t> all(packet.payload.begin(), packet.payload.end());
  for (const auto& [flit, word] : altered_.at(number)) {
    const auto bytes = on_pins(std::span(all), packet, flit);
    std::copy_n(reinterpret_cast<const std::uint8_t*>(&word), bytes.size(), bytes.begin());
  }
  return all;
}

}  // namespace tvp::mesh
