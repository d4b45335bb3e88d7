#include "platform/machine/miscounted_answers.h"

#include "foundation/regs/noc.h"

namespace tvp::platform {

namespace noc_regs = regs::noc;

std::optional<MiscountedAnswers::Counts> MiscountedAnswers::counts_of(unsigned core) const {
  Counts counts{};
  if (places_[core] == 0) return std::nullopt;
  const bool read = tile_.core(static_cast<tensix::TileCore>(core))
                        .debug_read(places_[core], counts.data(), sizeof counts);
  return read ? std::optional(counts) : std::nullopt;
}

void MiscountedAnswers::begins(const Places& counts) {
  places_ = counts;
  for (unsigned core = 0; core < kCores; ++core) before_[core] = counts_of(core).value_or(Counts{});
}

std::vector<foundation::Fault> MiscountedAnswers::faults(bool is_idle) const {
  std::vector<foundation::Fault> faults;
  for (unsigned core = 0; core < kCores; ++core) {
    const auto counts = counts_of(core);
    for (unsigned noc = 0; counts && noc < kNocs; ++noc) {
      // A kernel begins with the NIU's count; that of a NoC which it does not use stays.
      const std::uint32_t counted = (*counts)[noc];
      const std::uint32_t came = tile_.niu(noc).counter(noc_regs::kMstWrAckReceived);
      if (counted == came || counted == before_[core][noc]) continue;
      const bool more = static_cast<std::int32_t>(counted - came) > 0;
      if (more && !is_idle) continue;  // some may be under way
      const std::string number = std::to_string(more ? counted - came : came - counted);
      faults.emplace_back(foundation::FaultKind::kFirmware,
                          tile_.core(static_cast<tensix::TileCore>(core)).where(),
                          "its kernel has counted " + number + (more ? " more" : " fewer") +
                              " answers to its writes on NoC " + std::to_string(noc) +
                              " than there are, and barriers " +
                              (more ? "wait for ever: the number of destinations of a multicast "
                                      "is too large"
                                    : "end early or never: the number of destinations of a "
                                      "multicast is too small, or its corners are in the order "
                                      "of the other NoC"));
    }
  }
  return faults;
}

}  // namespace tvp::platform
