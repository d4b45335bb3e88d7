#pragma once

#include <string>

#include "platform/system/system_description.h"

namespace tvp::platform {

/// A system as tt-umd's cluster descriptors say it (YAML, schema docs/yaml_schemas of tt-umd):
/// chips, ethernet connections, chips that the host reaches over PCI Express, harvesting, boards.
///
/// Serial numbers of boards, the lower bits of their ids, count from 0; so do unique ids of chips,
/// from 1.
std::string cluster_descriptor(const SystemDescription& system);

}  // namespace tvp::platform
