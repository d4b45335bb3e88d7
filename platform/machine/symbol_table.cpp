#include "platform/machine/symbol_table.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <string_view>
#include <utility>

#include "foundation/elf_image.h"
#include "foundation/fault.h"

namespace tvp::platform {

namespace {

bool is_elf(const std::string& path) {
  char magic[4] = {};
  std::ifstream(path, std::ios::binary).read(magic, sizeof magic);
  return std::string_view(magic, sizeof magic) ==
         "\x7f"
         "ELF";
}

}  // namespace

bool SymbolTable::add(unsigned chip, unsigned x, unsigned y, unsigned core,
                      const std::string& elf_path, support::Cycle now) {
  std::shared_ptr<riscv::SourceLines>& file = files_[elf_path];
  if (!file) {
    if (!is_elf(elf_path)) {
      files_.erase(elf_path);
      return false;
    }
    file = std::make_shared<riscv::SourceLines>(elf_path);
  }
  const Place place{chip, x, y, core};
  if (first_.find(place) == first_.end()) first_[place] = code_of(elf_path);
  of_core_[place].push_back({file, now});
  return true;
}

std::optional<riscv::SourceLocation> SymbolTable::locate(const Place& place, std::uint32_t address,
                                                         support::Cycle at) const {
  const auto found = of_core_.find(place);
  if (found == of_core_.end()) return std::nullopt;
  const std::lock_guard lock(reading_);
  // The newest file first: it replaces earlier ones where they overlap.
  for (auto it = found->second.rbegin(); it != found->second.rend(); ++it) {
    if (it->from > at) continue;
    if (auto found_there = it->file->lookup(address)) return found_there;
  }
  return std::nullopt;
}

std::vector<SymbolTable::Code> SymbolTable::code_of(const std::string& elf_path) {
  std::vector<Code> code;
  try {
    const auto image = foundation::ElfImage::from_file(elf_path);
    for (const auto& segment : image.segments()) {
      if (segment.executable)
        code.push_back({segment.address, segment.address + segment.memory_bytes});
    }
  } catch (const foundation::Fault&) {
    // No core can execute this file's content.
  }
  return code;
}

bool SymbolTable::is_of_first(const checks::CodeOwner& core, std::uint32_t address) const {
  const auto found = first_.find({core.chip, core.x, core.y, core.number});
  return found != first_.end() &&
         std::any_of(found->second.begin(), found->second.end(),
                     [&](const Code& code) { return address >= code.begin && address < code.end; });
}

std::shared_ptr<riscv::SourceLines> SymbolTable::kernel_file(const checks::CodeOwner& core) const {
  const auto found = of_core_.find({core.chip, core.x, core.y, core.number});
  if (found == of_core_.end() || found->second.size() < 2) return nullptr;
  return found->second.back().file;
}

std::optional<riscv::SourceLocation> SymbolTable::kernel_of(const checks::CodeOwner& core) const {
  const auto file = kernel_file(core);
  return file ? kernel_in(*file) : std::nullopt;
}

std::optional<riscv::SourceLocation> SymbolTable::program_of(const checks::CodeOwner& core) const {
  const auto found = of_core_.find({core.chip, core.x, core.y, core.number});
  if (found == of_core_.end() || found->second.empty()) return std::nullopt;
  return kernel_in(*found->second.back().file);
}

std::function<std::string()> SymbolTable::kernel(const checks::CodeOwner& core) const {
  const auto file = kernel_file(core);
  if (!file) return {};
  return [this, file] {
    const auto found = kernel_in(*file);
    return found ? found->file.substr(found->file.rfind('/') + 1) : std::string();
  };
}

std::optional<riscv::SourceLocation> SymbolTable::kernel_in(riscv::SourceLines& file) const {
  const std::lock_guard lock(reading_);
  // The compute kernels of older releases have a main function for each thread.
  for (const char* name : {"kernel_main", "unpack_main", "math_main", "pack_main", "main"})
    if (auto found = file.declaration(name)) return found;
  return std::nullopt;
}

bool SymbolTable::kernel_calls(const checks::CodeOwner& core,
                               const std::vector<std::string>& functions) const {
  const auto file = kernel_file(core);
  const std::lock_guard lock(reading_);
  return file && std::any_of(functions.begin(), functions.end(),
                             [&](const std::string& function) { return file->calls(function); });
}

std::string SymbolTable::lines_of_calls(const checks::CodeOwner& core,
                                        const std::vector<std::string>& functions) const {
  constexpr std::size_t kMost = 4;
  const auto file = kernel_file(core);
  if (!file) return "";
  const std::lock_guard lock(reading_);
  std::set<std::pair<std::string, unsigned>> places;
  for (const std::string& function : functions)
    for (const riscv::SourceLocation& call : file->calls_of(function))
      places.insert({call.file.substr(call.file.rfind('/') + 1), call.line});
  std::string text;
  std::size_t shown = 0;
  for (const auto& [name, line] : places) {
    if (shown++ == kMost) return text + " and others";
    text += (text.empty() ? "" : ", ") + name + ":" + std::to_string(line);
  }
  return text;
}

std::string SymbolTable::describe(unsigned chip, unsigned x, unsigned y, unsigned core,
                                  std::uint32_t address, support::Cycle at) const {
  const auto found = locate({chip, x, y, core}, address, at);
  if (!found) return "";
  const auto caller = at == support::kNever ? caller_of(*found, {chip, x, y, core}, address)
                                            : std::optional<riscv::SourceLocation>();
  return caller ? caller->own_text() + ": " + found->text() : found->text();
}

std::optional<riscv::SourceLocation> SymbolTable::caller_of(const riscv::SourceLocation& place,
                                                            const checks::CodeOwner& core,
                                                            std::uint32_t address) const {
  if (!callers_ || place.own() != nullptr || is_of_first(core, address)) return std::nullopt;
  return callers_(core, address);
}

bool SymbolTable::is_of(const std::string& function, const checks::CodeOwner& core,
                        std::uint32_t address) const {
  const auto at = locate({core.chip, core.x, core.y, core.number}, address);
  if (!at) return false;
  return at->function == function ||
         std::any_of(at->inlined_into.begin(), at->inlined_into.end(),
                     [&](const auto& caller) { return caller.function == function; });
}

}  // namespace tvp::platform
