#include "platform/components/board_rtl.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "models/rtl/refuse.h"
#include "models/rtl/rtl_place.h"
#include "models/rtl/user_library.h"
#include "tensix_vp/systemc/rtl_device.h"
#include "tensix_vp/systemc/rtl_node.h"

namespace tensix_vp {

namespace {

constexpr const char* kNodes = "rtl.nodes";
constexpr const char* kDevices = "rtl.devices";

std::string name_of(const char* kind, const Board::Node& at) {
  return std::string(kind) + "_" + std::to_string(at.chip) + "_" + std::to_string(at.x) + "_" +
         std::to_string(at.y);
}

}  // namespace

BoardRtl::BoardRtl(const RtlConfig& config, unsigned clock_mhz)
    : clock_mhz_(clock_mhz),
      nodes_(parts_of(config.nodes, kNodes)),
      devices_(parts_of(config.devices, kDevices)) {}

std::vector<BoardRtl::Part> BoardRtl::parts_of(const tvp::foundation::Text& key, const char* name) {
  std::vector<Part> parts;
  std::istringstream words(key.value());
  for (std::string word; words >> word;) {
    const auto place = tvp::rtl::read_rtl_place(word);
    if (!place || !place->node || place->library.empty()) {
      tvp::rtl::refuse(name, "'" + word + "': expected LIBRARY:X:Y or chipN.LIBRARY:X:Y");
    }
    const Board::Node at{place->chip.value_or(0), place->node->x, place->node->y};
    if (is_in(parts, at))
      tvp::rtl::refuse(name, "'" + word + "': expected one library for a place");
    parts.push_back({at, place->library});
  }
  return parts;
}

std::vector<Board::Node> BoardRtl::places_of(const std::vector<Part>& parts) {
  std::vector<Board::Node> places;
  for (const Part& part : parts) places.push_back(part.at);
  return places;
}

const BoardRtl::Part* BoardRtl::find(const std::vector<Part>& parts, const Board::Node& at) {
  const auto found = std::ranges::find_if(parts, [&](const Part& part) {
    return part.at.chip == at.chip && part.at.x == at.x && part.at.y == at.y;
  });
  return found == parts.end() ? nullptr : &*found;
}

void BoardRtl::load() {
  using tvp::rtl::user_module;
  for (Part& part : nodes_)
    part.node = &user_module<rtl::NocNodeModule>(kNodes, part.library, "noc_node");
  for (Part& part : devices_)
    part.device = &user_module<rtl::BusDeviceModule>(kDevices, part.library, "bus_device");
}

void BoardRtl::bind_node(const Board::Node& at, tvp::noc::ForeignNode& node) {
  std::unique_ptr<rtl::NocNode> rtl(find(nodes_, at)->node->make());
  auto module = std::make_unique<RtlNode>(name_of("rtl_node", at).c_str(), std::move(rtl),
                                          RtlParameters{.clock_mhz = clock_mhz_});
  node.memory.socket.bind(module->memory);
  module->requests.bind(node.requests);
  modules_.push_back(std::move(module));
}

void BoardRtl::bind_device(const Board::Node& at, tvp::support::ForeignMemory& device) {
  std::unique_ptr<rtl::BusDevice> rtl(find(devices_, at)->device->make());
  auto module = std::make_unique<RtlDevice>(name_of("rtl_device", at).c_str(), std::move(rtl),
                                            RtlParameters{.clock_mhz = clock_mhz_});
  device.socket.bind(module->socket);
  modules_.push_back(std::move(module));
}

}  // namespace tensix_vp
