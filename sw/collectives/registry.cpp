#include "sw/collectives/registry.h"

#include "sw/runtime/errors.h"

namespace tvp::collectives {

const Collective& find_collective(const std::string& name) {
  static const std::vector<std::unique_ptr<Collective>> all = make_collectives();
  std::string names;
  for (const auto& collective : all) {
    if (collective->name() == name) return *collective;
    names += (names.empty() ? "" : ", ");
    names += collective->name();
  }
  runtime::bad_use("collective " + name, "expected one of " + names);
}

}  // namespace tvp::collectives
