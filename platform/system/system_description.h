#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "foundation/chip/chip_spec.h"
#include "platform/system/board.h"
#include "platform/system/topology.h"

namespace tvp::platform {

/// A setting of a model, with its place for error messages.
struct SettingOverride {
  std::string value;
  std::string where;   ///< "file:line"
  unsigned depth = 0;  ///< 0: the description itself, 1: the system that it extends, and so on
};
/// Values by "group.key".
using SettingOverrides = std::map<std::string, SettingOverride>;

/// A chip of the system.
struct ChipDescription {
  unsigned id = 0;
  std::string kind = "wormhole_b0";    ///< name or file of its description
  std::string kind_where;              ///< "file:line"; empty if the system does not name it
  std::optional<unsigned> pci_device;  ///< empty: reached by ethernet only
  std::optional<unsigned> host_chip;  ///< chip over which the host reaches this one, for host.timed
  std::string host_chip_where;
  std::uint32_t harvest_mask = 0;  ///< ChipSpec::harvested
  std::string harvested_where;
  std::string harvest_key;    ///< the key that gives it; empty: none does
  SettingOverrides settings;  ///< for this chip alone
  std::shared_ptr<const foundation::ChipSpec> spec;

  /// True at NoC 0 coordinates of a Tensix tile that is not harvested.
  bool has_tensix(unsigned x, unsigned y) const;
};

/// One end of an ethernet link.
struct LinkEnd {
  unsigned chip = 0;
  unsigned channel = 0;
  std::string where;  ///< "file:line"
};

struct LinkDescription {
  LinkEnd a;
  LinkEnd b;
};

/// A system, read from TOML (see platform/systems/README.md for the schema).
///
/// Every error is a foundation::Fault(kDescription) whose text names file, line, key and what was
/// expected.
struct SystemDescription {
  static constexpr unsigned kPciDevices = 32;  ///< devices on the host's bus

  std::string name;
  std::string kind = "wormhole";  ///< kind of machine that owns chips, links and devices
  std::string kind_where;         ///< "file:line"; empty if the description does not name it
  std::vector<ChipDescription> chips;
  std::vector<LinkDescription> links;
  std::vector<unsigned> devices;  ///< chip ids in the order that workloads see
  /// The shape of a system whose chips form a [topology].
  struct Grid {
    Topology topology;
    std::shared_ptr<const Board> board;
    std::vector<unsigned> chips;  ///< ids by position
  };
  std::optional<Grid> grid;
  SettingOverrides settings;  ///< for all chips

  /// Reads a path if `name_or_file` contains '/' or ends in ".toml", else a file of
  /// `system_folder`. `chosen`: settings of the caller, which take precedence over those of the
  /// file. The shape of the chips can depend on them.
  static SystemDescription load(const std::string& name_or_file, const std::string& system_folder,
                                const SettingOverrides& chosen = {});
  /// Names of all systems in `system_folder`, sorted.
  static std::vector<std::string> list(const std::string& system_folder);

  const ChipDescription* find_chip(unsigned id) const;
  /// JSON for tensix_vp_system().
  std::string to_json() const;
};

}  // namespace tvp::platform
