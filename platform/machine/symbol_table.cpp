#include "platform/machine/symbol_table.h"

#include <fstream>

namespace tvp::platform {

bool SymbolTable::add(unsigned chip, unsigned x, unsigned y, unsigned core,
                      const std::string& elf_path) {
  std::shared_ptr<riscv::SourceLines>& file = files_[elf_path];
  if (!file) {
    if (!std::ifstream(elf_path)) {
      files_.erase(elf_path);
      return false;
    }
    file = std::make_shared<riscv::SourceLines>(elf_path);
  }
  of_core_[{chip, x, y, core}].push_back(file);
  return true;
}

std::string SymbolTable::describe(unsigned chip, unsigned x, unsigned y, unsigned core,
                                  std::uint32_t address) const {
  const auto found = of_core_.find({chip, x, y, core});
  if (found == of_core_.end()) return "";
  // The newest file first: it replaces earlier ones where they overlap.
  for (auto it = found->second.rbegin(); it != found->second.rend(); ++it) {
    if (const auto at = (*it)->lookup(address)) return at->text();
  }
  return "";
}

}  // namespace tvp::platform
