#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "foundation/contract/memory_map.h"
#include "sw/runtime/programs/kernel_types.h"

namespace tvp::runtime {

/// A circular buffer of a core. Without pages it does not exist.
struct HeldBuffer {
  std::uint32_t pages = 0;
  std::uint32_t page_bytes = 0;
  std::uint32_t address = 0;  ///< in L1
  bool is_tensor = false;     ///< overlies a tensor, which other cores fill
  DataFormat format = DataFormat::Invalid;
};

/// Notes about a core's kernels and buffers, which the report of a hang uses.
class LaunchNotes {
 public:
  /// Notes that a data-movement kernel counts its transactions on a NoC as the only user. tt-metal
  /// allows two kernels on one NoC. If one only reads and the other only writes, they complete.
  void counts(NOC noc, const std::string& kernel);
  void holds(std::uint32_t buffer, const HeldBuffer& what) { buffers_[buffer] = what; }
  void semaphore(std::uint32_t number) { semaphores_.insert(number); }
  /// A remote circular buffer with its configuration in L1.
  void remote(std::uint32_t index, std::uint32_t config_address, std::uint32_t page_bytes) {
    remotes_[index] = {config_address, page_bytes};
  }
  /// All buffers. Those that the core does not have are without pages.
  std::array<HeldBuffer, contract::kCircularBuffers> buffers() const;

  /// Describes two kernels that count on one NoC, if the state in `lines` may come from that. Empty
  /// or a line.
  std::string of_nocs(const std::string& core, const std::string& lines) const;
  using Read = std::function<std::uint32_t(std::uint32_t)>;  ///< a word of the tile
  /// A word of L1 by its name in the program.
  struct Word {
    std::uint32_t address = 0;
    std::string name;  ///< "semaphore 0"
  };
  /// The words for which kernels may wait. Semaphores lie in L1 from `base` on.
  std::vector<Word> words(std::uint32_t base, const Read& read) const;

 private:
  struct Remote {
    std::uint32_t config_address = 0;
    std::uint32_t page_bytes = 0;
  };

  std::array<std::vector<std::string>, 2> counting_;  ///< by NoC
  std::map<std::uint32_t, HeldBuffer> buffers_;
  std::set<std::uint32_t> semaphores_;
  std::map<std::uint32_t, Remote> remotes_;
};

}  // namespace tvp::runtime
