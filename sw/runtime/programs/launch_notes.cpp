#include "sw/runtime/programs/launch_notes.h"

#include "foundation/contract/global_circular_buffer.h"

namespace tvp::runtime {
void LaunchNotes::counts(NOC noc, const std::string& kernel) {
  counting_[static_cast<std::size_t>(noc)].push_back(kernel);
}

std::array<HeldBuffer, contract::kCircularBuffers> LaunchNotes::buffers() const {
  std::array<HeldBuffer, contract::kCircularBuffers> all{};
  for (const auto& [buffer, what] : buffers_) all.at(buffer) = what;
  return all;
}

std::string LaunchNotes::of_nocs(const std::string& core, const std::string& lines) const {
  std::string text;
  for (std::size_t noc = 0; noc < counting_.size(); ++noc) {
    const std::string number = std::to_string(noc);
    const bool meant = lines.find("NoC " + number + " NIU") != std::string::npos ||
                       lines.find(".niu" + number + ": store to ") != std::string::npos;
    if (counting_[noc].size() < 2 || !meant) continue;
    text += "\n  " + counting_[noc][0] + " and " + counting_[noc][1] + " of " + core +
            " both send and count on NoC " + number +
            ". They use the same initiators, so a barrier of either waits for the transactions "
            "of both. Give one of them the other NoC, or both dynamic mode";
  }
  return text;
}

std::vector<LaunchNotes::Word> LaunchNotes::words(std::uint32_t base, const Read& read) const {
  std::vector<Word> words;
  for (std::uint32_t number = 0; number < contract::kSemaphores; ++number)
    words.push_back({base + number * contract::kSemaphoreStride,
                     "semaphore " + std::to_string(number) +
                         (semaphores_.count(number) != 0 ? "" : " (none of its program's)")});
  for (const auto& entry : remotes_) {
    const Remote& remote = entry.second;
    const auto configured = [&](std::uint32_t word) {
      return read(remote.config_address + 4 * word);
    };
    const bool sends = configured(contract::kRemoteCbIsSender) != 0;
    const std::uint32_t ends = sends ? configured(contract::kRemoteCbReceivers) : 1;
    std::uint32_t address = configured(contract::kRemoteCbPagesSent);
    for (std::uint32_t end = 0; end < ends; ++end) {
      for (const char* const what : {"sent", "acknowledged"}) {
        const std::uint64_t bytes = std::uint64_t{read(address)} * contract::kRemoteCbUnit;
        words.push_back({address, "the pages " + std::string(what) + " (" +
                                      std::to_string(bytes / remote.page_bytes) +
                                      ") of remote circular buffer " + std::to_string(entry.first) +
                                      (sends ? " to receiver " + std::to_string(end) : "")});
        address += contract::kRemoteCbCounterStride;
      }
    }
  }
  return words;
}

}  // namespace tvp::runtime
