#include "platform/machine/report/core_counts.h"

#include <nlohmann/json.hpp>

namespace tvp::platform {

void tell_counts(nlohmann::ordered_json& entries, const std::vector<const riscv::Core*>& cores,
                 support::Cycle now) {
  for (std::size_t i = 0; i < cores.size(); ++i) {
    nlohmann::ordered_json& entry = entries[i];
    entry["executed_instructions"] = cores[i]->executed_instructions();
    entry["slept_instructions"] = cores[i]->slept_instructions(now);
    entry["waiting_cycles"] = cores[i]->waiting_cycles(now);
  }
}

}  // namespace tvp::platform
