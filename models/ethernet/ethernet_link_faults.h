#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tvp::ethernet {

/// A time span in which a link carries nothing.
struct Outage {
  static constexpr std::uint64_t kForEver = ~std::uint64_t{0};
  std::uint64_t from_ps = 0;
  std::uint64_t until_ps = kForEver;
};

/// One end of a link: a channel of a chip.
struct LinkPlace {
  unsigned chip = 0;
  unsigned channel = 0;
};

/// The links that break, and the times (`ethernet.faults`).
class EthernetLinkFaults {
 public:
  /// Throws Fault(kDescription) that names the key.
  explicit EthernetLinkFaults(const std::string& text);

  /// The outages of the link between these ends.
  std::vector<Outage> of(const LinkPlace& a, const LinkPlace& b);
  /// To be called after all links were built. Throws Fault(kDescription) that names the entries
  /// that match no link.
  void check_used() const;

 private:
  static constexpr unsigned kAny = ~0U;
  struct Break {
    std::string text;
    LinkPlace place;
    unsigned other = kAny;  ///< chip at the other end
    Outage outage;
    bool used = false;

    bool meets(const LinkPlace& end, const LinkPlace& far) const;
  };
  std::vector<Break> breaks_;
};

}  // namespace tvp::ethernet
