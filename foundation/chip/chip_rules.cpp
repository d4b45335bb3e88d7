#include "foundation/chip/chip_rules.h"

#include <algorithm>
#include <bit>
#include <string>

#include "foundation/chip/coordinates.h"
#include "foundation/fault.h"

namespace tvp::foundation {

namespace {

constexpr std::uint32_t kPageBytes = 4096;  ///< page size of the models' memories
constexpr std::uint64_t kMostDramBytes = std::uint64_t{4} << 30;  ///< address range of kernels

[[noreturn]] void refuse(const ChipSpec& spec, const std::string& key, const std::string& text) {
  throw Fault(FaultKind::kDescription, spec.place_of(key), key + ": " + text);
}

std::string range(unsigned lo, unsigned hi) {
  return "expected " + std::to_string(lo) + ".." + std::to_string(hi);
}

/// The nodes placed so far; refuses two nodes at one place.
class Places {
 public:
  explicit Places(const ChipSpec& spec)
      : spec_(spec), owner_(std::size_t{spec.columns} * spec.rows) {}

  void take(const std::string& key, const std::string& what, ChipNode node) {
    if (!spec_.has(node)) {
      refuse(spec_, key,
             text_of(node) + " is outside of the grid, expected columns 0.." +
                 std::to_string(spec_.columns - 1) + " and rows 0.." +
                 std::to_string(spec_.rows - 1));
    }
    std::string& owner = owner_[std::size_t{node.y} * spec_.columns + node.x];
    if (!owner.empty()) {
      refuse(spec_, key,
             what + " is at " + text_of(node) + ", where " + owner +
                 " is, expected a place of its own");
    }
    owner = what;
  }

