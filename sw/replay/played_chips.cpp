#include "sw/replay/played_chips.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "foundation/abi/tensix_vp/libttsim.h"
#include "foundation/regs/tensix_tile.h"
#include "sw/runtime/devices/chip_kinds.h"
#include "sw/runtime/devices/harvest_of.h"
#include "sw/runtime/errors.h"

namespace tvp::replay {

using nlohmann::json;
using runtime::bad_use;
using runtime::CoreCoord;
namespace tile = regs::tensix_tile;

namespace {

constexpr std::uint64_t kSoftReset = tile::kControl + tile::kSoftReset0;

/// Little-endian.
std::uint32_t bits_of(const foundation::HostMessage::Bytes& bytes) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) bits |= std::uint32_t{bytes[i]} << (8 * i);
  return bits;
}

struct Processor {
  const char* name;
  unsigned core;  ///< tensix_vp_core
};
constexpr std::array<Processor, 6> kProcessors{{{"brisc", TENSIX_VP_CORE_BRISC},
                                                {"ncrisc", TENSIX_VP_CORE_NCRISC},
                                                {"trisc0", TENSIX_VP_CORE_TRISC0},
                                                {"trisc1", TENSIX_VP_CORE_TRISC1},
                                                {"trisc2", TENSIX_VP_CORE_TRISC2},
                                                {"erisc", TENSIX_VP_CORE_ERISC}}};

/// "[CHIP:][X,Y:]PROCESSOR=FILE"
struct Symbols {
  explicit Symbols(const std::string& text) : text_(text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) fail();
    file = text.substr(equals + 1);
    std::string_view left(text.data(), equals);
    for (std::size_t colon = left.find(':'); colon != left.npos; colon = left.find(':')) {
      take(left.substr(0, colon));
      left.remove_prefix(colon + 1);
    }
    const auto* found = std::find_if(kProcessors.begin(), kProcessors.end(),
                                     [&](const Processor& p) { return left == p.name; });
    if (found == kProcessors.end()) fail();
    core = found->core;
    if (std::error_code error; !std::filesystem::is_regular_file(file, error)) {
      bad_use("--elf " + text, "expected an ELF file at " + file);
    }
  }

  std::optional<unsigned> chip;
  std::optional<CoreCoord> at;
  unsigned core = 0;
  std::string file;

 private:
  [[noreturn]] void fail() const {
    bad_use("--elf " + text_,
            "expected [CHIP:][X,Y:]PROCESSOR=FILE with a processor of brisc, ncrisc, trisc0, "
            "trisc1, trisc2, erisc");
  }
  unsigned number(std::string_view text) const {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) fail();
    return value;
  }
  void take(std::string_view part) {
    const std::size_t comma = part.find(',');
    if (comma != part.npos && !at) {
      at = CoreCoord{number(part.substr(0, comma)), number(part.substr(comma + 1))};
    } else if (comma == part.npos && !chip && !at) {
      chip = number(part);
    } else {
      fail();
    }
  }
  const std::string& text_;
};

}  // namespace

PlayedChips::PlayedChips(runtime::DeviceLibrary& library)
    : library_(library), base_firmware_(library) {
  if (!library.has_system()) {
    const runtime::ChipLayout layout(runtime::ChipLayout::usual_spec(), 0, true);
    for (unsigned device = 0; device < Message::kDevices && library.config_read(device, 0) != ~0U;
         ++device) {
      add(device, device, layout);
    }
  } else {
    const json system = json::parse(library.system());
    const auto kinds = runtime::chip_kinds(system);
    for (const json& chip : system.value("chips", json::array())) {
      if (chip.value("pci_device", json()).is_null()) continue;
      const auto device = chip.at("pci_device").get<unsigned>();
      // The library has its own chips and links; the description only gives their meaning.
      if (library.system_is_described() && library.config_read(device, 0) == ~0U) continue;
      const auto& kind = kinds.at(chip.value("description", 0U));
      const auto harvested = chip.at(kind->harvest_key()).get<std::uint32_t>();
      Chip& added = add(device, chip.at("id").get<unsigned>(),
                        {kind, harvested, chip.value("translated", true)});
      if (!library.system_is_described()) continue;
      const foundation::Coordinates recorded(*kind, kind->harvested(harvested));
      const foundation::Coordinates here(
          *kind, kind->harvested(runtime::harvest_of(library, device, kind, harvested)));
      for (unsigned name = kind->first_translated; name < foundation::Coordinates::kEntries;
           ++name) {
        if (recorded.names_column(name))
          added.columns[recorded.columns(0)[name]] = here.columns(0)[name];
        if (recorded.names_row(name)) added.rows[recorded.rows(0)[name]] = here.rows(0)[name];
      }
    }
  }
  if (chips_.empty()) {
    bad_use(library.name(), "has no chips with a PCI device, which a recording is played on");
  }
}

PlayedChips::Chip& PlayedChips::add(unsigned device, unsigned id,
                                    const runtime::ChipLayout& layout) {
  auto chip = std::make_unique<Chip>(
      Chip{id, layout, runtime::TileAccess(library_, device, layout.spec()), {}, {}});
  return *chips_.emplace(device, std::move(chip)).first->second;
}

