#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "foundation/recording/host_message.h"
#include "sw/runtime/devices/base_firmware.h"
#include "sw/runtime/devices/chip_layout.h"
#include "sw/runtime/devices/device_library.h"
#include "sw/runtime/devices/tile_access.h"

namespace tvp::replay {

/// The chips of a library as addressed by messages: cores through TLB windows, and BARs.
class PlayedChips {
 public:
  using Message = foundation::HostMessage;
  /// `library` is initialized. If it lacks tensix_vp_system, the chips are Wormhole B0.
  explicit PlayedChips(runtime::DeviceLibrary& library);

  /// The recorded host handles resets like this platform's runtime. If base firmware starts the
  /// cores of ethernet tiles, the replay uses it.
  void expect_our_runtime() { our_runtime_ = true; }

  // These throw Fault(kDescription), beginning with `where`, for an unknown chip, and the faults of
  // the library.
  Message::Bytes read(const Message& message, const std::string& where);
  void write(const Message& message, const std::string& where);
  void reset(const Message& message, const std::string& where);

  /// Translated coordinates of the worker at `noc0`, for kernels. Empty without such a worker or on
  /// a chip that does not translate.
  std::optional<runtime::CoreCoord> translated_worker(unsigned chip, runtime::CoreCoord noc0) const;

  /// Adds symbols of the cores in a text "[CHIP:][X,Y:]PROCESSOR=FILE". Omitted parts mean all.
  void add_symbols(const std::string& text);

 private:
  struct Chip {
    unsigned id;  ///< in tensix_vp_system
    runtime::ChipLayout layout;
    runtime::TileAccess tiles;

    /// If other lines are harvested than in the recorded chip: the columns and rows with the same
    /// coordinates in kernels.
    std::map<unsigned, unsigned> columns;
    std::map<unsigned, unsigned> rows;

    bool has_ethernet(runtime::CoreCoord core) const;
    runtime::CoreCoord core_of(const Message& message) const;
  };
  Chip& chip(const Message& message, const std::string& where);
  /// Physical address of an offset in a BAR.
  std::uint64_t physical(const Message& message) const;
  Chip& add(unsigned device, unsigned id, const runtime::ChipLayout& layout);
  /// Writes the reset of a core that base firmware starts. Returns false for all other messages.
  bool write_reset(Chip& to, const Message& message);

  runtime::DeviceLibrary& library_;
  runtime::BaseFirmware base_firmware_;
  bool our_runtime_ = false;
  std::map<unsigned, std::unique_ptr<Chip>> chips_;  ///< chips by PCI device
};

}  // namespace tvp::replay
