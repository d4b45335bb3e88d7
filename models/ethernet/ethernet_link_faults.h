#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tvp::ethernet {

/// A time in which a link carries nothing.
struct Outage {
  static constexpr std::uint64_t kForEver = ~std::uint64_t{0};
  std::uint64_t from_ps = 0;
  std::uint64_t until_ps = kForEver;
};

/// Which end of a link is meant: a channel of a chip.
struct LinkPlace {
  unsigned chip = 0;
  unsigned channel = 0;
};

/// Which links break, and when (`ethernet.faults`).
class EthernetLinkFaults {
 public:
  /// Throws Fault(kDescription) in the name of the key.
  explicit EthernetLinkFaults(const std::string& text);

  /// Those of a link between these ends.
  std::vector<Outage> of(const LinkPlace& a, const LinkPlace& b);
  /// Throws Fault(kDescription) that names what broke no link, once all were asked for.
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
