#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <systemc>
#include <vector>

#include "models/dram/dram_tile.h"
#include "models/ethernet/ethernet_tile.h"
#include "models/host/access_listener.h"
#include "models/host/arc_registers.h"
#include "models/host/chip_access.h"
#include "models/host/pcie_bars.h"
#include "models/host/pcie_tile.h"
#include "models/noc/foreign_node.h"
#include "models/noc/torus/torus.h"
#include "models/support/calendar.h"
#include "models/support/calendar_block.h"
#include "models/support/probe.h"
#include "models/tensix/tile/tensix_tile.h"
#include "platform/machine/platform_config.h"
#include "platform/system/system_description.h"

namespace tvp::platform {

/// A chip as its description says: tiles on two NoCs. Its configuration is the one that the chip's
/// own firmware has made before a host program starts. Coordinate translation is on, and broadcasts
/// skip harvested rows and non-Tensix columns.
class Chip : public sc_core::sc_module, public host::ChipAccess {
 public:
  Chip(const sc_core::sc_module_name& name, const ChipDescription& description,
       const PlatformConfig& config, foundation::FaultPolicy& faults);

  unsigned id() const { return description_.id; }
  const ChipDescription& description() const { return description_; }
  const foundation::ChipSpec& spec() const { return *description_.spec; }
  support::Calendar& calendar() { return calendar_; }
  /// Null unless a user runs the kernel.
  support::CalendarBlock* block() { return block_.get(); }
  host::PcieBars& bars() { return *bars_; }
  host::PcieTile& pcie() { return *pcie_; }
  noc::Torus& torus(unsigned noc) { return *torus_[noc]; }

  const std::vector<std::unique_ptr<tensix::TensixTile>>& tensix_tiles() const { return tensix_; }
  const std::vector<std::unique_ptr<ethernet::EthernetTile>>& ethernet_tiles() const {
    return ethernet_;
  }
  const std::vector<std::unique_ptr<dram::DramTile>>& dram_tiles() const { return dram_; }
  const std::vector<std::unique_ptr<noc::ForeignNode>>& foreign_nodes() const {
    return foreign_nodes_;
  }
  ethernet::EthernetTile& ethernet_channel(unsigned channel) { return *ethernet_.at(channel); }
  /// The Tensix tile at NoC 0 coordinates; null if another kind of tile is there.
  tensix::TensixTile* tensix_at(unsigned x, unsigned y);
  ethernet::EthernetTile* ethernet_at(unsigned x, unsigned y);

  /// Throws Fault(kInternal) if a packet was lost.
  void check_conservation() const;
  /// One line for each packet under way and each waiting agent, for the report of a hang.
  void describe_waiting(std::vector<std::string>& lines) const;
  /// Only the packets.
  void describe_packets(std::vector<std::string>& lines) const;

  // host::ChipAccess
  void access(unsigned noc, unsigned x, unsigned y, std::uint64_t address, std::uint8_t* data,
              std::uint32_t bytes, bool write) override;
  /// Sets the listener for accesses of the host; null for none.
  void set_listener(host::AccessListener* listener) {
    listener_ = listener;
    bars_->set_listener(listener);
  }
  /// Sets the probe that gets the host's DRAM accesses before they happen.
  void set_probe(const support::Probe& probe) { probe_ = &probe; }
  void multicast(unsigned noc, unsigned x_start, unsigned y_start, unsigned x_end, unsigned y_end,
                 std::uint64_t address, const std::uint8_t* data, std::uint32_t bytes) override;

 private:
  void make_tensix(const PlatformConfig& config, foundation::FaultPolicy& faults);
  void make_ethernet(const PlatformConfig& config, foundation::FaultPolicy& faults);
  void make_dram(const PlatformConfig& config, foundation::FaultPolicy& faults);
  void make_foreign(const PlatformConfig& config, foundation::FaultPolicy& faults);
  bool is_foreign(unsigned x, unsigned y) const {
    return foreign_places_.contains({description_.id, x, y});
  }
  void boot_nius();
  /// NoC 0 coordinates of the node that software addresses as (x, y) on NoC `noc`; off the grid if
  /// there is none.
  noc::Node noc0_node(unsigned noc, unsigned x, unsigned y) const;

  bool access_dram(unsigned noc, foundation::ChipNode at, std::uint64_t address, std::uint8_t* data,
                   std::uint32_t bytes, bool write);

  ChipDescription description_;
  const std::set<ForeignParts::Node> foreign_places_;
  const noc::Grid grid_;
  std::string where_;
  sc_core::sc_time cycle_;
  support::Calendar calendar_;
  std::unique_ptr<support::CalendarBlock> block_;  ///< null unless a user runs the kernel
  std::array<std::unique_ptr<noc::Torus>, 2> torus_;
  std::vector<std::unique_ptr<tensix::TensixTile>> tensix_;
  std::vector<std::unique_ptr<ethernet::EthernetTile>> ethernet_;
  std::vector<std::unique_ptr<dram::DramTile>> dram_;
  std::vector<std::unique_ptr<noc::ForeignNode>> foreign_nodes_;
  host::ArcRegisters arc_;
  std::unique_ptr<host::PcieTile> pcie_;
  std::unique_ptr<host::PcieBars> bars_;
  host::AccessListener* listener_ = nullptr;
  const support::Probe* probe_ = nullptr;
};

}  // namespace tvp::platform
