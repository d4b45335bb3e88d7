#pragma once

#include <string>

#include "platform/system/system_description.h"

namespace tvp::platform {

/// A system as tt-umd's cluster descriptors say it (YAML, schema docs/yaml_schemas of tt-umd):
/// chips, ethernet connections, chips that the host reaches over PCI Express, harvesting, boards.
///
/// Ids of boards, which on silicon are serial numbers, count from 0 here; so do unique ids of
/// chips, from 1.
std::string cluster_descriptor(const SystemDescription& system);

}  // namespace tvp::platform
