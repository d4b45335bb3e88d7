#include "sw/runtime/launch_notes.h"

#include <cctype>

namespace tvp::runtime {

void LaunchNotes::counts(NOC noc, const std::string& kernel) {
  counting_[static_cast<std::size_t>(noc)].push_back(kernel);
}

std::string LaunchNotes::of_nocs(const std::string& core, const std::string& told) const {
  std::string text;
  for (std::size_t noc = 0; noc < counting_.size(); ++noc) {
    const std::string number = std::to_string(noc);
    const bool meant = told.find("NoC " + number + " NIU") != std::string::npos ||
                       told.find(".niu" + number + ": store to ") != std::string::npos;
    if (counting_[noc].size() < 2 || !meant) continue;
    text += "\n  " + counting_[noc][0] + " and " + counting_[noc][1] + " of " + core +
            " both send and count on NoC " + number +
            ": they use the same initiators, and a barrier of either waits for what both have "
            "sent; give one of them the other NoC, or both dynamic mode";
  }
  return text;
}

std::string LaunchNotes::of_buffers(const std::string& core, const std::string& told) const {
  std::string list;
  for (const auto& [buffer, pages] : pages_) {
    const std::string number = std::to_string(buffer), name = " of circular buffer " + number;
    bool named = false;
    for (std::size_t at = told.find(name); at != std::string::npos && !named;
         at = told.find(name, at + 1))
      named = at + name.size() == told.size() ||
              std::isdigit(static_cast<unsigned char>(told[at + name.size()])) == 0;
    if (!named) continue;
    list += (list.empty() ? "" : ", ") + number + " holds " + std::to_string(pages) +
            (pages == 1 ? " page" : " pages");
  }
  return list.empty() ? list : "\n  circular buffers of " + core + ": " + list;
}

}  // namespace tvp::runtime
