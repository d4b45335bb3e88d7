#include "platform/machine/ranks/chip_placement.h"

#include <algorithm>
#include <charconv>

#include "foundation/fault.h"

namespace tvp::platform {

using foundation::Fault;
using foundation::FaultKind;

namespace {

constexpr const char* kKey = "mpi.placement";

std::vector<unsigned> parsed(const std::string& text, std::size_t chips, unsigned ranks) {
  std::vector<unsigned> list;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    at = end + 1;
    unsigned rank = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), rank);
    if (error != std::errc() || stop != word.data() + word.size() || rank >= ranks)
      throw Fault(FaultKind::kDescription, kKey,
                  "'" + word + "': expected a rank from 0 to " + std::to_string(ranks - 1));
    list.push_back(rank);
  }
  if (list.size() != chips)
    throw Fault(FaultKind::kDescription, kKey,
                std::to_string(list.size()) + " ranks: expected one for each of the " +
                    std::to_string(chips) + " chips, separated by spaces");
  return list;
}

}  // namespace

ChipPlacement::ChipPlacement(const SystemDescription& system, unsigned ranks,
                             const std::string& key) {
  const std::size_t chips = system.chips.size();
  for (const ChipDescription& chip : system.chips) ids_.push_back(chip.id);
  if (chips < ranks)
    throw Fault(FaultKind::kDescription, "mpirun",
                std::to_string(ranks) + " ranks for the " + std::to_string(chips) +
                    (chips == 1 ? " chip of " : " chips of ") + system.name + ": expected " +
                    std::to_string(chips) + " at the most (mpirun -n " + std::to_string(chips) +
                    ")");
  if (!key.empty()) {
    ranks_ = parsed(key, chips, ranks);
    for (unsigned rank = 0; rank < ranks; ++rank) {
      if (std::ranges::count(ranks_, rank) == 0)
        throw Fault(FaultKind::kDescription, kKey,
                    "rank " + std::to_string(rank) +
                        " has no chip: expected at least one for each "
                        "of the " +
                        std::to_string(ranks) + " ranks");
    }
    return;
  }
  for (std::size_t place = 0; place < chips; ++place)
    ranks_.push_back(static_cast<unsigned>(place * ranks / chips));
}

std::string ChipPlacement::chips_of(unsigned rank) const {
  std::string text;
  for (std::size_t place = 0; place < ranks_.size(); ++place) {
    if (ranks_[place] == rank) text += (text.empty() ? "" : ", ") + std::to_string(ids_[place]);
  }
  return (text.find(',') == std::string::npos ? "chip " : "chips ") + text;
}

}  // namespace tvp::platform
