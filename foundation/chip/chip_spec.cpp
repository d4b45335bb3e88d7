#include "foundation/chip/chip_spec.h"

#include <algorithm>
#include <tuple>

#include "foundation/fault.h"

namespace tvp::foundation {

namespace {

bool holds(const std::vector<unsigned>& list, unsigned value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// The numbers of `list` whose bit in `off` is clear.
std::vector<unsigned> remaining(const std::vector<unsigned>& list, std::uint32_t off) {
  std::vector<unsigned> left;
  for (const unsigned number : list) {
    if ((off >> number & 1U) == 0) left.push_back(number);
  }
  return left;
}

/// The numbers of `list` that the bits of `mask` select, as a mask with bit n for number n.
std::uint32_t selected(const std::vector<unsigned>& list, std::uint32_t mask) {
  std::uint32_t numbers = 0;
  for (std::size_t bit = 0; bit < list.size(); ++bit) {
    if ((mask >> bit & 1U) != 0) numbers |= 1U << list[bit];
  }
  return numbers;
}

/// All members that decide whether two chips are equal.
auto content(const ChipSpec& s) {
  return std::tie(s.name, s.generation, s.columns, s.rows, s.tensix_columns, s.tensix_rows,
                  s.harvest_rows, s.harvest_columns, s.ethernet, s.dram, s.pcie, s.arc,
                  s.first_translated, s.memories, s.clocks, s.bars, s.settings);
}

}  // namespace

unsigned ChipSpec::Pcie::window_count() const {
  unsigned count = 0;
  for (const WindowGroup& group : windows) count += group.count;
  return count;
}

TileKind ChipSpec::kind_at(ChipNode node) const {
  if (holds(tensix_columns, node.x) && holds(tensix_rows, node.y)) return TileKind::kTensix;
  if (std::find(ethernet.begin(), ethernet.end(), node) != ethernet.end()) {
    return TileKind::kEthernet;
  }
  for (const DramChannel& channel : dram) {
    const auto& nodes = channel.endpoints;
    if (std::find(nodes.begin(), nodes.end(), node) != nodes.end()) return TileKind::kDram;
  }
  if (node == pcie) return TileKind::kPcie;
  return node == arc ? TileKind::kArc : TileKind::kNone;
}

Harvested ChipSpec::harvested(std::uint32_t mask) const {
  return {selected(harvest_columns, mask), selected(harvest_rows, mask)};
}

std::vector<unsigned> ChipSpec::worker_columns(std::uint32_t mask) const {
  return remaining(tensix_columns, harvested(mask).columns);
}

std::vector<unsigned> ChipSpec::worker_rows(std::uint32_t mask) const {
  return remaining(tensix_rows, harvested(mask).rows);
}

unsigned ChipSpec::dram_banks() const {
  std::size_t banks = 0;
  for (const DramChannel& channel : dram) banks += channel.banks.size();
  return static_cast<unsigned>(banks);
}

ChipSpec::BankPlace ChipSpec::dram_bank(unsigned number, unsigned noc) const {
  std::size_t left = number;
  for (const DramChannel& channel : dram) {
    if (left < channel.banks.size()) {
      const DramBank& bank = channel.banks[left];
      const unsigned endpoint = noc == 0 ? bank.endpoint : bank.noc1_endpoint;
      return {channel.endpoints[endpoint], bank.offset, bank.bytes};
    }
    left -= channel.banks.size();
  }
  throw Fault(FaultKind::kDescription, "DRAM bank " + std::to_string(number),
              "a chip of kind " + name + " has banks 0 to " + std::to_string(dram_banks() - 1));
}

std::string ChipSpec::place_of(const std::string& key) const {
  const auto found = places.find(key);
  if (found != places.end()) return found->second;
  return file.empty() ? "chip " + name : file;
}

bool ChipSpec::operator==(const ChipSpec& other) const { return content(*this) == content(other); }

}  // namespace tvp::foundation
