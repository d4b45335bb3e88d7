#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/checks/chip_checks.h"
#include "platform/checks/provenance.h"
#include "platform/machine/chip.h"

namespace tvp::platform {

/// Shows the state of a Tensix tile in a debugger's `monitor` commands. It reads only.
class TileMonitor {
 public:
  TileMonitor(Chip& chip, tensix::TensixTile& tile, checks::ChipChecks& checks,
              const checks::Provenance& provenance);

  /// A line for each command.
  static std::string help();
  /// The answer to a command with its arguments; nothing if there is no such command.
  std::optional<std::string> answer(std::string_view command);

 private:
  using Words = std::vector<std::string>;
  struct Command {
    const char* name;
    const char* arguments;
    const char* purpose;
    std::string (TileMonitor::*show)(const Words& arguments);
  };
  static const std::vector<Command>& commands();

  std::string buffers(const Words& arguments);
  std::string semaphores(const Words& arguments);
  std::string packets(const Words& arguments);
  std::string config(const Words& arguments);
  std::string dst(const Words& arguments);
  std::string src_a(const Words& arguments);
  std::string src_b(const Words& arguments);
  std::string lreg(const Words& arguments);
  std::string tile_in_l1(const Words& arguments);
  std::string place(const Words& arguments);
  std::string writer(const Words& arguments);

  /// The buffer whose memory contains the address.
  std::optional<unsigned> buffer_at(std::uint32_t address) const;
  std::uint32_t word_at(std::uint32_t address) const;
  std::uint32_t counted(unsigned buffer, bool pushes);

  Chip& chip_;
  tensix::TensixTile& tile_;
  checks::ChipChecks& checks_;
  checks::TileChecks* const of_tile_;  ///< null: there are no checks
  const checks::Provenance& provenance_;
};

}  // namespace tvp::platform
