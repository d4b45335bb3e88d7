#include "models/ethernet/ethernet_link_faults.h"

#include <cstdio>
#include <sstream>

#include "foundation/fault.h"

namespace tvp::ethernet {

namespace {

[[noreturn]] void refuse(const std::string& text) {
  throw foundation::Fault(foundation::FaultKind::kDescription, "ethernet.faults", text);
}

}  // namespace

EthernetLinkFaults::EthernetLinkFaults(const std::string& text) {
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    Break one;
    one.text = word;
    one.place = {kAny, kAny};
    unsigned long long from = 0;
    unsigned long long lasts = 0;
    const auto is = [&](const char* form, auto&... numbers) {
      int used = -1;
      const int read = std::sscanf(word.c_str(), form, &numbers..., &used);
      return read == static_cast<int>(sizeof...(numbers)) && used == static_cast<int>(word.size());
    };
    const bool timed = is("chip%u@%llu%n", one.place.chip, from) ||
                       is("chip%u.%u@%llu%n", one.place.chip, one.place.channel, from) ||
                       is("chip%u-chip%u@%llu%n", one.place.chip, one.other, from);
    const bool lasting =
        !timed && (is("chip%u@%llu+%llu%n", one.place.chip, from, lasts) ||
                   is("chip%u.%u@%llu+%llu%n", one.place.chip, one.place.channel, from, lasts) ||
                   is("chip%u-chip%u@%llu+%llu%n", one.place.chip, one.other, from, lasts));
    constexpr unsigned long long kMost = ~std::uint64_t{0} / 4000;
    if ((!timed && (!lasting || lasts == 0)) || word.find_first_of(" -+") == 0 || from > kMost ||
        lasts > kMost)
      refuse("'" + word +
             "': expected chipA.CHANNEL, chipA-chipB or chipA, then @NS, or @NS+NS of a link that "
             "comes back, e.g. chip0-chip1@20000");
    one.outage.from_ps = from * 1000;
    if (lasting) one.outage.until_ps = (from + lasts) * 1000;
    breaks_.push_back(one);
  }
}

bool EthernetLinkFaults::Break::meets(const LinkPlace& end, const LinkPlace& far) const {
  return place.chip == end.chip && (place.channel == kAny || place.channel == end.channel) &&
         (other == kAny || other == far.chip);
}

std::vector<Outage> EthernetLinkFaults::of(const LinkPlace& a, const LinkPlace& b) {
  std::vector<Outage> outages;
  for (Break& one : breaks_) {
    if (!one.meets(a, b) && !one.meets(b, a)) continue;
    one.used = true;
    outages.push_back(one.outage);
  }
  return outages;
}

void EthernetLinkFaults::check_used() const {
  for (const Break& one : breaks_)
    if (!one.used) refuse("'" + one.text + "' is no link of the system");
}

}  // namespace tvp::ethernet
