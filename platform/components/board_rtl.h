#pragma once

#include <tensix_vp/rtl/bus_device.h>
#include <tensix_vp/rtl/noc_node.h>

#include <memory>
#include <string>
#include <vector>

#include "foundation/settings.h"
#include "models/noc/foreign_node.h"
#include "models/support/foreign_memory.h"
#include "tensix_vp/systemc/board.h"

namespace tensix_vp {

/// Keys of a Board. They name files with code, so a description cannot set them.
struct RtlConfig : tvp::foundation::SettingGroup {
  RtlConfig() : SettingGroup("rtl", SetBy::kRun) {}
  tvp::foundation::Text nodes{
      *this,
      {"nodes", tvp::foundation::kNoFile,
       "nodes of the NoCs that RTL of tensix_vp_add_rtl(KIND noc_node) takes: LIBRARY:X:Y, several "
       "with spaces between, with prefix chipN. for another chip than 0",
       tvp::foundation::kOwnChoice},
      ""};
  tvp::foundation::Text devices{
      *this,
      {"devices", tvp::foundation::kNoFile,
       "RTL of tensix_vp_add_rtl(KIND bus_device) on the bus of a Tensix tile, from 0x80000000 on, "
       "in the same form",
       tvp::foundation::kOwnChoice},
      ""};
};

/// The RTL that the keys `rtl.nodes` and `rtl.devices` put into a Board.
class BoardRtl {
 public:
  /// Reads the keys. `clock_mhz`: of the chips, and so of the RTL. Throws Fault(kDescription) if a
  /// text has another form.
  BoardRtl(const RtlConfig& config, unsigned clock_mhz);

  std::vector<Board::Node> nodes() const { return places_of(nodes_); }
  std::vector<Board::Node> devices() const { return places_of(devices_); }
  bool is_node(const Board::Node& at) const { return is_in(nodes_, at); }
  bool is_device(const Board::Node& at) const { return is_in(devices_, at); }

  /// Loads the libraries. Throws Fault(kDescription) if there is none.
  void load();
  /// Make the module of a node or tile, a child of the module that is under construction.
  void bind_node(const Board::Node& at, tvp::noc::ForeignNode& node);
  void bind_device(const Board::Node& at, tvp::support::ForeignMemory& device);

 private:
  struct Part {
    Board::Node at;
    std::string library;
    const rtl::NocNodeModule* node = nullptr;
    const rtl::BusDeviceModule* device = nullptr;
  };
  static std::vector<Part> parts_of(const tvp::foundation::Text& key, const char* name);
  static std::vector<Board::Node> places_of(const std::vector<Part>& parts);
  static const Part* find(const std::vector<Part>& parts, const Board::Node& at);
  static bool is_in(const std::vector<Part>& parts, const Board::Node& at) {
    return find(parts, at) != nullptr;
  }

  const unsigned clock_mhz_;
  std::vector<Part> nodes_;
  std::vector<Part> devices_;
  std::vector<std::unique_ptr<sc_core::sc_module>> modules_;
};

}  // namespace tensix_vp
