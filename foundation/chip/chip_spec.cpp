#include "foundation/chip/chip_spec.h"

#include <algorithm>
#include <tuple>

#include "foundation/fault.h"

namespace tvp::foundation {

namespace {

bool holds(const std::vector<unsigned>& list, unsigned value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// The numbers 0 to size - 1 that are not in `without`, followed by `then`.
std::vector<unsigned> others_first(unsigned size, const std::vector<unsigned>& without,
                                   const std::vector<unsigned>& then) {
  std::vector<unsigned> order;
  for (unsigned i = 0; i < size; ++i) {
    if (!holds(without, i)) order.push_back(i);
  }
  order.insert(order.end(), then.begin(), then.end());
  return order;
}

/// All members that decide whether two chips are equal.
auto content(const ChipSpec& s) {
  return std::tie(s.name, s.generation, s.columns, s.rows, s.tensix_columns, s.tensix_rows, s.harvest_rows,
                  s.ethernet, s.dram, s.pcie, s.arc, s.first_translated, s.memories, s.clocks,
                  s.bars);
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

std::uint32_t ChipSpec::harvested_rows(std::uint32_t mask) const {
  std::uint32_t harvested = 0;
  for (std::size_t bit = 0; bit < harvest_rows.size(); ++bit) {
    if ((mask >> bit & 1U) != 0) harvested |= 1U << harvest_rows[bit];
  }
  return harvested;
}

std::vector<unsigned> ChipSpec::worker_rows(std::uint32_t mask) const {
  const std::uint32_t harvested = harvested_rows(mask);
  std::vector<unsigned> left;
  for (const unsigned y : tensix_rows) {
    if ((harvested >> y & 1U) == 0) left.push_back(y);
  }
  return left;
}

std::vector<unsigned> ChipSpec::column_order() const {
  return others_first(columns, tensix_columns, tensix_columns);
}

std::vector<unsigned> ChipSpec::row_order(std::uint32_t harvested) const {
  std::vector<unsigned> tensix = tensix_rows;
  std::stable_partition(tensix.begin(), tensix.end(),
                        [&](unsigned y) { return (harvested >> y & 1U) == 0; });
  return others_first(rows, tensix_rows, tensix);
}

unsigned ChipSpec::dram_banks() const {
  std::size_t banks = 0;
  for (const DramChannel& channel : dram) banks += channel.banks.size();
  return static_cast<unsigned>(banks);
}

ChipSpec::BankPlace ChipSpec::dram_bank(unsigned number) const {
  std::size_t left = number;
  for (const DramChannel& channel : dram) {
    if (left < channel.banks.size()) {
      const DramBank& bank = channel.banks[left];
      return {channel.endpoints[bank.endpoint], bank.offset, bank.bytes};
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
