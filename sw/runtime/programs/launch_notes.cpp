#include "sw/runtime/programs/launch_notes.h"

#include <cstdlib>

#include "foundation/regs/overlay.h"

namespace tvp::runtime {
namespace {

/// In ascending order.
std::set<std::uint32_t> numbers_behind(const std::string& lines, const std::string& words,
                                       int base) {
  std::set<std::uint32_t> numbers;
  for (std::size_t at = lines.find(words); at != std::string::npos; at = lines.find(words, at)) {
    at += words.size();
    numbers.insert(static_cast<std::uint32_t>(std::strtoul(lines.c_str() + at, nullptr, base)));
  }
  return numbers;
}

}  // namespace

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

/// Describes a buffer with known counters: its fill level, and if a core waits for more pages than
/// it holds, which never arrive.
std::string LaunchNotes::fill_of(std::uint32_t buffer, std::uint32_t pages,
                                 const std::string& lines, const Read& read) {
  namespace overlay = regs::overlay;
  // More pages were popped than pushed. A kernel that waits for room then waits forever.
  const std::uint32_t pushed = read(overlay::stream_reg(buffer, overlay::kRemoteDestBufSize)),
                      popped = read(overlay::stream_reg(buffer, overlay::kRemoteDestBufStart));
  const int filled = static_cast<std::int16_t>(pushed - popped);
  if (filled < 0)
    return " (" + std::to_string(pushed & 0xFFFF) + " were pushed and " +
           std::to_string(popped & 0xFFFF) + " popped: a cb_wait_front is missing)";
  const auto waits_in = [&](const char* call) {
    const std::string words = " of circular buffer " + std::to_string(buffer);
    for (std::size_t at = lines.find(words); at != std::string::npos;
         at = lines.find(words, at + 1)) {
      const char behind = lines.c_str()[at + words.size()];
      const std::size_t line = lines.rfind('\n', at);
      const std::size_t found = lines.find(call, line == std::string::npos ? 0 : line);
      if ((behind < '0' || behind > '9') && found < at) return true;
    }
    return false;
  };
  const std::string why = static_cast<std::uint32_t>(filled) == pages && waits_in("cb_wait_front (")
                              ? ": a cb_wait_front waits for more than it has"
                          : filled == 0 && waits_in("cb_reserve_back (")
                              ? ": a cb_reserve_back waits for more than it has"
                              : "";
  return " and " + std::to_string(filled) + (filled == 1 ? " is" : " are") + " in it" + why;
}

std::string LaunchNotes::of_buffers(const std::string& core, const std::string& lines,
                                    const Read& read) const {
  std::string list;
  for (const std::uint32_t buffer : numbers_behind(lines, " of circular buffer ", 10)) {
    const auto known = buffers_.find(buffer);
    list += (list.empty() ? "" : ", ") + std::to_string(buffer);
    if (known == buffers_.end()) {
      list += " is none of its program's";
      continue;
    }
    const std::uint32_t pages = known->second.pages;
    list += " has " + std::to_string(pages) + (pages == 1 ? " page" : " pages") +
            fill_of(buffer, pages, lines, read);
  }
  return list.empty() ? list : "\n  circular buffers of " + core + ": " + list;
}

std::string LaunchNotes::of_semaphores(const std::string& core, const std::string& lines,
                                       std::uint32_t base, const Read& read) const {
  std::string list;
  for (const std::uint32_t address : numbers_behind(lines, "waits for L1 0x", 16)) {
    const std::uint32_t number = (address - base) / contract::kSemaphoreStride;
    if (address < base || number >= contract::kSemaphores) continue;
    list += (list.empty() ? "" : ", ") + std::to_string(number);
    if (semaphores_.count(number) == 0) {
      list += " is none of its program's";
    } else {
      list += " is " + std::to_string(read(address));
    }
  }
  return list.empty() ? list : "\n  semaphores of " + core + ": " + list;
}

}  // namespace tvp::runtime
