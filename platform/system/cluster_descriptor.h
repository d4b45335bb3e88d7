#pragma once

#include <string>

#include "platform/system/system_description.h"

namespace tvp::platform {

/// A cluster descriptor of tt-umd (YAML, schema docs/yaml_schemas of tt-umd): chips, ethernet
/// connections, chips on PCI Express, harvesting, boards.
/// Serial numbers of boards, the lower bits of their ids, count from 0. Unique ids of chips count
/// from 1.
std::string cluster_descriptor(const SystemDescription& system);

}  // namespace tvp::platform
