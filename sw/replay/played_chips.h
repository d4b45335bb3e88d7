#pragma once

#include <map>
#include <memory>
#include <string>

#include "foundation/recording/host_message.h"
#include "sw/runtime/devices/base_firmware.h"
#include "sw/runtime/devices/chip_layout.h"
#include "sw/runtime/devices/device_library.h"
#include "sw/runtime/devices/tile_access.h"

namespace tvp::replay {

/// The chips of a library as messages address them: cores through TLB windows, and BARs.
class PlayedChips {
 public:
  using Message = foundation::HostMessage;
  /// `library` is initialized. If it lacks tensix_vp_system, the chips are Wormhole B0.
  explicit PlayedChips(runtime::DeviceLibrary& library);

  /// The recorded host handles resets as this platform's runtime does. If base firmware starts the
  /// cores of ethernet tiles, the replay asks it to.
  void expect_our_runtime() { our_runtime_ = true; }

  // These throw Fault(kDescription) that begins with `where` for a chip that is not there, and what
  // stops the library.
  Message::Bytes read(const Message& message, const std::string& where);
  void write(const Message& message, const std::string& where);
  void reset(const Message& message, const std::string& where);

  /// Symbols of the cores that a text "[CHIP:][X,Y:]PROCESSOR=FILE" names: all that are left out.
  void add_symbols(const std::string& text);

 private:
  struct Chip {
    unsigned id;  ///< in tensix_vp_system
    runtime::ChipLayout layout;
    runtime::TileAccess tiles;

    /// Where other rows are harvested than in the chip of a recording, the rows that kernels know
    /// by the same coordinates: by that chip's.
    std::map<unsigned, unsigned> rows;

    bool has_ethernet(runtime::CoreCoord core) const;
    runtime::CoreCoord core_of(const Message& message) const;
  };
  Chip& chip(const Message& message, const std::string& where);
  /// Physical address of an offset in a BAR.
  std::uint64_t physical(const Message& message) const;
  Chip& add(unsigned device, unsigned id, const runtime::ChipLayout& layout);
  /// Writes the reset of a core that base firmware starts. False if the message is any other write.
  bool write_reset(Chip& to, const Message& message);

  runtime::DeviceLibrary& library_;
  runtime::BaseFirmware base_firmware_;
  bool our_runtime_ = false;
  std::map<unsigned, std::unique_ptr<Chip>> chips_;  ///< chips by PCI device
};

}  // namespace tvp::replay
