#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tvp::platform {

/// A chip of the system.
struct ChipDescription {
  unsigned id = 0;
  std::optional<unsigned> pci_device;  ///< absent: reached by ethernet only
  std::uint32_t harvested_rows = 0;    ///< bit i: row kFuseRows[i], as the telemetry gives it
};

/// One end of an ethernet link.
struct LinkEnd {
  unsigned chip = 0;
  unsigned channel = 0;
};

struct LinkDescription {
  LinkEnd a;
  LinkEnd b;
};

/// What a system is made of, read from TOML (see platform/systems/README.md for the schema).
///
/// Every error is a foundation::Fault(kDescription) whose text names file, line, key and what was
/// expected.
struct SystemDescription {
  /// Bits of a harvest mask name Tensix rows in this order (NoC 0 y; tt-umd
  /// wormhole_implementation.hpp).
  static constexpr unsigned kFuseRows[10] = {11, 1, 10, 2, 9, 3, 8, 4, 7, 5};
  static constexpr unsigned kEthernetChannels = 16;

  std::string name;
  std::string kind = "wormhole";  ///< of machine; chips, links and devices are this kind's
  std::string kind_where;         ///< "file:line", when the description says it
  std::vector<ChipDescription> chips;
  std::vector<LinkDescription> links;
  std::vector<unsigned> devices;  ///< chip ids in the order that workloads see
  /// Settings of the models, "group.key" to text, with where they stand for error messages.
  struct Override {
    std::string value;
    std::string where;  ///< "file:line"
  };
  std::map<std::string, Override> settings;

  /// Reads `name_or_file`: a path when it contains a '/' or ends in ".toml", else a file of
  /// `system_folder`.
  static SystemDescription load(const std::string& name_or_file, const std::string& system_folder);
  /// Names of all systems in `system_folder`, sorted.
  static std::vector<std::string> list(const std::string& system_folder);

  bool row_harvested(const ChipDescription& chip, unsigned noc0_y) const;
  const ChipDescription* find_chip(unsigned id) const;
  /// As JSON for tensix_vp_system().
  std::string to_json() const;
};

}  // namespace tvp::platform
