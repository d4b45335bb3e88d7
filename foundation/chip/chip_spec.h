#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tvp::foundation {

/// A place on a chip, in NoC 0 coordinates.
struct ChipNode {
  unsigned x = 0;
  unsigned y = 0;
  auto operator<=>(const ChipNode&) const = default;
};

/// The block that a NoC node has beside its routers.
enum class TileKind : std::uint8_t { kNone, kTensix, kEthernet, kDram, kPcie, kArc };

/// Addresses behind one of the endpoints of a DRAM channel, over which software interleaves pages.
struct DramBank {
  unsigned endpoint = 0;     ///< index of the channel's endpoint through which the bank is reached
  std::uint64_t offset = 0;  ///< of its first byte, there
  std::uint64_t bytes = 0;
  bool operator==(const DramBank&) const = default;
};

/// A DRAM device behind some nodes of the NoCs, each of which reaches all of its banks.
struct DramChannel {
  std::vector<ChipNode> endpoints;
  std::vector<DramBank> banks;
  /// The endpoints in the order in which the channel's APB window has the registers of their NIUs;
  /// empty: as `endpoints` has them.
  std::vector<ChipNode> niu_order;
  bool operator==(const DramChannel&) const = default;
};

/// Windows of one size in BAR 0 through which the host reaches the NoC.
struct WindowGroup {
  unsigned count = 0;
  unsigned size_log2 = 0;
  bool operator==(const WindowGroup&) const = default;
};

/// A kind of chip, as its description says (platform/chips/README.md has the schema): the one place
/// that knows the numbers of a chip. Models, host runtime and the compiler of kernels take theirs
/// from here.
///
/// Both NoCs have the same nodes; NoC 1 numbers them from the opposite corner, in both directions.
struct ChipSpec {
  /// A NIU's tables of translated coordinates have entries of 4 bits (ISA NoC/Coordinates.md).
  static constexpr unsigned kMostColumns = 16;
  static constexpr unsigned kMostRows = 16;

  std::string name;
  std::string file;  ///< where the description was read; "" when it came as text

  unsigned columns = 0;
  unsigned rows = 0;
  std::vector<unsigned> tensix_columns;  ///< a Tensix tile is where one of these crosses
  std::vector<unsigned> tensix_rows;     ///< one of these; both ascend
  std::vector<unsigned> harvest_rows;    ///< the row that bit i of a harvest mask turns off
  std::vector<ChipNode> ethernet;        ///< by channel
  std::vector<DramChannel> dram;
  ChipNode pcie;
  ChipNode arc;

  /// Software's second names of columns and rows begin here: first the columns (rows) without
  /// Tensix tiles, then those with, the harvested ones last.
  unsigned first_translated = 16;

  struct Memories {
    std::uint32_t tensix_l1_bytes = 0;
    std::uint32_t ethernet_l1_bytes = 0;
    std::uint32_t data_local_bytes = 0;     ///< of BRISC, NCRISC and the ethernet core
    std::uint32_t compute_local_bytes = 0;  ///< of each TRISC
    std::uint32_t instruction_bytes = 0;    ///< RAM of NCRISC's
    bool operator==(const Memories&) const = default;
  } memories;

  struct Clocks {
    unsigned aiclk_mhz = 0;   ///< default of the key chip.aiclk_mhz
    unsigned refclk_mhz = 0;  ///< that the ARC counts
    bool operator==(const Clocks&) const = default;
  } clocks;

  /// The chip's resources in the host's PCI Express space, and the host's memory in the chip's.
  struct Pcie {
    std::uint32_t vendor = 0;
    std::uint32_t device = 0;
    std::uint64_t bar0_bytes = 0;
    std::uint64_t bar2_bytes = 0;
    std::uint64_t bar4_bytes = 0;
    std::vector<WindowGroup> windows;  ///< of BAR 0, one behind the other from offset 0
    std::uint64_t window_registers = 0;
    std::uint64_t arc_memory = 0;
    std::uint64_t arc_registers = 0;
    std::uint32_t iatu = 0;         ///< in BAR 2
    std::uint64_t host_window = 0;  ///< address of the host's memory in the tile
    std::uint64_t host_window_bytes = 0;
    bool operator==(const Pcie&) const = default;
    unsigned window_count() const;
  } bars;

  /// Where each key stands, "file:line", for complaints of whoever finds that it does not fit.
  std::map<std::string, std::string> places;

  TileKind kind_at(ChipNode node) const;
  bool has(ChipNode node) const { return node.x < columns && node.y < rows; }
  ChipNode mirrored(ChipNode node) const { return {columns - 1 - node.x, rows - 1 - node.y}; }

  unsigned workers() const {
    return static_cast<unsigned>(tensix_columns.size() * tensix_rows.size());
  }
  /// Rows that a harvest mask turns off: bit y of the answer.
  std::uint32_t harvested_rows(std::uint32_t mask) const;
  /// Tensix rows that it leaves, ascending.
  std::vector<unsigned> worker_rows(std::uint32_t mask) const;

  /// Columns and rows in the order of their translated numbers, from first_translated on.
  /// `harvested`: bit y for each row that is turned off.
  std::vector<unsigned> column_order() const;
  std::vector<unsigned> row_order(std::uint32_t harvested) const;

  unsigned dram_banks() const;
  /// The place of bank `number`; banks count channel by channel.
  struct BankPlace {
    ChipNode node;
    std::uint64_t offset;
    std::uint64_t bytes;
  };
  BankPlace dram_bank(unsigned number) const;

  /// "file:line" of a key, or the file, or the chip's name.
  std::string place_of(const std::string& key) const;

  bool operator==(const ChipSpec& other) const;
};

}  // namespace tvp::foundation
