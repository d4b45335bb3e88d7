#include "models/riscv/debug/source_lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace tvp::riscv {

struct SourceLines::Dwarf {
  int file = -1;
  ::Dwarf* handle = nullptr;
  explicit Dwarf(const std::string& path) : file(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file >= 0) handle = dwarf_begin(file, DWARF_C_READ);
  }
  ~Dwarf() {
    if (handle != nullptr) dwarf_end(handle);
    if (file >= 0) ::close(file);
  }

  /// The compilation unit of `address`. Without .debug_aranges all units must be searched.
  bool unit_of(Dwarf_Addr address, Dwarf_Die& unit) const {
    if (dwarf_addrdie(handle, address, &unit) != nullptr) return true;
    Dwarf_Off offset = 0;
    Dwarf_Off next = 0;
    std::size_t header = 0;
    while (dwarf_nextcu(handle, offset, &next, &header, nullptr, nullptr, nullptr) == 0) {
      if (dwarf_offdie(handle, offset + header, &unit) != nullptr &&
          dwarf_haspc(&unit, address) == 1) {
        return true;
      }
      offset = next;
    }
    return false;
  }
};

namespace {

/// The source location of the call that was inlined as `inlined`.
SourceLocation call_of(Dwarf_Die& unit, Dwarf_Die& inlined) {
  SourceLocation call;
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  Dwarf_Files* files = nullptr;
  if (dwarf_formudata(dwarf_attr(&inlined, DW_AT_call_file, &attribute), &value) == 0 &&
      dwarf_getsrcfiles(&unit, &files, nullptr) == 0) {
    const char* const file = dwarf_filesrc(files, value, nullptr, nullptr);
    if (file != nullptr) call.file = file;
  }
  if (dwarf_formudata(dwarf_attr(&inlined, DW_AT_call_line, &attribute), &value) == 0) {
    call.line = static_cast<unsigned>(value);
  }
  return call;
}

/// Adds the function of `innermost` to `location`, and those that it is inlined into. The parents
/// come from the code. dwarf_getscopes() would follow the place where an inlined function is
/// defined.
void add_calls(Dwarf_Die& unit, Dwarf_Die& innermost, SourceLocation& location) {
  Dwarf_Die* parents = nullptr;
  const int count = dwarf_getscopes_die(&innermost, &parents);
  std::vector<SourceLocation> chain(1);
  for (int i = 0; i < count; ++i) {
    const int tag = dwarf_tag(&parents[i]);
    if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine) continue;
    const char* const name = dwarf_diename(&parents[i]);
    if (name != nullptr) chain.back().function = name;
    if (tag == DW_TAG_subprogram) break;
    chain.push_back(call_of(unit, parents[i]));
  }
  std::free(parents);
  location.function = chain.front().function;
  location.inlined_into.assign(chain.begin() + 1, chain.end());
}

/// True for files of the API and library. Faults are reported in the kernel that calls them.
bool is_of_library(const std::string& file) {
  for (const char* folder :
       {"firmware/api/", "firmware/llk/", "firmware/boot/", "foundation/contract/",
        "firmware/fabric/", "foundation/regs/", "/usr/"})
    if (file.find(folder) != std::string::npos) return true;
  return false;
}

}  // namespace

std::string SourceLocation::place_text() const {
  const std::string place = file + ":" + std::to_string(line);
  return function.empty() ? place : function + " (" + place + ")";
}

std::string SourceLocation::text() const {
  const auto own = std::find_if(inlined_into.begin(), inlined_into.end(),
                                [](const auto& caller) { return !is_of_library(caller.file); });
  const bool kernel_first = is_of_library(file) && own != inlined_into.end();
  std::string text = kernel_first ? own->place_text() + ": " : std::string();
  text += place_text();
  for (const SourceLocation& caller : inlined_into)
    if (!kernel_first || &caller != &*own) text += ", inlined into " + caller.place_text();
  return text;
}

SourceLines::SourceLines(std::string path) : path_(std::move(path)) {}
SourceLines::~SourceLines() = default;

const std::optional<SourceLocation>& SourceLines::lookup(std::uint32_t address) {
  const auto known = found_.find(address);
  return known != found_.end() ? known->second : found_[address] = find(address);
}

std::optional<SourceLocation> SourceLines::find(std::uint32_t address) {
  if (!opened_) {
    dwarf_ = std::make_unique<Dwarf>(path_);
    opened_ = true;
  }
  if (dwarf_->handle == nullptr) return std::nullopt;
  Dwarf_Die unit;
  if (!dwarf_->unit_of(address, unit)) return std::nullopt;
  Dwarf_Line* const line = dwarf_getsrc_die(&unit, address);
  const char* const file = line == nullptr ? nullptr : dwarf_linesrc(line, nullptr, nullptr);
  if (file == nullptr) return std::nullopt;
  SourceLocation location;
  location.file = file;
  int number = 0;
  if (dwarf_lineno(line, &number) == 0) location.line = static_cast<unsigned>(number);

  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes(&unit, address, &scopes);
  if (count > 0) add_calls(unit, scopes[0], location);
  std::free(scopes);
  return location;
}

}  // namespace tvp::riscv
