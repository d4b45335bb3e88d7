#include "sw/collectives/pim/phase_table.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace tvp::collectives {

namespace {
constexpr std::size_t kBits = 64;
}

PhaseTable::Busy& PhaseTable::at(std::vector<Busy>& list, std::size_t number) {
  if (number >= list.size()) list.resize(number + 1);
  return list[number];
}

std::vector<PhaseTable::Busy*> PhaseTable::resources_of(const std::vector<Transfer>& transfers) {
  std::vector<std::uint32_t> links;
  for (const Transfer& transfer : transfers) {
    // All lists grow before pointers into them are taken.
    at(senders_, transfer.source);
    at(receivers_, transfer.destination);
    for (const std::uint32_t link : way_(transfer)) {
      at(links_, link);
      links.push_back(link);
    }
  }
  std::vector<Busy*> all;
  for (const Transfer& transfer : transfers) {
    all.push_back(&senders_[transfer.source]);
    all.push_back(&receivers_[transfer.destination]);
  }
  for (const std::uint32_t link : links) all.push_back(&links_[link]);
  return all;
}

std::size_t PhaseTable::add(const Transfer& transfer, std::size_t earliest) {
  return add_together({transfer}, earliest);
}

std::size_t PhaseTable::add_together(const std::vector<Transfer>& transfers, std::size_t earliest) {
  const std::vector<Busy*> resources = resources_of(transfers);
  std::size_t phase = earliest;
  for (std::size_t word = earliest / kBits;; ++word) {
    std::uint64_t taken = 0;
    for (const Busy* busy : resources) taken |= word < busy->size() ? (*busy)[word] : 0;
    if (word == earliest / kBits) taken |= (std::uint64_t{1} << earliest % kBits) - 1;
    if (~taken == 0) continue;
    phase = word * kBits + static_cast<std::size_t>(std::countr_one(taken));
    break;
  }
  for (Busy* busy : resources) {
    if (phase / kBits >= busy->size()) busy->resize(phase / kBits + 1);
    (*busy)[phase / kBits] |= std::uint64_t{1} << phase % kBits;
  }
  if (phase >= phases_.size()) phases_.resize(phase + 1);
  phases_[phase].insert(phases_[phase].end(), transfers.begin(), transfers.end());
  return phase;
}

void PhaseTable::add_independent(const std::vector<Transfer>& transfers) {
  std::vector<std::pair<std::size_t, Transfer>> sorted;
  for (const Transfer& t : transfers) sorted.emplace_back(way_(t).size(), t);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [length, transfer] : sorted) add(transfer);
}

Phases PhaseTable::take() {
  links_.clear();
  senders_.clear();
  receivers_.clear();
  return std::exchange(phases_, {});
}

}  // namespace tvp::collectives
