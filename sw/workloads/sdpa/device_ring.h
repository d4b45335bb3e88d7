#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tvp::workloads::sdpa {

/// The chips of a system that can form rings: neighbors on a ring are joined by several links.
class DeviceRing {
 public:
  /// `system`: DeviceLibrary::system(). `links`: links between two neighbors.
  DeviceRing(const std::string& system, unsigned links);

  bool empty() const { return chips_.empty(); }

  /// Chips in the order of a ring, as the value of the key `devices` selects them. A list of chips
  /// is a ring in its order. A count selects the first ring of so many devices, in the order of the
  /// system as far as possible. Empty: all devices. Throws Fault(kDescription) if there is no such
  /// ring.
  std::vector<unsigned> select(const std::string& value) const;

  /// The number of devices that a value of the key asks for; 0 if it asks for all. Throws
  /// Fault(kDescription) for a value that no system can have.
  static unsigned size_of(const std::string& value);

 private:
  class Search;

  bool joined(unsigned a, unsigned b) const;
  unsigned links_between(unsigned a, unsigned b) const;
  /// The first ring of `size` of these chips; empty if there is none, or none was found in a
  /// limited number of steps.
  std::vector<unsigned> find(const std::vector<unsigned>& chips, std::size_t size) const;
  bool is_ring(const std::vector<unsigned>& chips) const;
  void check_list(const std::vector<unsigned>& chips) const;

  std::string name_;
  unsigned needed_links_;
  std::vector<unsigned> chips_;
  std::map<std::pair<unsigned, unsigned>, unsigned>
      links_;  ///< key: both chips, the lower one first
};

}  // namespace tvp::workloads::sdpa
