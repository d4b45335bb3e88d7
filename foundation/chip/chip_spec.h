#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "foundation/regs/generation.h"

namespace tvp::foundation {

/// A place on a chip, in NoC 0 coordinates.
struct ChipNode {
  unsigned x = 0;
  unsigned y = 0;
  auto operator<=>(const ChipNode&) const = default;
};

/// The block at a NoC node, besides its routers.
enum class TileKind : std::uint8_t { kNone, kTensix, kEthernet, kDram, kPcie, kArc };

/// Addresses behind one endpoint of a DRAM channel. Software interleaves pages over banks.
struct DramBank {
  /// Index of the channel's endpoint through which software uses the bank over NoC 0, and over
  /// NoC 1.
  unsigned endpoint = 0;
  unsigned noc1_endpoint = 0;
  std::uint64_t offset = 0;  ///< address of the first byte at that endpoint
  std::uint64_t bytes = 0;
  bool operator==(const DramBank&) const = default;
};

/// A DRAM device behind several nodes of the NoCs. Each node reaches all banks of the device.
struct DramChannel {
  std::vector<ChipNode> endpoints;
  std::vector<DramBank> banks;
  /// The endpoints in the order of their NIUs in the channel's APB window. Empty: the order of
  /// `endpoints`.
  std::vector<ChipNode> niu_order;
  bool operator==(const DramChannel&) const = default;
};

/// Windows of one size in BAR 0 through which the host reaches the NoC.
struct WindowGroup {
  unsigned count = 0;
  unsigned size_log2 = 0;
  bool operator==(const WindowGroup&) const = default;
};

/// The Tensix tiles that are turned off: those in columns and rows whose bits are set (NoC 0).
struct Harvested {
  std::uint32_t columns = 0;
  std::uint32_t rows = 0;
  bool has(ChipNode node) const { return ((columns >> node.x | rows >> node.y) & 1) != 0; }
  bool operator==(const Harvested&) const = default;
};

/// A kind of chip, as its description defines it (schema: platform/chips/README.md). Models, host
/// runtime and kernel compiler take all numbers of a chip from here.
///
/// Both NoCs have the same nodes. NoC 1 numbers them from the opposite corner, in both directions.
struct ChipSpec {
  /// Size of tables with an entry for each node. The columns are those of Blackhole. Coordinates in
  /// Wormhole's translation tables have 4 bits (ISA NoC/Coordinates.md).
  static constexpr unsigned kMostColumns = 17;
  static constexpr unsigned kMostRows = 16;

  std::string name;
  std::string file;  ///< the file of the description; "" if it came as text
  Generation generation = Generation::kWormhole;

  unsigned columns = 0;
  unsigned rows = 0;
  std::vector<unsigned> tensix_columns;  ///< Tensix tiles are at the crossings of these columns
  std::vector<unsigned> tensix_rows;     ///< and these rows; both ascend
  /// The row, or the column, that bit i of a harvest mask turns off. One of the lists is empty.
  std::vector<unsigned> harvest_rows;
  std::vector<unsigned> harvest_columns;
  std::vector<ChipNode> ethernet;  ///< by channel
  std::vector<DramChannel> dram;
  ChipNode pcie;
  ChipNode arc;

  /// The first translated coordinate (Coordinates). 0: all are translated.
  unsigned first_translated = 16;

  struct Memories {
    std::uint32_t tensix_l1_bytes = 0;
    std::uint32_t ethernet_l1_bytes = 0;
    std::uint32_t data_local_bytes = 0;     ///< local RAM of BRISC, NCRISC and the ethernet core
    std::uint32_t compute_local_bytes = 0;  ///< local RAM of each TRISC
    std::uint32_t instruction_bytes = 0;    ///< instruction RAM of NCRISC
    bool operator==(const Memories&) const = default;
  } memories;

  struct Clocks {
    unsigned aiclk_mhz = 0;   ///< default of the key chip.aiclk_mhz
    unsigned refclk_mhz = 0;  ///< the ARC counts its cycles
    bool operator==(const Clocks&) const = default;
  } clocks;

  /// The chip's resources in the host's PCI Express space, and the host's memory in the chip's.
  struct Pcie {
    std::uint32_t vendor = 0;
    std::uint32_t device = 0;
    std::uint64_t bar0_bytes = 0;
    std::uint64_t bar2_bytes = 0;
    std::uint64_t bar4_bytes = 0;
    std::vector<WindowGroup> windows;  ///< groups of BAR 0, contiguous from offset 0
    std::uint64_t window_registers = 0;
    std::uint64_t arc_memory = 0;
    std::uint64_t arc_registers = 0;
    std::uint32_t iatu = 0;         ///< offset in BAR 2
    std::uint64_t host_window = 0;  ///< address of the host's memory in the PCIe tile
    std::uint64_t host_window_bytes = 0;
    bool operator==(const Pcie&) const = default;
    unsigned window_count() const;
  } bars;

  /// Values of the platform's keys for this kind of chip, by "group.key". A system or a run may set
  /// others.
  std::map<std::string, std::string> settings;

  /// The place "file:line" of each key, for error messages.
  std::map<std::string, std::string> places;

  TileKind kind_at(ChipNode node) const;
  bool has(ChipNode node) const { return node.x < columns && node.y < rows; }
  ChipNode mirrored(ChipNode node) const { return {columns - 1 - node.x, rows - 1 - node.y}; }

  unsigned workers() const {
    return static_cast<unsigned>(tensix_columns.size() * tensix_rows.size());
  }
  /// The key of a system's description that holds a chip's harvest mask.
  const char* harvest_key() const {
    return harvest_columns.empty() ? "harvested_rows" : "harvested_columns";
  }
  /// Number of bits of a harvest mask.
  std::size_t harvest_bits() const { return harvest_rows.size() + harvest_columns.size(); }
  /// The lines that a harvest mask turns off.
  Harvested harvested(std::uint32_t mask) const;
  /// The Tensix columns and rows that remain, ascending.
  std::vector<unsigned> worker_columns(std::uint32_t mask) const;
  std::vector<unsigned> worker_rows(std::uint32_t mask) const;

  unsigned dram_banks() const;
  /// Location of a bank for software on a NoC. Banks are numbered channel by channel.
  struct BankPlace {
    ChipNode node;
    std::uint64_t offset;
    std::uint64_t bytes;
  };
  BankPlace dram_bank(unsigned number, unsigned noc = 0) const;

  /// "file:line" of a key, or the file, or the chip's name.
  std::string place_of(const std::string& key) const;

  bool operator==(const ChipSpec& other) const;
};

}  // namespace tvp::foundation
