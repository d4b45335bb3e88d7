#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "models/riscv/debug/source_lines.h"
#include "models/support/time.h"
#include "platform/checks/code_names.h"

namespace tvp::platform {

/// The ELF files that cores execute, as the host registered them. Reports get functions and source
/// lines from them. A file of many cores is read once. Chips in parallel threads may look up; files
/// are added between windows.
class SymbolTable : public checks::CodeNames {
 public:
  /// Adds a file from this cycle on; false if it cannot be read.
  bool add(unsigned chip, unsigned x, unsigned y, unsigned core, const std::string& elf_path,
           support::Cycle now = 0);

  /// "kernel_main (sdpa/reader.cpp:42)", or "" if nothing is known of the address. Describes the
  /// code that is there now, or was there at that cycle.
  std::string describe(unsigned chip, unsigned x, unsigned y, unsigned core, std::uint32_t address,
                       support::Cycle at = support::kNever) const;
  std::string describe(const checks::CodeOwner& core, std::uint32_t address,
                       support::Cycle at = support::kNever) const override {
    return describe(core.chip, core.x, core.y, core.number, address, at);
  }
  std::string own_line(const checks::CodeOwner& core, std::uint32_t address) const override {
    const auto at = place_of(core, address);
    if (!at) return "";
    const auto caller = caller_of(*at, core, address);
    return caller ? caller->own_text() : at->own_text();
  }
  /// Finds the place in the kernel that has called the library function in which the core is now,
  /// at this address. Without optimization such functions are not inlined.
  using Callers = std::function<std::optional<riscv::SourceLocation>(const checks::CodeOwner& core,
                                                                     std::uint32_t address)>;
  void set_callers(Callers callers) { callers_ = std::move(callers); }
  /// The place of the code that is at the address now; nothing if it is not known.
  std::optional<riscv::SourceLocation> place_of(const checks::CodeOwner& core,
                                                std::uint32_t address,
                                                support::Cycle at = support::kNever) const {
    return locate({core.chip, core.x, core.y, core.number}, address, at);
  }
  /// The definition of kernel_main in the newest file of the core besides its first one; nothing if
  /// there is none.
  std::optional<riscv::SourceLocation> kernel_of(const checks::CodeOwner& core) const;
  /// The main function of a core without firmware of its own, such as a PIM unit.
  std::optional<riscv::SourceLocation> program_of(const checks::CodeOwner& core) const;
  /// That kernel calls one of these functions.
  bool kernel_calls(const checks::CodeOwner& core, const std::vector<std::string>& functions) const;
  /// "reader.cpp:20, reader.cpp:31": where that kernel, outside of the library, calls one of these
  /// functions; "" if it does not.
  std::string lines_of_calls(const checks::CodeOwner& core,
                             const std::vector<std::string>& functions) const;
  bool is_of(const std::string& function, const checks::CodeOwner& core,
             std::uint32_t address) const override;
  bool is_of_first(const checks::CodeOwner& core, std::uint32_t address) const override;
  std::function<std::string()> kernel(const checks::CodeOwner& core) const override;

 private:
  /// Nothing if `place` is in the kernel itself or in firmware.
  std::optional<riscv::SourceLocation> caller_of(const riscv::SourceLocation& place,
                                                 const checks::CodeOwner& core,
                                                 std::uint32_t address) const;
  using Place = std::tuple<unsigned, unsigned, unsigned, unsigned>;
  std::optional<riscv::SourceLocation> locate(const Place& place, std::uint32_t address,
                                              support::Cycle at = support::kNever) const;

  std::optional<riscv::SourceLocation> kernel_in(riscv::SourceLines& file) const;
  std::shared_ptr<riscv::SourceLines> kernel_file(const checks::CodeOwner& core) const;
  struct Code {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  static std::vector<Code> code_of(const std::string& elf_path);

  std::map<std::string, std::shared_ptr<riscv::SourceLines>> files_;
  mutable std::mutex reading_;  ///< files are read at the first lookup
  struct Added {
    std::shared_ptr<riscv::SourceLines> file;
    support::Cycle from = 0;
  };
  std::map<Place, std::vector<Added>> of_core_;
  std::map<Place, std::vector<Code>> first_;
  Callers callers_;
};

}  // namespace tvp::platform