bool PlayedChips::Chip::has_ethernet(CoreCoord core) const {
  for (std::uint32_t i = 0; i < layout.ethernet_channels(); ++i) {
    if (layout.ethernet_noc0(i) == core) return true;
  }
  return false;
}

CoreCoord PlayedChips::Chip::core_of(const Message& message) const {
  const CoreCoord core{message.x, message.y};
  const auto moved = [](const std::map<unsigned, unsigned>& lines, std::uint32_t line) {
    const auto found = lines.find(line);
    return found == lines.end() ? line : found->second;
  };
  if (layout.spec().kind_at({core.x, core.y}) != foundation::TileKind::kTensix) return core;
  return {moved(columns, core.x), moved(rows, core.y)};
}

std::optional<CoreCoord> PlayedChips::translated_worker(unsigned chip, CoreCoord noc0) const {
  const auto found = chips_.find(chip);
  if (found == chips_.end()) return std::nullopt;
  const runtime::ChipLayout& layout = found->second->layout;
  if (!layout.translated()) return std::nullopt;
  for (std::uint32_t i = 0; i < layout.workers(); ++i) {
    const CoreCoord logical{i % layout.grid_size().x, i / layout.grid_size().x};
    if (layout.worker_noc0(logical) == noc0) return layout.worker_virtual(logical);
  }
  return std::nullopt;
}

PlayedChips::Chip& PlayedChips::chip(const Message& message, const std::string& where) {
  const auto found = chips_.find(message.chip);
  if (found != chips_.end()) return *found->second;
  std::string known;
  for (const auto& [device, chip] : chips_) {
    known += (known.empty() ? "" : ", ") + std::to_string(device);
  }
  const std::string whose = library_.system_is_described() ? library_.name() : "the system";
  bad_use(where, "chip: expected a PCI device of " + whose + " (" + known + "), not " +
                     std::to_string(message.chip));
}

std::uint64_t PlayedChips::physical(const Message& message) const {
  const std::uint32_t at = *message.bar == 0 ? 0x10 : 0x18;
  std::uint64_t base = library_.config_read(message.chip, at) & ~0xFU;
  base |= std::uint64_t{library_.config_read(message.chip, at + 4)} << 32;
  return base + message.address;
}

PlayedChips::Message::Bytes PlayedChips::read(const Message& message, const std::string& where) {
  Chip& from = chip(message, where);
  Message::Bytes bytes(message.size);
  if (message.bar) {
    library_.read(physical(message), bytes.data(), message.size);
    library_.check();
  } else {
    from.tiles.read(from.core_of(message), message.address, bytes.data(), bytes.size());
  }
  return bytes;
}

void PlayedChips::write(const Message& message, const std::string& where) {
  Chip& to = chip(message, where);
  if (message.bar) {
    library_.write(physical(message), message.data.data(), message.size);
    library_.check();
  } else if (!write_reset(to, message)) {
    to.tiles.write(to.core_of(message), message.address, message.data.data(), message.size);
  }
}

bool PlayedChips::write_reset(Chip& to, const Message& message) {
  const CoreCoord core{message.x, message.y};
  if (!our_runtime_ || !base_firmware_.is_there() || message.address != kSoftReset ||
      message.size != 4 || !to.has_ethernet(core)) {
    return false;
  }
  if ((bits_of(message.data) & tile::kResetB) != 0) {
    base_firmware_.hold(message.chip, to.tiles, core);
  } else {
    base_firmware_.let_go(message.chip, to.tiles, core);
  }
  return true;
}

void PlayedChips::reset(const Message& message, const std::string& where) {
  Chip& to = chip(message, where);
  runtime::TileAccess& tiles = to.tiles;
  const CoreCoord core = to.core_of(message);
  std::uint32_t bits = bits_of(message.data);
  const bool hold = message.kind == Message::Kind::kResetAssert;
  if (bits == 0) bits = hold ? tile::kResetCores : tile::kResetB;
  const std::uint32_t held = tiles.read32(core, kSoftReset);
  tiles.write32(core, kSoftReset, hold ? held | bits : held & ~bits);
}

void PlayedChips::add_symbols(const std::string& text) {
  const Symbols symbols(text);
  bool any = false;
  for (const auto& [device, chip] : chips_) {
    if (symbols.chip && *symbols.chip != device) continue;
    std::vector<CoreCoord> cores;
    const runtime::ChipLayout& layout = chip->layout;
    if (symbols.core == TENSIX_VP_CORE_ERISC) {
      for (std::uint32_t i = 0; i < layout.ethernet_channels(); ++i) {
        cores.push_back(layout.ethernet_noc0(i));
      }
    } else {
      for (std::uint32_t i = 0; i < layout.workers(); ++i) {
        cores.push_back(layout.worker_noc0({i % layout.grid_size().x, i / layout.grid_size().x}));
      }
    }
    for (const CoreCoord core : cores) {
      if (symbols.at && *symbols.at != core) continue;
      any = true;
      library_.symbols(chip->id, core.x, core.y, symbols.core, symbols.file);
    }
  }
  if (!any) bad_use("--elf " + text, "expected a core of the system");
}

}  // namespace tvp::replay
