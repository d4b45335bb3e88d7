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

/// Tiles of each chip by what the tests run on their cores; the value is the ethernet channel.
enum TileUse : unsigned { kEast, kWest, kClientA, kClientB, kMux, kTarget, kTiles };

/// A row of chips, each joined by a link from its east router to the west router of the next, with
/// nothing but ethernet tiles. In a ring the last is joined to the first.
class FabricSystem : public sc_core::sc_module {
 public:
  FabricSystem(const sc_core::sc_module_name& name, unsigned chips, bool ring,
               unsigned hop_cycles = 0,       ///< of the NoCs; 0: as usual
               unsigned receive_cycles = 0);  ///< of the receive queues; 0: as usual

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
  /// Lets all loaded cores go, a few cycles after each other.
  void release();
  /// Puts all cores back into reset.
  void hold();
  /// Routers everywhere, with their neighbors; a program for each link, or one for all.
  void load_routers(const std::vector<std::string>& programs);
  void load_routers(const std::string& program) { load_routers(std::vector{program}); }

  /// Until the program on that tile has ended; false when `limit` comes first.
  bool run_until_done(unsigned chip, TileUse use, Cycle limit);
  void run(Cycle end);
  Cycle now() const { return now_; }
  void set_lockstep(bool on);

  std::uint32_t word(unsigned chip, TileUse use, std::uint32_t address);
  void set_word(unsigned chip, TileUse use, std::uint32_t address, std::uint32_t value);
  /// Translated coordinates, and an address in the tile as other tiles name it.
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
