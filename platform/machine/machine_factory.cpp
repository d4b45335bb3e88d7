#include <algorithm>
#include <string_view>

#include "foundation/fault.h"
#include "foundation/setting_needs.h"
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

/// A kind of system that a description may name.
struct Kind {
  const char* name;
  std::unique_ptr<Machine> (*make)(const SystemDescription&, PlatformConfig&);
  /// Groups of keys and single keys that apply to it, besides those of the run and of waves.
  std::string_view groups;
};
constexpr Kind kKinds[] = {
    {"dram", make<DramMachine>, " dram dram_traffic "},
    {"wormhole", make<WormholeMachine>,
     " chip coprocessor dram ethernet gdb host.timed kernel movement mpi noc pcie record riscv "},
    {"mesh", make<MeshMachine>, " mesh traffic "},
    {"pim", make<PimMachine>, " gdb host host_traffic kernel mesh pim record.events riscv switch "},
};

bool has_group(const Kind& kind, const std::string& key) {
  const std::size_t dot = key.find('.');
  if (dot == std::string::npos || key.starts_with("wave.")) return true;
  return kind.groups.find(" " + key.substr(0, dot) + " ") != std::string_view::npos ||
         kind.groups.find(" " + key + " ") != std::string_view::npos;
}

/// Refuses a key without effect, since it is a mistake of the user.
void refuse_without_effect(const std::string& key, const std::string& where,
                           const SystemDescription& system, const Kind& kind) {
  if (has_group(kind, key)) return;
  std::string others;
  for (const Kind& other : kKinds) {
    if (has_group(other, key)) others += (others.empty() ? "" : " or ") + std::string(other.name);
  }
  if (others.empty()) return;  // an unknown key: the caller names the most similar one
  throw foundation::Fault(foundation::FaultKind::kDescription, where,
                          "'" + key + "' has no effect on " + system.name + ", a system of kind " +
                              kind.name + ": expected a system of kind " + others);
}

/// Refuses keys that have no effect with the values of other keys. A key of a description may be
/// without effect if the host, a chip or an extending description sets one of those others.
void refuse_unmet_needs(const SystemDescription& system, const PlatformConfig& config) {
  const auto refuse = [&](const std::string& key, const SettingOverride* described) {
    const auto reason = foundation::without_effect(config.registry, key);
    if (!reason) return;
    for (const std::string& other : reason->needs) {
      if (described != nullptr) {
        if (config.explicitly_set.contains(other)) return;
        const auto changed = system.settings.find(other);
        if (changed != system.settings.end() && changed->second.depth < described->depth) return;
      }
      const auto sets_it = [&](const ChipDescription& c) { return c.settings.contains(other); };
      if (std::ranges::any_of(system.chips, sets_it)) return;
    }
    throw foundation::Fault(foundation::FaultKind::kDescription,
                            described == nullptr ? "" : described->where, reason->text);
  };
  for (const std::string& key : config.explicitly_set) refuse(key, nullptr);
  for (const auto& [key, setting] : system.settings) {
    if (!config.explicitly_set.contains(key)) refuse(key, &setting);
  }
}

const Kind& kind_of(const SystemDescription& system) {
  std::string known;
  for (const Kind& kind : kKinds) {
    if (system.kind == kind.name) return kind;
    known += (known.empty() ? "" : ", ") + std::string(kind.name);
  }
  throw foundation::Fault(foundation::FaultKind::kDescription, system.kind_where,
                          "kind '" + system.kind + "': expected one of " + known);
}

/// The line of the description with the refused value; null if the value is from elsewhere.
const std::string* line_of_value(const foundation::Fault& fault, const SystemDescription& system,
                                 const PlatformConfig& config) {
  const std::string text = fault.what();
  const std::string key = text.substr(0, text.find_first_of(": "));
  const auto setting = system.settings.find(key);
  if (setting == system.settings.end() || config.explicitly_set.contains(key)) return nullptr;
  return &setting->second.where;
}

}  // namespace

void refuse_keys_without_effect(const SystemDescription& system,
                                const std::set<std::string>& keys) {
  const Kind& kind = kind_of(system);
  for (const std::string& key : keys) refuse_without_effect(key, "", system, kind);
  for (const auto& [key, setting] : system.settings) {
    refuse_without_effect(key, setting.where, system, kind);
  }
}

std::unique_ptr<Machine> make_machine(const SystemDescription& system, PlatformConfig& config) {
  refuse_keys_without_effect(system, config.explicitly_set);
  refuse_unmet_needs(system, config);
  if (config.ranks == nullptr && !config.mpi.placement.value().empty())
    throw foundation::Fault(foundation::FaultKind::kDescription, "mpi.placement",
                            "has no effect in one process: expected mpirun -n RANKS ./vp run …");
  if (config.ranks != nullptr && system.kind != "wormhole")
    throw foundation::Fault(foundation::FaultKind::kDescription, "mpirun",
                            system.name + " is of kind " + system.kind +
                                ": expected a system of kind wormhole, whose chips ranks can "
                                "share; run it without mpirun");
  try {
    return kind_of(system).make(system, config);
  } catch (const foundation::Fault& fault) {
    const std::string* const line = line_of_value(fault, system, config);
    if (line == nullptr) throw;
    throw foundation::Fault(fault.kind(), *line, fault.what());
  }
}

}  // namespace tvp::platform