 private:
  const ChipSpec& spec_;
  std::vector<std::string> owner_;
};

void check_grid(const ChipSpec& spec) {
  const unsigned columns = Coordinates::most_columns(spec.generation);
  const unsigned rows = Coordinates::most_rows(spec.generation);
  if (spec.columns < 2 || spec.columns > columns) refuse(spec, "grid.columns", range(2, columns));
  if (spec.rows < 2 || spec.rows > rows) refuse(spec, "grid.rows", range(2, rows));
  const auto check = [&](const char* key, const std::vector<unsigned>& list, unsigned size) {
    if (list.empty()) refuse(spec, key, "expected at least one");
    if (!std::is_sorted(list.begin(), list.end(), std::less_equal<>())) {
      refuse(spec, key, "expected numbers in ascending order, each once");
    }
    if (list.back() >= size) {
      refuse(spec, key,
             std::to_string(list.back()) + " is outside of the grid, " + range(0, size - 1));
    }
  };
  check("tensix.columns", spec.tensix_columns, spec.columns);
  check("tensix.rows", spec.tensix_rows, spec.rows);
  check_coordinates(spec);
}

void check_harvest(const ChipSpec& spec, const char* key, const std::vector<unsigned>& harvest,
                   const char* of, const std::vector<unsigned>& lines) {
  std::vector<unsigned> seen;
  for (const unsigned line : harvest) {
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) {
      refuse(spec, key,
             std::to_string(line) + " is no " + of + ", expected one that can be turned off");
    }
    if (std::find(seen.begin(), seen.end(), line) != seen.end()) {
      refuse(spec, key, std::to_string(line) + " stands twice");
    }
    seen.push_back(line);
  }
}

void check_harvest(const ChipSpec& spec) {
  check_harvest(spec, "tensix.harvest_rows", spec.harvest_rows, "row of tensix.rows",
                spec.tensix_rows);
  check_harvest(spec, "tensix.harvest_columns", spec.harvest_columns, "column of tensix.columns",
                spec.tensix_columns);
  if (!spec.harvest_rows.empty() && !spec.harvest_columns.empty()) {
    refuse(spec, "tensix.harvest_columns",
           "expected it or tensix.harvest_rows: a harvest mask turns off rows or columns");
  }
}

void check_banks(const ChipSpec& spec, std::size_t number) {
  const DramChannel& channel = spec.dram[number];
  const std::string key = "dram[" + std::to_string(number) + "]";
  if (channel.endpoints.empty() || channel.endpoints.size() > 16) {
    refuse(spec, key + ".endpoints", "expected 1..16 nodes");
  }
  if (!channel.niu_order.empty() &&
      !std::is_permutation(channel.niu_order.begin(), channel.niu_order.end(),
                           channel.endpoints.begin(), channel.endpoints.end())) {
    refuse(spec, key + ".niu_order", "expected each of the channel's endpoints once");
  }
  if (channel.banks.empty()) refuse(spec, key + ".banks", "expected at least one");
  const std::uint64_t bytes = spec.dram[0].banks[0].bytes;
  for (std::size_t i = 0; i < channel.banks.size(); ++i) {
    const DramBank& bank = channel.banks[i];
    if (bank.endpoint >= channel.endpoints.size()) {
      refuse(spec, key + ".banks", "expected a node of the channel's endpoints");
    }
    if (bank.bytes != bytes || !std::has_single_bit(bytes)) {
      refuse(spec, key + ".banks", "mib: expected the same power of two for all banks");
    }
    if (bank.offset != i * bytes) {
      refuse(spec, key + ".banks",
             "offset: expected banks one behind the other, bank " + std::to_string(i) + " at " +
                 std::to_string(i * bytes));
    }
  }
  if (channel.banks.size() * bytes > kMostDramBytes) {
    refuse(spec, key + ".banks", "mib: expected at most 4 GiB a channel");
  }
  if (channel.banks.size() != spec.dram[0].banks.size()) {
    refuse(spec, key + ".banks", "expected as many as the other channels have");
  }
}

void check_places(const ChipSpec& spec) {
  Places places(spec);
  for (const unsigned y : spec.tensix_rows) {
    for (const unsigned x : spec.tensix_columns) {
      places.take("tensix.columns", "Tensix tile " + text_of({x, y}), {x, y});
    }
  }
  for (std::size_t i = 0; i < spec.dram.size(); ++i) {
    for (const ChipNode node : spec.dram[i].endpoints) {
      places.take("dram[" + std::to_string(i) + "].endpoints",
                  "an endpoint of DRAM channel " + std::to_string(i), node);
    }
  }
  for (std::size_t i = 0; i < spec.ethernet.size(); ++i) {
    places.take("ethernet.nodes", "ethernet channel " + std::to_string(i), spec.ethernet[i]);
  }
  places.take("pcie.node", "the PCIe tile", spec.pcie);
  places.take("arc.node", "the ARC tile", spec.arc);
}

void check_memories(const ChipSpec& spec) {
  const auto check = [&](const char* key, std::uint32_t bytes, std::uint32_t unit,
                         std::uint32_t most) {
    if (bytes == 0 || bytes % unit != 0 || bytes > most) {
      refuse(spec, std::string("memories.") + key,
             std::to_string(bytes) + " bytes, expected a multiple of " + std::to_string(unit) +
                 " up to " + std::to_string(most));
    }
  };
  const ChipSpec::Memories& m = spec.memories;
  check("tensix_l1_kib", m.tensix_l1_bytes, kPageBytes, kMostTensixL1Bytes);
  check("ethernet_l1_kib", m.ethernet_l1_bytes, kPageBytes, 16U << 20);
  check("data_local_bytes", m.data_local_bytes, 64, 64U << 10);
  check("compute_local_bytes", m.compute_local_bytes, 64, 64U << 10);
  if (m.instruction_bytes != 0)
    check("instruction_bytes", m.instruction_bytes, kPageBytes, 256U << 10);
}

void check_bars(const ChipSpec& spec) {
  std::uint64_t end = 0;
  for (const WindowGroup& group : spec.bars.windows) {
    end += std::uint64_t{group.count} << group.size_log2;
  }
  if (end > spec.bars.window_registers) {
    refuse(spec, "pcie.windows",
           "end at " + std::to_string(end) + ", expected before pcie.window_registers at " +
               std::to_string(spec.bars.window_registers));
  }
  if (spec.bars.bar4_bytes > spec.bars.bar0_bytes) {
    refuse(spec, "pcie.bar4_mib", "expected at most pcie.bar0_mib, the top of which it is");
  }
  if (spec.bars.arc_registers > spec.bars.bar0_bytes) {
    refuse(spec, "pcie.arc_registers", "expected inside of BAR 0");
  }
}

}  // namespace

std::string text_of(ChipNode node) {
  std::string text = "[";
  text += std::to_string(node.x);
  text += ", ";
  text += std::to_string(node.y);
  return text + "]";
}

void check_chip(const ChipSpec& spec) {
  check_grid(spec);
  check_harvest(spec);
  if (spec.dram.empty()) refuse(spec, "dram", "expected at least one [[dram]] channel");
  for (std::size_t i = 0; i < spec.dram.size(); ++i) check_banks(spec, i);
  check_places(spec);
  check_memories(spec);
  check_bars(spec);
}

}  // namespace tvp::foundation
