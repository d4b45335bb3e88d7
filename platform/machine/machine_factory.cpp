#include "platform/include/tensix_vp/fault.h"
#include "platform/machine/dram_machine.h"
#include "platform/machine/machine.h"
#include "platform/machine/mesh_machine.h"
#include "platform/machine/pim_machine.h"
#include "platform/machine/wormhole_machine.h"

namespace tvp::platform {

namespace {

template <typename Kind>
std::unique_ptr<Machine> make(const SystemDescription& system, PlatformConfig& config) {
  return std::make_unique<Kind>("system", system, config);
}

/// One line for each kind of system that a description may name.
struct Kind {
  const char* name;
  std::unique_ptr<Machine> (*make)(const SystemDescription&, PlatformConfig&);
};
constexpr Kind kKinds[] = {
    {"dram", make<DramMachine>},
    {"wormhole", make<WormholeMachine>},
    {"mesh", make<MeshMachine>},
    {"pim", make<PimMachine>},
};

}  // namespace

std::unique_ptr<Machine> make_machine(const SystemDescription& system, PlatformConfig& config) {
  std::string known;
  for (const Kind& kind : kKinds) {
    if (system.kind == kind.name) return kind.make(system, config);
    known += (known.empty() ? "" : ", ") + std::string(kind.name);
  }
  throw support::Fault(support::FaultKind::kDescription, system.kind_where,
                       "kind '" + system.kind + "': expected one of " + known);
}

}  // namespace tvp::platform
