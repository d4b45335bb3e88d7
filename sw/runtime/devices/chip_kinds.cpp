#include "sw/runtime/devices/chip_kinds.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "foundation/chip/chip_reader.h"

namespace tvp::runtime {

using nlohmann::json;

std::vector<ChipLayout::Spec> chip_kinds(const json& system) {
  std::vector<ChipLayout::Spec> kinds;
  for (const json& description : system.value("descriptions", json::array())) {
    foundation::ChipSpec spec = foundation::parse_chip(description.at("toml").get<std::string>());
    spec.file = description.value("file", "");
    description.value("places", json::object()).get_to(spec.places);
    kinds.push_back(std::make_shared<const foundation::ChipSpec>(std::move(spec)));
  }
  if (kinds.empty()) kinds.push_back(ChipLayout::usual_spec());
  return kinds;
}

}  // namespace tvp::runtime
