#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "foundation/fault.h"
#include "models/ethernet/ethernet_tile.h"
#include "models/ethernet/link.h"
#include "models/noc/torus/torus.h"

namespace tvp::ethernet::test {

using support::Cycle;

/// Tiles of each chip by the program of their cores; the value is the ethernet channel.
enum TileUse : unsigned { kEast, kWest, kClientA, kClientB, kMux, kTarget, kTiles };

/// A row of chips with ethernet tiles only. A link joins the east router of each chip to the west
/// router of the next one. In a ring the last chip is joined to the first.
class FabricSystem : public sc_core::sc_module {
 public:
  FabricSystem(const sc_core::sc_module_name& name, unsigned chips, bool ring,
               unsigned hop_cycles = 0,       ///< for the NoCs; 0: default
               unsigned receive_cycles = 0);  ///< for the receive queues; 0: default

  EthernetConfig ethernet;
  noc::NocConfig noc;
  riscv::CoreConfig riscv;

  EthernetTile& tile(unsigned chip, TileUse use) { return *chips_[chip]->tiles[use]; }
  support::Calendar& calendar(unsigned chip) { return chips_[chip]->calendar; }
  Link& link(unsigned index) { return *links_[index]; }
  unsigned chips() const { return static_cast<unsigned>(chips_.size()); }

  /// Loads a program from the build's folder and its arguments; the core stays in reset.
  void load(unsigned chip, TileUse use, const std::string& program,
            const std::vector<std::uint32_t>& arguments = {});
  /// Releases all loaded cores, a few cycles after each other.
  void release();
  /// Puts all cores back into reset.
  void hold();
  /// Loads routers on all chips with a program for each link, or one for all.
  void load_routers(const std::vector<std::string>& programs);
  void load_routers(const std::string& program) { load_routers(std::vector{program}); }

  /// Runs until the program on that tile has ended; false after `limit` cycles.
  bool run_until_done(unsigned chip, TileUse use, Cycle limit);
  void run(Cycle end);
  Cycle now() const { return now_; }
  void set_lockstep(bool on);

  std::uint32_t word(unsigned chip, TileUse use, std::uint32_t address);
  void set_word(unsigned chip, TileUse use, std::uint32_t address, std::uint32_t value);
  /// Translated coordinates, and the NoC address of a place in the tile.
  unsigned x(unsigned chip, TileUse use);
  unsigned y(unsigned chip, TileUse use);
  std::uint64_t noc_address(unsigned chip, TileUse use, std::uint32_t address);
  void check_conservation() const;

 private:
  struct Chip {
    explicit Chip(const noc::NocConfig& config) : calendar(noc::lookahead(config)) {}
    support::Calendar calendar;
    std::array<std::unique_ptr<noc::Torus>, 2> torus;
    std::vector<std::unique_ptr<EthernetTile>> tiles;
  };
  void make_chip(unsigned index);

  foundation::StopOnFault faults_;
  std::vector<std::unique_ptr<Chip>> chips_;
  std::vector<std::unique_ptr<Link>> links_;
  std::vector<std::pair<unsigned, TileUse>> loaded_;
  Cycle now_ = 0;
  bool ring_;
};

}  // namespace tvp::ethernet::test
